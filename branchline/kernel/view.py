"""What a reader may know (I-01 .. I-07): a position with everything else wiped out.

`veil` turns a copy of a position into a view. Two positions that are equal in what the reader may know become
the same bytes. A reader is a seat, or SPECTATOR.
"""

from __future__ import annotations

from branchline.kernel.hooks import is_unfinished, veil_more
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    CARDS,
    HAND,
    HELD,
    HIDDEN,
    OFFER,
    OVER,
    PAY,
    REMOVED,
    RETURNED,
    TURN,
    UNKNOWN,
    Board,
    Position,
)
from branchline.kernel.turn import clear_claim
from branchline.maps.core import MAX_DECK, MAX_TICKETS

SPECTATOR = -1


@kernel
def veil(s: Position, b: Board, reader: int) -> None:
    """Wipe out what the reader may not know."""
    veil_decks(s, reader)
    veil_rest(s, b, reader)


@kernel
def veil_rest(s: Position, b: Board, reader: int) -> None:
    """The same but for the decks, for who does not look at them."""
    s.seed = 0
    s.moves = 0  # it would tell whether a player had a choice of payment
    s.sweeps = 0
    s.fault = 0
    if s.phase == PAY or is_unfinished(s):
        if s.seat != reader:  # it is made when it is complete; until then it can be taken back
            s.phase = TURN
            clear_claim(s)
    veil_more(s, b, reader)
    for t in range(b.n_tickets):
        at = s.ticket_at[t]
        known = at == HELD + reader or at == RETURNED + reader or at == REMOVED + reader
        if reader == SPECTATOR:
            known = False
        if not known and not (s.phase == OVER and HELD <= at < RETURNED):
            s.ticket_at[t] = 0
    for seat in range(s.players):
        if seat != reader:
            veil_seat(s, seat)


@kernel
def veil_decks(s: Position, reader: int) -> None:
    """Of a deck its size is known, and of tickets those the reader put there (I-03)."""
    for i in range(MAX_DECK):
        s.deck[i] = HIDDEN if i < s.deck_n else 0
    for i in range(MAX_TICKETS):
        at = (s.ticket_top + i) % MAX_TICKETS
        if i >= s.ticket_n:
            s.ticket_deck[at] = 0
        elif reader == SPECTATOR or s.ticket_at[s.ticket_deck[at]] != RETURNED + reader:
            s.ticket_deck[at] = HIDDEN


@kernel
def veil_seat(s: Position, seat: int) -> None:
    """Of another player's cards: what everybody has seen, and how many more there are (I-01, I-02, I-04)."""
    if s.phase != OVER:
        hidden = 0
        for c in range(CARDS):
            seen = s.seen[seat * CARDS + c]
            hidden += s.hand[seat * HAND + c] - seen
            s.hand[seat * HAND + c] = seen
        s.hand[seat * HAND + UNKNOWN] += hidden
    for i in range(OFFER):
        s.offer[seat * OFFER + i] = HIDDEN if i < s.offer_n[seat] else 0
    s.kept_n[seat] = 0
    s.ordered_n[seat] = 0
