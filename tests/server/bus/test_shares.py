"""Bounds hold over all processes together, nearly exactly, and exactly in one."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from branchline.server.bus.local import LocalBus
from branchline.server.bus.shares import Held, Shared, Shares, address_key
from tests.server.bus.ears import Ear, Lossy, ears, eventually, opened, run
from tests.servers import Redis


class Clock:
    """A time that passes when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def alone(clock: Clock) -> Shares:
    return Shares(Ear(LocalBus()), clock)


# ---------------------------------------------------------------- in one process


def test_a_bucket_gives_its_burst_and_then_its_rate(alone: Shares, clock: Clock) -> None:
    buckets = alone.buckets("asks", rate=2, burst=5)
    assert [buckets.take("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert buckets.wait("a") == 0.5 and buckets.wait("b") == 0
    clock.now += 0.5
    assert buckets.take("a") and not buckets.take("a")
    clock.now += 1e6
    assert [buckets.take("a") for _ in range(6)] == [True] * 5 + [False]
    clock.now -= 1e6  # a clock that goes back gives nothing
    assert not buckets.take("a")


def test_a_bucket_is_as_exact_as_counting(alone: Shares, clock: Clock) -> None:
    rng = random.Random(1)
    buckets = alone.buckets("asks", rate=3, burst=4)
    left, at = 4.0, clock.now
    for _ in range(2000):
        clock.now += rng.choice((0.0, 0.125, 0.25, 2.0))
        left, at = min(4.0, left + 3 * (clock.now - at)), clock.now
        cost = rng.choice((1.0, 1.0, 2.5))
        assert buckets.take("a", cost) == (left >= cost)
        left -= cost if left >= cost else 0


def test_only_the_latest_keys_are_remembered(alone: Shares) -> None:
    buckets = alone.buckets("asks", rate=1, burst=1, keys=10)
    for n in range(1000):
        assert buckets.take(str(n))
    assert len(buckets) == 10 and not buckets.take("999") and buckets.take("0")


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0.5)])
def test_a_bucket_that_never_fills_is_refused(alone: Shares, rate: float, burst: float) -> None:
    with pytest.raises(ValueError, match="bucket"):
        alone.buckets("asks", rate, burst)


def test_what_is_held_is_counted_until_it_is_given_back(alone: Shares) -> None:
    sockets = alone.holdings("sockets", most=2)
    assert [sockets.enter("a") for _ in range(3)] == [True, True, False]
    assert sockets.enter("b")
    sockets.leave("a")
    assert sockets.count("a") == 1 and sockets.enter("a") and not sockets.enter("a")
    for key in ("a", "a", "b"):
        sockets.leave(key)
    assert sockets._mine == {}
    with pytest.raises(KeyError):
        sockets.leave("a")


# ---------------------------------------------------------------- in several


class Party:
    """Several processes' worth of shares, with buckets and holdings of the same kinds."""

    def __init__(self, all_ears: list[Ear], rate: float = 1.0, burst: float = 10.0, most: int = 10) -> None:
        self.ears = all_ears
        self.shares = [Shares(ear) for ear in all_ears]
        self.buckets: list[Shared] = [each.buckets("asks", rate, burst) for each in self.shares]
        self.holdings: list[Held] = [each.holdings("sockets", most) for each in self.shares]

    async def __aenter__(self) -> Party:
        self._opened = opened(*self.ears)
        await self._opened.__aenter__()
        for each in self.shares:
            each.start()
        await eventually(lambda: all(len(each._others) == len(self.shares) - 1 for each in self.shares))
        return self

    async def __aexit__(self, *_: object) -> None:
        for each in self.shares:
            each.close()
        await self._opened.__aexit__(None, None, None)


async def gossips_from(peer: str, party: Party, times: int) -> None:
    """Until so many words of this peer have come to the first of a party."""
    came, hear = asyncio.Semaphore(0), party.ears[0].on_spread["shares"]

    def count(name: str, body: bytes) -> None:
        hear(name, body)
        if name == peer:
            came.release()

    party.ears[0].on_spread["shares"] = count
    for _ in range(times):
        await came.acquire()


def test_a_flood_over_three_processes_gets_in_hardly_more_than_over_one(redis: Redis) -> None:
    rate, burst = 20.0, 60.0

    async def flood(buckets: Shared, end: float) -> int:
        admitted = 0
        while time.monotonic() < end:
            admitted += buckets.take("mallory")
            await asyncio.sleep(0.001)
        return admitted

    async def work() -> None:
        async with Party(ears(redis, "a", "b", "c"), rate, burst) as party:
            began = time.monotonic()
            floods = await asyncio.gather(*(flood(each, began + 2) for each in party.buckets))
            fair = burst + rate * (time.monotonic() - began)
            assert 0.8 * fair < sum(floods) <= fair + burst / 2
            assert all(each.take("somebody else") for each in party.buckets)

    run(work())


