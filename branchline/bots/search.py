"""The searching bot: it imagines many worlds that fit what its seat knows, and plays its candidates out in each.

A world deals the unseen cards and tickets; tickets go to other players as likely as their tracks suggest (guess.py).
Every candidate is played in the same worlds with the same cards to come, and the game is played on to its end by fast
bots (rollouts.py). A candidate's value is the chance of winning, with a little of the margin mixed in: the margin says
something in every rollout, a win or loss often nothing. Candidates that fall behind are dropped, so that the time goes
to those between which it is hard to choose; the search stops when one is left or when its time is up.

The searcher reads a view and nothing else; its random numbers follow from its seed and the view. With `rollouts` given
instead of seconds its choice depends on nothing else, however many threads work on it.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from branchline.actions import Action
from branchline.bots.evaluation import FEATURES, NET, UNIT
from branchline.bots.match import PATH_BOT, PLANNER_BOT, PLANNER_TWIN
from branchline.bots.rollouts import ALL_TURNS, ROLLOUT_STREAM, WORLD, make_world
from branchline.bots.routes import turns_to_go
from branchline.bots.tuning import DEFAULTS, P_ORDERS, P_REGRET, P_RISK_WANTED
from branchline.bots.warm import warm
from branchline.bots.work import PathWork
from branchline.codec import action_of, code_of, names_of
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.chance import stream_key
from branchline.kernel.scratch import scratch
from branchline.kernel.state import Position, Work
from branchline.kernel.turn import apply_action
from branchline.maps.model import MAX_TICKETS, MAX_TRACKS
from branchline.notation import write_action
from branchline.view import View

Numbers = np.ndarray[Any, np.dtype[np.int64]]
Values = np.ndarray[Any, np.dtype[np.float64]]

OWN_POLICY = OTHERS_POLICY = PLANNER_TWIN  # who plays on in a rollout, at the seat that searches and at the others
HASTE = {P_ORDERS: 0, P_REGRET: 0, P_RISK_WANTED: 0}  # in what the planner that plays rollouts takes less care
ADVISERS = (PLANNER_BOT, PATH_BOT)  # bots whose choice is always a candidate

ROUNDS = 0  # a rollout is cut and evaluated after so many rounds; 0: never
MARGIN_PART = 0.4  # of the value of a rollout, the rest is the share of the win
MARGIN_SCALE = 40.0  # points at which the margin counts about three quarters

MOST_CLAIMS = 12  # candidates among the claims
WORLDS_EACH = 12  # there are only so many candidates that each can be tried so often
WAVES = 16  # after each part of the budget those behind are dropped
LEAST_WORLDS = 12  # but not before they have been tried so often
DOUBT = 2.5  # standard errors behind the best at which a candidate is dropped
TRUST = 1.0  # standard errors by which a candidate must beat the first adviser's choice
TASK_S = 0.003  # what a thread does before it looks at the clock
RESERVE = 0.03  # of the budget, for ending in time
RESERVE_S = 0.002
LINE = 8  # actions of the principal line
LINE_WORLDS = 15

EVALUATION = Path(__file__).parent / "evaluation.json"
TICKET_WEIGHTS = k.SEATS * MAX_TICKETS
WEIGHTS = TICKET_WEIGHTS + NET

# How many times more likely a ticket is held than another, times 64: see guess.py.
LIKELY = np.array(
    [
        [2358, 1626, 924, 789, 334, 159, 62, 20, 9, 9],
        [2249, 1877, 417, 277, 87, 34, 22, 7, 4, 4],
        [1979, 464, 189, 107, 42, 16, 11, 4, 4, 4],
        [1642, 245, 44, 33, 17, 9, 6, 6, 5, 5],
    ]
)


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


class SearchBot:
    """Plays what a search of this many seconds, or of this many rollouts, finds best; `thoughts` tells of the last."""

    def __init__(
        self, seed: int, seconds: float = 1.0, threads: int | None = None, *, rollouts: int | None = None
    ) -> None:
        self._seed = seed
        self._seconds = seconds
        self._threads = threads
        self._rollouts = rollouts
        self.thoughts: Thoughts | None = None

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.thoughts = think(view, self._seconds, seed=self._seed, threads=self._threads, rollouts=self._rollouts)
        return self.thoughts.action if self.thoughts.action in actions else actions[0]


def think(
    view: View, seconds: float = 1.0, *, seed: int = 0, threads: int | None = None, rollouts: int | None = None
) -> Thoughts:
    """Search for the best action of the reader of a view, for so many seconds or with so many rollouts."""
    start = time.perf_counter()
    return _Search(view, seed, threads or cores()).run(start, seconds, rollouts)


@lru_cache(maxsize=1)
def evaluation() -> Any:
    """What bench/evaluation.py fitted."""
    return json.loads(EVALUATION.read_text(encoding="utf-8"))


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---------------------------------------------------------------- the compiled kernel


@lru_cache(maxsize=1)
def _compiled() -> Any:
    warm()
    from branchline.bots import compiled

    return compiled


class Room:
    """The work space of one thread."""

    def __init__(self, view: View, weights: Numbers | None = None) -> None:
        self._compiled = compiled = _compiled()
        self._positions = np.zeros(compiled.POSITIONS * Position.SIZE, np.uint8)
        self._positions[: Position.SIZE] = np.frombuffer(view.to_bytes(), np.uint8)
        self._board = np.frombuffer(make_board(view.map).to_bytes(), np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._path_work = np.zeros(1, PathWork.dtype())
        self._path_work["tuning"][0] = DEFAULTS + tuple(HASTE.get(i, n) for i, n in enumerate(DEFAULTS))
        self._path_work["is_tuned"] = 1
        self._words = np.zeros(compiled.WORDS, np.int64)
        self.weights = np.zeros(WEIGHTS, np.int64) if weights is None else weights
        fixed = (self._positions, self._board, self._work, self._path_work, self._words)
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


# ---------------------------------------------------------------- the search


class _Search:
    """One search of one view."""

    def __init__(self, view: View, seed: int, threads: int) -> None:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        self._view = view
        self._seat = view.reader
        self._threads = threads
        digest = blake2b(view.to_bytes(), digest_size=8, key=seed.to_bytes(16, "little", signed=True))
        self._seed = int.from_bytes(digest.digest(), "little") >> 1
        weights = np.zeros(WEIGHTS, np.int64)
        self._rooms = [Room(view, weights)]
        self._weights = weights
        self._position = view.position
        self._names = names_of(view.map)

    def run(self, start: float, seconds: float, rollouts: int | None) -> Thoughts:
        codes = self._candidates()
        if len(codes) == 1:
            only = Candidate(self._action(codes[0]), 0, math.nan, math.nan, math.nan)
            return Thoughts((only,), 0, time.perf_counter() - start, self)
        self._rooms[0].set_weights(self._seat)
        self._rooms += [Room(self._view, self._weights) for _ in range(self._threads - 1)]
        if rollouts is None:
            budget: _Budget = _Clock(start, seconds, self._threads)
        else:
            budget = _Count(rollouts)
        race = _Race(self, codes, budget)
        race.run()
        return race.thoughts(time.perf_counter() - start)

    def _action(self, code: int) -> Action:
        return action_of(code, self._position, self._names, self._seat)

    def _candidates(self) -> list[int]:
        """What is worth trying, the most promising first."""
        room, seat = self._rooms[0], self._seat
        legal = [code_of(action, self._position, self._names, seat) for action in self._view.legal_actions()]
        advice = [room.choice(seat, bot) for bot in ADVISERS]
        if len(legal) == 1 or legal[0] in range(k.RETURN, k.RETURN + k.OFFER):
            return advice[:1]  # nothing to choose, or only the order of tickets put back
        found = dict.fromkeys(code for code in advice if code in legal)
        if self._position.phase == k.TURN:
            claims = sorted(room.claims(seat), key=lambda claim: (-claim[0], claim[1]))
            found |= dict.fromkeys(code for _, code in claims[:3])
            found |= dict.fromkeys(self._distinct_draws(legal))
            found |= dict.fromkeys(code for _, code in claims[3:MOST_CLAIMS])
        else:
            found |= dict.fromkeys(self._distinct_draws(legal))
        return list(found)

    def _distinct_draws(self, legal: list[int]) -> list[int]:
        """The choices beside claims and stations; of equal cards of the display only one."""
        s, seen, found = self._position, set(), []
        for code in legal:
            if k.CLAIM * 64 <= code < k.KEEP * 64:
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
        lines = {i: self._rooms[0].follow(self._seat, self._seed, i, code) for i in range(LINE_WORLDS)}
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


# ---------------------------------------------------------------- the race between candidates


class _Clock:
    """A budget in seconds."""

    def __init__(self, start: float, seconds: float, threads: int) -> None:
        self._begin = time.perf_counter()
        self._end = start + seconds * (1 - RESERVE) - RESERVE_S
        self._threads = threads
        self._one = 0.0004  # seconds a rollout takes; measured as they come

    def note(self, rollouts: int) -> None:
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
    def is_up(self) -> bool:
        return time.perf_counter() >= self._end


class _Count:
    """A budget in rollouts; what is done with it does not depend on the time."""

    task = 16

    def __init__(self, rollouts: int) -> None:
        self.size = rollouts
        self._done = 0

    def note(self, rollouts: int) -> None:
        self._done = rollouts

    @property
    def used(self) -> float:
        return self._done / self.size

    is_up = False


_Budget = _Clock | _Count


class _Race:
    """Candidates tried in more and more worlds, fewer and fewer of them."""

    def __init__(self, search: _Search, codes: list[int], budget: _Budget) -> None:
        self._search = search
        self._budget = budget
        self._codes = codes
        self._running = list(range(len(codes)))
        self._results: list[list[Numbers]] = [[] for _ in codes]
        self._rollouts = 0
        self._worlds = 0
        self._first = len(codes)
        s = search._position
        self._turns = ROUNDS * s.players - 1 if ROUNDS else ALL_TURNS
        constant, slope = evaluation()["error"]
        self._spread = 0.78 * (constant + slope * max(0, turns_to_go(s, make_board(search._view.map)) - ROUNDS))

    def run(self) -> None:
        with ThreadPoolExecutor(len(self._search._rooms)) as pool:
            self._wave(pool, 2)
            self._running = self._running[: max(2, self._budget.size // WORLDS_EACH)]
            self._first = len(self._running)
            while len(self._running) > 1 and self._budget.used < 1:
                worlds = self._budget.size // (WAVES * len(self._running))
                self._wave(pool, max(1, worlds))
                self._drop()

    def _wave(self, pool: ThreadPoolExecutor, worlds: int) -> None:
        """Try all that are still running in so many more worlds; what the clock cuts short is left out."""
        codes = [self._codes[c] for c in self._running]
        each = max(1, self._budget.task // len(codes))
        columns = min(len(codes), self._budget.task)
        tasks = deque(
            (first, min(each, worlds - first), column)
            for first in range(0, worlds, each)
            for column in range(0, len(codes), columns)
        )
        results = np.zeros((worlds, len(codes), k.SEATS), np.int64)
        done = np.zeros((worlds, len(codes)), bool)

        def work(room: Room) -> int:
            n = 0
            while tasks and not self._budget.is_up:
                try:
                    first, many, column = tasks.popleft()
                except IndexError:
                    return n
                part = slice(first, first + many), slice(column, column + columns)
                some = codes[column : column + columns]
                results[part] = room.roll_out(
                    self._search._seat, self._search._seed, self._worlds + first, many, some, self._turns
                )
                done[part] = True
                n += many * len(some)
            return n

        self._rollouts += sum(pool.map(work, self._search._rooms))
        whole = done.all(axis=1)
        for column, c in enumerate(self._running):
            self._results[c].append(results[whole, column])
        self._worlds += worlds
        self._budget.note(self._rollouts)

    def _drop(self) -> None:
        """Drop who is behind by more than chance explains, and the worse ones as the budget runs out."""
        values = [self._values(c) for c in self._running]
        if len(values[0]) < LEAST_WORLDS and self._budget.used < 0.5:
            return
        means = np.array([v.mean() if len(v) else 0.0 for v in values])
        best = int(means.argmax())
        stays = []
        for i, v in enumerate(values):
            behind = values[best] - v
            error = behind.std() / math.sqrt(max(1, len(behind)))
            if i == best or behind.mean() <= DOUBT * error:
                stays.append(i)
        room = max(2, math.ceil(self._first ** (1 - self._budget.used)))
        stays = sorted(stays, key=lambda i: (self._running[i] != 0, -means[i]))[:room]
        self._running = [self._running[i] for i in sorted(stays)]

    def _values(self, c: int) -> Values:
        """The values of a candidate's rollouts, world by world."""
        win, margin = self._outcomes(c)
        squashed = 1 / (1 + np.exp(-margin / MARGIN_SCALE))
        value: Values = (1 - MARGIN_PART) * win + MARGIN_PART * squashed
        return value

    def _outcomes(self, c: int) -> tuple[Values, Values]:
        """The share of the win and the margin over the best other player, world by world."""
        players, seat = self._search._position.players, self._search._seat
        results = np.concatenate(self._results[c])[:, :players]
        points = (results >> 1) / UNIT
        others = np.delete(points, seat, axis=1).max(axis=1)
        margin = points[:, seat] - others
        won = (results & 1).astype(float)
        ended = won.any(axis=1, keepdims=True)
        ahead = np.exp((points - points.max(axis=1, keepdims=True)) / self._spread)
        chances = np.where(ended, won, ahead)
        return chances[:, seat] / chances.sum(axis=1), margin

    def _candidate(self, c: int) -> Candidate:
        action = self._search._action(self._codes[c])
        win, margin = self._outcomes(c)
        if len(win) == 0:
            return Candidate(action, 0, math.nan, math.nan, -math.inf)
        return Candidate(action, len(win), float(win.mean()), float(margin.mean()), float(self._values(c).mean()))

    def _merits(self) -> dict[int, float]:
        """What those still running gain on the first adviser's choice, less what may be luck."""
        values = {c: self._values(c) for c in self._running}
        if 0 not in values:
            return {c: float(v.mean()) for c, v in values.items()}
        gains = {c: v - values[0] for c, v in values.items()}
        return {c: float(v.mean() - TRUST * v.std() / math.sqrt(len(v))) for c, v in gains.items()}

    def thoughts(self, seconds: float) -> Thoughts:
        """Those still running first, by their values; then those dropped, the last first."""
        running = self._merits()
        tried = sorted(
            ((c in running, self._candidate(c), c) for c in range(len(self._codes))),
            key=lambda t: (t[0], running[t[2]] if t[0] else t[1].visits, t[1].value, -t[2]),
            reverse=True,
        )
        return Thoughts(tuple(t[1] for t in tried), self._rollouts, seconds, self._search)
