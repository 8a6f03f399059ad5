"""The numbers of stations; what a position, a board and the work space know of them."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I16, I64
from branchline.kernel.numbers import event, phase, tie, word
from branchline.maps.core import MAX_PLACES, MAX_TICKETS
from branchline.mechanics.stations.map import MAX_STATIONS

IN_PLAY = "b.stations_each > 0"

STATIONS = MAX_STATIONS

PAY_STATION = phase("pay station")  # how many locomotives
STATION = word("station", state.CARDS)  # one menu word a colour, a bit a place
PLACE_WORDS = range(STATION, STATION + state.CARDS)
E_STATION = event("station")
TIE_STATIONS = tie("stations")


class Position(state.Position, part=True):
    station_places: Annotated[int, I64]
    stations: Annotated[list[int], I8, state.SEATS * STATIONS]  # 1 + place, in the order of building


class Board(state.Board, part=True):
    station_sites: Annotated[int, I64]
    stations_each: Annotated[int, I8]
    station_points: Annotated[int, I8]


class Work(state.Work, part=True):
    loans: Annotated[list[int], I64, STATIONS * state.TRACK_WORDS]  # the tracks a station may lend
    touched: Annotated[list[int], I64, STATIONS]  # the nodes those join
    wanted_a: Annotated[list[int], I64, MAX_TICKETS]  # the ends of the wanted tickets, as nodes
    wanted_b: Annotated[list[int], I64, MAX_TICKETS]
    station_score: Annotated[list[int], I16, state.SEATS]
    unbuilt: Annotated[list[int], I8, state.SEATS]  # stations not built
    lent: Annotated[list[int], I8, state.SEATS * STATIONS]  # 1 + the track a station lends, or 0
    best_lent: Annotated[list[int], I8, STATIONS]
    node: Annotated[list[int], I8, MAX_PLACES]  # one place for all that a player's tracks join
    wanted: Annotated[list[int], I8, MAX_TICKETS]  # tickets that loans may complete
    wanted_n: Annotated[int, I8]
