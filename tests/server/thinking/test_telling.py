"""What happened is told from another process, packed and kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from branchline.bots import make_bot
from branchline.game import Game
from branchline.notation import write_action
from branchline.record import Player, read_game, verify
from branchline.server.tables.course import Entry
from branchline.server.tables.roster import Roster
from branchline.server.thinking import jobs
from branchline.server.thinking.askers import Asker, TooBusy
from branchline.server.thinking.thinking import TELLING, Thinking
from branchline.server.wire.facts import map_of
from tests.server.thinking.helpers import run

ADA, BO = Asker("ada", "198.51.100.1"), Asker("bo", "198.51.100.2")
SEED = 5
PLAYERS = [Player("Ada", None), Player("Bo", "path")]


class Log:
    """A log that counts how often it is read."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.read = 0

    async def __call__(self) -> list[Entry]:
        self.read += 1
        return self.entries

    async def timed(self) -> list[tuple[Entry, float]]:
        return [(entry, float(entry.seq)) for entry in await self()]


@pytest.fixture(scope="module")
def played() -> tuple[Game, list[Entry]]:
    game = Game.new(map_of("usa"), 2, seed=SEED)
    bots = [make_bot("path", seat) for seat in range(2)]
    log: list[Entry] = []
    while not game.is_over:
        seat = game.to_act[0]
        line = write_action(bots[seat].choose(game.view(seat), game.legal_actions(seat)))
        game.play(line, seat)
        log.append(Entry(len(log) + 1, seat, line, "bot"))
    return game, log


@asynccontextmanager
async def thinking_now() -> AsyncIterator[Thinking]:
    made = Thinking(Roster())
    try:
        yield made
    finally:
        made.close()


def test_what_is_told_is_what_the_jobs_tell(played: tuple[Game, list[Entry]]) -> None:
    game, entries = played

    async def work() -> None:
        log = Log(entries)
        async with thinking_now() as thinking:
            told = await thinking.history(ADA, "key", "usa", 2, SEED, log, 0, 3)
            assert told.plain() == jobs.told_history("usa", 2, SEED, entries, 0, 3)
            told = await thinking.replay(ADA, "key", "usa", 2, SEED, log.timed)
            assert told.plain() == jobs.replay_steps("usa", 2, SEED, await log.timed())
            assert len(told) * 10 < len(told.plain())
            record = (await thinking.record(ADA, "key", "usa", PLAYERS, SEED, log, None, {})).plain()
            assert verify(read_game(record)) is None
            told, wrong = await thinking.file(ADA, record)
            assert (wrong, json.loads(told.plain())["verdict"]) == ("", "")
            told, wrong = await thinking.file(ADA, b"{}")
            assert wrong and told.plain() == b""
            scores = await thinking.score("usa", game.position.to_bytes())
            assert scores == jobs.finale("usa", game.position.to_bytes())

    run(work())


def test_a_game_is_read_and_told_once_for_all_who_ask(played: tuple[Game, list[Entry]]) -> None:
    async def work() -> None:
        log = Log(played[1])
        async with thinking_now() as thinking:
            asked = [thinking.replay(asker, "key", "usa", 2, SEED, log.timed) for asker in (ADA, BO) for _ in range(8)]
            assert len(set(await asyncio.gather(*asked))) == 1
            await thinking.replay(BO, "key", "usa", 2, SEED, log.timed)
            assert log.read == 1

    run(work())


def test_readers_moments_and_names_are_told_apart(played: tuple[Game, list[Entry]]) -> None:
    async def work() -> None:
        log = Log(played[1])
        async with thinking_now() as thinking:
            histories = [
                await thinking.history(ADA, key, "usa", 2, SEED, log, reader, since)
                for key, reader, since in (("t", 0, 0), ("t", 1, 0), ("t", None, 0), ("t", 0, 9), ("u", 0, 0))
            ]
            assert len(set(histories)) == 4 and log.read == 5
            renamed = [Player("Erased", None), PLAYERS[1]]
            records = [await thinking.record(ADA, "t", "usa", who, SEED, log, None, {}) for who in (PLAYERS, renamed)]
            assert [json.loads(record.plain())["players"][0]["name"] for record in records] == ["Ada", "Erased"]

    run(work())


def test_one_who_asks_for_too_many_different_ones_is_refused_and_nobody_else_is(
    played: tuple[Game, list[Entry]],
) -> None:
    async def work() -> None:
        log = Log(played[1])
        async with thinking_now() as thinking:
            asked = [asyncio.create_task(thinking.replay(ADA, key, "usa", 2, SEED, log.timed)) for key in range(40)]
            other = asyncio.create_task(thinking.replay(BO, "mine", "usa", 2, SEED, log.timed))
            ends = await asyncio.gather(*asked, return_exceptions=True)
            assert sum(isinstance(end, TooBusy) for end in ends) == 40 - TELLING.of_person
            assert sum(isinstance(end, bytes) for end in ends) == TELLING.of_person
            assert (await other).plain()

    run(work())
