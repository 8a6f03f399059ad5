"""Terrain in plans: which cards to draw, and whether to double."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.actions import Action
from branchline.maps.model import MapData, Track
from branchline.mechanics.terrain.face import DoublePoints, DrawTerrain, SinglePoints, TakeTerrain
from branchline.server import wire
from branchline.server.tables.planning import Asked, PlanPart
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence
from branchline.view import View

DECK = "terrain"  # the top card of its deck


def _check(wish: wire.ClaimWish, track: Track, data: MapData) -> None:
    if wish.double is not None and data.terrain is None:
        raise BadRequest(Sentence("plan_double", "nothing can be doubled on this map"))


def _ways(card: str, view: View) -> Sequence[Action]:
    shown = [TakeTerrain(n) for n, lies in enumerate(view.terrain_display, 1) if lies == card]
    return [DrawTerrain()] if card == DECK else shown


def _answer(wish: wire.ClaimWish, asked: Asked) -> Action | None:
    if wish.double is None:
        return None
    if wish.double:
        return next((x for x in asked.legal if isinstance(x, DoublePoints) and x.locos <= asked.locos), None)
    return next((x for x in asked.legal if isinstance(x, SinglePoints)), None)


PLANS = PlanPart(
    check_claim=_check,
    cards=lambda data: [DECK, *(t.id for t in data.terrain.types)] if data.terrain else [],
    ways=_ways,
    answers={"double": _answer},
    locos=lambda action: action.locos if isinstance(action, DoublePoints) else 0,
)
