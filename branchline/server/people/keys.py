"""The secrets of the service, kept in the store where all its processes find them.

Each purpose has keys of its own: `cookie` signs the tokens of guests, from `deal` follow the server's seeds of tables,
`handle` hides the ids of people, `mail` signs the links that end mail, with `push` the service proves to push services
who it is (a browser subscribes to messages of one such key). A new key is added by `rotate`; the ones before it are
retired: they make nothing new, and what they made is good until they end. A table keeps its server seed, so
no rotation touches the proof of a deal.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol, get_args

from branchline.server.store.contract import KeyRow, StoreFailed

Purpose = Literal["cookie", "deal", "handle", "mail", "push"]
PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
SECRET_BYTES: Final = 32
FIRST_KEY: Final = "1"  # the one secret of version 0.1, which the store has kept as a cookie key
RETIRED_SECONDS: Final = 30 * 86400.0  # a cookie key that is retired ends after so long
REFRESH_SECONDS: Final = 15.0
SETTLED_SECONDS: Final = 40.0  # of this age every process knows a key; before that none makes anything with it
ASK_SECONDS: Final = 0.2  # the store is asked no oftener for keys that nobody knows


class KeyStore(Protocol):
    """What of the store is needed here."""

    async def now(self) -> float: ...

    async def keys(self) -> list[KeyRow]: ...

    async def add_key(self, key: KeyRow, retire: bool, ends: float | None) -> None: ...


class Keys:
    """The keys as this process knows them. Make one, `await load()`, and keep a task in `watch()`."""

    def __init__(self, store: KeyStore, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._steady = steady
        self._rows: dict[tuple[str, str], KeyRow] = {}
        self._ahead = 0.0  # the store's time less ours
        self._asked = float("-inf")
        self._lock = asyncio.Lock()

    async def load(self) -> None:
        """Read all keys, and make those that are missing."""
        await self.refresh()
        for purpose in PURPOSES:
            if not self.all_of(purpose):
                await self._store.add_key(new_key(purpose, self._now), retire=False, ends=None)
        await self.refresh()

    async def refresh(self) -> None:
        """Read what other processes have changed."""
        rows, now = await self._store.keys(), await self._store.now()
        self._rows = {(row.purpose, row.id): row for row in rows}
        self._asked = self._steady()
        self._ahead = now - self._asked

    async def watch(self) -> None:
        """Go on reading until cancelled; while the store is away the keys stay as they are."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            try:
                await self.refresh()
            except StoreFailed:
                continue

    def signing(self, purpose: Purpose) -> KeyRow:
        """The key to make something new with: the newest that all processes know."""
        rows = self.all_of(purpose)
        settled = [row for row in rows if row.created <= self._now - SETTLED_SECONDS]
        return settled[-1] if settled else rows[0]

    def find(self, purpose: Purpose, key: str) -> KeyRow | None:
        """The key of this id, if it has not ended."""
        row = self._rows.get((purpose, key))
        return row if row is not None and self._lasts(row) else None

    async def look_up(self, purpose: Purpose, key: str) -> KeyRow | None:
        """The same, but a key that is not known here may have been added elsewhere just now."""
        if (purpose, key) not in self._rows:
            async with self._lock:
                if self._steady() - self._asked >= ASK_SECONDS:
                    await self.refresh()
        return self.find(purpose, key)

    def all_of(self, purpose: Purpose) -> list[KeyRow]:
        """The keys that have not ended, oldest first."""
        rows = [row for row in self._rows.values() if row.purpose == purpose and self._lasts(row)]
        return sorted(rows, key=lambda row: (row.created, row.id))

    def _lasts(self, row: KeyRow) -> bool:
        return row.ends is None or row.ends > self._now

    @property
    def _now(self) -> float:
        return self._steady() + self._ahead


def new_key(purpose: Purpose, now: float) -> KeyRow:
    return KeyRow(secrets.token_hex(4), purpose, secrets.token_bytes(SECRET_BYTES), now, None, None)


async def rotate(store: KeyStore, purposes: Sequence[Purpose] = PURPOSES, *, revoke: bool = False) -> list[KeyRow]:
    """A new key of each purpose. The old ones are retired; with `revoke` they end, and all they made with them."""
    now = await store.now()
    made = [new_key(purpose, now) for purpose in purposes]
    for key in made:
        await store.add_key(key, retire=True, ends=now if revoke else _end_of(key, now))
    return made


def _end_of(key: KeyRow, now: float) -> float | None:
    """A promise of a deal is kept, whenever it is asked for."""
    return None if key.purpose == "deal" else now + RETIRED_SECONDS
