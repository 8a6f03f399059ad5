"""Work that takes long, by kind: each kind has processes of its own, with bounds, and steps back behind the one before.

| kind    | what                                        | courtesy |
|---------|---------------------------------------------|----------|
| quick   | bots that answer at once, final scores      | 2        |
| slow    | bots that take their time                   | 10       |
| own     | bots of the service's owner, a process each | 10       |
| telling | histories, replays, game files, advice      | 10       |
| files   | game files that strangers send              | 15       |
| reviews | finished games reviewed                     | 19       |

The courtesy is the niceness of the processes: the event loop comes first, then bots that answer at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

from branchline.server.tables.course import SeenPosition
from branchline.server.tables.roster import Offered, Roster
from branchline.server.thinking import jobs, review_jobs
from branchline.server.thinking.askers import OURSELVES, Asker, TooBusy
from branchline.server.thinking.bots import Bots
from branchline.server.thinking.finished import FinishedGames
from branchline.server.thinking.pool import Pool
from branchline.server.thinking.telling import Telling
from branchline.server.thinking.turns import Bounds

SCORE_SECONDS = 60.0
ADVICE_SECONDS = 5.0
# Forty people behind one address may open a page at once, which asks for a history and after the game a replay.
TELLING = Bounds(in_all=400, of_person=6, of_address=120, done_of_person=1)
REVIEWS = Bounds(in_all=400, of_person=8, of_address=40, done_of_person=2)
MOST_REVIEWERS = 2
FILES = Bounds(in_all=40, of_person=2, of_address=20, done_of_person=1)


class Load(NamedTuple):
    """Jobs of one kind now."""

    waiting: int
    working: int


class Thinking:
    """The processes of a service, and all that is asked of them."""

    def __init__(self, roster: Roster, workers: int = 1, thinkers: int = 1, seconds: float = 1.0) -> None:
        self._quick = Pool(workers, prepare=jobs.prepare_quick, courtesy=2)
        self._slow = Pool(thinkers, prepare=jobs.prepare_thinker, courtesy=10)
        self._own = {bot.id: _own_pool(bot) for bot in roster.offered if bot.own}
        self._telling = Pool(1, courtesy=10, bounds=TELLING)
        self._files = Pool(1, courtesy=15, bounds=FILES)
        reviewers = max(1, min(MOST_REVIEWERS, os.cpu_count() or 1))
        self.reviews = Pool(reviewers, prepare=review_jobs.prepare, courtesy=19, bounds=REVIEWS)
        self._expected: set[str] = set()  # kinds of bots that are loaded, or being so
        self._loading: set[asyncio.Task[None]] = set()
        threads = max(1, (os.cpu_count() or 1) // thinkers)
        bots = Bots(roster, self._quick, self._slow, self._own, seconds=seconds, threads=threads)
        telling = Telling(self._telling, self._files, FinishedGames())
        self._bots, self.kept = bots, telling.kept
        self.choose = bots.choose
        self.history, self.replay, self.record, self.file, self.game_file = (
            telling.history,
            telling.replay,
            telling.record,
            telling.file,
            telling.game_file,
        )

    @property
    def on_choice(self) -> Callable[[str, float, str], None] | None:
        """What is told of every choice of a bot: which bot, its seconds, and its fault or ""."""
        return self._bots.on_choice

    @on_choice.setter
    def on_choice(self, told: Callable[[str, float, str], None] | None) -> None:
        self._bots.on_choice = told

    async def score(self, map_id: str, position: bytes, asker: Asker = OURSELVES) -> bytes:
        """The score sheets of a finished game, as they cross the wire: the search for long paths takes a while."""
        try:
            return await self._quick.run(asker, jobs.finale, map_id, position, seconds=SCORE_SECONDS)
        except (TooBusy, TimeoutError, BrokenProcessPool):  # a game ends all the same
            return await asyncio.to_thread(jobs.finale, map_id, position)

    async def advice(self, asker: Asker, seen: SeenPosition) -> bytes:
        """What a reader's tickets take, as it crosses the wire. Raises as `Pool.run` does: nobody has to have it."""
        job = (seen.map, seen.reader, seen.position, seen.seq)
        return await self._telling.run(asker, jobs.advice, *job, seconds=ADVICE_SECONDS)

    def load(self) -> dict[str, Load]:
        """How much of each kind waits and is being done."""
        kinds = {"quick": [self._quick], "slow": [self._slow], "own": list(self._own.values())}
        kinds |= {"telling": [self._telling], "files": [self._files], "reviews": [self.reviews]}
        return {kind: _load(pools) for kind, pools in kinds.items()}

    async def start(self) -> None:
        """Be ready for what most tables ask for."""
        await asyncio.gather(self._quick.warm(), self._telling.warm())

    async def warm(self) -> None:
        """Compile the bots if that was never done on this machine: it takes a minute, and nobody should wait for it."""
        if not await self._quick.run(OURSELVES, jobs.is_compiled, seconds=SCORE_SECONDS):
            await self._slow.warm()

    def expect(self, bots: Iterable[str]) -> None:
        """Such bots will be asked soon: load them by then. A hundred megabytes a kind, so not before."""
        for bot in bots:
            kind = self._bots.kind(bot)
            if kind is not None and kind not in self._expected:
                self._expected.add(kind)
                task = asyncio.create_task(self._load(kind))
                self._loading.add(task)
                task.add_done_callback(self._loading.discard)

    async def _load(self, kind: str) -> None:
        try:
            await (self._slow.warm() if kind == "slow" else self._quick.everywhere(jobs.load_compiled))
        except Exception:  # whoever asks for such a bot finds out
            self._expected.discard(kind)

    def close(self) -> None:
        for task in self._loading:
            task.cancel()
        for pool in (self._quick, self._slow, self._telling, self._files, self.reviews, *self._own.values()):
            pool.close()


def _own_pool(bot: Offered) -> Pool:
    return Pool(1, prepare=partial(jobs.prepare_own, bot.spec), courtesy=10)


def _load(pools: Iterable[Pool]) -> Load:
    turns = [pool.turns for pool in pools]
    return Load(sum(one.waiting for one in turns), sum(one.working for one in turns))
