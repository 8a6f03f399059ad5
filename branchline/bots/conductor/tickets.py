"""The conductor's tickets: what each adds to its plan, and which of those offered to keep."""

from __future__ import annotations

from branchline.bots.blocks.chains import adopt_chain
from branchline.bots.blocks.codes import keep_code, may_choose, may_keep
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.network import plan_tickets, spaces_of_chain
from branchline.bots.kernel import (
    DRAFT_KEEP,
    OFFER,
    TICKETS,
    Board,
    Position,
    Work,
    kernel,
    popcount,
)
from branchline.graph.chains import NOWHERE, find_chain

TICKET_TURNS = 8  # new tickets need so many turns, and so many trains
TICKET_TRAINS = 10
TICKET_POINT = 4  # a price a ticket point is worth
SPARE_TRAINS = 4
HOPELESS = -10_000  # the value of tickets that cannot be joined lies below
BEYOND_PRICE = 1 << 20  # no ticket is worth as much


@kernel
def wants_tickets(s: Position, w: Work, seat: int, turns: int) -> int:
    """1 if there are tickets to draw, and time and trains enough for them."""
    return 1 if may_choose(w, TICKETS) and turns >= TICKET_TURNS and s.trains[seat] >= TICKET_TRAINS else 0


@kernel
def ticket_value(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> int:
    """What a ticket adds to the plan, less the price of its chain, which can be adopted then; or below HOPELESS."""
    points = b.ticket_points[ticket]
    price = find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
    if price == NOWHERE:
        return HOPELESS - points
    spaces = plan.spaces + spaces_of_chain(b, plan, b.ticket_a[ticket])
    if spaces > s.trains[seat]:
        return HOPELESS - points
    value = TICKET_POINT * points - price
    if spaces > s.trains[seat] - SPARE_TRAINS:
        value -= TICKET_POINT * points
    return value


@kernel
def adopt_ticket(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> None:
    """Take an offered ticket into the plan as if it were held."""
    if ticket_value(s, b, plan, seat, ticket) > HOPELESS:
        adopt_chain(b, plan, b.ticket_points[ticket])


@kernel
def choose_tickets(s: Position, b: Board, w: Work, plan: Plan, seat: int, least: int) -> int:
    """Keep, one after the other, the offered ticket that adds most to the plan, while it adds `least` or has to be."""
    plan_tickets(s, b, plan, seat)
    kept = 0
    while popcount(kept) < s.offer_n[seat]:
        best = -BEYOND_PRICE
        chosen = 0
        for i in range(s.offer_n[seat]):
            if not (kept >> i) & 1:
                value = ticket_value(s, b, plan, seat, s.offer[seat * OFFER + i])
                if value > best:
                    best = value
                    chosen = i
        if may_keep(w, kept) and (best < least or s.phase == DRAFT_KEEP):
            break
        kept |= 1 << chosen
        adopt_ticket(s, b, plan, seat, s.offer[seat * OFFER + chosen])
    return keep_code(kept)
