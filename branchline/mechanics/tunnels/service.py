"""Tunnels in plans: as many extra cards are paid as the wish allows."""

from __future__ import annotations

from branchline.actions import Action, PlayLocos
from branchline.maps.model import MapData, Track
from branchline.server import wire
from branchline.server.tables.planning import Asked, PlanPart
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence


def _check(wish: wire.ClaimWish, track: Track, data: MapData) -> None:
    if not 0 <= wish.extra <= (data.tunnel_cards if track.tunnel else 0):
        raise BadRequest(Sentence("plan_extra", "so many cards more cannot be needed for this track"))


def _answer(wish: wire.ClaimWish, asked: Asked) -> Action | None:
    if asked.view.tunnel_extra > wish.extra:
        return None
    return next((x for x in asked.legal if isinstance(x, PlayLocos) and x.count <= asked.locos), None)


PLANS = PlanPart(check_claim=_check, answers={"tunnel": _answer})
