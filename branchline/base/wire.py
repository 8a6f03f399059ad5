"""What the base game has on the wire, and where mechanics come in. The page's types are generated from the wholes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from branchline.actions import Action
from branchline.events import EndReason
from branchline.maps.model import MapData, Track
from branchline.phases import Phase
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View

Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class WirePart:
    """How a mechanic fills its fields of the structures that it shares with the base game.

    `purchase`: what would be paid for at a place, which a player may ask the price of.
    """

    map: Callable[[MapData], Fields] = lambda data: {}
    track: Callable[[Track], Fields] = lambda track: {}
    view: Callable[[View], Fields] = lambda view: {}
    player: Callable[[View, PlayerView], Fields] = lambda view, player: {}
    score: Callable[[PlayerScore], Fields] = lambda score: {}
    purchase: Callable[[str, str], Action] | None = None


class Wire(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """A value on the wire: frozen, and strict about what it reads."""


class PlaceFact(Wire, frozen=True):
    id: str
    name: str
    kind: Literal["city", "country", "way_station"]
    country: str | None
    dead_end: bool
    lat: float
    lon: float
    label: str  # the name, told apart from others of the same name


class TrackFact(Wire, frozen=True):
    id: str
    a: str
    b: str
    length: int
    colour: str
    reconstructed: bool


class TicketFact(Wire, frozen=True):
    """Each end lists the places that complete it; `from_` and `to` are what a player reads."""

    id: str
    a: list[str]
    b: list[str]
    from_: str = msgspec.field(name="from")
    to: str
    points: int
    long: bool
    reconstructed: bool


class NamesFact(Wire, frozen=True):
    """What a map and its places are called in a language: those that have another name there."""

    map: str | None
    places: dict[str, str]


class MapFacts(Wire, frozen=True):
    """What is printed on a board and its cards: no state, no rule."""

    id: str
    name: str
    hash: str
    min_players: int
    max_players: int
    trains: int
    cards_per_colour: int
    locomotives: int
    display: int
    last_round_at: int
    both_tracks_from: int
    track_points: list[int]  # by length; [0] is 0
    first_tickets: dict[str, int]  # normal, long, keep_at_least; or as a mechanic says
    ticket_draw: int
    ticket_keep: int
    longest_path: int
    globetrotter: int
    places: list[PlaceFact]
    tickets: list[TicketFact]
    mechanics: list[str]  # those this map uses, in the order in which they are asked
    drawn_as: str  # the shipped map whose drawn board serves; "": the board is drawn from these facts
    names: dict[str, NamesFact]  # by language
    outline: list[list[list[float]]]  # shores as lines of [longitude, latitude], for a board that is drawn from them
    reconstructed: list[str]  # the parts of this map that are our reconstruction
    sources: list[str]


class LoanWire(Wire, frozen=True):
    """The track that is lent at a place, or none yet."""

    place: str
    track: str | None


class PlayerWire(Wire, frozen=True):
    """One player as the reader sees them."""

    seat: int
    trains: int
    score: int
    cards: int
    hand: dict[str, int]  # what is known of it
    tickets: list[str]  # those known to the reader
    ticket_count: int
    completed: list[str]  # of the known tickets: those joined by the player's own tracks


class ViewWire(Wire, frozen=True):
    """All a reader may know of a position. `reader` is a seat, or null for a spectator."""

    reader: int | None
    phase: Phase
    to_act: list[int]
    on_turn: int
    turns_left: int | None  # in the last round
    display: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    pending: str | None  # what the reader's claim in the making is of: a track, or a place
    owners: dict[str, int]
    closed: list[str]  # unclaimed tracks nobody, or not the reader, can claim any more
    offered: list[str]  # tickets to choose from, or taken so far
    end: EndReason | None


class ClaimWish(Wire, frozen=True, tag_field="do", tag="claim"):
    """Claim a track with cards of a colour ("loco": a gray one by locomotives alone), as few locomotives as can be.

    What is asked after a claim is answered as far as it is written.
    """

    track: str
    colour: str
    locos: int = 0  # the most locomotives to play for all of it


class DrawWish(Wire, frozen=True, tag_field="do", tag="draw"):
    """Draw a card: "blind", "loco", a colour of the display, or what mechanics have to draw.

    `then` are the second cards I would take, the dearest first; where none of them can be had I am asked.
    """

    first: str
    then: list[str] = []


class TicketLine(Wire, frozen=True):
    ticket: str
    points: int  # with its sign
    completed: bool
    path: list[str]  # the tracks that join its ends, borrowed ones among them
    borrowed: list[str]


class ScoreWire(Wire, frozen=True):
    """One player's sheet; the parts add up to the total."""

    seat: int
    place: int
    total: int
    tracks: int
    tickets: list[TicketLine]
    completed: int
    longest_path: int
    longest_path_tracks: list[str]
    longest_path_bonus: int
    globetrotter_bonus: int


def is_ours(provenance: str) -> bool:
    """Whether a part of a map is our reconstruction."""
    return "reconstruction" in provenance
