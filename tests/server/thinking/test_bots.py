"""How bots choose in processes of their own: in time, in turn, and whatever they do wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from branchline.game import Game
from branchline.notation import write_action
from branchline.server.tables.roster import Roster
from branchline.server.thinking import bots as bots_module
from branchline.server.thinking.askers import Asker, Priority
from branchline.server.thinking.bots import BOTS_ONLY_SECONDS, LEAST_SECONDS, MOST_WAIT, Bots, Chosen
from branchline.server.thinking.pool import Pool
from branchline.server.thinking.thinking import Thinking
from branchline.server.thinking.turns import Bounds
from branchline.server.wire.facts import map_of
from branchline.view import View
from tests.server.thinking.helpers import run

# Each goes wrong in its own way.
FAULTY = '''
import os, time

class Good:
    """Takes what is offered last."""
    def choose(self, view, actions):
        return actions[-1]

class Crasher:
    def choose(self, view, actions):
        return actions[len(actions)]

class Leaver:
    def choose(self, view, actions):
        raise SystemExit(3)

class Dier:
    def choose(self, view, actions):
        os._exit(1)

class Hanger:
    def choose(self, view, actions):
        while True:
            time.sleep(1)

class Talker:
    def choose(self, view, actions):
        return "claim everything"

class Sleeper:
    def __init__(self, seconds):
        self.seconds = seconds
    def choose(self, view, actions):
        time.sleep(self.seconds)
        return actions[0]
'''
CLASSES = ("Good", "Crasher", "Leaver", "Dier", "Hanger", "Talker", "Sleeper")
ADA, BO = Asker("ada", "198.51.100.1"), Asker("bo", "198.51.100.2")
BOTS_ONLY = Asker("cleo", "198.51.100.3", Priority.BOTS_ONLY)


@pytest.fixture(scope="module")
def roster(tmp_path_factory: pytest.TempPathFactory) -> Roster:
    file = tmp_path_factory.mktemp("bots") / "faulty.py"
    file.write_text(FAULTY, encoding="utf-8")
    return Roster([f"{file}:{name}" for name in CLASSES])


@pytest.fixture
def view() -> View:
    return Game.new(map_of("usa"), 2, seed=1).view(0)


@asynccontextmanager
async def thinking_of(roster: Roster) -> AsyncIterator[Thinking]:
    made = Thinking(roster, seconds=0.1)
    try:
        yield made
    finally:
        made.close()


def place(bots: Bots, asker: Asker, bot: str = "Sleeper") -> tuple[Pool, float]:
    found = bots.roster.find(bot)
    assert found is not None
    pool, seconds, limit = bots._place(found, asker)
    assert seconds is not None and limit > seconds
    return pool, seconds


# ---------------------------------------------------------------- choosing


def test_a_bot_chooses_a_legal_line_and_its_time_is_told(roster: Roster, view: View) -> None:
    async def work() -> None:
        async with thinking_of(roster) as thinking:
            told: list[tuple[str, str]] = []
            thinking.on_choice = lambda bot, seconds, fault: told.append((bot, fault))
            legal = [write_action(action) for action in view.legal_actions()]
            for bot in ("path", "random", "Good"):
                chosen = await thinking.choose(view, bot, 7, ADA)
                assert chosen.line in legal and chosen.fault == ""
            assert (await thinking.choose(view, "Good", 7, ADA)).line == legal[-1]
            assert told == [("path", ""), ("random", ""), ("Good", ""), ("Good", "")]

    run(work())


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("Crasher", "crashed: IndexError"),
        ("Leaver", "crashed: SystemExit"),
        ("Dier", "died"),
        ("Hanger", "slow"),
        ("Talker", "nonsense: 'claim everything'"),
        ("Nobody", "missing"),
    ],
)
def test_a_bot_that_fails_is_replaced_for_the_move(
    roster: Roster, view: View, monkeypatch: pytest.MonkeyPatch, bot: str, why: str
) -> None:
    monkeypatch.setattr(bots_module, "ON_THE_WAY", 0.2)

    async def work() -> None:
        async with thinking_of(roster) as thinking:
            told: list[tuple[str, str]] = []
            thinking.on_choice = lambda bot, seconds, fault: told.append((bot, fault))
            stand_in = await thinking.choose(view, "path", 7, ADA)
            chosen = await thinking.choose(view, bot, 7, ADA)
            assert chosen.line == stand_in.line
            assert chosen.fault.startswith(why)
            assert told[1] == (bot if bot != "Nobody" else "other", chosen.fault)

    run(work())


def test_where_even_the_stand_in_cannot_choose_the_first_legal_line_is_played(roster: Roster, view: View) -> None:
    async def work() -> Chosen:
        nothing = Pool(1, bounds=Bounds(in_all=0))
        bots = Bots(roster, nothing, nothing, {}, seconds=1.0, threads=1)
        return await bots.choose(view, "passenger", 7, ADA)

    assert run(work()) == Chosen(write_action(view.legal_actions()[0]), "busy")


def test_one_that_hangs_holds_up_no_other_bot(roster: Roster, view: View) -> None:
    async def work() -> None:
        async with thinking_of(roster) as thinking:
            slow = asyncio.create_task(thinking.choose(view, "Hanger", 7, ADA))
            await asyncio.sleep(0)
            assert (await thinking.choose(view, "path", 7, ADA)).fault == ""
            assert (await thinking.choose(view, "Good", 7, ADA)).fault == ""
            assert not slow.done()
            slow.cancel()
            await asyncio.wait([slow])

    run(work())


# ---------------------------------------------------------------- time to think


def test_with_many_tables_waiting_each_thought_is_shorter(roster: Roster) -> None:
    async def work() -> list[float]:
        bots = Thinking(roster, seconds=1.0)._bots
        pool, alone = place(bots, ADA)
        times = [alone]
        for n in range(1, 1000):
            pool.turns.join(Asker(f"{n}", f"203.0.113.{n}"), lambda: None)
            times.append(place(bots, ADA)[1])
        return times

    times = run(work())
    assert times[:2] == [1.0, 1.0]
    assert times[3] == MOST_WAIT / 4 and times[9] == MOST_WAIT / 10
    assert times[-1] == LEAST_SECONDS and times == sorted(times, reverse=True)


def test_a_flood_of_one_shortens_its_own_thoughts_and_hardly_anothers(roster: Roster) -> None:
    async def work() -> tuple[float, float]:
        bots = Thinking(roster, seconds=1.0)._bots
        pool, _ = place(bots, ADA)
        for _ in range(20):
            pool.turns.join(BO, lambda: None)
        return place(bots, BO)[1], place(bots, ADA)[1]

    assert run(work()) == (MOST_WAIT / 21, 1.0)


def test_tables_with_only_bots_think_for_long_only_while_no_peoples_tables_do(roster: Roster) -> None:
    async def work() -> None:
        bots = Thinking(roster, seconds=1.0)._bots
        assert place(bots, BOTS_ONLY)[1] == 1.0
        pool, _ = place(bots, ADA)
        assert place(bots, BOTS_ONLY)[1] == BOTS_ONLY_SECONDS
        for n in range(200):
            pool.turns.join(Asker(f"{n}", f"203.0.113.{n}", Priority.BOTS_ONLY), lambda: None)
        assert place(bots, ADA)[1] == 1.0, "however many bots-only tables wait, people's tables have their time"
        bots._people_asked -= bots_module.QUIET_SECONDS
        assert place(bots, Asker("dan", "198.51.100.4", Priority.BOTS_ONLY))[1] == LEAST_SECONDS

    run(work())


def test_a_peoples_table_waits_for_one_thought_of_two_hundred_bots_only_tables(roster: Roster, view: View) -> None:
    async def work() -> None:
        async with thinking_of(roster) as thinking:
            done: list[str] = []

            async def think(asker: Asker, name: str) -> None:
                await thinking.choose(view, "Sleeper", 7, asker)
                done.append(name)

            await think(ADA, "warm")
            flood = [
                asyncio.create_task(think(Asker(f"{n % 10}", f"203.0.113.{n % 10}", Priority.BOTS_ONLY), "bots"))
                for n in range(200)
            ]
            await asyncio.sleep(0)
            await think(ADA, "people")
            assert done == ["warm", "bots", "people"]
            for task in flood:
                task.cancel()
            await asyncio.wait(flood)

    run(work())
