"""The score sheet of a game: every number a player is owed an explanation for."""

from __future__ import annotations

from branchline.base.score import TicketScore
from branchline.codec import names_of
from branchline.kernel.paths import longest_path
from branchline.kernel.scoring import score_game
from branchline.kernel.scratch import scratch
from branchline.maps.model import MapData
from branchline.mechanics.composed import Board, Position
from branchline.mechanics.composed_score import PlayerScore, player_score

__all__ = ["PlayerScore", "TicketScore", "score_sheet"]


def score_sheet(s: Position, b: Board, data: MapData) -> tuple[PlayerScore, ...]:
    """Score a position as it stands."""
    w, names = scratch(), names_of(data)
    score_game(s, b, w)
    if not b.longest_path:  # a map without the bonus still shows the path: it may break a tie
        for seat in range(s.players):
            w.path[seat] = longest_path(s, b, w, seat)
    return tuple(player_score(seat, s, b, w, names) for seat in range(s.players))
