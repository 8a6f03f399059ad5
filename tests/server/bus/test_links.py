"""What processes say to each other arrives in order, once, or its loss is noticed: over a real Redis that fails."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.server.bus.contract import Bus
from branchline.server.bus.links import Links, Unreachable
from branchline.server.bus.local import LocalBus
from branchline.server.bus.redis import RedisBus
from tests.server.bus.ears import BEAT, Ear, Lossy, ears, eventually, opened, run
from tests.servers import Redis

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=["local", "redis"])
def bus(request: pytest.FixtureRequest) -> Bus:
    """Each kind, with nobody else there."""
    if request.param == "local":
        return LocalBus("a")
    return RedisBus(request.getfixturevalue("redis").url, "a", "nobody-else")


# ---------------------------------------------------------------- on each bus


def test_alone_one_speaks_into_the_void(bus: Bus) -> None:
    async def work() -> None:
        ear = Ear(bus)
        async with opened(ear):
            assert ear.me == "a" and bus.trouble == ""
            ear.post("b", b"1")
            ear.spread(b"2")
            with pytest.raises(Unreachable):
                await ear.call("b", b"3", seconds=0.2)
        assert ear.heard == [] and ear.peers == []

    run(work())


def test_to_talk_to_oneself_is_an_error_of_ours(bus: Bus) -> None:
    async def work() -> None:
        ear = Ear(bus)
        async with opened(ear):
            with pytest.raises(AssertionError):
                ear.post("a", b"")
            with pytest.raises(AssertionError):
                await ear.call("a", b"", seconds=1)

    run(work())


def test_alone_in_the_process_a_call_fails_at_once() -> None:
    async def work() -> None:
        ear = Ear(LocalBus())
        async with opened(ear):
            with pytest.raises(Unreachable):
                await ear.call("b", b"", seconds=1e9)

    run(work())


# ---------------------------------------------------------------- while all is well


def test_posts_arrive_in_order_and_whole(redis: Redis) -> None:
    async def work() -> None:
        all_ears = ears(redis, "a", "b", "c")
        async with opened(*all_ears):
            rng = random.Random(1)
            bodies = [f"{n}:".encode() + rng.randbytes(rng.choice((0, 10, 300, 70_000))) for n in range(500)]
            for body in bodies:
                for ear in all_ears:
                    for other in all_ears:
                        if other is not ear:
                            ear.post(other.me, body)
                if rng.random() < 0.3:
                    await asyncio.sleep(0)
            for ear in all_ears:
                others = [other.me for other in all_ears if other is not ear]
                for name in others:
                    await ear.until_heard("post", name, bodies[-1])
                    assert ear.posts(name) == bodies
                assert {kind for kind, _, _ in ear.heard} == {"post"}

    run(work())


def test_what_one_says_to_another_in_one_turn_is_one_message(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")
        async with opened(a, b):
            for n in range(100):
                a.post("b", b"%d" % n)
            await b.until(lambda: len(b.posts("a")) == 100)
            assert (a.counts.sent, a.counts.items_sent) == (1, 100)

    run(work())


def test_a_call_is_answered_after_what_was_posted_before_it(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")
        async with opened(a, b):
            a.post("b", b"first")
            assert await a.call("b", b"second", seconds=5) == b"dnoces"
            a.post("b", b"third")
            await b.until_heard("post", "a", b"third")
            assert b.heard == [("post", "a", b"first"), ("call", "a", b"second"), ("post", "a", b"third")]

    run(work())


def test_calls_overtake_each_other(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")
        go = asyncio.Event()

        async def answer(peer: str, body: bytes) -> bytes:
            if body == b"slow":
                await go.wait()
            return body

        b.on_call = answer
        async with opened(a, b):
            slow = asyncio.create_task(a.call("b", b"slow", seconds=20))
            answers = await asyncio.gather(*(a.call("b", b"%d" % n, seconds=20) for n in range(50)))
            assert answers == [b"%d" % n for n in range(50)] and not slow.done()
            go.set()
            assert await slow == b"slow"

    run(work())


def test_spread_reaches_all_others_and_not_oneself(redis: Redis) -> None:
    async def work() -> None:
        a, b, c = ears(redis, "a", "b", "c")
        async with opened(a, b, c):
            a.spread(b"for others", topic="other")
            a.spread(b"all")
            await b.until_heard("spread", "a", b"all")
            await c.until_heard("spread", "a", b"all")
            b.post("a", b"after")
            await a.until_heard("post", "b", b"after")
            assert a.heard == [("post", "b", b"after")] and len(b.heard) == 1

    run(work())


def test_two_services_on_one_redis_hear_nothing_of_each_other(redis: Redis) -> None:
    async def work() -> None:
        (a, b), (other_a, other_b) = ears(redis, "a", "b", prefix="one"), ears(redis, "a", "b", prefix="two")
        async with opened(a, b), opened(other_a, other_b):
            a.spread(b"spread")
            a.post("b", b"post")
            assert await a.call("b", b"call", seconds=5) == b"llac"
            other_a.post("b", b"theirs")
            await other_b.until_heard("post", "a", b"theirs")
            assert other_b.heard == [("post", "a", b"theirs")] and other_a.heard == []
            assert other_b.peers == ["a"]

    run(work())


# ---------------------------------------------------------------- calls without an answer


def test_a_call_without_an_answer_is_unreachable(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")

        async def fail(peer: str, body: bytes) -> bytes:
            raise ValueError("a fault of who answers")

        b.on_call = fail
        async with opened(a, b):
            with pytest.raises(Unreachable):
                await a.call("b", b"", seconds=1e9)
            with pytest.raises(Unreachable):
                await a.call("nobody", b"", seconds=0.05)
            assert a.counts.unreachable == 2

    run(work())


def test_a_lost_answer_is_unreachable_and_the_call_was_not_made_twice(redis: Redis) -> None:
    async def work() -> None:
        a = Ear(RedisBus(redis.url, "a", "test"))
        lossy = Lossy(redis.url, "b", "test")
        b = Ear(lossy)
        async with opened(a, b):
            lossy.loses = lambda message: True
            with pytest.raises(Unreachable):
                await a.call("b", b"once", seconds=0.3)
            assert b.heard == [("call", "a", b"once")]
            await a.until_heard("gap", "b")

    run(work())


def test_a_call_to_who_leaves_fails_at_once(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")

        async def never(peer: str, body: bytes) -> bytes:
            b.note("call", peer)
            return await asyncio.Future()

        b.on_call = never
        async with opened(a):
            await b.open()
            await a.until_met("b")
            call = asyncio.create_task(a.call("b", b"", seconds=1e9))
            await b.until_heard("call", "a")
            await b.close()
            with pytest.raises(Unreachable):
                await call
            await a.until_heard("lost", "b")
            assert a.peers == []

    run(work())


# ---------------------------------------------------------------- losses


@pytest.mark.parametrize("seed", range(5))
def test_every_loss_is_noticed_where_it_was_and_nothing_else_is(redis: Redis, seed: int) -> None:
    """Of a row of posts some messages are lost: what arrives is in order, and each hole in it is announced."""

    async def work() -> None:
        rng = random.Random(seed)
        lossy = Lossy(redis.url, "a", "test")
        a, b = Ear(lossy), Ear(RedisBus(redis.url, "b", "test"))
        async with opened(a, b):
            lossy.loses = lambda message: rng.random() < 0.2
            for n in range(300):
                a.post("b", b"%d" % n)
                if rng.random() < 0.5:
                    await asyncio.sleep(0)
            lossy.loses = lambda message: False
            a.post("b", b"300")
            await b.until_heard("post", "a", b"300")
        assert lossy.lost > 10
        assert_holes_announced([(kind, body) for kind, peer, body in b.heard if peer == "a"])

    run(work())


def assert_holes_announced(heard: list[tuple[str, bytes]]) -> None:
    expected, gap = 0, False
    for kind, body in heard:
        if kind == "gap":
            gap = True
        elif kind == "post":
            assert int(body) >= expected, "out of order"
            if not gap:
                assert int(body) == expected, f"{expected} is missing and nobody said so"
            expected, gap = int(body) + 1, False


def test_the_loss_of_the_last_word_is_noticed(redis: Redis) -> None:
    async def work() -> None:
        lossy = Lossy(redis.url, "a", "test")
        a, b = Ear(lossy), Ear(RedisBus(redis.url, "b", "test"))
        async with opened(a, b):
            a.post("b", b"1")
            await b.until_heard("post", "a", b"1")
            lossy.loses = lambda message: True
            a.post("b", b"2")
            await b.until_heard("gap", "a")
            assert b.posts("a") == [b"1"] and b.counts.gaps == 1

    run(work())


def test_a_process_that_begins_anew_is_noticed(redis: Redis) -> None:
    async def work() -> None:
        (a,), b = ears(redis, "a"), Ear(LossyFarewell(redis.url, "b", "test"))
        async with opened(a):
            await b.open()
            await a.until_met("b")
            b.post("a", b"1")
            await a.until_heard("post", "b", b"1")
            await b.close()
            again = Ear(RedisBus(redis.url, "b", "test"))
            async with opened(again):
                again.post("a", b"2")
                await a.until_heard("post", "b", b"2")
            assert a.heard[:3] == [("post", "b", b"1"), ("gap", "b", b""), ("post", "b", b"2")]

    run(work())


def test_a_process_that_begins_anew_is_noticed_though_it_never_wrote(redis: Redis) -> None:
    async def work() -> None:
        (a,), b = ears(redis, "a"), Ear(LossyFarewell(redis.url, "b", "test"))
        async with opened(a):
            await b.open()
            await a.until_met("b")
            await b.close()
            async with opened(Ear(RedisBus(redis.url, "b", "test"))):
                await a.until_heard("gap", "b")

    run(work())


class LossyFarewell(RedisBus):
    """A process that dies without a word."""

    async def close(self) -> None:
        self._disconnect()
        await super().close()

    def spread(self, message: bytes) -> bool:
        return len(message) > 4 and super().spread(message)


def test_what_a_stranger_says_changes_nothing(redis: Redis) -> None:
    async def work() -> None:
        (a, b), stranger = ears(redis, "a", "b"), RedisBus(redis.url, "x", "test")
        async with opened(a, b):
            await stranger.open(lambda peer, message: None)
            for message in (b"", b"\xff", b"\x93\x00\x01", b"text", b"\x94\x00\x01\x01\xc0"):
                stranger.send("a", message)
            redis.ask("PUBLISH test:to:a x")
            redis.ask('PUBLISH test:to:a ""')
            await stranger.close()
            b.post("a", b"after")
            await a.until_heard("post", "b", b"after")
            assert a.counts.garbled >= 5 and a.heard == [("post", "b", b"after")]

    run(work())


def test_an_error_of_who_hears_stops_nothing(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")

        def fail(peer: str, body: bytes) -> None:
            b.note("post", peer, body)
            raise ValueError("a fault of who hears")

        b.on_post = fail
        async with opened(a, b):
            a.post("b", b"1")
            a.post("b", b"2")
            await b.until_heard("post", "a", b"2")
            assert await a.call("b", b"ab", seconds=5) == b"ba"

    run(work())


# ---------------------------------------------------------------- Redis fails


def test_redis_is_killed_and_comes_back_empty(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")
        async with opened(a, b):
            for round_ in range(3):
                a.post("b", b"before %d" % round_)
                await b.until_heard("post", "a", b"before %d" % round_)
                await asyncio.to_thread(redis.kill)
                await eventually(lambda: a.bus.trouble and b.bus.trouble)
                a.post("b", b"lost %d" % round_)
                with pytest.raises(Unreachable):
                    await a.call("b", b"", seconds=1e9)
                await asyncio.to_thread(redis.start)
                await eventually(lambda: not (a.bus.trouble or b.bus.trouble))
                await b.until_heard("gap", "a")
                b.heard.remove(("gap", "a", b""))
                a.post("b", b"after %d" % round_)
                await b.until_heard("post", "a", b"after %d" % round_)
                assert await b.call("a", b"ab", seconds=5) == b"ba"
            assert a.dropped > 0 and not any(body.startswith(b"lost") for body in b.posts("a"))

    run(work())


def test_a_redis_that_hangs_stops_nobody_and_is_left(redis: Redis) -> None:
    async def work() -> None:
        a, b = ears(redis, "a", "b")
        async with opened(a, b):
            with redis.frozen():
                for _ in range(40):
                    a.post("b", bytes(1 << 20))
                    await asyncio.sleep(0)
                assert a.dropped > 10, "what cannot be sent does not pile up"
                with pytest.raises(Unreachable):
                    await a.call("b", b"", seconds=0.2)
                await eventually(lambda: a.bus.trouble and b.bus.trouble)
                await a.until_heard("lost", "b")
            await eventually(lambda: not (a.bus.trouble or b.bus.trouble))
            await b.until_heard("gap", "a")
            assert await a.call("b", b"ab", seconds=5) == b"ba"

    run(work())


# ---------------------------------------------------------------- a process fails

PEER = """
import asyncio, sys, uvloop
from branchline.server.bus.links import Links
from branchline.server.bus.redis import RedisBus

