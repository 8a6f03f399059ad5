"""What the two gentlest levels have in common: the nearest ticket first, and a weakness for locomotives."""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE
from branchline.bots.routes import NOWHERE, adopt_chain, search, spaces_of_chain
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel
from branchline.kernel.state import DRAW_DISPLAY, HELD, LOCO, MISC, Board, Position, Work


@kernel
def plan_nearest(s: Position, b: Board, k: PathWork, seat: int, most: int) -> None:
    """Plan so many of the tickets held, at prices that stand, always the nearest next; time does not matter."""
    for _ in range(most):
        ticket = nearest_ticket(s, b, k, seat)
        if ticket == NO_CHOICE:
            return
        search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
        adopt_chain(b, k, b.ticket_a[ticket], b.ticket_points[ticket])


@kernel
def nearest_ticket(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """The ticket held that costs least to join beyond the plan, trains sufficing; or NO_CHOICE."""
    least = NOWHERE
    nearest = NO_CHOICE
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            price = search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], least)
            if price == 0 or price >= least:
                continue
            if k.spaces + spaces_of_chain(b, k, b.ticket_a[ticket]) <= s.trains[seat]:
                least = price
                nearest = ticket
    return nearest


@kernel
def seen_locomotive(s: Position, b: Board, w: Work) -> int:
    """The first locomotive of the display that may be taken, or NO_CHOICE."""
    for i in range(b.display):
        if s.display[i] == LOCO and (w.menu[MISC] >> (DRAW_DISPLAY + i)) & 1:
            return DRAW_DISPLAY + i
    return NO_CHOICE
