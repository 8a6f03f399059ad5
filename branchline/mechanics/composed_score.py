"""The score sheet: the lines of the base game and of the mechanics together.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass

from branchline.base import score as base
from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.composed_face import Names
from branchline.mechanics.festivals import score as festivals
from branchline.mechanics.mail import score as mail
from branchline.mechanics.stations import score as stations


@dataclass(frozen=True)
class PlayerScore(mail.PlayerScore, festivals.PlayerScore, stations.PlayerScore, base.PlayerScore):
    """One player's sheet. `place` is 1 for the winner, or for all who share the victory."""


def player_score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:
    """The sheet of a player, where the kernel has just scored the game."""
    return PlayerScore(
        **vars(base.score(seat, s, b, w, names)),
        **vars(stations.score(seat, s, b, w, names)),
        **vars(festivals.score(seat, s, b, w, names)),
        **vars(mail.score(seat, s, b, w, names)),
    )
