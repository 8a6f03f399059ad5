"""OneStep: one ticket, one track. One of four published styles (common.py).

Its eye is on the ticket with most points and on the first track of the shortest way there; it draws for that track
alone, lays it, and looks again. With all tickets joined it asks for more while everybody has eight trains, and then
goes for the longest track on the board. Of new tickets it keeps those with most points for their trains, of the first
ones as few as it may.
"""

from __future__ import annotations

from branchline.bots.blocks.codes import NO_CHOICE, may_choose
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    DRAFT_KEEP,
    DRAW_FIRST,
    DRAW_SECOND,
    TICKETS,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
)
from branchline.bots.styles.common import (
    claim_or_collect,
    first_step,
    keep_dense,
    keep_first,
    longest_free,
    otherwise,
    richest_open_ticket,
    survey_steps,
)

ENOUGH_TRAINS = 8  # of everybody, for one more ticket


@kernel
def onestep_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the one-step bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    survey_steps(s, b, plan, seat, 1)
    code = NO_CHOICE
    if s.phase == TURN:
        code = take_step(s, b, w, plan, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        code = go_for(s, b, w, plan, seat, richest_open_ticket(s, b, plan, seat))
    elif s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        first = s.ticket_count[seat] == 0
        code = keep_first(s, w, seat) if first else keep_dense(s, b, w, plan, seat)
    return otherwise(s, b, w, plan, seat, code)


@kernel
def take_step(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Go for the next track, or ask for tickets when there is no ticket to go for."""
    ticket = richest_open_ticket(s, b, plan, seat)
    if ticket == NO_CHOICE and may_choose(w, TICKETS):
        fewest = s.trains[seat]
        for p in range(s.players):
            fewest = min(fewest, s.trains[p])
        if fewest >= ENOUGH_TRAINS:
            return TICKETS
    return go_for(s, b, w, plan, seat, ticket)


@kernel
def go_for(s: Position, b: Board, w: Work, plan: Plan, seat: int, ticket: int) -> int:
    """Claim the first track of a ticket's way or draw for it; without a ticket, the longest track."""
    if ticket != NO_CHOICE:
        return claim_or_collect(s, b, w, plan, seat, first_step(s, b, plan, seat, ticket))
    t = longest_free(s, b, plan, seat)
    return claim_or_collect(s, b, w, plan, seat, t) if t != NO_CHOICE else NO_CHOICE
