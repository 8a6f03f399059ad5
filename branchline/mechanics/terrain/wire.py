"""Terrain on the wire."""

from __future__ import annotations

from branchline.base.wire import Fields, Wire, WirePart
from branchline.maps.model import MapData
from branchline.view import View


class TerrainFact(Wire, frozen=True):
    id: str
    name: str
    colours: list[str]
    cards: int


class MapFacts(Wire, frozen=True):
    cards_to_double: list[int]  # by track length, 0 = cannot be doubled; empty without terrain
    terrain_face_up: int
    terrain: list[TerrainFact]


class PlayerWire(Wire, frozen=True):
    terrain: dict[str, int]


class ViewWire(Wire, frozen=True):
    terrain_display: list[str | None]
    terrain_deck: int
    doubled: list[str]


class ClaimWish(Wire, frozen=True):
    double: bool | None = None


def _map(data: MapData) -> Fields:
    terrain = data.terrain
    return {
        "cards_to_double": list(terrain.cards_to_double) if terrain else [],
        "terrain_face_up": terrain.face_up if terrain else 0,
        "terrain": [TerrainFact(t.id, t.name, list(t.colours), t.cards) for t in terrain.types] if terrain else [],
    }


def _view(view: View) -> Fields:
    return {
        "terrain_display": list(view.terrain_display),
        "terrain_deck": view.terrain_deck_size,
        "doubled": sorted(view.doubled),
    }


PART = WirePart(map=_map, view=_view, player=lambda view, player: {"terrain": player.terrain})
