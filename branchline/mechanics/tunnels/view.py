"""What a reader may know of the tunnel now attempted."""

from __future__ import annotations

from branchline.base import view as base
from branchline.maps.model import CARDS


class View(base.View):
    __slots__ = ()

    @property
    def tunnel_cards(self) -> tuple[str, ...]:
        """The cards turned up for the tunnel now attempted."""
        return tuple(CARDS[c] for c in self._position.turned[: self._position.turned_n])

    @property
    def tunnel_extra(self) -> int:
        return self._position.due
