"""Ferries in the laboratory."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.lab.figures import TrackFigures
from branchline.lab.places import Part
from branchline.lab.playing import Games


class Ferries(Part):
    def of_track(self, games: Games, track: int) -> Mapping[str, int]:
        return {"ferry": games.map.tracks[track].ferry}

    def track_kind(self, track: TrackFigures) -> str:
        return f"ferry {track.more['ferry']}" if track.more["ferry"] else ""


PART = Ferries()
