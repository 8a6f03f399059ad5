"""Why a station is the best choice of a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.actions import Action
from branchline.graph.advice import Network
from branchline.mechanics.stations.face import BuildStation
from branchline.puzzles.model import Reason
from branchline.puzzles.tickets import open_tickets
from branchline.view import View

REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "StationHelps": {"place": "place", "track": "track", "ticket": "ticket"}
}


def reason(view: View, best: Action, other: Action) -> Reason | None:
    if not isinstance(best, BuildStation):
        return None
    place = [one.id for one in view.map.places].index(best.place)
    found = Network(view).one_more_loan(place, open_tickets(view))
    if found is None:
        return None
    return Reason("StationHelps", {"place": best.place, "track": found.track, "ticket": found.helps[0].ticket})
