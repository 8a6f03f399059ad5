"""The searching bot: the network proposes candidates, and judges what comes of each in imagined worlds.

A world deals the unseen cards and tickets; tickets go to other players as likely as the network believes from what they
have done. Every candidate is played in the same worlds, the network chooses for all seats until it is the reader's turn
again, and there it says how likely each seat wins; a game that ends before that speaks for itself. What the policy
thinks of a candidate at first sight counts too (race.py).

On a map the network was not trained on it is no judge: there candidates are played out to the end, as `rollout` does.
Where the network has no word, or its weights are missing or damaged, the planner plays.

The searcher reads a view and nothing else; its random numbers follow from its seed and the view. With `rollouts` given
instead of seconds its choice depends on nothing else, however many threads work on it.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import blake2b

import numpy as np

from branchline.actions import Action
from branchline.bots.games.match import PLANNER_BOT
from branchline.bots.net.player import network
from branchline.bots.players import engine
from branchline.bots.rollout import RolloutBot
from branchline.bots.rollout import thinking as rollout
from branchline.bots.search.budget import Budget, Clock, Count
from branchline.bots.search.lockstep import load_lockstep
from branchline.bots.search.playing import Playing
from branchline.bots.search.race import Race, Tried
from branchline.codec import action_of, code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.rollout import is_detail, play_defaults
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import apply_action
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position
from branchline.notation import write_action
from branchline.training.inference import Engine, Thought
from branchline.view import View

COVERED = 0.99  # of the policy's probability the candidates have together, if they need not be too many
MOST, LEAST = 6, 3  # candidates
LEAST_CHANCE = 0.002  # of a candidate beyond the least number
LINE, LINE_WORLDS = 8, 15
AT_ONCE, MOST_GUESSED = 8, 0.02  # the first pass over so many games takes as long as it took to begin, at a guess
AT_HOME = ""
NOT_AT_HOME = "the network was not trained on this map: candidates are played out to the end instead"
NO_WORD = "the network has no word for this choice: the planner plays"
NO_WEIGHTS = "the network has no weights: the planner plays"

Line = tuple[tuple[int, str], ...]  # seats and what they play, in notation


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action that was weighed: how often it was tried, and what came of it on the average."""

    action: Action
    visits: int
    win: float  # chance of winning; a shared win counts as its part
    margin: float  # points ahead of the mean of the others
    value: float  # what the search compares
    prior: float  # the probability with which the network would choose it at first sight; nan where it is no judge
    error: float  # the standard error of `win`: by how much it may be off by chance
    wins: tuple[float, ...]  # chance of winning by seat; nan for one that was not counted


@dataclass(frozen=True)
class Thoughts:
    """What a search found out. The candidates are sorted, the chosen one first."""

    candidates: tuple[Candidate, ...]
    rollouts: int  # games played on, until they were judged
    seconds: float
    note: str = AT_HOME  # what there is to say about the network here
    sight: tuple[float, ...] = ()  # chance of winning by seat, as the network sees it before anything is tried
    _tell_line: Callable[[], Line] | None = field(default=None, repr=False, compare=False)

    @property
    def action(self) -> Action:
        return self.candidates[0].action

    @property
    def win(self) -> float:
        """The reader's chance of winning if it plays what was chosen, as far as it was tried."""
        return self.candidates[0].win

    @property
    def wins(self) -> tuple[float, ...]:
        """The chance of winning by seat; at first sight where nothing was tried."""
        return self.candidates[0].wins if self.rollouts or not self.sight else self.sight

    @property
    def margin(self) -> float:
        return self.candidates[0].margin

    @cached_property
    def line(self) -> Line:
        """The principal line: what most likely comes, as pairs of seat and notation, the chosen action first."""
        return self._tell_line() if self._tell_line else ()


class SearchBot:
    """Plays what a search of this many seconds, or of this many tries, finds best; `thoughts` tells of the last."""

    def __init__(
        self, seed: int, seconds: float = 1.0, threads: int | None = None, *, rollouts: int | None = None
    ) -> None:
        self._seed = seed
        self._seconds = seconds
        self._threads = threads
        self._rollouts = rollouts
        self.thoughts: Thoughts | None = None
        load_lockstep()  # here, where no clock is running
        network()
        engine()
        RolloutBot(seed)

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.thoughts = think(view, self._seconds, seed=self._seed, threads=self._threads, rollouts=self._rollouts)
        return self.thoughts.action if self.thoughts.action in actions else actions[0]


def think(
    view: View, seconds: float = 1.0, *, seed: int = 0, threads: int | None = None, rollouts: int | None = None
) -> Thoughts:
    """Search for the best action of the reader of a view, for so many seconds or with so many tries."""
    start, net = time.perf_counter(), network()
    if net is not None and not net.knows(view.map):
        return _played_out(view, rollout.think(view, seconds, seed=seed, threads=threads, rollouts=rollouts))
    search = _Search(view, seed, threads or rollout.cores())
    return search.run(start, Clock(start, seconds) if rollouts is None else Count(rollouts))


# ---------------------------------------------------------------- where the network is no judge


def _played_out(view: View, played: rollout.Thoughts) -> Thoughts:
    """What `rollout` found, told as a search tells it."""
    assert view.reader is not None
    found = tuple(_weighed(one, view.reader, view.position.players) for one in played.candidates)
    return Thoughts(found, played.rollouts, played.seconds, NOT_AT_HOME, _tell_line=lambda: played.line)


