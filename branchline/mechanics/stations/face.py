"""Stations: built in cities, they lend a track at the end (EUR-04 .. EUR-10). What is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from branchline.base import actions as a
from branchline.base.events import Payment
from branchline.faces import Face, Move, Notes, Teller
from branchline.kernel.state import CARDS as KINDS
from branchline.kernel.state import PAIR, WORD
from branchline.maps.model import CARDS
from branchline.mechanics.stations.rules import station_price, stations_built
from branchline.mechanics.stations.state import E_STATION, PAY_STATION, STATION
from branchline.objections import Case, Objection, UnknownColour, explains

if TYPE_CHECKING:
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names

# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class BuildStation(a.Purchase):
    """Build a station with cards of a colour, or "loco" (EUR-04)."""

    place: str
    colour: str

    @property
    def subject(self) -> str:
        return self.place


Action: TypeAlias = BuildStation


def _action(n: int, s: Position, names: Names, seat: int) -> BuildStation:
    return BuildStation(names.places[n % WORD], CARDS[n // WORD])


def _number(action: BuildStation, s: Position, names: Names, seat: int) -> int:
    place, colour = names.place.get(action.place, -1), names.card.get(action.colour, -1)
    return WORD * colour + place if place >= 0 and colour >= 0 else -1


_CODES = range(WORD * STATION, WORD * (STATION + KINDS))
_MOVES = (Move(BuildStation, "station CITY COLOUR", _CODES, _action, _number),)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class StationBuilt(Payment):
    seat: a.Seat
    place: str
    colour: str
    cards: int
    locos: int


Event: TypeAlias = StationBuilt


def _built(notes: Notes, seat: int, place: int, colour: int, cards: int) -> StationBuilt:
    """`cards` holds the locomotives in its low six bits."""
    return StationBuilt(seat, notes.names.places[place], CARDS[colour], cards // PAIR, cards % PAIR)


_EVENTS: dict[int, Teller] = {E_STATION: _built}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class NoStations:
    """On this map."""


@dataclass(frozen=True, slots=True)
class AllStationsBuilt:
    each: int


@dataclass(frozen=True, slots=True)
class NoStationSite:
    place: str


@dataclass(frozen=True, slots=True)
class StationStands:
    place: str


@dataclass(frozen=True, slots=True)
class NoStationCards:
    """None of the colour, and no locomotive."""

    price: int


@dataclass(frozen=True, slots=True)
class StationPrice:
    price: int
    colour: str
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class StationLocomotives:
    count: int


@explains(BuildStation)
def _build(case: Case, action: BuildStation) -> Objection:
    if not case.b.stations_each:
        return "EUR-04", NoStations()
    if stations_built(case.s, case.seat) >= case.b.stations_each:
        return "EUR-05", AllStationsBuilt(case.b.stations_each)
    place = case.names.place.get(action.place, -1)
    if place < 0 or not case.b.station_sites >> place & 1:
        return "EUR-05", NoStationSite(action.place)
    if case.s.station_places >> place & 1:
        return "EUR-05", StationStands(action.place)
    if action.colour not in case.hand:
        return "C-02", UnknownColour(action.colour)
    cards, locos = case.in_hand(action.colour)
    price = station_price(case.s, case.seat)
    if not cards + locos:
        return "EUR-06", NoStationCards(price)
    return "EUR-06", StationPrice(price, action.colour, cards, locos)


@explains(a.PlayLocos)
def _locomotives(case: Case, action: a.PlayLocos) -> Objection | None:
    return ("EUR-06", StationLocomotives(action.count)) if case.s.phase == PAY_STATION else None


Refusal: TypeAlias = (
    NoStations | AllStationsBuilt | NoStationSite | StationStands | NoStationCards | StationPrice | StationLocomotives
)

# ---------------------------------------------------------------- the whole

FACE = Face(moves=_MOVES, events=_EVENTS, phases={PAY_STATION: "pay_station"})
