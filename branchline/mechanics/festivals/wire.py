"""Festivals on the wire."""

from __future__ import annotations

from branchline.base.wire import Fields, Wire, WirePart, is_ours
from branchline.maps.model import MapData
from branchline.scores import PlayerScore


class FestivalFact(Wire, frozen=True):
    id: str
    places: list[str]
    cards: int
    reconstructed: bool


class FestivalLine(Wire, frozen=True):
    group: str
    cards: int
    points: int


class MapFacts(Wire, frozen=True):
    festival_points: list[int]  # by cards of one city; empty without festivals
    festivals: list[FestivalFact]


class PlayerWire(Wire, frozen=True):
    festivals: dict[str, int]
    festival_count: int


class ViewWire(Wire, frozen=True):
    festivals: dict[str, int]  # lying at the cities, by group


class ScoreWire(Wire, frozen=True):
    festivals: list[FestivalLine]


class ClaimWish(Wire, frozen=True):
    festival: str | None = None  # the end of the track whose festival cards to take


def _map(data: MapData) -> Fields:
    groups = data.festivals.groups if data.festivals else ()
    return {
        "festival_points": list(data.festivals.score_table) if data.festivals else [],
        "festivals": [FestivalFact(g.id, list(g.places), g.cards, is_ours(g.provenance)) for g in groups],
    }


def _score(score: PlayerScore) -> Fields:
    return {"festivals": [FestivalLine(f.group, f.cards, f.points) for f in score.festivals]}


PART = WirePart(
    map=_map,
    view=lambda view: {"festivals": view.festivals},
    player=lambda view, player: {"festivals": player.festivals, "festival_count": player.festival_count},
    score=_score,
)
