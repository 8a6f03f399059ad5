"""Events: what happened, as facts with an audience. `seen_by` gives what a reader may know of it.

A reader is a seat, or None for a spectator. An event that a reader may not even know to have happened gives None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from branchline.actions import Seat

Reader: TypeAlias = Seat | None


@dataclass(frozen=True, slots=True)
class _Public:
    """An event all may see as it is."""

    def seen_by(self, reader: Reader) -> Event | None:
        return self  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class DrewCard(_Public):
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
class DisplayFilled(_Public):
    place: int
    card: str


@dataclass(frozen=True, slots=True)
class DisplaySwept(_Public):
    """Three locomotives: the display is discarded (C-15)."""


@dataclass(frozen=True, slots=True)
class DeckReshuffled(_Public):
    cards: int


@dataclass(frozen=True, slots=True)
class FestivalLaid(_Public):
    """A festival card came up and lies at its city (IBE-07)."""

    group: str


@dataclass(frozen=True, slots=True)
class SecondDraftCardUp(_Public):
    """The second-draft card came up (IBE-08)."""


@dataclass(frozen=True, slots=True)
class DrewTerrain(_Public):
    """A terrain card, from a face-up place or from the deck (None); it lies open (AFR-08)."""

    seat: Seat
    place: int | None
    terrain: str


@dataclass(frozen=True, slots=True)
class TerrainFilled(_Public):
    place: int
    terrain: str


@dataclass(frozen=True, slots=True)
class TerrainReshuffled(_Public):
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
class ChoiceMade(_Public):
    """A seat has made its choice in a phase in which all choose at once; what it chose is not told (C-07, IBE-19)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrackClaimed(_Public):
    seat: Seat
    track: str
    colour: str
    cards: int
    locos: int
    points: int
    doubled: bool


@dataclass(frozen=True, slots=True)
class TunnelTried(_Public):
    """Cards laid down for a tunnel, seen by all (EUR-12, I-02)."""

    seat: Seat
    track: str
    colour: str
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class TunnelCardsTurned(_Public):
    """The cards turned up for a tunnel and what they cost (EUR-12, EUR-15)."""

    seat: Seat
    cards: tuple[str, ...]
    extra: int


@dataclass(frozen=True, slots=True)
class TunnelFailed(_Public):
    seat: Seat
    track: str


@dataclass(frozen=True, slots=True)
class StationBuilt(_Public):
    seat: Seat
    place: str
    colour: str
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class FestivalsTaken(_Public):
    seat: Seat
    group: str
    count: int


@dataclass(frozen=True, slots=True)
class TerrainPlayed(_Public):
    seat: Seat
    terrain: str
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class Passed(_Public):
    seat: Seat


@dataclass(frozen=True, slots=True)
class LastRoundBegan(_Public):
    """A player is down to two trains or fewer: one more turn for everybody (C-33)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DraftBegan(_Public):
    """Packs of tickets were dealt (IBE-04, IBE-09)."""

    number: int
    cards: int


@dataclass(frozen=True, slots=True)
class PacksPassed(_Public):
    """All have taken a card and all packs have moved (IBE-19)."""

    step: int


@dataclass(frozen=True, slots=True)
class TicketPicked:
    """A ticket taken from a pack: the player's secret (IBE-06)."""

    seat: Seat
    ticket: str | None

    def seen_by(self, reader: Reader) -> TicketPicked:
        return self if reader == self.seat else TicketPicked(self.seat, None)


@dataclass(frozen=True, slots=True)
class TurnBegan(_Public):
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(_Public):
    """`reason` is "last round", "all passed" (C-34) or "no progress" (C-34)."""

    reason: str


Event: TypeAlias = (
    DrewCard
    | DrewBlind
    | DisplayFilled
    | DisplaySwept
    | DeckReshuffled
    | FestivalLaid
    | SecondDraftCardUp
    | DrewTerrain
    | TerrainFilled
    | TerrainReshuffled
    | TicketsOffered
    | TicketsKept
    | ChoiceMade
    | TrackClaimed
    | TunnelTried
    | TunnelCardsTurned
    | TunnelFailed
    | StationBuilt
    | FestivalsTaken
    | TerrainPlayed
    | Passed
    | LastRoundBegan
    | DraftBegan
    | PacksPassed
    | TicketPicked
    | TurnBegan
    | GameEnded
)
