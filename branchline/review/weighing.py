"""Choices weighed against each other for a puzzle, all of them in the same imagined worlds.

A search for play stops where it sees the best choice; here it goes on, so that the gap to the second is known well: who
falls behind is dropped, but the last two share what is left of the work. Which world is imagined follows from the seed
and from what the seat knows, and from nothing else.

Work is counted in seconds' worth of it: so much as one thread of a quiet core did in a second when it was measured
(docs/measurements/puzzles.md). So the same position is always weighed alike, by however busy a machine.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol, cast

import numpy as np

from branchline.actions import Action
from branchline.bots.conductor.network import turns_to_go
from branchline.bots.net.player import network
from branchline.bots.rollout.trials import ALL_TURNS
from branchline.bots.rollout.workspace import Room
from branchline.bots.search.budget import Count
from branchline.bots.search.playing import Playing
from branchline.codec import code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.rollout import is_detail
from branchline.maps.model import MapData
from branchline.review.alike import likeness
from branchline.training.inference import Engine, Judged
from branchline.view import View

Array = np.ndarray[Any, np.dtype[Any]]

LEAST_PRIOR = 0.001  # beyond the first few, what the network thinks less likely is not tried, if no bot plays it either
LEAST_CHOICES, MOST_CHOICES = 5, 14
JUDGED_A_SECOND = 10_000  # positions that the network looks at
TURNS_A_SECOND = 110_000  # turns of games that are played out
LEAST_WORLDS = 8  # in which all that are left are tried at once
GAMES, MOST_GAMES = 48, 128  # of a wave: of fewer at once each takes longer
WAVES = 40  # of a long weighing of cheap tries
DOUBT = 2.5  # standard errors behind the best at which a choice is dropped
LEAST_SPREAD = 0.12  # of the difference of two choices from world to world, where few worlds were seen


@dataclass(frozen=True, slots=True)
class Group:
    """Choices that are alike: one of them is tried for all."""

    code: int
    action: Action
    prior: float  # how likely the network chooses one of them at first sight; 0 where it is no judge


@dataclass(frozen=True, slots=True)
class Weight:
    """What came of a group."""

    group: Group
    win: float
    error: float
    visits: int


@dataclass(frozen=True, slots=True)
class Weighed:
    """All that was tried, the best first, with its lead over the second and the standard error of that."""

    order: tuple[Weight, ...]
    gap: float
    error: float
    tries: int


class Worlds(Protocol):
    """What comes of codes in imagined worlds."""

    @property
    def work(self) -> float:
        """The seconds' worth of it that was done."""
        ...

    def try_out(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        """The seat's part of the win, [worlds, codes]."""
        ...


class ByNetwork:
    """The network chooses for all seats, and judges after so many own turns."""

    def __init__(self, net: Engine, view: View, seed: int, depth: int) -> None:
        assert view.reader is not None
        self._seat = view.reader
        self._counting = _Counting(net)
        self._playing = Playing(cast(Engine, self._counting), view, seed_of(view, seed))
        self._playing.believe()
        self._budget = Count(depth)

    @property
    def work(self) -> float:
        return self._counting.judged / JUDGED_A_SECOND

    def try_out(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        self._counting.judged += worlds * len(codes)  # to try what ends the game at once is work too
        found = self._playing.try_out(first, worlds, codes, self._budget)
        assert found is not None  # a counted budget does not run out within a wave
        return found[:, :, self._seat]


class _Counting:
    """A network that counts how many positions it was asked about."""

    def __init__(self, net: Engine) -> None:
        self._net = net
        self.judged = 0

    def judge(self, data: MapData, seen: Array) -> Judged:
        self.judged += len(seen)
        return self._net.judge(data, seen)

    def believe(self, data: MapData, position: bytes, seat: int) -> Array | None:
        return self._net.believe(data, position, seat)


class ByPlayingOut:
    """Fast bots play to the end: where the network was not trained on the map."""

    def __init__(self, view: View, seed: int) -> None:
        assert view.reader is not None
        self._seat, self._players, self._seed = view.reader, view.player_count, seed_of(view, seed)
        self._room = Room(view)
        self._room.set_weights(self._seat)
        self._turns = self._players * max(1, turns_to_go(view.position, make_board(view.map)))
        self._played = 0

    @property
    def work(self) -> float:
        return self._played * self._turns / TURNS_A_SECOND

    def try_out(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        results = self._room.roll_out(self._seat, self._seed, first, worlds, list(codes), ALL_TURNS)
        self._played += worlds * len(codes)
        won = (results[:, :, : self._players] & 1).astype(float)
        share: Array = won[:, :, self._seat] / won.sum(2)
        return share


def is_at_home(view: View) -> bool:
    """Whether the network is a judge on this map."""
    net = network()
    return net is not None and net.knows(view.map)


def worlds_of(view: View, seed: int, depth: int) -> Worlds:
    """`depth`: the tries whose search would look as far ahead (bots/search/budget.py)."""
    net = network()
    return ByNetwork(net, view, seed, depth) if net and net.knows(view.map) else ByPlayingOut(view, seed)


def seed_of(view: View, seed: int) -> int:
    known = view.to_bytes()[: 8 * make_board(view.map).position_words]
    digest = blake2b(known, digest_size=8, key=seed.to_bytes(16, "little", signed=True), person=b"puzzle")
    return int.from_bytes(digest.digest(), "little") >> 1


def groups_of(view: View, advised: Sequence[Action] = ()) -> list[Group]:
    """What there is to choose, alike choices together, likeliest first; what bots advise is always among it."""
    assert view.reader is not None
    s, names, legal = view.position, names_of(view.map), view.legal_actions()
    if len(legal) < 2 or is_detail(s, view.reader):
        return []
    prior = _priors(view) if is_at_home(view) else {}
    kept: dict[Hashable, tuple[float, float, int, Action]] = {}
    for action in legal:
        code, like = code_of(action, s, names, view.reader), likeness(action, view)
        chance = prior.get(code, 0.0)
        total, most, best, one = kept.get(like, (0.0, -1.0, code, action))
        if chance > most:
            most, best, one = chance, code, action
        kept[like] = (total + chance, most, best, one)
    wanted = {likeness(action, view) for action in advised}
    order = sorted(kept, key=lambda like: (-kept[like][0], like not in wanted, kept[like][2]))
    least = LEAST_PRIOR if prior else -1.0
    found = [like for n, like in enumerate(order) if n < LEAST_CHOICES or kept[like][0] >= least][:MOST_CHOICES]
    found += [like for like in order if like in wanted and like not in found]
    return [Group(kept[like][2], kept[like][3], kept[like][0]) for like in found]


def _priors(view: View) -> dict[int, float]:
    net = network()
    assert net is not None and view.reader is not None
    thought = net.think(view.map, view.to_bytes(), view.reader)
    return dict(zip(thought.codes.tolist(), thought.chances.tolist(), strict=True))


class Weighing:
    """A weighing under way; more tries can follow."""

    def __init__(self, groups: Sequence[Group], worlds: Worlds) -> None:
        self._groups, self._worlds = list(groups), worlds
        self._running = list(range(len(groups)))
        self._found: list[list[Array]] = [[] for _ in groups]
        self._next = 0
        self.tries = 0

    def run(self, seconds: float, least: int = 2) -> Weighed:
        """Do so many seconds' worth of work more; never fewer than `least` choices are left."""
        first, begun = len(self._running), self._worlds.work
        used = 0.0
        while used < 1:
            self._wave(seconds)
            used = (self._worlds.work - begun) / seconds
            self._drop(max(least, math.ceil(first ** (1 - min(1.0, used)))), least)
        return self.told()

    def _wave(self, seconds: float) -> None:
        codes = [self._groups[i].code for i in self._running]
        worlds = self._worlds_at_once(seconds)
        results = self._worlds.try_out(self._next, worlds, codes)
        for column, i in enumerate(self._running):
            self._found[i].append(results[:, column])
        self._next += worlds
        self.tries += worlds * len(codes)

    def _worlds_at_once(self, seconds: float) -> int:
        """More of them where a try costs little; in steps, so that the first waves are small."""
        games = GAMES
        if self.tries:
            games = max(games, min(MOST_GAMES, int(seconds / WAVES * self.tries / self._worlds.work)))
        return max(LEAST_WORLDS, games // len(self._running))

    def _drop(self, most: int, least: int) -> None:
        values = {i: np.concatenate(self._found[i]) for i in self._running}
        order = sorted(self._running, key=lambda i: -values[i].mean())
        best = values[order[0]]
        stays = [i for n, i in enumerate(order) if n < least or _lead(best, values[i]) <= 0]
        self._running = stays[:most]

    def told(self) -> Weighed:
        values = [np.concatenate(found) for found in self._found]
        weights = [
            Weight(group, float(v.mean()), float(v.std() / math.sqrt(len(v))), len(v))
            for group, v in zip(self._groups, values, strict=True)
        ]
        order = sorted(range(len(weights)), key=lambda i: (i not in self._running, -weights[i].win))
        one, two = values[order[0]], values[order[1]]
        n = min(len(one), len(two))
        difference = one[:n] - two[:n]
        return Weighed(
            tuple(weights[i] for i in order),
            float(difference.mean()),
            float(difference.std() / math.sqrt(n)),
            self.tries,
        )


def _lead(best: Array, other: Array) -> float:
    """By how much one leads, less what chance may explain."""
    difference = best - other
    spread = max(float(difference.std()), LEAST_SPREAD)
    return float(difference.mean()) - DOUBT * spread / math.sqrt(len(difference))
