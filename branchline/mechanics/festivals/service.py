"""Festivals in plans: at which end of the track the cards are taken."""

from __future__ import annotations

from branchline.actions import Action
from branchline.maps.model import MapData, Track
from branchline.mechanics.festivals.face import TakeFestivals
from branchline.server import wire
from branchline.server.tables.planning import Asked, PlanPart
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence


def _check(wish: wire.ClaimWish, track: Track, data: MapData) -> None:
    if wish.festival is not None and (data.festivals is None or wish.festival not in (track.a, track.b)):
        raise BadRequest(Sentence("plan_festival", "festival cards are taken at one of the two ends of the track"))


def _answer(wish: wire.ClaimWish, asked: Asked) -> Action | None:
    return next((x for x in asked.legal if isinstance(x, TakeFestivals) and x.place == wish.festival), None)


PLANS = PlanPart(check_claim=_check, answers={"festival": _answer})