def _weighed(one: rollout.Candidate, seat: int, players: int) -> Candidate:
    error = math.sqrt(one.win * (1 - one.win) / one.visits) if one.visits else math.nan
    other = 1 - one.win if players == 2 else math.nan  # of more than two, only the reader's wins are counted
    wins = tuple(one.win if each == seat else other for each in range(players))
    return Candidate(one.action, one.visits, one.win, one.margin, one.value, math.nan, error, wins)


# ---------------------------------------------------------------- the search


class _Search:
    """One search of one view."""

    def __init__(self, view: View, seed: int, threads: int) -> None:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        self._view, self._seat = view, view.reader
        self._threads = threads
        known = view.to_bytes()[: 8 * make_board(view.map).position_words]  # a mechanic of other maps changes nothing
        digest = blake2b(known, digest_size=8, key=seed.to_bytes(16, "little", signed=True))
        self._seed = int.from_bytes(digest.digest(), "little") >> 1
        self._position = view.position
        self._names = names_of(view.map)
        self._rooms: list[Playing] = []

    def run(self, start: float, budget: Budget) -> Thoughts:
        legal, net = self._view.legal_actions(), network()
        if is_detail(self._position, self._seat) or (net is None and len(legal) == 1):
            return self._settled(legal[0], start)
        if net is None:
            return self._settled(self._advice(), start, NO_WEIGHTS)
        thought = net.think(self._view.map, self._view.to_bytes(), self._seat)
        sight = tuple(np.roll(thought.wins, self._seat).tolist())
        if len(legal) == 1:
            return self._settled(legal[0], start, sight=sight)
        codes, chances = self._candidates(thought)
        if not codes:
            return self._settled(self._advice(), start, NO_WORD, sight)
        self._make_rooms(net)
        budget.note_pass(min(MOST_GUESSED, (time.perf_counter() - start) * budget.games / AT_ONCE))
        race = Race(self._position.players, self._seat, self._rooms, codes, np.array(chances))
        race.run(budget)
        prior = dict(zip(codes, chances, strict=True))
        found = tuple(self._candidate(tried, prior[tried.code]) for tried in race.order())
        line = partial(self.line, found[0].action)
        return Thoughts(found, race.tries, time.perf_counter() - start, AT_HOME, sight, line)

    def _settled(self, action: Action, start: float, note: str = AT_HOME, sight: tuple[float, ...] = ()) -> Thoughts:
        """Thoughts about nothing to think about."""
        wins = (math.nan,) * self._position.players
        only = Candidate(action, 0, math.nan, math.nan, math.nan, 1.0, math.nan, wins)
        return Thoughts((only,), 0, time.perf_counter() - start, note, sight)

    def _candidate(self, tried: Tried, prior: float) -> Candidate:
        win = tried.wins[self._seat]
        told = (tried.visits, win, tried.margin, tried.value, prior, tried.error, tried.wins)
        return Candidate(self._action(tried.code), *told)

    def _action(self, code: int) -> Action:
        return action_of(code, self._position, self._names, self._seat)

    def _advice(self) -> Action:
        """What the planner would play."""
        return self._action(engine().choose(self._view, PLANNER_BOT, 0, 0))

    def _make_rooms(self, net: Engine) -> None:
        engines = [net, *(net.twin() for _ in range(self._threads - 1))]
        self._rooms = [Playing(one, self._view, self._seed) for one in engines]
        self._rooms[0].believe()
        for room in self._rooms[1:]:
            room.weights = self._rooms[0].weights

    def _candidates(self, thought: Thought) -> tuple[list[int], list[float]]:
        """What is worth trying and how likely the policy plays it, the likeliest first."""
        prior = self._distinct(dict(zip(thought.codes.tolist(), thought.chances.tolist(), strict=True)))
        order = sorted(prior, key=lambda code: (-prior[code], code))
        found: list[int] = []
        for code in order[:MOST]:
            covered = sum(prior[one] for one in found)
            if len(found) < LEAST or (covered < COVERED and prior[code] >= LEAST_CHANCE):
                found.append(code)
        return found, [prior[code] for code in found]

    def _distinct(self, prior: dict[int, float]) -> dict[int, float]:
        """Of equal cards of the display only one, with the probability of all."""
        s, first, found = self._position, dict[int, int](), dict[int, float]()
        for code, chance in prior.items():
            card = code
            if code < k.DRAW_DECK:
                card = -1 - s.display[code - k.DRAW_DISPLAY]
            elif k.TAKE_TERRAIN <= code < k.TERRAIN_DECK:
                card = -100 - s.terrain_up[code - k.TAKE_TERRAIN]
            kept = first.setdefault(card, code)
            found[kept] = found.get(kept, 0.0) + chance
        return found

    def line(self, action: Action) -> Line:
        """What most likely comes after an action: at each step what most worlds do that went the same way so far."""
        code = code_of(action, self._position, self._names, self._seat)
        lines = dict(enumerate(self._rooms[0].follow(code, LINE_WORLDS, LINE)))
        for n in range(LINE):
            steps = Counter(line[n] for line in lines.values() if len(line) > n)
            if steps:
                step = steps.most_common(1)[0][0]
                lines = {i: line for i, line in lines.items() if len(line) > n and line[n] == step}
        world, line = next(iter(lines.items()))
        return self._written([(self._seat, code), *line], world)

    def _written(self, line: Sequence[tuple[int, int]], world: int) -> Line:
        """The actions of a line, each with its seat, in the world in which it was played."""
        board, w = make_board(self._view.map), scratch()
        s = Position.from_bytes(self._rooms[0].imagine(world, 1)[0].tobytes())
        found = []
        for seat, code in line:
            found.append((seat, write_action(action_of(code, s, self._names, seat))))
            apply_action(s, board, w, seat, code)
            play_defaults(s, board, w)
        return tuple(found)
