"""Games that the network plays to their very end.

To look far, a weighing lets the network judge after some turns; and where its judgement is wrong, as of tickets it has
just drawn, it is wrong in every world, and no seed shows it. Here nothing is judged but the result. There is more
chance in it, so it takes many games to see a small gap; but a wide one that is not there in the end is none.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.net.player import network
from branchline.bots.search.budget import Count
from branchline.review.weighing import ByNetwork, ByPlayingOut, Worlds, is_at_home
from branchline.view import View

ALL_ROUNDS: Final = 10_000


class ToTheEnd(ByNetwork):
    """Nothing but the result counts."""

    def __init__(self, view: View, seed: int) -> None:
        net = network()
        assert net is not None
        super().__init__(net, view, seed, 1)
        self._budget = _AllRounds(1)


class _AllRounds(Count):
    def __init__(self, tries: int) -> None:
        super().__init__(tries)
        self.rounds = ALL_ROUNDS


def ends_of(view: View, seed: int) -> Worlds:
    """Where the network does not know the map, fast bots play to the end anyway."""
    return ToTheEnd(view, seed) if is_at_home(view) else ByPlayingOut(view, seed)
