"""Whole games of uniformly random choices inside the kernel: for measuring, for tests and for search."""

from __future__ import annotations

from branchline.kernel.chance import below
from branchline.kernel.hooks import is_small_choice
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.scoring import score_game
from branchline.kernel.state import DRAW_SECOND, FIRST_TICKETS, KEEP_TICKETS, OVER, PAY, TURN, Board, Position, Work
from branchline.kernel.turn import apply_action, count_menu, fill_menu, nth_of_menu


@kernel
def random_action(s: Position, b: Board, w: Work, seat: int, key: int, i: int) -> int:
    """One of the seat's legal actions, each as likely as the others."""
    fill_menu(s, b, w, seat)
    n = count_menu(w)
    return nth_of_menu(w, below(key, i, n))


@kernel
def is_detail(s: Position, seat: int) -> int:
    """1 where only the number of locomotives or the order of returned tickets is open."""
    if s.phase == TURN or s.phase == DRAW_SECOND:  # nearly always
        return 0
    if s.phase == PAY or is_small_choice(s):
        return 1
    return 1 if (s.phase == FIRST_TICKETS or s.phase == KEEP_TICKETS) and s.kept_n[seat] > 0 else 0


@kernel
def play_defaults(s: Position, b: Board, w: Work) -> None:
    """Settle details as offered first: colour cards before locomotives, tickets back as they came."""
    while s.awaited:
        seat = lowest(s.awaited)
        if not is_detail(s, seat):
            return
        fill_menu(s, b, w, seat)
        apply_action(s, b, w, seat, nth_of_menu(w, 0))


@kernel
def play_random(s: Position, b: Board, w: Work, key: int, defaults: int) -> int:
    """Play a game to its end and score it; the number of decisions, details not counted with `defaults`."""
    n = 0
    while s.phase != OVER:
        seat = lowest(s.awaited)
        apply_action(s, b, w, seat, random_action(s, b, w, seat, key, n))
        n += 1
        if defaults:
            play_defaults(s, b, w)
    score_game(s, b, w)
    return n
