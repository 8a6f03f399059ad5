"""Hungry: tickets first. As long as its trains could join more than its tickets ask for, it draws more of them.

It keeps every ticket that its trains can still join, and only when they are spoken for, or time runs short, does it
play as the path bot does, with a full hand of tickets to join at once. The style is one of four published by Silva et
al. (2017), written anew from its description.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE
from branchline.bots.choices import HOPELESS, TICKET_TURNS, adopt_ticket, path_action, ticket_value
from branchline.bots.routes import is_joined, plan_tickets, turns_to_go
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import (
    DRAFT_KEEP,
    HELD,
    KEEP,
    MISC,
    OFFER,
    TICKETS,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import choosing_tickets, fill_menu

HUNGRY_SPARE = 12  # with so many trains beyond the plan there is room for another ticket


@kernel
def hungry_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the hungry bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    if s.phase == TURN and is_hungry(s, b, w, k, seat):
        return TICKETS
    if s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        return keep_many(s, b, w, k, seat)
    return path_action(s, b, w, k, seat)


@kernel
def is_hungry(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """1 if there are tickets to draw, time for them and trains to spare; one it cannot join spoils its appetite."""
    if not (w.menu[MISC] >> TICKETS) & 1 or turns_to_go(s, b) < TICKET_TURNS:
        return 0
    plan_tickets(s, b, k, seat)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat and not is_joined(b, k, ticket):
            return 0
    return 1 if s.trains[seat] - k.spaces >= HUNGRY_SPARE else 0


@kernel
def keep_many(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Keep, the best first, every offered ticket that the trains left can still join, and at least what must be."""
    plan_tickets(s, b, k, seat)
    kept = 0
    while popcount(kept) < s.offer_n[seat]:
        best = -(1 << 20)
        chosen = NO_CHOICE
        for i in range(s.offer_n[seat]):
            if not (kept >> i) & 1:
                value = ticket_value(s, b, k, seat, s.offer[seat * OFFER + i])
                if value > best:
                    best = value
                    chosen = i
        if best <= HOPELESS and kept and (w.menu[KEEP] >> (kept - 1)) & 1:
            break
        kept |= 1 << chosen
        adopt_ticket(s, b, k, seat, s.offer[seat * OFFER + chosen])
    return 64 * KEEP + kept - 1
