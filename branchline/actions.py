"""Actions: everything a player can choose, as small frozen values of a closed union.

Cards and places are named by their ids. One action is one decision: a claim names the track and the colour, and
the number of locomotives is asked next where there is a choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Seat: TypeAlias = int


@dataclass(frozen=True, slots=True)
class DrawDisplay:
    """Take the train card at a place of the display, 1 to 5 (C-10)."""

    place: int


@dataclass(frozen=True, slots=True)
class DrawDeck:
    """Take the top train card of the deck (C-10)."""


@dataclass(frozen=True, slots=True)
class TakeTerrain:
    """Take a face-up terrain card, 1 or 2, instead of a train card (AFR-05)."""

    place: int


@dataclass(frozen=True, slots=True)
class DrawTerrain:
    """Take the top card of the terrain deck (AFR-05)."""


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Draw tickets (C-28)."""


@dataclass(frozen=True, slots=True)
class ClaimTrack:
    """Claim a track with cards of a colour; "loco" for a gray track paid by locomotives alone (C-21, C-22)."""

    track: str
    colour: str


@dataclass(frozen=True, slots=True)
class BuildStation:
    """Build a station with cards of a colour, or "loco" (EUR-04)."""

    place: str
    colour: str


@dataclass(frozen=True, slots=True)
class PlayLocos:
    """Play this many locomotives, and cards of the colour for the rest: for a track, a station or a tunnel's extra."""

    count: int


@dataclass(frozen=True, slots=True)
class DoublePoints:
    """Double the track's points with terrain cards, this many of them locomotives (AFR-09)."""

    locos: int


@dataclass(frozen=True, slots=True)
class SinglePoints:
    """Claim the track without doubling it."""


@dataclass(frozen=True, slots=True)
class TakeFestivals:
    """Take the festival cards lying at this end of the track (IBE-14)."""

    place: str


@dataclass(frozen=True, slots=True)
class Decline:
    """Do not pay the tunnel's extra cards (EUR-13)."""


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Keep these of the offered tickets, in the order in which they were offered (C-06, C-28)."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReturnTicket:
    """This ticket goes under the deck next (C-28)."""

    ticket: str


@dataclass(frozen=True, slots=True)
class PickTicket:
    """Take this ticket from the pack and pass the others on (IBE-04)."""

    ticket: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing, where nothing else is possible (C-34)."""


Action: TypeAlias = (
    DrawDisplay
    | DrawDeck
    | TakeTerrain
    | DrawTerrain
    | DrawTickets
    | ClaimTrack
    | BuildStation
    | PlayLocos
    | DoublePoints
    | SinglePoints
    | TakeFestivals
    | Decline
    | KeepTickets
    | ReturnTicket
    | PickTicket
    | Pass
)
