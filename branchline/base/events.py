"""The events of the base game: what happened, as facts with an audience. `seen_by` gives what a reader may know of it.

A reader is a seat, or None for a spectator. An event that a reader may not even know to have happened gives None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from branchline.base.actions import Seat

if TYPE_CHECKING:
    from branchline.events import Event as AnyEvent

Reader: TypeAlias = Seat | None
EndReason: TypeAlias = Literal["last round", "all passed", "no progress"]  # C-33, C-34


@dataclass(frozen=True, slots=True)
class Public:
    """An event all may see as it is."""

    def seen_by(self, reader: Reader) -> AnyEvent | None:
        return self  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class AskedAnew(Public):
    """From here on a turn, or a choice of all, begins anew."""


class Payment(Public):
    """Cards were laid down."""

    __slots__ = ()
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class SeatChose:
    """What a seat chose in a phase in which all choose at once: it comes before `ChoiceMade`, which all may see."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrewCard(Public):
    """A card from a place of the display, seen by all (I-02)."""

    seat: Seat
    place: int
    card: str


@dataclass(frozen=True, slots=True)
class DrewBlind:
    """A card from the deck; its colour is the player's secret (I-01)."""

    seat: Seat
    card: str | None

    def seen_by(self, reader: Reader) -> DrewBlind:
        return self if reader == self.seat else DrewBlind(self.seat, None)


@dataclass(frozen=True, slots=True)
class DisplayFilled(Public):
    place: int
    card: str


@dataclass(frozen=True, slots=True)
class DisplaySwept(Public):
    """Three locomotives: the display is discarded (C-15)."""


@dataclass(frozen=True, slots=True)
class DeckReshuffled(Public):
    cards: int


@dataclass(frozen=True, slots=True)
class TicketsOffered:
    """Tickets to choose from; which they are is the player's secret (C-30)."""

    seat: Seat
    count: int
    tickets: tuple[str, ...] | None

    def seen_by(self, reader: Reader) -> TicketsOffered:
        return self if reader == self.seat else TicketsOffered(self.seat, self.count, None)


@dataclass(frozen=True, slots=True)
class TicketsKept:
    """How many were kept is public, which is not (C-30)."""

    seat: Seat
    kept: int
    offered: int
    tickets: tuple[str, ...] | None

    def seen_by(self, reader: Reader) -> TicketsKept:
        return self if reader == self.seat else TicketsKept(self.seat, self.kept, self.offered, None)


@dataclass(frozen=True, slots=True)
class ChoiceMade(Public):
    """A seat has made its choice in a phase in which all choose at once; what it chose is not told (C-07)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrackClaimed(Payment):
    seat: Seat
    track: str
    colour: str
    cards: int
    locos: int
    points: int
    twice: bool  # its points count twice


@dataclass(frozen=True, slots=True)
class Passed(Public):
    seat: Seat


@dataclass(frozen=True, slots=True)
class LastRoundBegan(Public):
    """A player is down to two trains or fewer: one more turn for everybody (C-33)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnBegan(AskedAnew):
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(Public):
    reason: EndReason


Event: TypeAlias = (
    DrewCard
    | DrewBlind
    | DisplayFilled
    | DisplaySwept
    | DeckReshuffled
    | TicketsOffered
    | TicketsKept
    | ChoiceMade
    | TrackClaimed
    | Passed
    | LastRoundBegan
    | TurnBegan
    | GameEnded
)
