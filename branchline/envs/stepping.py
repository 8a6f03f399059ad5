"""One game of a batch: a choice and what follows at once, or a new deal. Kernel Python, for the CPU and for a GPU."""

from __future__ import annotations

from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.rollout import play_defaults
from branchline.kernel.scoring import score_game
from branchline.kernel.setup import set_up
from branchline.kernel.state import Board, Position, Work
from branchline.kernel.turn import apply_action


@kernel
def play_choice(s: Position, b: Board, w: Work, code: int, settle: int) -> int:
    """Play a choice of the seat that is asked, and details too if they are to be settled; 1 if that ended the game,
    which is scored then."""
    apply_action(s, b, w, lowest(s.awaited), code)
    if settle:
        play_defaults(s, b, w)
    if s.awaited:
        return 0
    score_game(s, b, w)
    return 1


@kernel
def deal_game(s: Position, b: Board, w: Work, players: int, seed: int, settle: int) -> None:
    """Deal a game into a position that is all zero."""
    set_up(s, b, w, players, seed)
    if settle:
        play_defaults(s, b, w)
