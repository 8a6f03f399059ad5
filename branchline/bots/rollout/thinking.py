"""The bot `rollout`: it imagines many worlds that fit what its seat knows, and plays its candidates out in each.

A world deals the unseen cards and tickets; tickets go to other players as likely as their tracks suggest
(rollout/guess.py). Every candidate is played in the same worlds with the same cards to come, and the game is played on
to its end by fast bots (rollout/trials.py). A candidate's value is the chance of winning, with a little of the margin
mixed in: the margin says something in every rollout, a win or loss often nothing. Candidates that fall behind are
dropped, so that the time goes to those between which it is hard to choose; the search stops when one is left or when
its time is up.

The searcher reads a view and nothing else; its random numbers follow from its seed and the view. With `rollouts` given
instead of seconds its choice depends on nothing else, however many threads work on it.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

import numpy as np

from branchline.actions import Action
from branchline.bots.blocks.codes import is_claim_or_station
from branchline.bots.games.match import CONDUCTOR_BOT, PLANNER_BOT
from branchline.bots.rollout.race import Budget, Clock, Count, Race
from branchline.bots.rollout.trials import ROLLOUT_STREAM, WORLD, make_world
from branchline.bots.rollout.workspace import LINE, WEIGHTS, Room, evaluation, load_compiled
from branchline.codec import action_of, code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.chance import stream_key
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import apply_action
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position
from branchline.notation import write_action
from branchline.view import View

ADVISERS = (PLANNER_BOT, CONDUCTOR_BOT)  # bots whose choices are always candidates, the first the one to beat
GOOD_CLAIMS, MOST_CLAIMS = 3, 12  # claims tried before draws, and at all
LINE_WORLDS = 15


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action that was weighed: how often it was tried, and what came of it on the average."""

    action: Action
    visits: int
    win: float  # chance of winning; a shared win counts as its part
    margin: float  # points ahead of the best other player
    value: float  # what the search compares


@dataclass(frozen=True)
class Thoughts:
    """What a search found out. The candidates are sorted, the chosen one first."""

    candidates: tuple[Candidate, ...]
    rollouts: int
    seconds: float
    _search: _Search | None = field(repr=False, compare=False)

    @property
    def action(self) -> Action:
        return self.candidates[0].action

    @property
    def win(self) -> float:
        """The reader's chance of winning if it plays what was chosen."""
        return self.candidates[0].win

    @property
    def margin(self) -> float:
        return self.candidates[0].margin

    @cached_property
    def line(self) -> tuple[tuple[int, str], ...]:
        """The principal line: what most likely comes, as pairs of seat and notation, the chosen action first."""
        return self._search.line(self.action) if self._search else ()


class RolloutBot:
    """Plays what a search of this many seconds, or of this many rollouts, finds best; `thoughts` tells of the last."""

    def __init__(
        self, seed: int, seconds: float = 1.0, threads: int | None = None, *, rollouts: int | None = None
    ) -> None:
        self._seed = seed
        self._seconds = seconds
        self._threads = threads
        self._rollouts = rollouts
        self.thoughts: Thoughts | None = None
        load_compiled()  # here, where no clock is running
        evaluation()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.thoughts = think(view, self._seconds, seed=self._seed, threads=self._threads, rollouts=self._rollouts)
        return self.thoughts.action if self.thoughts.action in actions else actions[0]


def think(
    view: View, seconds: float = 1.0, *, seed: int = 0, threads: int | None = None, rollouts: int | None = None
) -> Thoughts:
    """Search for the best action of the reader of a view, for so many seconds or with so many rollouts."""
    start = time.perf_counter()
    return _Search(view, seed, threads or cores()).run(start, seconds, rollouts)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---------------------------------------------------------------- the search


