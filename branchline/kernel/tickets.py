"""Tickets: the deck, offers, keeping and returning (C-06, C-28 .. C-31, EUR-01 .. EUR-03, AFR-02).

An offer lies in `offer`, six slots a seat. Choosing what to keep moves the kept ones to the front; the
others follow in the order in which they go back, of which `ordered_n` are settled.
"""

from __future__ import annotations

from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.report import tell
from branchline.kernel.state import (
    E_KEPT,
    E_TICKET,
    E_TICKETS,
    FIRST_TICKETS,
    HELD,
    OFFER,
    REMOVED,
    RETURN,
    RETURNED,
    Board,
    Position,
    Work,
)
from branchline.maps.core import MAX_TICKETS


@kernel
def top_ticket(s: Position) -> int:
    """Take the top ticket off the deck."""
    ticket = s.ticket_deck[s.ticket_top]
    s.ticket_at[ticket] = 0
    s.ticket_top = (s.ticket_top + 1) % MAX_TICKETS
    s.ticket_n -= 1
    return ticket


@kernel
def ticket_to_bottom(s: Position, ticket: int, mark: int) -> None:
    """Put a ticket at the bottom; `mark` says who knows it to be there (I-03), 0 for nobody."""
    s.ticket_deck[(s.ticket_top + s.ticket_n) % MAX_TICKETS] = ticket
    s.ticket_n += 1
    s.ticket_at[ticket] = mark


@kernel
def offer_tickets(s: Position, w: Work, seat: int, n: int) -> None:
    """Deal n tickets from the deck to a seat, to choose from."""
    at = seat * OFFER + s.offer_n[seat]
    for i in range(n):
        s.offer[at + i] = top_ticket(s)
        tell(w, E_TICKET, s.offer[at + i], 0, 0, 0)
    s.offer_n[seat] += n
    s.kept_n[seat] = 0
    s.ordered_n[seat] = 0


@kernel
def draw_tickets(s: Position, b: Board, w: Work, seat: int) -> None:
    """The action of drawing tickets: as many as there are, up to the map's number (C-28, AFR-02)."""
    s.offer_n[seat] = 0
    offer_tickets(s, w, seat, min(b.ticket_draw, s.ticket_n))
    tell(w, E_TICKETS, seat, s.offer_n[seat], 0, 0)


@kernel
def keep_menu(n: int, least: int, most: int) -> int:
    """Every set of n offered tickets of allowed size; the bit of a set is the set less 1."""
    bits = 0
    for kept in range(1, 1 << n):
        if least <= popcount(kept) <= most:
            bits |= 1 << (kept - 1)
    return bits


@kernel
def return_menu(s: Position, seat: int) -> int:
    """The tickets of which one goes back next."""
    bits = 0
    for i in range(s.kept_n[seat] + s.ordered_n[seat], s.offer_n[seat]):
        bits |= 1 << (RETURN + i)
    return bits


@kernel
def keep_offered(s: Position, seat: int, kept: int) -> None:
    """Put the kept tickets (bits of their places in the offer) in front; the order of the rest is not changed."""
    at = seat * OFFER
    n = 0
    for i in range(s.offer_n[seat]):
        if (kept >> i) & 1:
            ticket = s.offer[at + i]
            for j in range(i, n, -1):
                s.offer[at + j] = s.offer[at + j - 1]
            s.offer[at + n] = ticket
            n += 1
    s.kept_n[seat] = n


@kernel
def return_next(s: Position, seat: int, i: int) -> None:
    """The ticket at place i of the offer is the next to go back."""
    at = seat * OFFER
    first = s.kept_n[seat] + s.ordered_n[seat]
    ticket = s.offer[at + i]
    for j in range(i, first, -1):
        s.offer[at + j] = s.offer[at + j - 1]
    s.offer[at + first] = ticket
    s.ordered_n[seat] += 1


@kernel
def order_is_open(s: Position, b: Board, seat: int) -> int:
    """1 while the player has to name the order of what goes back: two or more left, and it matters."""
    if s.phase == FIRST_TICKETS and b.unkept_removed:
        return 0
    return 1 if s.offer_n[seat] - s.kept_n[seat] - s.ordered_n[seat] > 1 else 0


@kernel
def take_offer(s: Position, b: Board, w: Work, seat: int) -> None:
    """The kept tickets are the player's; the others go under the deck or out of the game (C-06, C-28, EUR-02)."""
    at = seat * OFFER
    removed = s.phase == FIRST_TICKETS and b.unkept_removed != 0
    for i in range(s.offer_n[seat]):
        ticket = s.offer[at + i]
        if i < s.kept_n[seat]:
            s.ticket_at[ticket] = HELD + seat
            s.ticket_count[seat] += 1
            tell(w, E_TICKET, ticket, 0, 0, 0)
        elif removed:
            s.ticket_at[ticket] = REMOVED + seat
        else:
            ticket_to_bottom(s, ticket, RETURNED + seat)
    tell(w, E_KEPT, seat, s.kept_n[seat], s.offer_n[seat], 0)
    clear_offer(s, seat)


@kernel
def clear_offer(s: Position, seat: int) -> None:
    for i in range(OFFER):
        s.offer[seat * OFFER + i] = 0
    s.offer_n[seat] = 0
    s.kept_n[seat] = 0
    s.ordered_n[seat] = 0
