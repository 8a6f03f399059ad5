"""Mail on the wire."""

from __future__ import annotations

from collections.abc import Iterable

from branchline.base.wire import Fields, Wire, WirePart
from branchline.maps.model import MapData
from branchline.mechanics.mail.view import Bag
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View


class BagWire(Wire, frozen=True):
    """A mail bag: where it lies or was taken, the place it goes to if the reader knows, and which seats do."""

    place: str
    label: str | None
    seen_by: list[int]


class BagLine(Wire, frozen=True):
    label: str
    points: int


class MapFacts(Wire, frozen=True):
    mail: dict[str, int]  # by place: points of the bag addressed to it; empty without mail
    mail_carry: int  # bags a player may carry
    stamps: dict[str, list[int]]  # by number of players: points each seat begins with


class PlayerWire(Wire, frozen=True):
    carried: list[BagWire]  # in the order of taking: a bag that is laid down is named by its number, from 1 on
    delivered: list[BagLine]
    stamps: int


class ViewWire(Wire, frozen=True):
    bags: list[BagWire]  # lying in the cities
    bags_at_once: list[str]  # the cities whose bag, if I take it now, is delivered at once


class ScoreWire(Wire, frozen=True):
    mail: list[BagLine]
    stamps: int


def _map(data: MapData) -> Fields:
    return {
        "mail": {place.id: place.mail for place in data.places if place.mail},
        "mail_carry": data.mail.carry if data.mail else 0,
        "stamps": {str(players): list(stamps) for players, stamps in data.mail.stamps} if data.mail else {},
    }


def _player(view: View, player: PlayerView) -> Fields:
    points = {place.id: place.mail for place in view.map.places}
    return {
        "carried": _bags(player.carried),
        "delivered": [BagLine(label, points[label]) for label in player.delivered],
        "stamps": player.stamps,
    }


def _score(score: PlayerScore) -> Fields:
    return {"mail": [BagLine(bag.label, bag.points) for bag in score.mail], "stamps": score.stamps}


def _bags(bags: Iterable[Bag]) -> list[BagWire]:
    return [BagWire(bag.place, bag.label, list(bag.seen_by)) for bag in bags]


def _view(view: View) -> Fields:
    return {"bags": _bags(view.bags), "bags_at_once": list(view.bags_at_once)}


PART = WirePart(map=_map, view=_view, player=_player, score=_score)