class _Search:
    """One search of one view."""

    def __init__(self, view: View, seed: int, threads: int) -> None:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        self._view = view
        self._seat = view.reader
        self._threads = threads
        known = view.to_bytes()[: 8 * make_board(view.map).position_words]  # a mechanic of other maps changes nothing
        digest = blake2b(known, digest_size=8, key=seed.to_bytes(16, "little", signed=True))
        self._seed = int.from_bytes(digest.digest(), "little") >> 1
        self._weights = np.zeros(WEIGHTS, np.int64)
        self._room = Room(view, self._weights)
        self._position = view.position
        self._names = names_of(view.map)

    def run(self, start: float, seconds: float, rollouts: int | None) -> Thoughts:
        codes = self._candidates()
        if len(codes) == 1:
            only = Candidate(self._action(codes[0]), 0, math.nan, math.nan, math.nan)
            return Thoughts((only,), 0, time.perf_counter() - start, self)
        self._room.set_weights(self._seat)
        rooms = [self._room, *(Room(self._view, self._weights) for _ in range(self._threads - 1))]
        race = Race(rooms, self._position, make_board(self._view.map), self._seat, self._seed, codes)
        budget: Budget = Clock(start, seconds, self._threads) if rollouts is None else Count(rollouts)
        race.run(budget)
        found = tuple(Candidate(self._action(t.code), t.visits, t.win, t.margin, t.value) for t in race.order())
        return Thoughts(found, race.rollouts, time.perf_counter() - start, self)

    def _action(self, code: int) -> Action:
        return action_of(code, self._position, self._names, self._seat)

    def _candidates(self) -> list[int]:
        """What is worth trying, the most promising first."""
        room, seat = self._room, self._seat
        legal = [code_of(action, self._position, self._names, seat) for action in self._view.legal_actions()]
        advice = [room.choice(seat, bot) for bot in ADVISERS]
        if len(legal) == 1 or legal[0] in range(k.RETURN, k.RETURN + k.OFFER):
            return advice[:1]  # nothing to choose, or only the order of tickets put back
        found = dict.fromkeys(code for code in advice if code in legal)
        if self._position.phase == k.TURN:
            claims = sorted(room.claims(seat), key=lambda claim: (-claim[0], claim[1]))
            found |= dict.fromkeys(code for _, code in claims[:GOOD_CLAIMS])
            found |= dict.fromkeys(self._distinct_draws(legal))
            found |= dict.fromkeys(code for _, code in claims[GOOD_CLAIMS:MOST_CLAIMS])
        else:
            found |= dict.fromkeys(self._distinct_draws(legal))
        return list(found)

    def _distinct_draws(self, legal: list[int]) -> list[int]:
        """The choices beside claims and stations; of equal cards of the display only one."""
        s, seen, found = self._position, set(), []
        for code in legal:
            if is_claim_or_station(code):
                continue
            card = code
            if code < k.DRAW_DECK:
                card = 1000 + s.display[code - k.DRAW_DISPLAY]
            elif k.TAKE_TERRAIN <= code < k.TERRAIN_DECK:
                card = 2000 + s.terrain_up[code - k.TAKE_TERRAIN]
            if card not in seen:
                seen.add(card)
                found.append(code)
        return found

    def line(self, action: Action) -> tuple[tuple[int, str], ...]:
        """What most likely comes after an action: at each step what most worlds do that went the same way so far."""
        code = code_of(action, self._position, self._names, self._seat)
        lines = {i: self._room.follow(self._seat, self._seed, i, code) for i in range(LINE_WORLDS)}
        for n in range(LINE):
            steps = Counter(line[n] for line in lines.values() if len(line) > n)
            if steps:
                step = steps.most_common(1)[0][0]
                lines = {i: line for i, line in lines.items() if len(line) > n and line[n] == step}
        return self._written(code, *next(iter(lines.items())))

    def _written(self, code: int, world: int, line: Sequence[int]) -> tuple[tuple[int, str], ...]:
        """The actions of a line, each with its seat, in the world in which it was played."""
        board, w = make_board(self._view.map), scratch()
        positions = [self._view.position, Position(), Position()]
        key = stream_key(self._seed, ROLLOUT_STREAM, world)
        make_world(positions, board, w, self._seat, self._weights.tolist(), key)
        s = positions[WORLD]
        found = []
        for step in (k.SEATS * code + self._seat, *line):
            code, seat = divmod(step, k.SEATS)
            found.append((seat, write_action(action_of(code, s, self._names, seat))))
            apply_action(s, board, w, seat, code)
        return tuple(found)
