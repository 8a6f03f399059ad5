"""What a reader may know (I-01 .. I-07): a position with everything else wiped out.

`veil` turns a copy of a position into a view. Two positions that are equal in what the reader may know become
the same bytes. A reader is a seat, or SPECTATOR.
"""

from __future__ import annotations

from branchline.kernel.draft import pack_at
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    CARDS,
    DOUBLE,
    FESTIVAL_CHOICE,
    GROUPS,
    HAND,
    HELD,
    HIDDEN,
    OFFER,
    OVER,
    PAY,
    PAY_STATION,
    REMOVED,
    RETURNED,
    TURN,
    UNKNOWN,
    Board,
    Position,
)
from branchline.kernel.turn import clear_claim
from branchline.maps.model import MAX_DECK, MAX_TERRAIN_CARDS, MAX_TICKETS

SPECTATOR = -1


@kernel
def veil(s: Position, b: Board, reader: int) -> None:
    """Wipe out what the reader may not know."""
    s.seed = 0
    s.moves = 0  # it would tell whether a player had a choice of payment
    s.sweeps = 0
    s.fault = 0
    if s.phase == PAY or s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE or s.phase == PAY_STATION:
        if s.seat != reader:  # a claim is made when it is complete; until then it can be taken back
            s.phase = TURN
            clear_claim(s)
    veil_decks(s, reader)
    veil_packs(s, reader)
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
    for i in range(MAX_TERRAIN_CARDS):
        s.terrain_deck[i] = HIDDEN if i < s.terrain_n else 0
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
        for g in range(GROUPS):
            s.pile[seat * GROUPS + g] = 0
    for i in range(OFFER):
        s.offer[seat * OFFER + i] = HIDDEN if i < s.offer_n[seat] else 0
    s.kept_n[seat] = 0
    s.ordered_n[seat] = 0


@kernel
def first_hold(s: Position, seat: int, pack: int) -> int:
    """The step at which a seat holds a pack for the first time."""
    step = 1
    while pack_at(s, seat, step) != pack:
        step += 1
    return step


@kernel
def last_hold(s: Position, seat: int, pack: int) -> int:
    """The last step up to now at which a seat held a pack, or 0."""
    step = first_hold(s, seat, pack)
    if step > s.draft_step:
        return 0
    return step + (s.draft_step - step) // s.players * s.players


@kernel
def veil_packs(s: Position, reader: int) -> None:
    """Of the packs of a draft: what the reader held, and what was gone when it came round again (IBE-06).

    A ticket that others took between two sights of a pack is marked with the step after the earlier sight; one
    never seen is HIDDEN; one taken since the last sight still counts as there.
    """
    for pack in range(s.players if s.pack_n > 0 else 0):
        last = 0 if reader == SPECTATOR else last_hold(s, reader, pack)
        first = 0 if last == 0 else first_hold(s, reader, pack)
        for i in range(pack * OFFER, pack * OFFER + s.pack_n):
            step = s.taken[i]
            if last == 0:
                s.pack[i] = HIDDEN
                s.taken[i] = 0
            elif step > 0 and step < first:
                s.pack[i] = HIDDEN
                s.taken[i] = 1
            elif step > last:
                s.taken[i] = 0
            elif step > 0 and (step - first) % s.players != 0:
                s.taken[i] = step - (step - first) % s.players + 1
