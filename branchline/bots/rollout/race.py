"""Candidates in a race: tried in the same imagined worlds, dropped when they fall behind, until the budget is spent.

After every wave of worlds those go that are behind by more than chance explains; and as the budget runs out there is
room for fewer and fewer, so that most rollouts compare the best two or three.

Rollouts can be cut after some rounds and valued by the fitted network of rollout/evaluation.py (ROUNDS). None is cut:
the network errs more than chance does (decision 9).
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots.conductor.network import turns_to_go
from branchline.bots.rollout.evaluation import UNIT
from branchline.bots.rollout.trials import ALL_TURNS
from branchline.bots.rollout.workspace import Numbers, Room, evaluation
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Board, Position

Values = np.ndarray[Any, np.dtype[np.float64]]

ROUNDS = 0  # a rollout is cut and evaluated after so many rounds; 0: never
SPREAD = 0.78  # of a logistic curve, for an error of 1 on both sides
MARGIN_PART = 0.4  # of the value of a rollout, the rest is the share of the win
MARGIN_SCALE = 40.0  # points at which the margin counts about three quarters

WORLDS_EACH = 12  # there are only so many candidates that each can be tried so often
WAVES = 16  # after each part of the budget those behind are dropped
LEAST_WORLDS = 12  # but not before they have been tried so often
DOUBT = 2.5  # standard errors behind the best at which a candidate is dropped
TRUST = 1.0  # standard errors by which a candidate must beat what is advised
TASK_S = 0.003  # what a thread does before it looks at the clock
RESERVE = 0.08  # of the budget, for ending in time: of 50,000 decisions one came a sixth of a second late, unexplained
RESERVE_S = 0.02  # and so many seconds, for what else the machine does: a thread may wait that long for a core
RESERVE_MOST = 0.2  # of a very small budget
VALUE = 2  # where _judged has it


class Clock:
    """A budget in seconds."""

    def __init__(self, start: float, seconds: float, threads: int) -> None:
        self._begin = time.perf_counter()
        self._end = start + seconds - min(seconds * RESERVE + RESERVE_S, seconds * RESERVE_MOST)
        self._threads = threads
        self._one = 0.001  # seconds a rollout takes; measured as they come

    def note_one(self, seconds: float) -> None:
        """One rollout took so many seconds."""
        self._one = max(1e-6, seconds)

    def note(self, rollouts: int) -> None:
        """So many rollouts have been done by now."""
        if rollouts:
            self._one = (time.perf_counter() - self._begin) * self._threads / rollouts

    @property
    def used(self) -> float:
        """The part that is spent."""
        return (time.perf_counter() - self._begin) / max(1e-6, self._end - self._begin)

    @property
    def size(self) -> int:
        """The rollouts it will do for, at a guess."""
        return int(max(0.0, self._end - self._begin) * self._threads / self._one)

    @property
    def task(self) -> int:
        """The rollouts to do before the clock is looked at again."""
        return max(1, int(min(TASK_S, 0.02 * (self._end - self._begin)) / self._one))

    @property
    def left(self) -> float | None:
        """Seconds until the end, for waiting."""
        return max(0.0, self._end - time.perf_counter())

    @property
    def is_up(self) -> bool:
        """Whether one more rollout would end too late."""
        return time.perf_counter() + self._one >= self._end


class Count:
    """A budget in rollouts; what is done with it does not depend on the time."""

    task = 16

    def __init__(self, rollouts: int) -> None:
        self.size = rollouts
        self._done = 0

    def note_one(self, seconds: float) -> None:
        """That does not matter here."""

    def note(self, rollouts: int) -> None:
        self._done = rollouts

    @property
    def used(self) -> float:
        return self._done / self.size

    is_up = False
    left = None


Budget = Clock | Count


@dataclass(frozen=True, slots=True)
class Tried:
    """How often a candidate was tried, and what came of it on the average."""

    code: int
    visits: int
    win: float  # chance of winning; a shared win counts as its part
    margin: float  # points ahead of the best other player
    value: float  # what the search compares


class Race:
    """Candidates tried in more and more worlds, fewer and fewer of them; the first is what a bot advises."""

    def __init__(self, rooms: Sequence[Room], s: Position, b: Board, seat: int, seed: int, codes: list[int]) -> None:
        self._rooms = rooms
        self._seat = seat
        self._seed = seed
        self._players = s.players
        self._codes = codes
        self._running = list(range(len(codes)))
        self._found = [[np.zeros((3, 0))] for _ in codes]  # what _judged says of each wave
        self._worlds = 0
        self._tried = 0  # worlds in which all that are running have been tried
        self.rollouts = 0
        self._turns = ROUNDS * s.players - 1 if ROUNDS else ALL_TURNS
        constant, slope = evaluation()["error"]
        self._spread = SPREAD * (constant + slope * max(0, turns_to_go(s, b) - ROUNDS))

    def run(self, budget: Budget) -> None:
        """Spend the budget, or less where one candidate is clearly the best."""
        pool = ThreadPoolExecutor(len(self._rooms))
        try:
            self._try_one(budget)
            self._running = self._running[: max(2, budget.size // WORLDS_EACH)]
            first = len(self._running)
            while len(self._running) > 1 and budget.used < 1 and not budget.is_up:
                self._wave(pool, budget, max(1, budget.size // (WAVES * len(self._running))))
                if self._tried >= LEAST_WORLDS:
                    self._drop(max(2, math.ceil(first ** (1 - budget.used))))
        finally:
            pool.shutdown(wait=False)

    def _try_one(self, budget: Budget) -> None:
        """One rollout, to see how long it takes; its world is tried again."""
        start = time.perf_counter()
        self._rooms[0].roll_out(self._seat, self._seed, 0, 1, self._codes[:1], self._turns)
        budget.note_one(time.perf_counter() - start)

    def _wave(self, pool: ThreadPoolExecutor, budget: Budget, worlds: int) -> None:
        """Try all that are still running in so many more worlds; what is not done in time is left out."""
        codes = [self._codes[c] for c in self._running]
        tasks = _Tasks(codes, worlds, budget.task)

        def work(room: Room) -> None:
            while not budget.is_up and (task := tasks.next()):
                first, many, some = task
                tasks.note(task, room.roll_out(self._seat, self._seed, self._worlds + first, many, some, self._turns))

        done, _ = wait([pool.submit(work, room) for room in self._rooms], budget.left)
        for future in done:
            future.result()
        results, rollouts = tasks.results()
        for column, c in enumerate(self._running):
            self._found[c].append(self._judged(results[:, column]))
        self._worlds += worlds
        self._tried += len(results)
        self.rollouts += rollouts
        budget.note(self.rollouts)

    def _drop(self, most: int) -> None:
        """Drop who is behind by more than chance explains, and the worse ones if there are more than `most`."""
        values = {c: self._values(c) for c in self._running}
        best = max(self._running, key=lambda c: values[c].mean())
        stays = [c for c in self._running if c == best or _gain(values[best] - values[c], DOUBT) <= 0]
        stays.sort(key=lambda c: (c != 0, -values[c].mean()))  # what is advised is compared to the last
        self._running = sorted(stays[:most])

    def _judged(self, results: Numbers) -> Values:
        """Of rollouts the share of the win, the margin over the best other player, and the value.

        Every wave is judged when it is done. Near the end of a game a second holds a hundred thousand rollouts:
        to judge them all when it is over would take too long.
        """
        points = (results[:, : self._players] >> 1) / UNIT
        margin = points[:, self._seat] - np.delete(points, self._seat, axis=1).max(axis=1)
        won = (results[:, : self._players] & 1).astype(float)
        ahead = np.exp((points - points.max(axis=1, keepdims=True)) / self._spread)
        chances = np.where(won.any(axis=1, keepdims=True), won, ahead)
        win = chances[:, self._seat] / chances.sum(axis=1)
        value = (1 - MARGIN_PART) * win + MARGIN_PART / (1 + np.exp(-margin / MARGIN_SCALE))
        return np.stack([win, margin, value])

    def _values(self, c: int) -> Values:
        """The values of a candidate's rollouts, world by world."""
        return np.concatenate([found[VALUE] for found in self._found[c]])

    def _report(self, c: int) -> Tried:
        found = np.concatenate(self._found[c], axis=1)
        visits = found.shape[1]
        win, margin, value = found.mean(axis=1).tolist() if visits else (math.nan,) * 3
        return Tried(self._codes[c], visits, win, margin, value)

    def order(self) -> list[Tried]:
        """All that were tried: those still running by what they gain on the advice, then those dropped, last first."""
        if self._tried == 0:
            return [self._report(0)]
        values = {c: self._values(c) for c in self._running}
        advised = values.get(0, np.zeros(1))
        merit = {c: _gain(v - advised, TRUST if 0 in values else 0) for c, v in values.items()}
        reports = {c: self._report(c) for c in range(len(self._codes))}
        tried = [c for c, report in reports.items() if report.visits]
        tried.sort(key=lambda c: (c in merit, merit.get(c, reports[c].visits), reports[c].value, -c), reverse=True)
        return [reports[c] for c in tried]


