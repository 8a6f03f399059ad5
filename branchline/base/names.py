"""The names of a map, by number and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.maps.model import CARDS, MapData

if TYPE_CHECKING:
    from branchline.actions import Action


class Names:
    """What every map has; mechanics add theirs."""

    def __init__(self, data: MapData) -> None:
        self.places = [p.id for p in data.places]
        self.tracks = [t.id for t in data.tracks]
        self.tickets = [t.id for t in data.tickets]
        self.place = {name: n for n, name in enumerate(self.places)}
        self.track = {name: n for n, name in enumerate(self.tracks)}
        self.ticket = {name: n for n, name in enumerate(self.tickets)}
        self.card = {name: n for n, name in enumerate(CARDS)}
        self.ends = {t.id: (t.a, t.b) for t in data.tracks}
        self.fixed: dict[int, Action] = {}  # actions of codes that mean the same in every position
