"""People and keys on a real store, with a clock that is set by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from branchline.server.people.guests import Guests
from branchline.server.people.keys import Keys
from branchline.server.people.people import People
from branchline.server.store.opening import open_store
from branchline.server.store.shared import SharedStore
from branchline.server.tables.promises import Promises


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    def __call__(self) -> float:
        return self.now


class Keeper:
    """What one process knows of keys and people, on a store that others may share."""

    def __init__(self, store: SharedStore) -> None:
        self.store = store
        self.clock = Clock()
        self.keys = Keys(store, steady=self.clock)
        self.guests = Guests(self.keys)
        self.promises = Promises(self.keys)
        self.people = People(store, self.keys, steady=self.clock)

    def later(self, seconds: float) -> None:
        """Some time later, without having asked the store again."""
        self.clock.now += seconds


@asynccontextmanager
async def keeper(folder: Path) -> AsyncIterator[Keeper]:
    store = await open_store(folder)
    try:
        found = Keeper(store)
        await found.keys.load()
        yield found
    finally:
        await store.close()


def run(job: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(job(), 60))
