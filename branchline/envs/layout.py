"""What stands where in an observation and in a list of choices, on one map with one number of players.

Both follow from the kernel. A choice is a code that the map can ever offer. An observation holds the fields of the
position that the seat may know (`kernel.view.veil`), seats turned so that one's own is the first; a mechanic's fields
are there on maps that have it, without a line here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeAlias

import numpy as np

from branchline.deal import check_players
from branchline.kernel.board import make_board
from branchline.kernel.flat import I16, I64, Field
from branchline.kernel.numbers import CHOICES, end
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    CODES,
    GRAY,
    KEEP,
    MISC,
    OFFER,
    SEATS,
    TRACK_WORDS,
    WORD,
)
from branchline.maps.model import MapData
from branchline.mechanics import MECHANICS
from branchline.mechanics.composed import Board, Position

# How a field becomes numbers of an observation.
AS_NUMBERS, AS_SEATS, AS_SETS, AS_ONE_OF, AS_TURN, AS_AWAITED, AS_TICKETS = range(7)
TABLE_ROW = 7  # of the table: kind, where in the position, a mark, entries a row, numbers a row, rows, where to

# Not told: what `veil` wipes, the order of decks, and what every observation would say alike.
UNTOLD = ("seed", "moves", "sweeps", "fault", "players", "ticket_top", "deck")


@dataclass(frozen=True, slots=True)
class Feature:
    """A run of numbers in an observation, `rows` times `width`."""

    name: str
    start: int
    rows: int
    width: int
    tells: str

    @property
    def slice(self) -> slice:
        return slice(self.start, self.start + self.rows * self.width)


class Layout:
    """The choices and the observations of a map with so many players."""

    def __init__(self, data: MapData, players: int) -> None:
        check_players(data, players)
        self.map, self.players = data, players
        self.board: Board = make_board(data)
        self._in_play = [state for state in map(_state_of, MECHANICS) if eval(state.IN_PLAY, {"b": self.board})]
        self.codes = np.array(sorted(self._codes()), np.int64)
        """The kernel's code of each choice, by its number."""
        self.index = np.full(CODES, -1, np.int64)
        """The number of the choice that a code stands for, or -1."""
        self.index[self.codes] = np.arange(len(self.codes))
        self.features: dict[str, Feature] = {}
        """What an observation holds, by name."""
        rows = [self._add(field) for field in self._fields()]
        self.table = np.array(rows, np.int64)
        self.size = sum(feature.rows * feature.width for feature in self.features.values())

    @property
    def choices(self) -> int:
        return len(self.codes)

    # ------------------------------------------------------------ choices

    def _codes(self) -> Iterator[int]:
        yield from (WORD * MISC + bit for bit in range(CHOICES))
        yield from (WORD * KEEP + kept for kept in range((1 << OFFER) - 1))
        for t in range(self.board.n_tracks):
            colour = self.board.colour[t]
            for c in range(CARDS) if colour == GRAY else (colour,):
                yield WORD * (CLAIM + TRACK_WORDS * c + t // BITS) + t % BITS
        for state in self._in_play:
            for word in getattr(state, "PLACE_WORDS", ()):
                yield from (WORD * word + place for place in range(self.board.n_places))

    # ------------------------------------------------------------ observations

    def _fields(self) -> Iterator[Field]:
        """The fields of a position that are told on this map."""
        foreign: set[str] = set()
        for state in map(_state_of, MECHANICS):
            if state not in self._in_play and hasattr(state, "Position"):
                foreign |= set(state.Position.__annotations__)
        for field in Position.FIELDS:
            left_out = field.name in UNTOLD or field.name.endswith("_deck") or field.name.startswith("pad_")
            if field.name not in foreign and not left_out:
                yield field

    def _add(self, field: Field) -> tuple[int, ...]:
        """Give a field its place in the observation; its row of the table."""
        kind, count, rows, width, tells = self._shape(field)
        start = max((feature.slice.stop for feature in self.features.values()), default=0)
        self.features[field.name] = Feature(field.name, start, rows, width, tells)
        unit = 8 if field.code == I64 else 2 if field.code == I16 else 1
        mark = (field.length > count) if kind == AS_SETS else field.code == I16  # a set of each seat; pairs of bytes
        return kind, field.offset // unit, int(mark), count, width, rows, start

    def _shape(self, field: Field) -> Shape:
        """Kind, words or entries in the position for each row, rows, numbers a row, and what they tell."""
        n = field.length or 1
        if field.name in _SPECIAL:
            return _SPECIAL[field.name](self)
        if field.code == I64:
            return self._sets(n)
        if n > 1 and n % SEATS == 0:
            return AS_SEATS, n // SEATS, self.players, n // SEATS, "by seat, mine first"
        return AS_NUMBERS, n, 1, n, "as it is"

    def _sets(self, words: int) -> Shape:
        """Tracks (several words a set) or places (one), of all or by seat."""
        of_tracks = words % TRACK_WORDS == 0
        each, width = (TRACK_WORDS, self.board.n_tracks) if of_tracks else (1, self.board.n_places)
        what = "tracks" if of_tracks else "places"
        if words == each:
            return AS_SETS, each, 1, width, f"a flag for each of the {what}"
        return AS_SETS, each, self.players, width, f"by seat, mine first: a flag for each of the {what}"


def _state_of(mechanic: str) -> ModuleType:
    return importlib.import_module(f"branchline.mechanics.{mechanic}.state")


Shape: TypeAlias = tuple[int, int, int, int, str]
_SPECIAL: dict[str, Callable[[Layout], Shape]] = {
    "phase": lambda layout: (AS_ONE_OF, 1, 1, end("phases"), "a flag for the decision that is due"),
    "display": lambda layout: (AS_ONE_OF, 1, layout.board.display, CARDS, "a flag for the card at each place"),
    "seat": lambda layout: (AS_TURN, 1, 1, layout.players, "a flag for whose turn it is, me first"),
    "awaited": lambda layout: (AS_AWAITED, 1, 1, layout.players, "a flag for each who has to choose, me first"),
    "offer": lambda layout: (AS_SEATS, OFFER, 1, OFFER, "the tickets offered to me, by number"),
    "shut": lambda layout: (AS_SETS, TRACK_WORDS, 1, layout.board.n_tracks, "a flag for each track closed to me"),
    "ticket_at": lambda layout: (
        AS_TICKETS,
        1,
        1,
        layout.board.n_tickets,
        "for each ticket: 1 I hold it, 2 I put it back, 3 I put it out of the game",
    ),
}