def test_a_flood_of_sockets_over_three_processes_holds_hardly_more_than_over_one(redis: Redis) -> None:
    async def flood(holdings: Held) -> int:
        entered = 0
        for _ in range(300):
            entered += holdings.enter("mallory")
            await asyncio.sleep(0.001)
        return entered

    async def work() -> None:
        async with Party(ears(redis, "a", "b", "c"), most=60) as party:
            entered = await asyncio.gather(*map(flood, party.holdings))
            assert 60 <= sum(entered) <= 90

    run(work())


def test_what_one_process_admits_is_gone_in_the_others(redis: Redis) -> None:
    async def work() -> None:
        async with Party(ears(redis, "a", "b", "c"), rate=0.001) as party:
            one, *others = party.buckets
            assert all(one.take("a") for _ in range(10)) and not one.take("a")
            await eventually(lambda: all(each.wait("a") > 0 for each in others))
            assert not any(each.take("a") for each in others)

    run(work())


def test_what_is_held_elsewhere_counts_until_it_is_given_back(redis: Redis) -> None:
    async def work() -> None:
        async with Party(ears(redis, "a", "b", "c"), most=9) as party:
            assert all(each.enter("school") for each in party.holdings for _ in range(3))
            await eventually(lambda: all(each.count("school") == 9 for each in party.holdings))
            assert not any(each.enter("school") for each in party.holdings)
            party.holdings[0].leave("school")
            await eventually(lambda: party.holdings[2].count("school") == 8)
            assert party.holdings[2].enter("school")

    run(work())


def test_what_a_process_held_ends_with_it(redis: Redis) -> None:
    async def work() -> None:
        async with Party(ears(redis, "a", "b")) as party:
            late = Party(ears(redis, "c"))
            async with late:
                late.holdings[0].enter("x")
                await eventually(lambda: all(each.count("x") == 1 for each in party.holdings))
            await eventually(lambda: all(each.count("x") == 0 for each in party.holdings))

    run(work())


def test_who_comes_later_learns_at_once_what_is_held(redis: Redis) -> None:
    async def work() -> None:
        async with Party(ears(redis, "a", "b"), most=10_000) as party:
            for n in range(2000):
                party.holdings[0].enter(str(n))
            party.shares[0]._tell()
            async with Party(ears(redis, "c")) as late:
                await gossips_from("a", late, 3)
                assert all(late.holdings[0].count(str(n)) == 1 for n in range(2000))

    run(work())


def test_a_word_that_was_lost_is_said_again(redis: Redis) -> None:
    class Deaf(Lossy):
        deaf = False

        def spread(self, message: bytes) -> bool:
            return self.deaf or super().spread(message)

    async def work() -> None:
        bus = Deaf(redis.url, "a", "test")
        async with Party([Ear(bus), *ears(redis, "b")]) as party:
            bus.deaf = True
            party.holdings[0].enter("x")
            party.shares[0]._tell()
            bus.deaf = False
            assert party.holdings[1].count("x") == 0
            await eventually(lambda: party.holdings[1].count("x") == 1)

    run(work())


def test_what_was_given_back_unheard_is_forgotten_in_the_end(alone: Shares, clock: Clock) -> None:
    sockets = alone.holdings("sockets", most=5)
    sockets.hear("b", {"x": 3, "y": 1})
    for _ in range(100):
        clock.now += 0.5
        sockets.hear("b", {"y": 1})
    assert (sockets.count("x"), sockets.count("y")) == (0, 1)


def test_without_the_bus_each_counts_alone_and_together_again_afterwards(redis: Redis) -> None:
    async def work() -> None:
        async with Party(ears(redis, "a", "b"), rate=0.001, most=2) as party:
            assert all(each.enter("x") for each in party.holdings)
            await eventually(lambda: all(each.count("x") == 2 for each in party.holdings))
            await asyncio.to_thread(redis.kill)
            await eventually(lambda: all(each.count("x") == 1 for each in party.holdings))
            assert all(each.take("x") for each in party.buckets for _ in range(10))
            await asyncio.to_thread(redis.start)
            await eventually(lambda: all(each.count("x") == 2 for each in party.holdings))

    run(work())


def test_nonsense_from_others_changes_nothing(alone: Shares) -> None:
    buckets, sockets = alone.buckets("asks", 1, 5), alone.holdings("sockets", 5)
    buckets.hear({"x": -100.0, "y": float("nan"), "z": float("inf")})
    assert [buckets.wait(key, 5) for key in "xyz"] == [0, 0, 0]
    buckets.hear({"x": 1e300})
    assert buckets.wait("x") <= 6
    sockets.hear("b", {"x": -3})
    assert sockets.count("x") == 0
    alone._hear("b", b"nonsense")


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", ""),
        ("unix:", "unix:"),
        ("192.0.2.300", "192.0.2.300"),
        ("testclient", "testclient"),
    ],
)
def test_whom_an_address_counts_as(host: str, key: str) -> None:
    assert address_key(host) == key
