"""What the two gentlest levels have in common: the nearest ticket first, and a weakness for locomotives."""

from __future__ import annotations

from branchline.bots.blocks.chains import adopt_chain
from branchline.bots.blocks.codes import NO_CHOICE, may_choose
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.network import spaces_of_chain
from branchline.bots.kernel import DRAW_DISPLAY, HELD, LOCO, Board, Position, Work, kernel
from branchline.graph.chains import NOWHERE, find_chain, trace_chain


@kernel
def plan_nearest(s: Position, b: Board, plan: Plan, seat: int, most: int) -> None:
    """Plan so many of the tickets held, at prices that stand, always the nearest next; time does not matter."""
    for _ in range(most):
        ticket = nearest_ticket(s, b, plan, seat)
        if ticket == NO_CHOICE:
            return
        find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
        trace_chain(b, plan, b.ticket_a[ticket])
        adopt_chain(b, plan, b.ticket_points[ticket])


@kernel
def nearest_ticket(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The ticket held that costs least to join beyond the plan, trains sufficing; or NO_CHOICE."""
    least = NOWHERE
    nearest = NO_CHOICE
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            price = find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], least)
            if price == 0 or price >= least:
                continue
            if plan.spaces + spaces_of_chain(b, plan, b.ticket_a[ticket]) <= s.trains[seat]:
                least = price
                nearest = ticket
    return nearest


@kernel
def seen_locomotive(s: Position, b: Board, w: Work) -> int:
    """The first locomotive of the display that may be taken, or NO_CHOICE."""
    for i in range(b.display):
        if s.display[i] == LOCO and may_choose(w, DRAW_DISPLAY + i):
            return DRAW_DISPLAY + i
    return NO_CHOICE
