"""Readers at a process that does not hold their table: each is there once, and gone when its stream is."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from branchline.server.bus.links import Links
from branchline.server.bus.redis import RedisBus
from branchline.server.live import far
from branchline.server.live.held import HeldElsewhere
from branchline.server.live.table import LiveTable
from tests.server.cluster.pair import Pair
from tests.server.cluster.test_cluster import acknowledged, insist, mover_of
from tests.server.service import Stream, eventually, seated, told
from tests.server.store.proxy import Line
from tests.servers import Postgres, Redis


@pytest.fixture
def pair(tmp_path: Path, postgres: Postgres, redis: Redis) -> Iterator[Pair]:
    with Pair(tmp_path, postgres.fresh(), redis) as up:
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

    attach = far._encode(far.Attach(table, 1, None, None, False))
    with held_up(pair, live):
        asyncio.run(ask_and_go())
        eventually(lambda: "short-lived" not in pair.service.links.peers)
    eventually(lambda: not live.lock.locked() and not pair.service.links._answering)
    assert not live.readers


def same_number(one: Stream, other: Stream) -> bool:
    return bool(one.update["seq"] == other.update["seq"])


def test_redis_away_for_seconds_stops_no_game_and_its_readers_catch_up(pair: Pair, redis: Redis) -> None:
    rng = random.Random(9)
    with seated(pair) as (people, far_streams):
        table = far_streams[0].table["id"]
        for stream in far_streams:
            stream.may_miss = True
        near = [Stream(pair.holder_url, table, person.token).begin() for person in people]
        acknowledged(near, rng, 4)
        redis.kill()
        acknowledged(near, rng, 4)  # at the holder nobody notices
        eventually(lambda: not pair.edge.service.links.peers)  # the edge has given the holder up
        acknowledged(near, rng, 2)
        redis.start()
        for far_stream, near_stream in zip(far_streams, near, strict=True):
            near_stream.settled()
            told(far_stream, partial(same_number, far_stream, near_stream))
        acknowledged(far_streams, rng, 2)
        for stream in near:
            stream.socket.close()


def test_a_holder_that_lost_its_database_is_replaced(tmp_path: Path, postgres: Postgres, redis: Redis) -> None:
    """It cannot write any more, and another process can: the table goes there, and its readers with it."""
    database, rng = postgres.fresh(), random.Random(10)
    with Line(database) as line, Pair(tmp_path, database, redis, way=line.url) as pair, seated(pair) as (_, streams):
        table = streams[0].table["id"]
        for stream in streams:
            stream.may_miss = True
        acknowledged(streams, rng, 4)
        line.cut_at = b""  # whatever the database answers
        line.end_all()
        insist(mover_of(streams), rng)
        assert table in pair.edge.service.tables.held.live
        acknowledged(streams, rng, 3)
        line.cut_at = None
        eventually(lambda: table not in pair.service.tables.held.live)
        acknowledged(streams, rng, 3)


def test_a_move_is_answered_though_nobody_can_say_where_its_table_is(pair: Pair, postgres: Postgres) -> None:
    rng = random.Random(11)
    with seated(pair) as (_, streams):
        for stream in streams:
            stream.may_miss = True
        mover = mover_of(streams)
        postgres.kill()
        eventually(lambda: pair.service.tables.held.has_lapsed)
        reply = mover.move(mover.offers[0])
        assert (reply["t"], reply["code"]) == ("refused", "move_unwritten")
        postgres.start()
        insist(mover, rng)


def test_a_table_that_two_processes_take_at_once_has_one_holder(pair: Pair) -> None:
    ada = pair.person("Ada")
    for _ in range(8):
        table = ada.table("open")["id"]
        pair.let_go(table)
        asked = [
            asyncio.run_coroutine_threadsafe(one.service.tables.held.find(table), one.loop) for one in (pair, pair.edge)
        ]
        errors = [error for future in asked if (error := future.exception(20)) is not None]
        assert [type(error) for error in errors] == [HeldElsewhere]
        assert sum(table in one.service.tables.held.live for one in (pair, pair.edge)) == 1
        assert ada.get(f"/tables/{table}")["id"] == table
