"""Why the cards of one place are worth more than those of another, in a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.actions import Action
from branchline.mechanics.festivals.face import TakeFestivals
from branchline.puzzles.model import Reason
from branchline.view import View

REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "FestivalPays": {"place": "place", "other": "place", "points": "number", "less": "number"}
}


def reason(view: View, best: Action, other: Action) -> Reason | None:
    if not (isinstance(best, TakeFestivals) and isinstance(other, TakeFestivals)):
        return None
    points, less = (_points(view, one.place) for one in (best, other))
    if points <= less:
        return None
    return Reason("FestivalPays", {"place": best.place, "other": other.place, "points": points, "less": less})


def _points(view: View, place: str) -> int:
    """What the cards that lie at a place add to the seat's set."""
    festivals = view.map.festivals
    assert festivals is not None
    group = next(one for one in festivals.groups if place in one.places)
    have, table = view.me.festivals.get(group.id, 0), festivals.score_table
    there = view.festivals.get(group.id, 0)
    return table[min(have + there, len(table) - 1)] - table[have]
