"""Stations in the simulation."""

from __future__ import annotations

from branchline.bots.games.match import N_STATIONS
from branchline.maps.model import MapData
from branchline.simulation.places import Counted, Part


class Stations(Part):
    counted = (Counted("mean_stations", "stations\nbuilt", N_STATIONS),)

    def in_play(self, data: MapData) -> bool:
        return data.stations is not None


PART = Stations()
