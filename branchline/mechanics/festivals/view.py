"""What a reader may know of festivals: what lies at the cities, and how many cards each player has."""

from __future__ import annotations

from branchline.base import view as base
from branchline.base.view import counts
from branchline.mechanics.festivals.state import GROUPS


class View(base.View):
    __slots__ = ()

    @property
    def festivals(self) -> dict[str, int]:
        """The festival cards lying at the cities, by group."""
        return counts(self._position.pool, self._names.groups)


class PlayerView(base.PlayerView):
    __slots__ = ()

    @property
    def festival_count(self) -> int:
        return self._position.pile_n[self.seat]

    @property
    def festivals(self) -> dict[str, int]:
        """Those known to the reader."""
        at = self.seat * GROUPS
        return counts(self._position.pile[at : at + GROUPS], self._names.groups)
