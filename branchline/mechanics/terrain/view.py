"""What a reader may know of terrain: all of it lies open (AFR-08)."""

from __future__ import annotations

from branchline.base import view as base
from branchline.base.view import counts, track_names
from branchline.kernel.state import NO_CARD
from branchline.mechanics.terrain.state import TERRAINS


class View(base.View):
    __slots__ = ()

    @property
    def terrain_display(self) -> tuple[str | None, ...]:
        if not self.map.terrain:
            return ()
        shown = self._position.terrain_up[: self.map.terrain.face_up]
        return tuple(None if t == NO_CARD else self._names.terrains[t] for t in shown)

    @property
    def terrain_deck_size(self) -> int:
        return self._position.terrain_n

    @property
    def terrain_discards(self) -> dict[str, int]:
        return counts(self._position.terrain_discard, self._names.terrains)

    @property
    def doubled(self) -> frozenset[str]:
        """The tracks whose points were doubled (AFR-09)."""
        return frozenset(track_names(self._position.doubled, self._names.tracks))


class PlayerView(base.PlayerView):
    __slots__ = ()

    @property
    def terrain(self) -> dict[str, int]:
        at = self.seat * TERRAINS
        return counts(self._position.terrain[at : at + TERRAINS], self._names.terrains)
