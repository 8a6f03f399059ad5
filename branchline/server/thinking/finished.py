"""What was told of games is kept for a while: a finished game never changes, and many ask for the same one."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from branchline.server.thinking.askers import TooBusy
from branchline.server.thinking.pool import look_at

MOST_BYTES = 64 * 2**20
OVERHEAD = 500  # bytes of an entry beside what it holds, about


class Zipped(bytes):
    """An answer as gzip packs it, for readers who can read that."""

    __slots__ = ()

    def plain(self) -> bytes:
        """The same for the others."""
        return gzip.decompress(self)


class FinishedGames:
    """Answers by key, those asked for least lately forgotten first; what is being made is made once for all who ask."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, Zipped] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[Zipped]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Zipped]]) -> Zipped:
        """What is kept under a key, or what `make` makes of it now."""
        while key in self._making:
            try:
                return await asyncio.shield(self._making[key])
            except TooBusy:  # who asked first may not ask for more; that is not this one's fault
                continue
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        return await asyncio.shield(self._begin(key, make))

    def _begin(self, key: Hashable, make: Callable[[], Awaitable[Zipped]]) -> asyncio.Task[Zipped]:
        # A task of its own: the first who asked may go away, and the others still wait.
        task = self._making[key] = asyncio.create_task(self._make(key, make))
        task.add_done_callback(look_at)
        return task

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[Zipped]]) -> Zipped:
        try:
            made = await make()
        finally:
            del self._making[key]
        self._keep(key, made)
        return made

    def _keep(self, key: Hashable, made: Zipped) -> None:
        if len(made) + OVERHEAD > self.most_bytes:
            return
        self._kept[key] = made
        self.bytes += len(made) + OVERHEAD
        while self.bytes > self.most_bytes:
            _, forgotten = self._kept.popitem(last=False)
            self.bytes -= len(forgotten) + OVERHEAD
