"""Tunnels on the wire."""

from __future__ import annotations

from branchline.base.wire import Fields, Wire, WirePart
from branchline.view import View


class TunnelWire(Wire, frozen=True):
    """The tunnel now attempted: the cards turned up and what they cost."""

    track: str
    cards: list[str]
    extra: int


class MapFacts(Wire, frozen=True):
    tunnel_cards: int


class TrackFact(Wire, frozen=True):
    tunnel: bool


class ViewWire(Wire, frozen=True):
    tunnel: TunnelWire | None


class ClaimWish(Wire, frozen=True):
    extra: int = 0  # the most cards to add for a tunnel


def _view(view: View) -> Fields:
    if view.phase != "tunnel" or view.pending_track is None:
        return {"tunnel": None}
    return {"tunnel": TunnelWire(view.pending_track, list(view.tunnel_cards), view.tunnel_extra)}


PART = WirePart(
    map=lambda data: {"tunnel_cards": data.tunnel_cards},
    track=lambda track: {"tunnel": track.tunnel},
    view=_view,
)
