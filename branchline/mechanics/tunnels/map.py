"""Tunnels in a map file: which tracks are tunnels, and how many cards are turned up for one (EUR-12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.parts import Found, Keys, MapPart, Row
from branchline.maps.shapes import Field, Flag, Record, Whole

MAX_TUNNEL_CARDS = 5


@dataclass(frozen=True, kw_only=True)
class Track(core.Track):
    tunnel: bool


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    tunnel_cards: int
    tracks: tuple[Track, ...]


TUNNELS = Record({"cards": Field(Whole(1, MAX_TUNNEL_CARDS), "Cards turned up for a tunnel (EUR-12).", 3)})


class Tunnels(MapPart[MapData]):
    rules: ClassVar[Keys] = {"tunnels": Field(TUNNELS, "Tracks marked as tunnels are tunnels (EUR-12).", None)}
    track: ClassVar[Keys] = {"tunnel": Field(Flag(), "It is a tunnel (EUR-12).", False)}
    claims_may_fail = True

    def is_used(self, data: MapData) -> bool:
        return data.tunnel_cards > 0

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["tunnels"]
        return {"tunnel_cards": rule["cards"] if rule else 0}

    def faults(self, data: MapData) -> Found:
        for i, track in enumerate(data.tracks):
            if track.tunnel and not data.tunnel_cards:
                yield f"tracks[{i}].tunnel", "the map has no rule tunnels"

    def facts(self, data: MapData) -> Row:
        return {"tunnel_cards": data.tunnel_cards}

    def track_facts(self, track: Track) -> Row:
        return {"tunnel": track.tunnel}


PART = Tunnels()
