"""The planner's tickets: which of those offered to keep, and whether it pays to draw more."""

from __future__ import annotations

from branchline.bots.blocks.chains import add_todo, list_tickets, measure_chain
from branchline.bots.blocks.codes import keep_code, may_keep
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import OFFER, Board, Position, Work, kernel, popcount
from branchline.bots.planner.costs import QUARTER, look_around
from branchline.bots.planner.network import begin_plan, chain_fits, plan_network
from branchline.bots.planner.tuning import (
    P_KEEP_EACH,
    P_KEEP_POINT,
    P_TICKETS_BAD,
    P_TICKETS_MORE,
    P_TICKETS_POINT,
    tuned,
)
from branchline.graph.chains import NOWHERE, find_chain, is_joined, trace_chain


@kernel
def planner_keep(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Keep the set of offered tickets with which the plan is worth most."""
    look_around(s, b, plan, seat)
    best = -(1 << 40)
    chosen = 0
    for kept in range(1, 1 << s.offer_n[seat]):
        if may_keep(w, kept):
            value = value_with(s, b, plan, seat, kept)
            if value > best:
                best = value
                chosen = kept
    return keep_code(chosen)


@kernel
def value_with(s: Position, b: Board, plan: Plan, seat: int, kept: int) -> int:
    """What the plan is worth with these of the offered tickets."""
    begin_plan(s, b, plan, seat)
    list_tickets(s, b, plan, seat)
    value = tuned(plan, P_KEEP_EACH) * popcount(kept)
    for i in range(s.offer_n[seat]):
        if (kept >> i) & 1:
            ticket = s.offer[seat * OFFER + i]
            if is_joined(b, plan, ticket):
                value += tuned(plan, P_KEEP_POINT) * b.ticket_points[ticket]
            else:
                add_todo(b, plan, ticket)
    return value + plan_network(s, b, plan, seat)


@kernel
def ticket_prospect(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """What drawing tickets would bring on the average, beside the plan as it stands and without the turn it takes."""
    n = 0
    good = 0
    total = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == 0 and not (b.long_ticket[ticket] and b.deal_long > 0):
            n += 1
            value = value_beside_plan(s, b, plan, seat, ticket)
            if value > 0:
                good += 1
                total += value
    if n == 0:
        return 0
    drawn = min(b.ticket_draw, s.ticket_n)
    bad = 64
    first = 64
    for _ in range(drawn):
        bad = bad * (n - good) // n
    first -= bad  # the chance, in 64ths, that one of those drawn is good
    more = max(0, 64 * drawn * good // n - first)
    mean = total // max(1, good)
    return (first * mean + more * mean * tuned(plan, P_TICKETS_MORE) // 64 - bad * tuned(plan, P_TICKETS_BAD)) // 64


@kernel
def value_beside_plan(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> int:
    """What one ticket would add to the plan as it stands, 0 if it would not."""
    start = b.ticket_a[ticket]
    value = tuned(plan, P_TICKETS_POINT) * b.ticket_points[ticket]
    most = min(NOWHERE - 1, value // QUARTER)
    price = find_chain(b, plan, start, b.ticket_b[ticket], most)
    if price == NOWHERE:
        return 0
    trace_chain(b, plan, start)
    measure_chain(b, plan)
    return max(0, value - QUARTER * price) if chain_fits(s, plan, seat) else 0
