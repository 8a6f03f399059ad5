"""Ferries in the terminal."""

from __future__ import annotations

from branchline.maps.model import MapData, Track
from branchline.terminal.labels import counted
from branchline.terminal.places import Part


class Ferries(Part):
    clauses = "EUR"

    def in_play(self, data: MapData) -> bool:
        return any(track.ferry for track in data.tracks)

    def track_kind(self, track: Track) -> str:
        return f"ferry with {counted(track.ferry, 'locomotive')}" if track.ferry else ""

    def short_kind(self, track: Track) -> str:
        return f"ferry {counted(track.ferry, 'loco')}" if track.ferry else ""


PART = Ferries()
