"""LongRoute: long tracks, which pay best by the space. One of four published styles (common.py).

It keeps the tickets with most points for their trains and joins them, the one with most points first, over tracks of
three spaces and more; it never asks for more tickets. When no ticket can be joined that way, it goes for the longest
track on the board, always the one nearest to being paid.
"""

from __future__ import annotations

from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    DRAFT_KEEP,
    DRAW_FIRST,
    DRAW_SECOND,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
)
from branchline.bots.styles.common import keep_dense, otherwise, richest_open_ticket, survey_steps
from branchline.bots.styles.onestep import go_for

SHORTEST = 3  # spaces of a track worth laying


@kernel
def longroute_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the long-route bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    survey_steps(s, b, plan, seat, min(SHORTEST, s.trains[seat]))
    code = NO_CHOICE
    if s.phase == TURN or s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        code = go_for(s, b, w, plan, seat, richest_open_ticket(s, b, plan, seat))
    elif s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        code = keep_dense(s, b, w, plan, seat)
    return otherwise(s, b, w, plan, seat, code)
