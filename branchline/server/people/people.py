"""People: their names, languages and holidays, and whom they have blocked. All of it stands in the store alone.

What was read is believed for some seconds. Who changes something here forgets it at once and calls `on_change`, from
which live tables and other processes hear of it; those call `forget`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import EllipsisType
from typing import Final, Protocol

from branchline.server import wire
from branchline.server.people.calls import checked_calls, read_calls, wanted, write_calls
from branchline.server.people.holidays import BadHoliday, checked_day, end_of
from branchline.server.people.keys import Keys
from branchline.server.store.contract import OutcomeUnknown, UserRow
from branchline.server.wire.refusals import BadRequest, Conflict, Missing
from branchline.server.wire.sentences import Sentence
from branchline.server.words.names import BadName, clean_name, suggested_name

LANGUAGES: Final = ("en", "ro", "pt-PT", "pt-BR")
MOST_BLOCKED: Final = 200  # people one person can block
BELIEVED_SECONDS: Final = 10.0
_REMEMBERED: Final = 10_000
_NOBODY: Final[frozenset[str]] = frozenset()


class PeopleStore(Protocol):
    """What of the store is needed here."""

    async def now(self) -> float: ...

    async def user(self, user: str) -> UserRow | None: ...

    async def put_user(
        self, user: str, name: str, lang: str | None, at: float, holiday: str | EllipsisType | None = ...
    ) -> None: ...

    async def put_calls(self, user: str, calls: str) -> None: ...

    async def put_block(self, user: str, other: str, blocked: bool) -> None: ...

    async def names(self, users: Sequence[str]) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as the service knows them now. A stranger has a name that was suggested, the same each time."""

    id: str
    name: str
    named: bool  # the name is kept: chosen, or theirs since they sat down with it
    lang: str | None
    holiday: str | None  # the last day of it, while it is not over
    blocks: frozenset[str]
    banned: str | None  # why


