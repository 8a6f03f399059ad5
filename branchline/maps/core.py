"""What every map file says, as frozen values: the facts of one board, its tickets and the common rules.

`model` has the whole: a mechanic adds its own facts to `Place`, `Track` and `MapData` in its map.py. The loader makes
a `MapData` from a file; the kernel makes its tables from a `MapData`. Nothing here is a rule: it is what the rules are
applied to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCO = "loco"
CARDS = (*COLOURS, LOCO)
GRAY = "gray"
TRACK_COLOURS = (*COLOURS, GRAY)
SEAT_COLOURS = ("blue", "red", "green", "yellow", "black")  # of the players' trains, by seat (C-01)

PlaceKind = Literal["city", "country", "way_station"]
Unkept = Literal["bottom", "removed"]

# Head-room of the kernel's flat position: a map over one of these is refused by name.
MAX_PLAYERS = 5
MAX_PLACES = 63
MAX_TRACKS = 126
MAX_TICKETS = 72
MAX_LENGTH = 9
MAX_TRAINS = 60
MAX_TRAIN_CARDS = 110
MAX_OFFER = 6
MAX_DECK = 168
MAX_OWN_TRACKS = 40  # of one player: finding the longest path takes twice as long every few tracks


@dataclass(frozen=True, kw_only=True)
class Place:
    """Whatever a track ends at. `name` is what a player reads; a way station has none printed, so it is our label."""

    id: str
    name: str
    kind: PlaceKind
    country: str | None
    dead_end: bool
    lat: float
    lon: float
    board: tuple[float, float] | None
    provenance: str


@dataclass(frozen=True, kw_only=True)
class Track:
    """One claimable line of spaces between two places. `colour` is one of COLOURS or GRAY."""

    id: str
    a: str
    b: str
    length: int
    colour: str
    provenance: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two ends and a value. An end lists every place that completes it (one place, or a country's places)."""

    id: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    points: int
    long: bool
    provenance: str


@dataclass(frozen=True, slots=True)
class FirstTickets:
    """How players get their first tickets: dealt, or as a mechanic says."""


@dataclass(frozen=True, slots=True)
class TicketDeal(FirstTickets):
    """First tickets dealt and chosen (C-06, EUR-01, AFR-02)."""

    normal: int
    long: int
    keep_at_least: int
    unkept: Unkept


@dataclass(frozen=True, slots=True)
class TicketDraw:
    """Tickets drawn as an action (C-28, AFR-02)."""

    draw: int
    keep_at_least: int


@dataclass(frozen=True, slots=True)
class Clauses:
    """What a refusal cites, where the rulebook states a rule anew for a map (EUR-01, AFR-02, AFR-06)."""

    first_tickets: str = "C-06"
    ticket_draw: str = "C-28"
    second_card: str = "C-13"


@dataclass(frozen=True, slots=True)
class OtherNames:
    """What a map and its places are called in a language, where the file says so: `map` is "" and a place is left out
    where it does not."""

    language: str
    map: str
    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class MapData:
    """One map, checked: every name resolves, every number is in range, every total suffices."""

    id: str
    name: str
    version: int
    min_players: int
    max_players: int
    trains: int
    cards_per_colour: int
    locomotives: int
    first_hand: int
    display: int
    sweep_at: int
    last_round_at: int
    both_tracks_from: int
    track_points: tuple[int, ...]  # by length; [0] is 0
    first_tickets: FirstTickets
    ticket_draw: TicketDraw
    longest_path: int
    globetrotter: int
    ties: tuple[str, ...]
    clauses: Clauses
    places: tuple[Place, ...]
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    names: tuple[OtherNames, ...] = ()  # in other languages
    outline: tuple[tuple[tuple[float, float], ...], ...] = ()  # shores and borders as lines of (lon, lat), for drawing
    drawn_as: str = field(default="", compare=False)  # the shipped map whose drawn board serves; "" where none does
    mechanics: tuple[str, ...] = ()  # those it uses, in the order of their list
    provenance: tuple[tuple[str, str], ...] = ()  # (part of the map, where its facts come from)
    sources: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    hash: str = ""  # sha256 of the facts that decide a game; names, positions and provenance do not count

    def __hash__(self) -> int:
        """By the sum over its facts: tables that belong to a map are looked up by it thousands of times a second."""
        return hash(self.hash)

    def name_in(self, language: str) -> str:
        """What the map is called in a language."""
        return next((names.map for names in self.names if names.language == language and names.map), self.name)

    def place_names(self, language: str) -> dict[str, str]:
        """By id the places that have a name of their own in a language."""
        return {place: name for names in self.names if names.language == language for place, name in names.places}

    @property
    def train_cards(self) -> int:
        return len(COLOURS) * self.cards_per_colour + self.locomotives

    @property
    def reconstructed(self) -> tuple[str, ...]:
        """The parts of this map that are our reconstruction, not the printed game."""
        return tuple(part for part, origin in self.provenance if "reconstruction" in origin)
