"""Ferries in plans."""

from __future__ import annotations

from branchline.maps.model import LOCO, MapData, Track
from branchline.server import wire
from branchline.server.tables.planning import TOO_FEW_LOCOS, PlanPart
from branchline.server.wire.refusals import BadRequest


def _check(wish: wire.ClaimWish, track: Track, data: MapData) -> None:
    if wish.colour != LOCO and wish.locos < track.ferry:
        raise BadRequest(TOO_FEW_LOCOS)


PLANS = PlanPart(check_claim=_check)
