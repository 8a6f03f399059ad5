"""A puzzle: a position of a game in which one choice is clearly best, and what is known about the choices there.

The position is kept as a record keeps it: the deal and the moves so far. So it replays for ever, whatever becomes of
the fields of a position, and the solver can see how it came about; and a file can be read and checked by hand. With the
deal the hidden cards are in the file too, as in any record. That gives nothing away that the answer beside it does not,
but nothing that leaves a `Puzzle` for its solver may be made of anything but `view()`: it holds what the seat may know,
and what is said about the choices was found out from that view alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Final, TypeAlias

from branchline.actions import Action, Seat
from branchline.deal import Deal
from branchline.files import BadFile
from branchline.game import Game
from branchline.maps.model import MapData
from branchline.notation import read_action
from branchline.record import Move, Player, Record
from branchline.review.alike import likeness
from branchline.view import View

FORMAT: Final = "branchline-puzzles/1"
GRADES: Final = 5
LEAST_GAP: Final = 0.05  # of a win, between the best choice and the next that is really another

PROOF: Final = 10.0  # seconds' worth of work, of each weighing that proves a puzzle
PROOFS: Final = 2  # of them, by different seeds
END_GAP: Final = 0.03  # in games played to the end, and as many standard errors as this:
END_SURE: Final = 1.5

Param: TypeAlias = str | int


class BadPuzzle(BadFile):
    """A file of puzzles that cannot be used."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the best choice is the best: a kind, and the ids and numbers its sentence names."""

    kind: str
    params: Mapping[str, Param] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that was tried: how often, and what came of it on the average."""

    line: str  # in notation
    win: float  # the seat's chance of winning; a shared win counts as its part
    error: float  # the standard error of `win`
    visits: int


@dataclass(frozen=True, slots=True)
class Proof:
    """One weighing of all choices: by how much the best led the second, and its standard error."""

    gap: float
    error: float
    tries: int


@dataclass(frozen=True)
class Puzzle:
    """One puzzle. `options` are really different choices (see alike.py), the best first."""

    id: str
    map: MapData
    players: int
    deal: Deal
    moves: tuple[Move, ...]  # that led to the position
    seat: Seat  # whose choice it is
    kind: str  # of choice: kinds.py
    options: tuple[Option, ...]
    proofs: tuple[Proof, ...]
    end: Proof  # of the best two, by games played to the end
    work: float  # seconds' worth, of each proof
    weights: str  # the network that judged, a digest of its file; "" where bots played to the end
    grade: int  # 1, easy, to 5
    solved: Mapping[str, float]  # how often each level of bot plays the answer, by its id
    reason: Reason | None
    source: str  # "bots", or "people": whose game it was; never who
    since: date  # when it was added: before that it is not the puzzle of a day

    @property
    def answer(self) -> str:
        """The best choice, in notation."""
        return self.options[0].line

    @property
    def second(self) -> str:
        return self.options[1].line

    @property
    def gap(self) -> float:
        """Between the chances of the best and of the second, by the proof in which it is least."""
        return min(proof.gap for proof in self.proofs)

    def record(self) -> Record:
        """The game up to here: with every hidden card, so it is not for the solver."""
        names = tuple(Player(f"Seat {seat}") for seat in range(self.players))
        return Record(self.map, names, self.deal, self.moves)

    def game(self) -> Game:
        """The game as it stands, to go on with: with every hidden card, so it is not for the solver."""
        return _played(self).copy()

    def view(self) -> View:
        """What the seat may know: all that a solver is shown."""
        return _played(self).view(self.seat)

    def is_right(self, action: Action | str) -> bool:
        """Whether a choice, or a line of notation, is the answer: another card of the same kind, another payment or the
        other of two parallel tracks is. Raises `BadNotation` for what is no line."""
        return self.place_of(action) == 0

    def place_of(self, action: Action | str) -> int | None:
        """Which of the options a choice is, 0 for the answer; None if it is none of them."""
        wanted = likeness(self._read(action), self.view())
        for i, option in enumerate(self.options):
            if likeness(self._read(option.line), self.view()) == wanted:
                return i
        return None

    def _read(self, action: Action | str) -> Action:
        return read_action(action, self.map) if isinstance(action, str) else action


def holds_in_the_end(gap: float, error: float) -> bool:
    """Whether games played to the end say what the proofs say; they are few, so no more is asked of them."""
    return gap >= max(END_GAP, END_SURE * error)


@lru_cache(maxsize=512)
def _played_out(data: MapData, players: int, deal: Deal, moves: tuple[Move, ...]) -> Game:
    game = Game.new(data, players, deal=deal)
    for seat, action in moves:
        game.play(action, seat)
    return game


def _played(puzzle: Puzzle) -> Game:
    return _played_out(puzzle.map, puzzle.players, puzzle.deal, puzzle.moves)
