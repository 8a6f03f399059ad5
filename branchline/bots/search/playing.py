"""Candidates played on in imagined worlds: the network chooses for every seat, and judges where the games are cut.

All worlds and candidates go on in step, so that the network looks at many positions at once. The games of a world begin
with the same hidden cards and tickets, so the candidates differ by their own merit.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from branchline.bots.search.budget import Budget
from branchline.bots.search.lockstep import TICKET_WEIGHTS, Lockstep
from branchline.bots.search.steps import GAME_OVER, SEAT_AT, TOTALS_AT, TURN_AT, WINNERS_AT
from branchline.kernel.state import SEATS
from branchline.maps.model import MAX_TICKETS
from branchline.training.inference import Engine
from branchline.view import View

Array = np.ndarray[Any, np.dtype[Any]]

MARGIN_AT = SEATS  # a result: how likely each seat wins, then the reader's margin
RESULT = SEATS + 1
ODDS = 4096  # the weight of a ticket that is held as likely as not
LEAST_CHANCE = 1e-4  # of holding a ticket, that the network may be wrong about


class Playing:
    """One thread's worlds of one view."""

    def __init__(self, engine: Engine, view: View, seed: int) -> None:
        assert view.reader is not None
        self._engine, self._data = engine, view.map
        self._view, self._seat, self._seed = view.to_bytes(), view.reader, seed
        self._players = view.position.players
        self._lockstep = Lockstep(view.map)
        self.weights = np.ones(TICKET_WEIGHTS, np.int64)

    def believe(self) -> None:
        """Let the others' tickets be as likely as the network thinks."""
        belief = self._engine.believe(self._data, self._view, self._seat)
        if belief is None:
            return
        chance = np.clip(belief, LEAST_CHANCE, 1 - LEAST_CHANCE)
        rows = self.weights.reshape(SEATS, MAX_TICKETS)
        for i, odds in enumerate(chance / (1 - chance)):
            rows[(self._seat + 1 + i) % self._players, : len(odds)] = np.maximum(1, ODDS * odds)

    def imagine(self, first: int, worlds: int) -> Array:
        return self._lockstep.imagine(self._view, self._seat, self._seed, first, worlds, self.weights)

    def try_out(self, first: int, worlds: int, codes: Sequence[int], budget: Budget) -> Array | None:
        """Results [worlds, codes, RESULT]; None if there is no time left for them."""
        games = np.repeat(self.imagine(first, worlds), len(codes), 0)
        found = np.zeros((len(games), RESULT))
        which, chosen, mover = np.arange(len(games)), np.tile(codes, worlds), self._seat
        turns = np.zeros(len(games), np.int64)
        while len(which):
            start = time.perf_counter()
            if budget.is_up:
                return None
            seen, told = self._lockstep.step(games, which, chosen, mover)
            mover = -1
            over = told[:, SEAT_AT] == GAME_OVER
            self._note_ends(found, which[over], told[over])
            which, seen, told = which[~over], seen[~over], told[~over]
            if not len(which):
                break
            judged = self._engine.judge(self._data, seen)
            own = (told[:, SEAT_AT] == self._seat) & (told[:, TURN_AT] == 1)
            turns[which[own]] += 1
            cut = own & (turns[which] >= budget.rounds)
            found[which[cut], : self._players] = self._by_seat(judged.wins[cut])
            found[which[cut], MARGIN_AT] = judged.margins[cut]
            which, chosen = which[~cut], judged.codes[~cut]
            budget.note_pass(time.perf_counter() - start)
        return found.reshape(worlds, len(codes), RESULT)

    def _by_seat(self, wins: Array) -> Array:
        """What is told in turn order from the reader, by seat."""
        return np.roll(wins[:, : self._players], self._seat, 1)

    def _note_ends(self, found: Array, which: Array, told: Array) -> None:
        """The results of games that are over; a shared win counts as its part."""
        if not len(which):
            return
        won = told[:, WINNERS_AT, None] >> np.arange(self._players) & 1
        totals = told[:, TOTALS_AT : TOTALS_AT + self._players]
        found[which, : self._players] = won / won.sum(1, keepdims=True)
        own = totals[:, self._seat]
        found[which, MARGIN_AT] = own - (totals.sum(1) - own) / (self._players - 1)

    def follow(self, code: int, worlds: int, most: int) -> list[list[tuple[int, int]]]:
        """What comes after a code in some worlds: pairs of seat and code, details left out."""
        games = self.imagine(0, worlds)
        lines: list[list[tuple[int, int]]] = [[] for _ in range(worlds)]
        which, chosen, mover = np.arange(worlds), np.full(worlds, code), self._seat
        for _ in range(most):
            seen, told = self._lockstep.step(games, which, chosen, mover)
            mover = -1
            on = told[:, SEAT_AT] != GAME_OVER
            which, told = which[on], told[on]
            if not len(which):
                break
            chosen = self._engine.judge(self._data, seen[on]).codes
            for i, seat, then in zip(which.tolist(), told[:, SEAT_AT].tolist(), chosen.tolist(), strict=True):
                lines[i].append((seat, then))
        return lines
