"""Stations in plans."""

from __future__ import annotations

from branchline.maps.model import MapData
from branchline.mechanics.stations.face import BuildStation
from branchline.mechanics.stations.wire import StationWish
from branchline.server.tables.planning import OtherWish, PlanPart, check_payment
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence


def _check(wish: StationWish, data: MapData) -> None:
    if data.stations is None or wish.place not in (p.id for p in data.places if p.kind == "city"):
        raise BadRequest(Sentence("plan_station", "a station cannot be planned there"))
    check_payment(wish.colour, wish.locos)


PLANS = PlanPart(wishes={StationWish: OtherWish(_check, lambda wish: BuildStation(wish.place, wish.colour))})
