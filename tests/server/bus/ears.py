"""Links that keep all they hear, buses that lose things, and waiting for what must come."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import uvloop

from branchline.server.bus.contract import Bus
from branchline.server.bus.links import Links
from branchline.server.bus.redis import RedisBus
from tests.servers import Redis

BEAT = 0.1  # seconds; a service takes a second
PATIENCE = 20.0
_T = TypeVar("_T")


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """On the event loop that the service runs on."""
    return uvloop.run(_within(work))


async def _within(work: Coroutine[Any, Any, _T]) -> _T:
    async with asyncio.timeout(60):
        return await work


class Ear(Links):
    """Links that keep what they hear, as `(kind, peer, body)`, and answer calls with the body backwards."""

    def __init__(self, bus: Bus, beat: float = BEAT) -> None:
        super().__init__(bus, beat)
        self.heard: list[tuple[str, str, bytes]] = []
        self._news = asyncio.Event()
        self.on_post = lambda peer, body: self.note("post", peer, body)
        self.on_spread[""] = lambda peer, body: self.note("spread", peer, body)
        self.on_gap = lambda peer: self.note("gap", peer)
        self.on_lost = lambda peer: self.note("lost", peer)
        self.on_call = self.answer

    async def answer(self, peer: str, body: bytes) -> bytes:
        self.note("call", peer, body)
        return body[::-1]

    def note(self, kind: str, peer: str, body: bytes = b"") -> None:
        self.heard.append((kind, peer, body))
        self._news.set()

    def posts(self, peer: str) -> list[bytes]:
        return [body for kind, who, body in self.heard if (kind, who) == ("post", peer)]

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for something heard to make this true."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                await self._news.wait()
                self._news.clear()

    async def until_heard(self, kind: str, peer: str, body: bytes = b"") -> None:
        await self.until(lambda: (kind, peer, body) in self.heard)

    async def until_met(self, *others: str) -> None:
        """All of them are known to live; they tell so every beat."""
        await eventually(lambda: set(others) <= set(self.peers))


async def eventually(true: Callable[[], object]) -> None:
    """For what tells nobody when it becomes true."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


class Lossy(RedisBus):
    """A bus that loses those messages to single processes that `loses` chooses, and says nothing about it."""

    def __init__(self, url: str, me: str, prefix: str) -> None:
        super().__init__(url, me, prefix)
        self.loses: Callable[[bytes], bool] = lambda message: False
        self.lost = 0

    def send(self, to: str, message: bytes) -> bool:
        if self.loses(message):
            self.lost += 1
            return True
        return super().send(to, message)


@contextlib.asynccontextmanager
async def opened(*ears: Ear) -> AsyncIterator[None]:
    """All open, and each knows of all others."""
    try:
        for ear in ears:
            await ear.open()
        for ear in ears:
            await ear.until_met(*(other.me for other in ears if other is not ear))
        yield
    finally:
        for ear in ears:
            await ear.close()


def ears(redis: Redis, *names: str, prefix: str = "test") -> list[Ear]:
    return [Ear(RedisBus(redis.url, name, prefix)) for name in names]