class People:
    """Everybody, by their id."""

    def __init__(self, store: PeopleStore, keys: Keys, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._keys = keys
        self._steady = steady
        self._rows: OrderedDict[str, tuple[float, UserRow | None]] = OrderedDict()
        self._forgotten = 0  # how often: what was read before that may be old
        self._lock = asyncio.Lock()  # a list of the blocked is counted, then changed
        self.on_change: Callable[[str], None] = lambda user: None

    # ------------------------------------------------------------ who somebody is

    async def person(self, user: str, lang: str = "en") -> Person:
        """Somebody as they are now; `lang` is the language for a stranger's name."""
        row = await self._row(user)
        if row is None:
            return Person(user, suggested_name(random.Random(user), lang), False, None, None, _NOBODY, None)
        holiday = row.holiday if row.holiday is not None and end_of(row.holiday) > await self._store.now() else None
        return Person(user, row.name, True, row.lang, holiday, row.blocks, row.banned)

    async def name(self, user: str, lang: str = "en") -> tuple[str, bool]:
        """The present name, and whether it is theirs already."""
        row = await self._row(user)
        return (row.name, True) if row is not None else (suggested_name(random.Random(user), lang), False)

    async def own_name(self, user: str, lang: str = "en") -> str:
        """The present name; from now on it is theirs."""
        name, named = await self.name(user, lang)
        if not named:
            await self._put(user, name, None)
        return name

    async def holiday(self, user: str) -> str | None:
        """The last day of somebody's holiday, if it is not over."""
        return (await self.person(user)).holiday

    async def banned(self, user: str) -> str | None:
        """Why somebody is kept out, or None."""
        row = await self._row(user)
        return row.banned if row is not None else None

    async def change(
        self,
        user: str,
        *,
        name: str | None = None,
        lang: str | None = None,
        holiday: str | EllipsisType | None = ...,
        suggest_in: str = "en",
    ) -> Person:
        """A new name, language or holiday, in one write; what is None stays, but a holiday of None is over."""
        if lang is not None and lang not in LANGUAGES:
            raise BadRequest(f"lang: one of {', '.join(LANGUAGES)}")
        new_name = _checked_name(name) if name is not None else None
        day = _checked_holiday(holiday, await self._store.now()) if isinstance(holiday, str) else holiday
        present, _ = await self.name(user, suggest_in)
        await self._put(user, new_name or present, lang, day)
        return await self.person(user)

    async def _put(self, user: str, name: str, lang: str | None, holiday: str | EllipsisType | None = ...) -> None:
        with self._changing(user):
            await self._store.put_user(user, name, lang, await self._store.now(), holiday)

    # ------------------------------------------------------------ notices

    async def calls(self, user: str) -> wire.CallSettings:
        """What somebody wants to be told while they do not look."""
        row = await self._row(user)
        return read_calls(row.calls if row is not None else None)

    async def wants(self, user: str, by: str | None) -> frozenset[str]:
        """The kinds of notices somebody wants, if it is not one they have blocked who causes them."""
        row = await self._row(user)
        if row is None or row.calls is None or row.banned is not None or by in row.blocks:
            return _NOBODY
        return wanted(read_calls(row.calls))

    async def set_calls(self, user: str, settings: wire.CallSettings, lang: str = "en") -> None:
        text = write_calls(checked_calls(settings))
        await self.own_name(user, lang)
        with self._changing(user):
            await self._store.put_calls(user, text)

    # ------------------------------------------------------------ blocks

    async def blocks(self, user: str | None) -> frozenset[str]:
        """The people this one wants no word from, and does not want to meet at a table of the lobby."""
        row = await self._row(user) if user is not None else None
        return row.blocks if row is not None else _NOBODY

    async def are_apart(self, user: str, others: Iterable[str]) -> bool:
        """Whether one of the others has blocked this person, or the other way round."""
        mine = await self.blocks(user)
        for other in others:
            if other in mine or user in await self.blocks(other):
                return True
        return False

    async def told_blocks(self, user: str) -> list[wire.BlockedWire]:
        """The blocked people as the blocker may know them: by a handle that only this list knows."""
        blocked = await self.blocks(user)
        secret = self._keys.signing("handle").secret
        names = await self._store.names(sorted(blocked))
        known = sorted((name, other) for other, name in names.items())
        return [wire.BlockedWire(_handle(secret, user, other), name) for name, other in known]

    async def set_block(self, user: str, other: str, blocked: bool, lang: str = "en") -> None:
        """Block somebody, or no more."""
        await self.own_name(user, lang)
        async with self._lock:
            self.forget(user)
            now = await self.blocks(user)
            if blocked and len(now | {other}) > MOST_BLOCKED:
                many = f"you have blocked {MOST_BLOCKED} people: unblock one first"
                raise Conflict(Sentence("many_blocked", many, MOST_BLOCKED))
            with self._changing(user):
                await self._store.put_block(user, other, blocked)

    async def unblock(self, user: str, handle: str) -> None:
        """Unblock the person of a handle; raises `Missing`."""
        blocked = await self.blocks(user)
        secrets = [key.secret for key in self._keys.all_of("handle")]
        found = (o for o in blocked for s in secrets if hmac.compare_digest(_handle(s, user, o), handle))
        other = next(found, None)
        if other is None:
            raise Missing(Sentence("not_blocked", "you have blocked nobody of this handle"))
        await self.set_block(user, other, False)

    # ------------------------------------------------------------ what is remembered

    def forget(self, user: str) -> None:
        """Somebody was changed elsewhere: read them again."""
        self._forgotten += 1
        self._rows.pop(user, None)

    @contextmanager
    def _changing(self, user: str) -> Iterator[None]:
        """What was written, or may have been, is read again by all who show it."""
        try:
            yield
        except OutcomeUnknown:
            self._changed(user)
            raise
        self._changed(user)

    def _changed(self, user: str) -> None:
        self.forget(user)
        self.on_change(user)

    async def _row(self, user: str) -> UserRow | None:
        read, row = self._rows.get(user, (float("-inf"), None))
        if self._steady() - read < BELIEVED_SECONDS:
            return row
        before, now = self._forgotten, self._steady()
        row = await self._store.user(user)
        if before == self._forgotten:
            self._remember(user, now, row)
        return row

    def _remember(self, user: str, now: float, row: UserRow | None) -> None:
        self._rows.pop(user, None)
        self._rows[user] = (now, row)
        if len(self._rows) > _REMEMBERED:
            self._rows.popitem(last=False)


def language_of(accepted: str) -> str:
    """The language for a reader whose browser sends this `Accept-Language`."""
    wish = accepted[:5]
    if wish in LANGUAGES:
        return wish
    return {"ro": "ro", "pt": "pt-PT"}.get(wish[:2], "en")


def _checked_name(name: str) -> str:
    try:
        return clean_name(name)
    except BadName as error:
        raise BadRequest(error.sentence.about("name")) from None


def _checked_holiday(day: str, now: float) -> str:
    try:
        return checked_day(day, now)
    except BadHoliday as error:
        raise BadRequest(error.sentence.about("holiday")) from None


def _handle(secret: bytes, user: str, other: str) -> str:
    return hmac.digest(secret, f"branchline block 1:{user}:{other}".encode(), hashlib.sha256).hex()[:32]
