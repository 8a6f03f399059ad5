"""Ferries in a map file: how many locomotives a track asks for (EUR-11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.parts import Found, Keys, MapPart, Row
from branchline.maps.shapes import Field, Whole

MAX_FERRY = 9


@dataclass(frozen=True, kw_only=True)
class Track(core.Track):
    ferry: int


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    tracks: tuple[Track, ...]


class Ferries(MapPart[MapData]):
    track: ClassVar[Keys] = {"ferry": Field(Whole(0, MAX_FERRY, "MAX_FERRY"), "Locomotive symbols (EUR-11).", 0)}

    def is_used(self, data: MapData) -> bool:
        return any(track.ferry for track in data.tracks)

    def faults(self, data: MapData) -> Found:
        for i, track in enumerate(data.tracks):
            if track.ferry > track.length:
                yield f"tracks[{i}].ferry", f"{track.ferry} locomotives on a track of {track.length}"
            if track.ferry > data.locomotives:
                yield f"tracks[{i}].ferry", f"{track.ferry} locomotives, and the map has {data.locomotives}"

    def track_facts(self, track: Track) -> Row:
        return {"ferry": track.ferry}


PART = Ferries()
