"""What both stores do alike: every method is one function of `reading`, `statements` or `upkeep`, and each store says
where such functions run."""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import EllipsisType
from typing import Any, Concatenate, ParamSpec, TypeVar

from branchline.server.store import notices, reading, reviews, statements, upkeep
from branchline.server.store.backup import Whole
from branchline.server.store.contract import (
    DeviceRow,
    Elsewhere,
    KeyRow,
    Lease,
    LineRow,
    MailAsked,
    MailRow,
    Notice,
    NoticeFacts,
    ReportLine,
    ReviewRow,
    UserRow,
)
from branchline.server.store.reading import Life
from branchline.server.store.statements import Db
from branchline.server.store.writer import Writer
from branchline.server.tables.rows import Change, ChatRow, LogRow, Stored

P = ParamSpec("P")
T = TypeVar("T")


class SharedStore(ABC):
    """The contract, but for the way to the database."""

    backup: Path | None  # made when this store was opened, before it was brought up to date
    _writer: Writer[Any]

    def __init__(self, address: str) -> None:
        self.me = f"p{secrets.token_hex(8)}"
        self.address = address
        self._beat: tuple[float, float] | None = None  # the last steady time told, and when, by this host's clock

    # ------------------------------------------------------------ what each store says for itself

    @abstractmethod
    async def _look(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Ask one short question."""

    @abstractmethod
    async def _list(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Ask one question that may take long."""

    @abstractmethod
    async def _study(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Ask several questions about one and the same moment."""

    @abstractmethod
    async def _change(self, do: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Change something, in a transaction of its own, durable when this returns."""

    @abstractmethod
    async def write(self, *changes: tuple[Lease | None, Change]) -> None: ...

    @abstractmethod
    async def now(self) -> float: ...

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    def of_one_moment(self) -> AbstractContextManager[Whole]:
        """All that is kept, as it stands at one moment, for a backup; on the caller's thread."""

    @abstractmethod
    def filling(self) -> AbstractContextManager[Whole]:
        """A transaction to put a backup back; on the caller's thread."""

    @abstractmethod
    async def size(self) -> int:
        """Bytes of all that is kept."""

    # ------------------------------------------------------------ what is counted

    @property
    def trouble(self) -> str:
        return self._writer.trouble

    @property
    def commits(self) -> int:
        return self._writer.commits

    @property
    def writes(self) -> int:
        return self._writer.writes

    @property
    def statements(self) -> int:
        return self._writer.statements

    @property
    def commit_seconds(self) -> float:
        return self._writer.commit_seconds

    @property
    def on_commit(self) -> Callable[[float, int], None] | None:
        """Called with the seconds and the writes of each commit, in the writer's thread."""
        return self._writer.on_commit

    @on_commit.setter
    def on_commit(self, told: Callable[[float, int], None] | None) -> None:
        self._writer.on_commit = told

    # ------------------------------------------------------------ this process

    async def register(self) -> None:
        """Be known to the others, before anything is held."""
        await self._change(statements.register, self.me, self.address)

    async def beat(self, steady: float) -> None:
        await self._change(statements.beat, self.me, self.address, steady)
        self._beat = (steady, time.monotonic())

    def _life(self) -> Life:
        """This process, and its steady time now."""
        if self._beat is None:
            return Life(self.me, None)
        steady, then = self._beat
        return Life(self.me, steady + time.monotonic() - then)

    # ------------------------------------------------------------ tables

    async def take(self, table: str) -> tuple[Lease, Stored] | Elsewhere | None:
        taken = await self._change(statements.take, self.me, table)
        if not isinstance(taken, int):
            return None if taken is None else Elsewhere(taken)
        stored = await self.read(table)  # nobody else can write to it any more
        return None if stored is None else (Lease(table, taken), stored)

    async def read(self, table: str) -> Stored | None:
        return await self._study(reading.stored, table, self._life())

    async def release(self, lease: Lease) -> None:
        await self._change(statements.release, lease)

    async def held(self) -> dict[str, int]:
        return await self._list(reading.held, self.me)

    async def put_aside(self, table: str, reason: str | None) -> None:
        await self._change(statements.put_aside, table, reason)

    async def knows_move(self, table: str, cid: str) -> bool:
        return await self._look(reading.knows_move, table, cid)

    async def knows_receipt(self, table: str, key: str) -> bool:
        return await self._look(reading.knows_receipt, table, key)

    async def log(self, table: str) -> list[LogRow]:
        return await self._list(reading.log, table)

    async def chat(self, table: str, most: int) -> list[tuple[ChatRow, str]]:
        return await self._look(reading.chat, table, most)

    # ------------------------------------------------------------ lists

    async def lobby(self, most: int) -> list[LineRow]:
        return await self._list(reading.lobby, most)

    async def games_of(self, user: str, most: int) -> list[LineRow]:
        return await self._list(reading.games_of, user, most)

    async def open_tables(self, user: str, since: float) -> int:
        return await self._look(reading.open_tables, user, since)

    async def pressing(self) -> list[str]:
        return await self._list(reading.pressing, self.me)

    async def late(self, now: float) -> list[str]:
        return await self._list(reading.late, self.me, now)

    async def overdue(self, opened_before: float, touched_before: float) -> list[str]:
        return await self._list(reading.overdue, self.me, opened_before, touched_before)

    # ------------------------------------------------------------ people

    async def user(self, user: str) -> UserRow | None:
        return await self._look(reading.user, user)

    async def put_user(
        self, user: str, name: str, lang: str | None, at: float, holiday: str | EllipsisType | None = ...
    ) -> None:
        await self._change(statements.put_user, user, name, lang, at, holiday)

    async def put_block(self, user: str, other: str, blocked: bool) -> None:
        await self._change(statements.put_block, user, other, blocked)

    async def names(self, users: Sequence[str]) -> dict[str, str]:
        return await self._look(reading.names, users) if users else {}

    async def put_calls(self, user: str, calls: str) -> None:
        await self._change(statements.put_calls, user, calls)

    # ------------------------------------------------------------ notices

    async def are_notices_due(self, due: float, busy: Sequence[str] = ()) -> bool:
        return await self._look(notices.are_due, due, busy)

    async def take_notices(self, due: float, now: float, most: int, busy: Sequence[str] = ()) -> list[Notice]:
        return await self._change(notices.take, due, now, most, busy)

    async def notice_facts(self, notice: Notice, told_since: float) -> NoticeFacts | None:
        return await self._study(notices.facts, notice, told_since)

    async def settle_notice(self, notice: Notice, outcome: str) -> None:
        await self._change(notices.settle, notice, outcome, await self.now())

    async def put_off_notice(self, notice: Notice, due: float, only: tuple[str, ...] | None, tries: int) -> None:
        await self._change(notices.put_off, notice, due, only, tries)

    async def waits_notice(self, table: str, user: str) -> bool:
        return await self._look(notices.waits, table, user)

    async def forget_notices(self, table: str, user: str) -> None:
        await self._change(notices.forget_waiting, table, user)

    async def tidy_notices(self, done_before: float, taken_before: float, asked_before: float) -> int:
        return await self._change(notices.tidy, done_before, taken_before, asked_before)

    async def devices(self, user: str) -> list[DeviceRow]:
        return await self._look(notices.devices, user)

    async def put_device(self, device: DeviceRow, most: int) -> bool:
        return await self._change(notices.put_device, device, most)

    async def drop_device(self, user: str, device: str) -> bool:
        return await self._change(notices.drop_device, user, device)

    async def silent_device(self, user: str, device: str, most: int) -> None:
        await self._change(notices.silent_device, user, device, most)

    async def heard_device(self, user: str, device: str) -> None:
        await self._change(notices.heard_device, user, device)

    async def mail(self, user: str) -> MailRow | None:
        return await self._look(notices.mail, user)

    async def ask_mail(
        self, row: MailRow, token: str, digest: str, since: float, of_address: int, of_person: int
    ) -> MailAsked:
        return await self._change(notices.ask_mail, row, token, digest, since, of_address, of_person)

    async def refuse_mail(self, digest: str, until: float) -> None:
        await self._change(notices.refuse_mail, digest, until)

    async def allow_mail(self, digest: str) -> bool:
        return await self._change(notices.allow_mail, digest)

    async def asked_mail(self, token: str, since: float) -> MailRow | None:
        return await self._look(notices.asked_mail, token, since)

    async def confirm_mail(self, token: str, since: float, at: float) -> bool:
        return await self._change(notices.confirm_mail, token, since, at)

    async def drop_mail(self, user: str, address: str | None = None) -> bool:
        return await self._change(notices.drop_mail, user, address)

    async def put_carry(self, user: str, phrase: str, link: str, until: float) -> None:
        await self._change(statements.put_carry, user, phrase, link, until)

    async def carried(self, digest: str) -> str | None:
        return await self._look(reading.carried, digest)

    async def use_carry(self, digest: str, key: str) -> str | None:
        return await self._change(statements.use_carry, digest, key)

    # ------------------------------------------------------------ reviews

    async def put_review(self, row: ReviewRow, most: int) -> None:
        await self._change(reviews.put, row, most)

    async def review(self, table: str, made_by: str) -> ReviewRow | None:
        return await self._look(reviews.find, table, made_by)

    # ------------------------------------------------------------ keys

    async def keys(self) -> list[KeyRow]:
        return await self._look(reading.keys)

    async def add_key(self, key: KeyRow, retire: bool, ends: float | None) -> None:
        await self._change(statements.add_key, key, retire, ends)

    # ------------------------------------------------------------ for who runs it

    async def reports(self, most: int, settled: bool = False) -> list[ReportLine]:
        return await self._list(reading.reports, most, settled)

    async def settle(self, report: int) -> bool:
        return await self._change(upkeep.settle, report)

    async def ban(self, user: str, reason: str | None) -> bool:
        return await self._change(upkeep.ban, user, reason)

    async def export(self, user: str) -> dict[str, object]:
        return await self._study(upkeep.export, user)

    async def erase(self, user: str) -> bool:
        found = await self._study(upkeep.scattered, user)
        return await self._change(upkeep.erase, user, found)

    async def purge(self, ended_before: float, *, dry_run: bool = False) -> dict[str, int]:
        if dry_run:
            return await self._study(upkeep.purgeable, ended_before)
        deleted: Counter[str] = Counter()
        while old := await self._list(upkeep.old_tables, ended_before):
            for at in range(0, len(old), upkeep.PURGED_AT_ONCE):
                deleted.update(await self._change(upkeep.purge, old[at : at + upkeep.PURGED_AT_ONCE]))
        return dict(deleted)

    async def broken(self) -> list[tuple[str, str]]:
        return await self._list(reading.broken)

    async def facts(self) -> dict[str, object]:
        return {**await self._study(upkeep.counts), "bytes": await self.size()}
