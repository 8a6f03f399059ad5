"""Stations for bots: what the laboratory notes. Where one is built is said in bots/blocks/claims.py."""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.blocks.codes import word_of
from branchline.bots.games.rows import seat_row
from branchline.bots.kernel import CARDS, Position, Work, kernel
from branchline.kernel.hooks import at
from branchline.mechanics.stations.columns import S_BUILDS, S_LENT, S_STATION_POINTS, S_STATIONS
from branchline.mechanics.stations.rules import stations_built
from branchline.mechanics.stations.state import STATION, STATIONS


@at(hooks.note_more_choices, "s.phase == TURN")
@kernel
def note_building(notes: list[int], seat: int, code: int) -> None:
    if STATION <= word_of(code) < STATION + CARDS:
        notes[seat_row(seat) + S_BUILDS] += 1


@at(hooks.note_more_lines)
@kernel
def note_stations(s: Position, w: Work, notes: list[int], seat: int) -> None:
    row = seat_row(seat)
    notes[row + S_STATION_POINTS] = w.station_score[seat]
    for i in range(stations_built(s, seat)):
        notes[row + S_STATIONS + i] = s.stations[seat * STATIONS + i]
        notes[row + S_LENT + i] = w.lent[seat * STATIONS + i]
