"""Win chances by seat in imagined worlds of one view: by the network where it knows the map, else by playing out.

Worlds follow from what the seat knows, a seed, and their number. Work is counted in positions that the network looked
at, or would have looked at in the time that was spent on games played out.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from branchline.bots.conductor.network import turns_to_go
from branchline.bots.net.player import network
from branchline.bots.rollout.evaluation import UNIT
from branchline.bots.rollout.trials import ALL_TURNS
from branchline.bots.rollout.workspace import OWN_POLICY, Room
from branchline.bots.search.lockstep import Lockstep
from branchline.bots.search.playing import Playing
from branchline.bots.search.steps import GAME_OVER, SEAT_AT, TURN_AT, WINNERS_AT
from branchline.kernel.board import make_board
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.review.weighing import JUDGED_A_SECOND, TURNS_A_SECOND, seed_of
from branchline.training.inference import Engine
from branchline.view import View

Array = np.ndarray[Any, np.dtype[Any]]
POSITION = Position.dtype()
AT_ONCE = 64  # codes in one request for games played out, which has room for some more


class Worlds(Protocol):
    """What comes of codes in imagined worlds."""

    @property
    def work(self) -> float:
        """Positions looked at, or as many as the time was worth."""
        ...

    def tried(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        """Win chances, [worlds, codes, seats]."""
        ...


class ByNetwork:
    """The network chooses for all seats, and judges at an own decision: after so many own turns, or the very next."""

    def __init__(self, net: Engine, view: View, seed: int, rounds: int) -> None:
        assert view.reader is not None
        self.seat, self.players, self.rounds = view.reader, view.player_count, rounds
        self._net, self._data, self.work = net, view.map, 0.0
        self._lockstep = Lockstep(view.map)
        self._playing = Playing(net, view, seed_of(view, seed))
        self._playing.believe()

    def imagine(self, first: int, worlds: int) -> Array:
        """So many worlds as bytes, [worlds, bytes]."""
        return self._playing.imagine(first, worlds)

    def tried(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        games = np.repeat(self.imagine(first, worlds), len(codes), 0)
        found = self.played(games, np.tile(codes, worlds))
        return found.reshape(worlds, len(codes), self.players)

    def played(self, games: Array, codes: Array) -> Array:
        """Each of these games after this code of the seat, played on: win chances by seat."""
        found = np.zeros((len(games), self.players))
        self._play_on(games, np.arange(len(games)), codes, self.seat, found)
        return found

    def seen(self, games: Array) -> Array:
        """These games as they stand, played on until the seat is to choose."""
        found = np.zeros((len(games), self.players))
        positions = games.view(POSITION)[:, 0]
        movers = np.array([int(n & -n).bit_length() - 1 for n in positions["awaited"].tolist()])
        rows = [game.tobytes() for game in games]
        judged = self._net.think_many(self._data, rows, movers.tolist())
        self.work += len(games)
        own = movers == self.seat
        found[own] = self._by_seat(judged.wins[own])
        which = np.flatnonzero(~own)
        if len(which):
            self._play_on(games, which, judged.codes[which], -1, found)
        return found

    def _play_on(self, games: Array, which: Array, codes: Array, mover: int, found: Array) -> None:
        turns = np.zeros(len(games), np.int64)
        while len(which):
            seen, told = self._lockstep.step(games, which, codes, mover)
            mover = -1
            over = told[:, SEAT_AT] == GAME_OVER
            found[which[over]] = self._ended(told[over])
            which, seen, told = which[~over], seen[~over], told[~over]
            if not len(which):
                return
            judged = self._net.judge(self._data, seen)
            self.work += len(seen)
            own = told[:, SEAT_AT] == self.seat
            turns[which[own & (told[:, TURN_AT] == 1)]] += 1
            cut = own & (turns[which] >= self.rounds)
            found[which[cut]] = self._by_seat(judged.wins[cut])
            which, codes = which[~cut], judged.codes[~cut]

    def _by_seat(self, wins: Array) -> Array:
        """What is told in turn order from the seat, by seat."""
        return np.roll(wins[:, : self.players], self.seat, 1)

    def _ended(self, told: Array) -> Array:
        won = told[:, WINNERS_AT, None] >> np.arange(self.players) & 1
        share: Array = won / won.sum(1, keepdims=True)
        return share


class ByPlayingOut:
    """Fast bots play to the end: where the network was not trained on the map, and for the points expected."""

    def __init__(self, view: View, seed: int) -> None:
        assert view.reader is not None
        self.seat, self.players, self.work = view.reader, view.player_count, 0.0
        self._seed = seed_of(view, seed)
        self._room = _room_of(view)
        turns = self.players * max(1, turns_to_go(view.position, make_board(view.map)))
        self._cost = turns * JUDGED_A_SECOND / TURNS_A_SECOND

    def tried(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        won = (self._results(first, worlds, codes) & 1).astype(float)
        share: Array = won / won.sum(2, keepdims=True)
        return share

    def points(self, worlds: int) -> Array:
        """Final points by seat, if the planner chose from here on."""
        code = self._room.choice(self.seat, OWN_POLICY)
        points: Array = (self._results(0, worlds, [code]) >> 1).mean((0, 1)) / UNIT
        return points

    def wins(self, worlds: int) -> Array:
        """Win chances by seat, if the planner chose from here on."""
        code = self._room.choice(self.seat, OWN_POLICY)
        share: Array = self.tried(0, worlds, [code]).mean((0, 1))
        return share

    def _results(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        self.work += worlds * len(codes) * self._cost
        parts = [codes[at : at + AT_ONCE] for at in range(0, len(codes), AT_ONCE)]
        found = [self._room.roll_out(self.seat, self._seed, first, worlds, part, ALL_TURNS) for part in parts]
        return np.concatenate(found, 1)[:, :, : self.players]


class Both:
    """Half of the worlds by each: in the last round, where the others may answer otherwise than the network would."""

    def __init__(self, one: Worlds, other: Worlds) -> None:
        self._one, self._other = one, other

    @property
    def work(self) -> float:
        return self._one.work + self._other.work

    def tried(self, first: int, worlds: int, codes: Sequence[int]) -> Array:
        half = worlds // 2
        found = [self._one.tried(first, worlds - half, codes)]
        return np.concatenate([*found, self._other.tried(first, half, codes)] if half else found)


class _KeptRoom(Room):
    """A room for one view after another: to make one anew takes longer than a dozen games."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.map = view.map.hash

    def look_at(self, view: View) -> None:
        assert view.reader is not None
        self._space.look_at(view)
        self.set_weights(view.reader)


_OWN = threading.local()


def _room_of(view: View) -> _KeptRoom:
    """The room of this thread, turned to a view; who asked before must be done with it."""
    room: _KeptRoom | None = getattr(_OWN, "room", None)
    if room is None or room.map != view.map.hash:
        room = _OWN.room = _KeptRoom(view)
    room.look_at(view)
    return room


def judge_of(data: MapData) -> Engine | None:
    """The network, where it is a judge of this map."""
    net = network()
    return net if net is not None and net.knows(data) else None


def worlds_of(view: View, seed: int, rounds: int) -> Worlds:
    net = judge_of(view.map)
    if net is None:
        return ByPlayingOut(view, seed)
    judged = ByNetwork(net, view, seed, rounds)
    return Both(judged, ByPlayingOut(view, seed)) if view.last_round else judged
