"""What a game file says, as frozen values, and the two ways in which one can be wrong.

`BadRecord`: the text is no record. `Fault`: it is one, and something in it cannot have happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from branchline.actions import Action, Seat
from branchline.deal import Deal
from branchline.fair import FairDeal
from branchline.files import BadFile
from branchline.maps.model import MapData
from branchline.mechanics.composed_record import SheetLine
from branchline.version import RULES_VERSION

FORMAT: Final = "branchline-game/1"
MAX_FILE_BYTES: Final = 2 << 20
MAX_MOVES: Final = 100_000
MAX_NAME: Final = 60
MAX_TEXT: Final = 2000
MAX_META: Final = 100
MAX_SCORE: Final = 9999

Scalar: TypeAlias = str | int | float | bool | None


class BadRecord(BadFile):
    """Text that is no record."""


class Fault(ValueError):
    """The first thing in a record that cannot have happened: the place, the clause and the reason.

    `place` is "deal", "fair", "move 41" or a part of the result; a move has its `seat` and its `line` too. Moves count
    from 1.
    """

    def __init__(
        self, place: str, clause: str, reason: str, move: int = 0, seat: Seat | None = None, line: str = ""
    ) -> None:
        where = place if seat is None else f"{place}, seat {seat}: {line}"
        super().__init__(f"{where}: {clause}: {reason}")
        self.place = place
        self.clause = clause
        self.reason = reason
        self.move = move
        self.seat = seat
        self.line = line

    def __reduce__(self) -> tuple[type[Fault], tuple[str, str, str, int, Seat | None, str]]:
        return Fault, (self.place, self.clause, self.reason, self.move, self.seat, self.line)


class Move(NamedTuple):
    """One choice of one seat."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat there; `bot` names the program that chose, None for a person."""

    name: str
    bot: str | None = None

    def __post_init__(self) -> None:
        for what, text in (("name", self.name), ("bot", self.bot)):
            reason = name_fault(text) if text is not None else ""
            if reason:
                raise ValueError(f"{what}: {reason}")


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. `places` is 1 for each winner; `sheet`, one line a seat, may be left out."""

    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    sheet: tuple[SheetLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One game: everything it takes to play it again. `fair` proves, where it is given, that nobody chose the deal."""

    map: MapData
    players: tuple[Player, ...]
    deal: Deal
    moves: tuple[Move, ...] = ()
    result: Result | None = None
    meta: Mapping[str, Scalar] = field(default_factory=dict)
    rules: int = RULES_VERSION
    fair: FairDeal | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)


def name_fault(text: str) -> str:
    """Why this cannot be a player's name, or ""."""
    return text_fault(text, MAX_NAME) if text.strip() else "must not be empty"


def text_fault(text: str, longest: int = MAX_TEXT) -> str:
    """Why this text cannot stand in a record, or "": it is shown on terminals as it is."""
    if len(text) > longest:
        return f"{len(text)} characters, {longest} at the most"
    return "" if text.isprintable() else "has a character that cannot be shown"
