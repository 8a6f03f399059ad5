"""Ferries on the wire."""

from __future__ import annotations

from branchline.base.wire import Wire, WirePart


class TrackFact(Wire, frozen=True):
    ferry: int


PART = WirePart(track=lambda track: {"ferry": track.ferry})