def _gain(differences: Values, doubt: float) -> float:
    """The mean, less so many standard errors."""
    return float(differences.mean() - doubt * differences.std() / math.sqrt(len(differences)))


class _Tasks:
    """The rollouts of one wave, cut into tasks for threads: some worlds with some of the candidates each."""

    def __init__(self, codes: list[int], worlds: int, size: int) -> None:
        self._codes = codes
        self._columns = min(len(codes), size)
        each = max(1, size // len(codes))
        self._waiting = deque(
            (first, min(each, worlds - first), column)
            for first in range(0, worlds, each)
            for column in range(0, len(codes), self._columns)
        )
        self._results = np.zeros((worlds, len(codes), k.SEATS), np.int64)
        self._done = np.zeros((worlds, len(codes)), bool)

    def next(self) -> tuple[int, int, list[int]] | None:
        """First world, number of worlds and candidates of a task; None when all are given out."""
        try:
            first, many, column = self._waiting.popleft()
        except IndexError:
            return None
        return first, many, self._codes[column : column + self._columns]

    def note(self, task: tuple[int, int, list[int]], results: Numbers) -> None:
        first, many, codes = task
        column = self._codes.index(codes[0])
        part = slice(first, first + many), slice(column, column + len(codes))
        self._results[part] = results
        self._done[part] = True

    def results(self) -> tuple[Numbers, int]:
        """The results of the worlds that are complete, and how many rollouts were done."""
        done = self._done.copy()  # a thread that is late may still be writing
        return self._results[done.all(axis=1)], int(done.sum())
