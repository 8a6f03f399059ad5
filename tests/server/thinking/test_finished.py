"""What is kept of games that were told: made once for all who ask, and never more than there is room for."""

from __future__ import annotations

import asyncio
import gc
import gzip

import pytest

from branchline.server.thinking.askers import TooBusy
from branchline.server.thinking.finished import OVERHEAD, FinishedGames, Zipped
from tests.server.thinking.helpers import left, run


class Maker:
    """Makes what it is told to, when it is let; counts how often."""

    def __init__(self, made: bytes = b"a replay", error: type[Exception] | None = None) -> None:
        self.made, self.error = made, error
        self.times = 0
        self.go = asyncio.Event()

    async def __call__(self) -> Zipped:
        self.times += 1
        await self.go.wait()
        if self.error:
            raise self.error()
        return Zipped(self.made)


def at_once(made: bytes = b"a replay", error: type[Exception] | None = None) -> Maker:
    maker = Maker(made, error)
    maker.go.set()
    return maker


def test_eight_who_ask_for_the_same_at_once_get_what_is_made_once() -> None:
    async def work() -> None:
        games, maker = FinishedGames(), Maker()
        asked = [asyncio.create_task(games.get("table", maker)) for _ in range(8)]
        await asyncio.sleep(0)
        maker.go.set()
        assert await asyncio.gather(*asked) == [b"a replay"] * 8
        assert await games.get("table", maker) == b"a replay"
        assert maker.times == 1

    run(work())


def test_another_key_is_another_answer() -> None:
    async def work() -> None:
        games = FinishedGames()
        assert await games.get(("replay", "one"), at_once(b"1")) == b"1"
        assert await games.get(("replay", "two"), at_once(b"2")) == b"2"
        assert await games.get(("replay", "one"), at_once(b"3")) == b"1"

    run(work())


def test_when_the_first_who_asked_goes_away_the_others_still_get_it() -> None:
    async def work() -> None:
        games, maker = FinishedGames(), Maker()
        first = asyncio.create_task(games.get("table", maker))
        second = asyncio.create_task(games.get("table", maker))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        maker.go.set()
        assert await second == b"a replay"
        assert first.cancelled() and maker.times == 1

    run(work())


def test_who_waits_behind_one_who_is_refused_asks_in_their_own_name() -> None:
    async def work() -> None:
        games, refused, mine = FinishedGames(), Maker(error=TooBusy), at_once()
        first = asyncio.create_task(games.get("table", refused))
        second = asyncio.create_task(games.get("table", mine))
        await asyncio.sleep(0)
        refused.go.set()
        with pytest.raises(TooBusy):
            await first
        assert await second == b"a replay"
        assert (refused.times, mine.times) == (1, 1)

    run(work())


def test_what_could_not_be_made_is_not_kept() -> None:
    async def work() -> None:
        games = FinishedGames()
        with pytest.raises(TimeoutError):
            await games.get("table", at_once(error=TimeoutError))
        assert len(games) == 0
        assert await games.get("table", at_once()) == b"a replay"

    run(work())


def test_what_was_asked_for_least_lately_makes_room() -> None:
    async def work() -> None:
        games = FinishedGames(3 * (100 + OVERHEAD))
        for key in "abc":
            await games.get(key, at_once(b"x" * 100))
        await games.get("a", at_once())
        await games.get("d", at_once(b"x" * 100))
        again = {key: at_once(b"x" * 100) for key in "acdb"}
        for key, maker in again.items():
            await games.get(key, maker)
        assert [key for key, maker in again.items() if maker.times] == ["b"]

    run(work())


def test_there_is_never_more_than_there_is_room_for() -> None:
    async def work() -> None:
        games = FinishedGames(20_000)
        for n in range(300):
            await games.get(n, at_once(b"x" * (n * 37 % 3000)))
            assert games.bytes <= 20_000
        assert games.bytes == sum(len(kept) + OVERHEAD for kept in games._kept.values()) > 10_000
        kept = len(games)
        assert len(await games.get("huge", at_once(b"x" * 30_000))) == 30_000
        assert len(games) == kept, "one that is too large pushes nobody out"

    run(work())


def test_what_is_packed_can_be_read_plain() -> None:
    assert Zipped(gzip.compress(b"all hands open")).plain() == b"all hands open"


def test_nothing_made_or_failed_leaves_things_that_only_hold_each_other() -> None:
    async def ask_every_way(games: FinishedGames) -> None:
        await games.get("table", at_once())
        for error in (TooBusy, TimeoutError):
            maker = Maker(error=error)
            asked = [asyncio.create_task(games.get("never", maker)) for _ in range(2)]
            await asyncio.sleep(0)
            maker.go.set()
            await asyncio.wait(asked)
            for task in asked:
                task.exception()

    async def work() -> None:
        games = FinishedGames()
        await ask_every_way(games)
        gc.collect()
        gc.disable()
        try:
            await ask_every_way(games)
            assert left() == []
        finally:
            gc.enable()

    run(work())
