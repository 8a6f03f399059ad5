"""What a map file says, as frozen values: the facts of one board, its tickets and the rules it switches on.

The loader makes a `MapData` from a file; the kernel makes its tables from a `MapData`. Nothing here
is a rule: it is what the rules are applied to.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCO = "loco"
CARDS = (*COLOURS, LOCO)
GRAY = "gray"
SEAT_COLOURS = ("blue", "red", "green", "yellow", "black")  # of the players' trains, by seat (C-01)

PlaceKind = Literal["city", "country", "way_station"]
Unkept = Literal["bottom", "removed"]
TieBreak = Literal["tickets", "stations", "path"]

# Head-room of the kernel's flat position: a map over one of these is refused by name.
MAX_PLAYERS = 5
MAX_PLACES = 63
MAX_TRACKS = 126
MAX_TICKETS = 72
MAX_LENGTH = 9
MAX_FERRY = 9
MAX_TRAINS = 60
MAX_TRAIN_CARDS = 110
MAX_OFFER = 6
MAX_DECK = 168
MAX_FESTIVAL_GROUPS = 18
MAX_TERRAIN_CARDS = 48
MAX_TERRAIN_TYPES = 3
MAX_STATIONS = 3
MAX_OWN_TRACKS = 40  # of one player: finding the longest path takes twice as long every few tracks


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Track:
    """One claimable line of spaces between two places. `colour` is one of COLOURS or GRAY."""

    id: str
    a: str
    b: str
    length: int
    colour: str
    ferry: int
    tunnel: bool
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
class TicketDeal:
    """First tickets dealt and chosen (C-06, EUR-01, AFR-02)."""

    normal: int
    long: int
    keep_at_least: int
    unkept: Unkept


@dataclass(frozen=True, slots=True)
class TicketDraft:
    """First tickets by draft, and a second draft when its card comes up (IBE-03 .. IBE-10)."""

    cards: int
    keep_exactly: int
    second_depth: tuple[tuple[int, Fraction], ...]  # (number of players, depth), ascending
    second_jitter: int


@dataclass(frozen=True, slots=True)
class TicketDraw:
    """Tickets drawn as an action (C-28, AFR-02)."""

    draw: int
    keep_at_least: int


@dataclass(frozen=True, slots=True)
class Stations:
    each: int
    unused_points: int


@dataclass(frozen=True, slots=True)
class FestivalGroup:
    """One pool of festival cards and the places that give it (IBE-15)."""

    id: str
    places: tuple[str, ...]
    cards: int
    provenance: str


@dataclass(frozen=True, slots=True)
class Festivals:
    groups: tuple[FestivalGroup, ...]
    score_table: tuple[int, ...]  # score_table[n] = points for n cards of one group; [0] is 0


@dataclass(frozen=True, slots=True)
class TerrainType:
    id: str
    name: str
    colours: tuple[str, ...]  # track colours, GRAY among them
    cards: int


@dataclass(frozen=True, slots=True)
class Terrain:
    types: tuple[TerrainType, ...]
    deal: int
    face_up: int
    cards_to_double: tuple[int, ...]  # by track length; 0 = cannot be doubled; [0] is 0


@dataclass(frozen=True, slots=True)
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
    first_tickets: TicketDeal | TicketDraft
    ticket_draw: TicketDraw
    longest_path: int
    globetrotter: int
    tunnel_cards: int
    ties: tuple[TieBreak, ...]
    stations: Stations | None
    festivals: Festivals | None
    terrain: Terrain | None
    places: tuple[Place, ...]
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    provenance: tuple[tuple[str, str], ...]  # (part of the map, where its facts come from)
    sources: tuple[str, ...]
    doubts: tuple[str, ...]
    hash: str  # sha256 of the facts that decide a game; names, positions and provenance do not count

    def __hash__(self) -> int:
        """By the sum over its facts: tables that belong to a map are looked up by it thousands of times a second."""
        return hash(self.hash)

    @property
    def reconstructed(self) -> tuple[str, ...]:
        """The parts of this map that are our reconstruction, not the printed game."""
        return tuple(part for part, origin in self.provenance if "reconstruction" in origin)
