"""The actions of the base game, as small frozen values.

Cards and places are named by their ids. One action is one decision: a claim names the track and the colour, and
the number of locomotives is asked next where there is a choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Seat: TypeAlias = int


@dataclass(frozen=True, slots=True)
class TurnAction:
    """What a turn begins with (C-09)."""


@dataclass(frozen=True, slots=True)
class Draw(TurnAction):
    """What one card of a turn is drawn with (C-10)."""


@dataclass(frozen=True, slots=True)
class DrawDisplay(Draw):
    """Take the train card at a place of the display, 1 to 5 (C-10)."""

    place: int


@dataclass(frozen=True, slots=True)
class DrawDeck(Draw):
    """Take the top train card of the deck (C-10)."""


@dataclass(frozen=True, slots=True)
class DrawTickets(TurnAction):
    """Draw tickets (C-28)."""


class Purchase(TurnAction):
    """What is paid with cards of a colour, or "loco"."""

    __slots__ = ()
    colour: str

    @property
    def subject(self) -> str:
        """The id of what is paid for."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ClaimTrack(Purchase):
    """Claim a track with cards of a colour; "loco" for a gray track paid by locomotives alone (C-21, C-22)."""

    track: str
    colour: str

    @property
    def subject(self) -> str:
        return self.track


@dataclass(frozen=True, slots=True)
class PlayLocos:
    """Play this many locomotives, and cards of the colour for the rest, of whatever is being paid."""

    count: int


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Keep these of the offered tickets, in the order in which they were offered (C-06, C-28)."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReturnTicket:
    """This ticket goes under the deck next (C-28)."""

    ticket: str


@dataclass(frozen=True, slots=True)
class Pass(TurnAction):
    """Do nothing, where nothing else is possible (C-34)."""


Action: TypeAlias = DrawDisplay | DrawDeck | DrawTickets | ClaimTrack | PlayLocos | KeepTickets | ReturnTicket | Pass
