"""Tunnels in game files: the cards they turn up come out of the train deck."""

from __future__ import annotations

from branchline.base.record import RecordPart
from branchline.mechanics.tunnels.state import E_TURNED

PART = RecordPart(
    from_deck={E_TURNED: lambda note: note[1]},
    position=lambda view: {"tunnel_cards": list(view.tunnel_cards), "tunnel_extra": view.tunnel_extra},
)
