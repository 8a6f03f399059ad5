"""The way into the compiled kernel: one work space a thread, the bots that play on, the tickets' weights."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from branchline.bots.composed import Plan
from branchline.bots.games.match import PLANNER_TWIN
from branchline.bots.planner.numbers import DEFAULTS, sets
from branchline.bots.planner.tuning import P_ORDERS, P_REGRET, P_RISK_WANTED
from branchline.bots.rollout.evaluation import FEATURES, NET
from branchline.bots.warm import warm
from branchline.kernel.board import make_board
from branchline.maps.model import MAX_TICKETS, MAX_TRACKS
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from branchline.view import View

Numbers = np.ndarray[Any, np.dtype[np.int64]]

# Who plays on in a rollout, at the seat that searches and at the others: the planner with other numbers.
OWN_POLICY = OTHERS_POLICY = PLANNER_TWIN
HASTE = {P_ORDERS: 0, P_REGRET: 0, P_RISK_WANTED: 0}  # in what it takes less care then

LINE = 8  # actions of a principal line

EVALUATION = Path(__file__).parent / "evaluation.json"
TICKET_WEIGHTS = k.SEATS * MAX_TICKETS
WEIGHTS = TICKET_WEIGHTS + NET

# How many times more likely a ticket is held than another, times 64, by the trains laid and the way left
# (rollout/guess.py): bench/tickets.py fits it.
LIKELY = np.array(
    [
        [2358, 1626, 924, 789, 334, 159, 62, 20, 9, 9],
        [2249, 1877, 417, 277, 87, 34, 22, 7, 4, 4],
        [1979, 464, 189, 107, 42, 16, 11, 4, 4, 4],
        [1642, 245, 44, 33, 17, 9, 6, 6, 5, 5],
    ]
)


@lru_cache(maxsize=1)
def evaluation() -> Any:
    """What bench/evaluation.py fitted."""
    return json.loads(EVALUATION.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def load_compiled() -> Any:
    """The compiled games; loaded, or even compiled, when they are first asked for."""
    warm()
    from branchline.bots.compiled import entry as compiled

    gc.freeze()  # what the compiler left stays for good; to look it through takes 30 ms, in the midst of some decision
    return compiled


class Room:
    """The work space of one thread."""

    def __init__(self, view: View, weights: Numbers | None = None) -> None:
        self._compiled = compiled = load_compiled()
        self._positions = np.zeros(compiled.POSITIONS * Position.SIZE, np.uint8)
        self._positions[: Position.SIZE] = np.frombuffer(view.to_bytes(), np.uint8)
        self._board = np.frombuffer(make_board(view.map).to_bytes(), np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._plan = np.zeros(1, Plan.dtype())
        self._plan["tuning"][0] = sets(twin=tuple(HASTE.get(i, n) for i, n in enumerate(DEFAULTS)))
        self._plan["is_tuned"] = 1
        self._words = np.zeros(compiled.WORDS, np.int64)
        self.weights = np.zeros(WEIGHTS, np.int64) if weights is None else weights
        fixed = (self._positions, self._board, self._work, self._plan, self._words)
        self._fixed = tuple(array.ctypes.data for array in fixed)

    def _run(self, what: int, words: Sequence[int], notes: Numbers) -> int:
        self._words[: len(words)] = words
        n: int = self._compiled.run(what, *self._fixed, notes.ctypes.data, self.weights.ctypes.data)
        return n

    def choice(self, seat: int, bot: int) -> int:
        return self._run(self._compiled.CHOOSE, (seat, bot, 0, 0), self._words)

    def claims(self, seat: int) -> list[tuple[int, int]]:
        """The claims that can be paid, and a station: pairs of merit and code."""
        pairs = np.zeros((MAX_TRACKS + 1, 2), np.int64)
        n = self._run(self._compiled.CLAIMS, (seat,), pairs)
        return [(merit, code) for code, merit in pairs[:n].tolist()]

    def ticket_bins(self, seat: int) -> Numbers:
        """How much of each ticket's way is left for each of the others, in the place of the weights."""
        self._run(self._compiled.TICKET_BINS, (seat,), self._words)
        return self.weights[:TICKET_WEIGHTS]

    def set_weights(self, seat: int) -> None:
        """Fill the weights of the tickets the others may hold, and those of the evaluation."""
        bins = self.ticket_bins(seat)
        bins[:] = LIKELY.reshape(-1)[np.clip(bins, 0, LIKELY.size - 1)]
        self.weights[TICKET_WEIGHTS:] = evaluation()["net"]

    def sample(self, bots: Sequence[int], seed: int, one_in: int, chaos: int, most: int) -> Numbers:
        """Play a game of bots; a row for each seat at some turns, what the evaluation is told and the final points."""
        rows = np.zeros((most, FEATURES + 1), np.int64)
        self._words[self._compiled.CODES_FROM : self._compiled.CODES_FROM + len(bots)] = bots
        n = self._run(self._compiled.SAMPLE, (len(bots), seed, one_in, chaos, most), rows)
        return rows[:n]

    def roll_out(self, seat: int, seed: int, first: int, worlds: int, codes: Sequence[int], turns: int) -> Numbers:
        """The results by world, code and seat."""
        results = np.zeros((worlds, len(codes), k.SEATS), np.int64)
        self._words[self._compiled.CODES_FROM : self._compiled.CODES_FROM + len(codes)] = codes
        words = (seat, OWN_POLICY, OTHERS_POLICY, seed, first, worlds, len(codes), turns)
        self._run(self._compiled.ROLLOUTS, words, results)
        return results

    def follow(self, seat: int, seed: int, world: int, code: int) -> tuple[int, ...]:
        """The codes that come after a code in a world, each as SEATS * code + seat."""
        line = np.zeros(LINE, np.int64)
        self._words[self._compiled.CODES_FROM] = code
        n = self._run(self._compiled.FOLLOW, (seat, OWN_POLICY, OTHERS_POLICY, seed, world, LINE), line)
        return tuple(line[:n].tolist())
