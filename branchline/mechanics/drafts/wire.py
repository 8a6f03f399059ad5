"""Drafts on the wire."""

from __future__ import annotations

from branchline.base.wire import Fields, Wire, WirePart
from branchline.maps.model import MapData, TicketDeal


class ViewWire(Wire, frozen=True):
    pack: list[str]  # the pack of a draft before the reader


def _map(data: MapData) -> Fields:
    first = data.first_tickets
    if isinstance(first, TicketDeal):
        return {}
    return {"first_tickets": {"draft": first.cards, "keep_exactly": first.keep_exactly}}


PART = WirePart(map=_map, view=lambda view: {"pack": list(view.pack)})
