"""Candidates in a race: tried in the same imagined worlds, dropped when they fall behind, until the budget is spent.

A candidate's merit is what came of it on the average, and a little for what the network's policy thinks of it at first
sight. So a search that had no time to see a difference plays what the policy plays.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots.search.budget import Budget, Count
from branchline.bots.search.playing import MARGIN_AT, RESULT, Playing

Array = np.ndarray[Any, np.dtype[Any]]

LEAST_WORLDS = 8  # nobody is dropped before it has been tried so often
DOUBT = 2.5  # standard errors behind the best at which a candidate is dropped
TRUST = 0.5  # standard errors by which a candidate must beat the policy's own choice
PRIOR = 0.001  # chance of winning that a candidate is worth more for being e times as likely by the policy
MARGIN_PART = 0.2  # of the value, the rest is the chance of winning
MARGIN_SCALE = 40.0  # points at which the margin counts about three quarters


@dataclass(frozen=True, slots=True)
class Tried:
    """How often a candidate was tried, and what came of it on the average."""

    code: int
    visits: int
    wins: tuple[float, ...]  # chance of winning by seat
    margin: float
    value: float
    error: float  # of the reader's chance of winning


class Race:
    """Candidates tried in more and more worlds, fewer and fewer of them; the first is the policy's own choice."""

    def __init__(self, players: int, seat: int, rooms: Sequence[Playing], codes: list[int], chances: Array) -> None:
        self._rooms, self._players, self._seat = rooms, players, seat
        self._codes = codes
        self._prior = PRIOR * np.log(np.maximum(chances, 1e-9))
        self._running = list(range(len(codes)))
        self._found = [[np.zeros((0, RESULT))] for _ in codes]
        self._worlds = 0
        self.tries = 0

    def run(self, budget: Budget) -> None:
        """Spend the budget, or less where one candidate is clearly the best."""
        first = len(self._running)
        while len(self._running) > 1 and budget.used < 1 and not budget.is_up:
            if not self._wave(budget):
                return
            if self._worlds >= LEAST_WORLDS:
                self._drop(max(2, math.ceil(first ** (1 - budget.used))))

    def _wave(self, budget: Budget) -> bool:
        """Try all that are running in some more worlds, each thread in some; whether there was time for it."""
        start = time.perf_counter()
        codes = [self._codes[c] for c in self._running]
        worlds = budget.fitting(max(1, budget.games // len(codes)))
        if not worlds:
            return False
        rooms = self._rooms
        if isinstance(budget, Count):
            worlds, rooms = max(1, min(worlds, budget.left // len(codes))), rooms[:1]
        tasks = [(room, self._worlds + worlds * i, worlds, codes, budget) for i, room in enumerate(rooms)]
        whole = True
        for results in _all(tasks):
            if results is None:
                whole = False
                continue
            for column, c in enumerate(self._running):
                self._found[c].append(results[:, column])
            self._worlds += worlds
            self.tries += worlds * len(codes)
        budget.note(self.tries, time.perf_counter() - start)
        return whole

    def _drop(self, most: int) -> None:
        """Drop who is behind by more than chance explains, and the worse ones if there are more than `most`."""
        values = {c: self._values(c) for c in self._running}
        best = max(self._running, key=lambda c: values[c].mean() + self._prior[c])
        stays = [c for c in self._running if c == best or self._gain(values, best, c, DOUBT) <= 0]
        stays.sort(key=lambda c: (c != 0, -values[c].mean() - self._prior[c]))
        self._running = sorted(stays[:most])

    def _gain(self, values: dict[int, Array], better: int, worse: int, doubt: float) -> float:
        """By how much one candidate beats another, less so many standard errors."""
        difference = values[better] - values[worse]
        error = difference.std() / math.sqrt(max(1, len(difference)))
        return float(difference.mean() - doubt * error + self._prior[better] - self._prior[worse])

    def _results(self, c: int) -> Array:
        return np.concatenate(self._found[c])

    def _values(self, c: int) -> Array:
        found = self._results(c)
        ahead = 1 / (1 + np.exp(-found[:, MARGIN_AT] / MARGIN_SCALE))
        return (1 - MARGIN_PART) * found[:, self._seat] + MARGIN_PART * ahead

    def _report(self, c: int) -> Tried:
        found = self._results(c)
        visits = len(found)
        if not visits:
            return Tried(self._codes[c], 0, (math.nan,) * self._players, math.nan, math.nan, math.nan)
        mean = found.mean(0)
        error = float(found[:, self._seat].std() / math.sqrt(visits))
        wins, margin = tuple(mean[: self._players].tolist()), float(mean[MARGIN_AT])
        return Tried(self._codes[c], visits, wins, margin, float(self._values(c).mean()), error)

    def order(self) -> list[Tried]:
        """All candidates: those still running by their merit, then those dropped, last first, then the others."""
        reports = [self._report(c) for c in range(len(self._codes))]
        if not self._worlds:
            return reports
        merit = {c: self._merit(c) for c in self._running}
        order = sorted(
            range(len(reports)),
            key=lambda c: (c in merit, merit.get(c, reports[c].visits), reports[c].value, -c),
            reverse=True,
        )
        return [reports[c] for c in order]

    def _merit(self, c: int) -> float:
        """What a candidate gains on the policy's own choice; if that was dropped, on nothing."""
        if c == 0:
            return 0.0
        values = {c: self._values(c)}
        if 0 in self._running:
            return self._gain(values | {0: self._values(0)}, c, 0, TRUST)
        return float(values[c].mean() + self._prior[c])


def _all(tasks: Sequence[tuple[Playing, int, int, list[int], Budget]]) -> list[Array | None]:
    """The results of tasks for one thread each."""
    if len(tasks) == 1:
        return [_one(tasks[0])]
    pool = ThreadPoolExecutor(len(tasks))
    futures = [pool.submit(_one, task) for task in tasks]
    done, _ = wait(futures, tasks[0][-1].wait)
    pool.shutdown(wait=False)  # a thread that is late finds for itself that the time is up
    return [future.result() if future in done else None for future in futures]


def _one(task: tuple[Playing, int, int, list[int], Budget]) -> Array | None:
    room, first, worlds, codes, budget = task
    return room.try_out(first, worlds, codes, budget)
