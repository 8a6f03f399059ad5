"""Readers at a process that does not hold their table: each is there once, and gone when its stream is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from branchline.server.bus.links import Links
from branchline.server.bus.redis import RedisBus
from branchline.server.live import far
from branchline.server.live.table import LiveTable
from tests.server.cluster.pair import Pair
from tests.server.service import eventually
from tests.servers import Postgres, Redis


@pytest.fixture
def pair(tmp_path: Path, postgres: Postgres, redis: Redis) -> Iterator[Pair]:
    with Pair(tmp_path, postgres, redis) as up:
        yield up


@contextmanager
def held_up(pair: Pair, live: LiveTable) -> Iterator[None]:
    """The table is busy: nobody can join it meanwhile."""
    go_on = asyncio.Event()

    async def hold() -> None:
        async with live.lock:
            busy.set()
            await go_on.wait()

    busy = threading.Event()
    holding = asyncio.run_coroutine_threadsafe(hold(), pair.loop)
    assert busy.wait(10)
    try:
        yield
    finally:
        pair.loop.call_soon_threadsafe(go_on.set)
        holding.result(10)


def test_a_reader_whose_joining_was_answered_too_late_is_there_once(pair: Pair) -> None:
    ada = pair.person("Ada")
    table = ada.table("open")["id"]
    live = pair.live(table)
    asked = []
    call = pair.edge.service.links.call

    async def counted(to: str, body: bytes, seconds: float) -> bytes:
        asked.append(body)
        return await call(to, body, seconds)

    with patch.object(far, "CALL_SECONDS", 0.1), patch.object(pair.edge.service.links, "call", counted):
        with held_up(pair, live):
            stream = ada.live(table)
            eventually(lambda: len(asked) >= 3)
        assert stream.next()["t"] == "hello"
    ada.post(f"/tables/{table}/seats", {"chair": 1, "kind": "bot", "bot": "random"})  # all readers are told
    eventually(lambda: len(live.readers) == 1)
    stream.socket.close()
    eventually(lambda: not live.readers)


def test_a_process_that_is_gone_leaves_no_reader_behind_that_was_joining(pair: Pair, redis: Redis) -> None:
    table = pair.person("Ada").table("open")["id"]
    live = pair.live(table)

    async def ask_and_go() -> None:
        links = Links(RedisBus(redis.url, "short-lived"))
        await links.open()
        asking = asyncio.ensure_future(links.call(pair.service.store.me, attach, 5.0))
        while "short-lived" not in pair.service.links.peers:
            await asyncio.sleep(0.01)
        await links.close()  # it says farewell
        await asyncio.gather(asking, return_exceptions=True)

    attach = far._encode(far.Attach(table, 1, None, False))
    with held_up(pair, live):
        asyncio.run(ask_and_go())
        eventually(lambda: "short-lived" not in pair.service.links.peers)
    eventually(lambda: not live.lock.locked() and not pair.service.links._answering)
    assert not live.readers
