"""Stations in a map file: how many each player has, and what one that was not built scores (EUR-04, EUR-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.parts import Keys, MapPart, Row
from branchline.maps.shapes import POINTS, Field, Record, Whole

MAX_STATIONS = 3


@dataclass(frozen=True, slots=True)
class Stations:
    each: int
    unused_points: int


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    stations: Stations | None


STATIONS = Record(
    {
        "each": Field(Whole(1, MAX_STATIONS, "MAX_STATIONS"), "Stations of each player (EUR-04).", 3),
        "unused_points": Field(POINTS, "Points for each station not built (EUR-10).", 4),
    }
)


class StationsPart(MapPart[MapData]):
    rules: ClassVar[Keys] = {"stations": Field(STATIONS, "Players have stations (EUR-04).", None)}
    ties = ("stations",)
    lends_tracks = True  # EUR-07

    def is_used(self, data: MapData) -> bool:
        return data.stations is not None

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["stations"]
        return {"stations": Stations(**rule) if rule else None}

    def facts(self, data: MapData) -> Row:
        return {"stations": data.stations and [data.stations.each, data.stations.unused_points]}


PART = StationsPart()