async def work():
    links = Links(RedisBus(sys.argv[1], "peer", "test"), float(sys.argv[2]))
    async def answer(peer, body):
        links.post(peer, b"posted")
        return body
    links.on_call = answer
    links.on_lost = lambda peer: print("lost", peer, flush=True)
    links.on_gap = lambda peer: links.post(peer, b"noticed a gap")
    await links.open()
    await asyncio.sleep(60)

uvloop.run(work())
"""


def test_a_process_that_is_stopped_is_lost_and_found_again(redis: Redis) -> None:
    async def work() -> None:
        (a,) = ears(redis, "a")
        process = subprocess.Popen(
            [sys.executable, "-c", PEER, redis.url, str(BEAT)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        try:
            async with opened(a):
                await a.until_met("peer")
                assert await a.call("peer", b"1", seconds=5) == b"1"
                process.send_signal(signal.SIGSTOP)
                call = asyncio.create_task(a.call("peer", b"2", seconds=1e9))
                await a.until_heard("lost", "peer")
                with pytest.raises(Unreachable):
                    await call
                assert a.peers == []
                process.send_signal(signal.SIGCONT)
                await a.until_heard("gap", "peer")
                assert await a.call("peer", b"3", seconds=5) == b"3"
                process.kill()
                await a.until(lambda: a.counts.lost == 2)
        finally:
            process.kill()
            said, _ = process.communicate()
        assert b"lost" not in said, "it slept itself: that is not the others' silence"

    run(work())


# ---------------------------------------------------------------- nothing is left behind


def test_nothing_that_was_said_is_left_behind(redis: Redis) -> None:
    async def talk(a: Ear, b: Links, times: int) -> None:
        for n in range(times):
            a.post("b", b"%d" % n)
            a.spread(b"x")
            assert await a.call("b", b"ab", seconds=5) == b"ba"
        for _ in range(times // 10):
            with pytest.raises(Unreachable):
                await a.call("nobody", b"", seconds=0)

    async def work() -> dict[str, int]:
        a, b = ears(redis, "a", "b")
        async with opened(a, b):
            await talk(a, b, 20)
            gc.collect()
            gc.disable()
            try:
                await talk(a, b, 300)
                return found()
            finally:
                gc.enable()

    left = run(work())
    assert left == {}


def found() -> dict[str, int]:
    """What only holds itself, by type."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    counts: dict[str, int] = {}
    for thing in gc.garbage:
        counts[type(thing).__name__] = counts.get(type(thing).__name__, 0) + 1
    gc.garbage.clear()
    return counts
