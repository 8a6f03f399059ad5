"""What a reader may know: the facts of the base game and of the mechanics together.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from branchline.base import view as base
from branchline.mechanics.drafts import view as drafts
from branchline.mechanics.festivals import view as festivals
from branchline.mechanics.mail import view as mail
from branchline.mechanics.stations import view as stations
from branchline.mechanics.terrain import view as terrain
from branchline.mechanics.tunnels import view as tunnels


class PlayerView(stations.PlayerView, terrain.PlayerView, festivals.PlayerView, mail.PlayerView, base.PlayerView):
    """One player as the reader sees them. `hand` is what is known of it, `unknown_cards` how many more there
    are."""

    __slots__ = ()


class View(tunnels.View, stations.View, terrain.View, festivals.View, drafts.View, mail.View, base.View):
    """What one reader, a seat or a spectator (None), may know of a game."""

    __slots__ = ()

    def player(self, seat: int) -> PlayerView:
        return PlayerView(self, seat)
