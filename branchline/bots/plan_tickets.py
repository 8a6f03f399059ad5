"""The planner's tickets: which of those offered to keep, and whether it pays to draw more."""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE
from branchline.bots.plan_network import (
    QUARTER,
    add_todo,
    begin_plan,
    chain_fits,
    list_tickets,
    look_around,
    measure_chain,
    plan_network,
    tuned,
)
from branchline.bots.routes import NOWHERE, is_joined, search
from branchline.bots.tuning import (
    P_KEEP_EACH,
    P_KEEP_POINT,
    P_TICKETS_BAD,
    P_TICKETS_MORE,
    P_TICKETS_POINT,
)
from branchline.bots.work import PathWork
from branchline.kernel.draft import pack_of
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import KEEP, OFFER, PICK, Board, Position, Work


@kernel
def planner_keep(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Keep the set of offered tickets with which the plan is worth most."""
    look_around(s, b, k, seat)
    best = -(1 << 40)
    chosen = 0
    for kept in range(1, 1 << s.offer_n[seat]):
        if (w.menu[KEEP] >> (kept - 1)) & 1:
            value = value_with(s, b, k, seat, kept)
            if value > best:
                best = value
                chosen = kept
    return 64 * KEEP + chosen - 1


@kernel
def value_with(s: Position, b: Board, k: PathWork, seat: int, kept: int) -> int:
    """What the plan is worth with these of the offered tickets."""
    begin_plan(s, b, k, seat)
    list_tickets(s, b, k, seat)
    value = tuned(k, P_KEEP_EACH) * popcount(kept)
    for i in range(s.offer_n[seat]):
        if (kept >> i) & 1:
            ticket = s.offer[seat * OFFER + i]
            if is_joined(b, k, ticket):
                value += tuned(k, P_KEEP_POINT) * b.ticket_points[ticket]
            else:
                add_todo(b, k, ticket)
    return value + plan_network(s, b, k, seat)


@kernel
def planner_pick(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Take the ticket of the pack with which those held and taken make the best plan (IBE-04)."""
    look_around(s, b, k, seat)
    at = pack_of(s, seat) * OFFER
    best = -(1 << 40)
    code = NO_CHOICE
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            value = value_of_pick(s, b, k, seat, s.pack[at + i])
            if value > best:
                best = value
                code = PICK + i
    return code


@kernel
def value_of_pick(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> int:
    """What the plan is worth with a ticket of the pack; what need not be kept is not missed."""
    begin_plan(s, b, k, seat)
    list_tickets(s, b, k, seat)
    for i in range(s.offer_n[seat]):
        if not is_joined(b, k, s.offer[seat * OFFER + i]):
            add_todo(b, k, s.offer[seat * OFFER + i])
    value = 0
    if is_joined(b, k, ticket):
        value += tuned(k, P_KEEP_POINT) * b.ticket_points[ticket]
    else:
        add_todo(b, k, ticket)
    return value + plan_network(s, b, k, seat)


@kernel
def ticket_prospect(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """What drawing tickets would bring on the average, beside the plan as it stands and without the turn it takes."""
    n = 0
    good = 0
    total = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == 0 and not (b.long_ticket[ticket] and b.deal_long > 0):
            n += 1
            value = value_beside_plan(s, b, k, seat, ticket)
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
    return (first * mean + more * mean * tuned(k, P_TICKETS_MORE) // 64 - bad * tuned(k, P_TICKETS_BAD)) // 64


@kernel
def value_beside_plan(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> int:
    """What one ticket would add to the plan as it stands, 0 if it would not."""
    start = b.ticket_a[ticket]
    value = tuned(k, P_TICKETS_POINT) * b.ticket_points[ticket]
    most = min(NOWHERE - 1, value // QUARTER)
    price = search(b, k, start, b.ticket_b[ticket], most)
    if price == NOWHERE:
        return 0
    measure_chain(b, k, start)
    return max(0, value - QUARTER * price) if chain_fits(s, k, seat) else 0
