"""The way into the compiled kernel: one work space a thread, the bots that play on, the tickets' weights."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from branchline.bots.compiled.space import WorkSpace
from branchline.bots.games.match import PLANNER_TWIN
from branchline.bots.games.request import CHOOSE, CLAIMS, FOLLOW, ROLLOUTS, SAMPLE, TICKET_BINS
from branchline.bots.planner.numbers import DEFAULTS, sets
from branchline.bots.planner.tuning import P_ORDERS, P_REGRET, P_RISK_WANTED
from branchline.bots.rollout.evaluation import FEATURES, NET
from branchline.bots.warm import warm
from branchline.maps.model import MAX_TICKETS, MAX_TRACKS
from branchline.mechanics import composed as k
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
        load_compiled()
        self._space = WorkSpace(view.map, sets(twin=tuple(HASTE.get(i, n) for i, n in enumerate(DEFAULTS))))
        self._space.look_at(view)
        self.weights = np.zeros(WEIGHTS, np.int64) if weights is None else weights

    def choice(self, seat: int, bot: int) -> int:
        return self._space.ask(CHOOSE, seat=seat, bot=bot, seed=0, choice=0)

    def claims(self, seat: int) -> list[tuple[int, int]]:
        """The claims that can be paid, and a station: pairs of merit and code."""
        pairs = np.zeros((MAX_TRACKS + 1, 2), np.int64)
        n = self._space.ask(CLAIMS, pairs, seat=seat)
        return [(merit, code) for code, merit in pairs[:n].tolist()]

    def ticket_bins(self, seat: int) -> Numbers:
        """How much of each ticket's way is left for each of the others, in the place of the weights."""
        self._space.ask(TICKET_BINS, log=self.weights, seat=seat)
        return self.weights[:TICKET_WEIGHTS]

    def set_weights(self, seat: int) -> None:
        """Fill the weights of the tickets the others may hold, and those of the evaluation."""
        bins = self.ticket_bins(seat)
        bins[:] = LIKELY.reshape(-1)[np.clip(bins, 0, LIKELY.size - 1)]
        self.weights[TICKET_WEIGHTS:] = evaluation()["net"]

    def sample(self, bots: Sequence[int], seed: int, one_in: int, chaos: int, most: int) -> Numbers:
        """Play a game of bots; a row for each seat at some turns, what the evaluation is told and the final points."""
        rows = np.zeros((most, FEATURES + 1), np.int64)
        n = self._space.ask(
            SAMPLE, rows, bots=bots, players=len(bots), seed=seed, one_in=one_in, chaos=chaos, most=most
        )
        return rows[:n]

    def roll_out(self, seat: int, seed: int, first: int, worlds: int, codes: Sequence[int], turns: int) -> Numbers:
        """The results by world, code and seat."""
        results = np.zeros((worlds, len(codes), k.SEATS), np.int64)
        self._space.ask(
            ROLLOUTS,
            results,
            self.weights,
            seat=seat,
            bot=OWN_POLICY,
            others=OTHERS_POLICY,
            seed=seed,
            first=first,
            worlds=worlds,
            codes=codes,
            codes_n=len(codes),
            turns=turns,
        )
        return results

    def follow(self, seat: int, seed: int, world: int, code: int) -> tuple[int, ...]:
        """The codes that come after a code in a world, each as SEATS * code + seat."""
        line = np.zeros(LINE, np.int64)
        n = self._space.ask(
            FOLLOW,
            line,
            self.weights,
            seat=seat,
            bot=OWN_POLICY,
            others=OTHERS_POLICY,
            seed=seed,
            first=world,
            codes=[code],
            most=LINE,
        )
        return tuple(line[:n].tolist())
