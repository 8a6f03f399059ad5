"""Views: the only thing that leaves a game. A `View` holds what its reader may know and nothing else (I-05).

It wraps a position from which everything else has been wiped, so that nothing hidden can be asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from branchline.base.view import legal_actions, seats_of
from branchline.kernel.board import make_board
from branchline.kernel.imagine import fill_in
from branchline.kernel.scratch import scratch
from branchline.kernel.view import SPECTATOR
from branchline.mechanics.composed_view import PlayerView, View

if TYPE_CHECKING:
    from branchline.game import Game

__all__ = ["PlayerView", "Rng", "View", "imagine", "legal_actions", "seats_of"]


class Rng(Protocol):
    """What `imagine` needs of a random generator; `random.Random` has it."""

    def getrandbits(self, n: int, /) -> int: ...


def imagine(view: View, rng: Rng) -> Game:
    """A full game consistent with what the reader of a view knows; everything else is dealt anew."""
    from branchline.game import Game

    world = view.position
    reader = SPECTATOR if view.reader is None else view.reader
    fill_in(world, make_board(view.map), scratch(), reader, rng.getrandbits(62))
    return Game.at(view.map, world)
