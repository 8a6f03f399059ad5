"""A finished game as a list of moments: what the seat that chose knew, what it chose, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from branchline.actions import Action
from branchline.codec import code_of, names_of
from branchline.events import Event
from branchline.game import Game
from branchline.kernel.board import make_board
from branchline.kernel.rollout import is_detail
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.record import BadRecord, Record, Result, Step, replay, result_of, verify
from branchline.scores import score_sheet
from branchline.view import View

MOST_MOVES: Final = 3000  # ten times as many as five players need


class NotOver(BadRecord):
    """A game that goes on: nothing may be said about it before its end."""


class TooLong(BadRecord):
    """A record that would keep a review busy without end."""


@dataclass(frozen=True)
class Moment:
    """One move: number 1 is the first, as in a replay."""

    number: int
    seat: int
    action: Action
    line: str
    code: int
    view: View  # before the move, as its seat saw it
    is_detail: bool
    before: Position  # the whole truth, for what is said with open cards
    after: Position
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Played:
    """A whole game."""

    record: Record
    moments: tuple[Moment, ...]
    result: Result
    end: Game

    @property
    def players(self) -> int:
        return len(self.record.players)

    @property
    def shares(self) -> list[float]:
        """What each seat won: 1, its part where several won, or 0."""
        return _shares(self.result.places)


def shares_of(end: Position, data: MapData) -> list[float]:
    """The same of a position in which the game is over."""
    return _shares([score.place for score in score_sheet(end, make_board(data), data)])


def _shares(places: Sequence[int]) -> list[float]:
    return [(place == 1) / places.count(1) for place in places]


def play_again(record: Record) -> Played:
    """The moments of a finished game; NotOver while it goes on, `Fault` where it cannot have happened so."""
    if len(record.moves) > MOST_MOVES:
        raise TooLong("record", "moves", f"{len(record.moves)} moves; a review goes through {MOST_MOVES} at the most")
    fault = verify(record)
    if fault is not None:
        raise fault
    steps = replay(record)
    game = next(steps).game  # it goes on with each step
    moments = tuple(_moments(record, game, steps))
    result = result_of(game)
    if result is None:
        raise NotOver("record", "moves", "the game is not over: only finished games are reviewed")
    return Played(record, moments, result, game)


def _moments(record: Record, game: Game, steps: Iterator[Step]) -> Iterator[Moment]:
    names = names_of(record.map)
    for move in record.moves:
        before = game.position
        view = View.of(record.map, before, move.seat)
        code = code_of(move.action, before, names, move.seat)
        step = next(steps)
        told = (step.number, move.seat, move.action, step.line, code, view)
        yield Moment(*told, bool(is_detail(before, move.seat)), before, game.position, step.events)
