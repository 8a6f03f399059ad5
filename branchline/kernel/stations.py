"""Stations: building them (EUR-04 .. EUR-06). What they lend at the end is in scoring.py."""

from __future__ import annotations

from branchline.kernel.claim import pay
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import E_STATION, HAND, LOCO, STATION, STATIONS, Board, Position, Work


@kernel
def stations_built(s: Position, seat: int) -> int:
    n = 0
    while n < STATIONS and s.stations[seat * STATIONS + n] > 0:
        n += 1
    return n


@kernel
def station_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write into the menu, colour by colour, the places where a station can be built and paid (EUR-05, EUR-06)."""
    price = stations_built(s, seat) + 1
    sites = b.station_sites & ~s.station_places
    if price > b.stations_each:
        sites = 0
    at = seat * HAND
    locos = s.hand[at + LOCO]
    for c in range(LOCO):
        have = s.hand[at + c]
        w.menu[STATION + c] = sites if have > 0 and have + locos >= price else 0
    w.menu[STATION + LOCO] = sites if locos >= price else 0


@kernel
def least_station_locos(s: Position, seat: int) -> int:
    """The pending station's price less the cards of its colour."""
    price = stations_built(s, seat) + 1
    if s.claim_colour == LOCO:
        return price
    return max(0, price - s.hand[seat * HAND + s.claim_colour])


@kernel
def most_station_locos(s: Position, seat: int) -> int:
    price = stations_built(s, seat) + 1
    if s.claim_colour == LOCO:
        return price
    return min(price - 1, s.hand[seat * HAND + LOCO])


@kernel
def build_station(s: Position, w: Work, seat: int, locos: int) -> None:
    """Build the pending station and pay for it; claim_track holds its place."""
    place = s.claim_track
    n = stations_built(s, seat)
    pay(s, seat, s.claim_colour, n + 1 - locos, locos)
    s.stations[seat * STATIONS + n] = place + 1
    s.station_places |= 1 << place
    tell(w, E_STATION, seat, place, s.claim_colour, (n + 1 - locos) * 64 + locos)
