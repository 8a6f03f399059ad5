"""Iberia's drafts of tickets (IBE-04 .. IBE-06, IBE-08, IBE-09, IBE-19).

A draft keeps its packs as they were dealt and notes for each ticket at which step it was taken, so that
what a player has seen, passed on and missed can be told at any time.
"""

from __future__ import annotations

from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    DRAFT_KEEP,
    DRAFT_PICK,
    E_DRAFT,
    E_KEPT,
    E_PACKS,
    E_PICKED,
    E_TICKET,
    HELD,
    OFFER,
    PICK,
    TICKET_STREAM,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import clear_offer, ticket_to_bottom, top_ticket
from branchline.maps.model import MAX_TICKETS


@kernel
def pack_of(s: Position, seat: int) -> int:
    """Whose pack a seat holds now: the first draft passes to the next seat, the second to the previous."""
    return pack_at(s, seat, s.draft_step)


@kernel
def pack_at(s: Position, seat: int, step: int) -> int:
    """Whose pack a seat holds at a step, counted from 1."""
    if s.draft == 1:
        return (seat + s.players * OFFER - (step - 1)) % s.players
    return (seat + step - 1) % s.players


@kernel
def begin_draft(s: Position, b: Board, w: Work) -> int:
    """Deal the packs; 0 if there are no tickets for a draft (IBE-09)."""
    s.draft += 1
    s.draft_due = 0
    n = min(b.draft_cards, s.ticket_n // s.players)
    if n == 0:
        return 0
    s.pack_n = n
    s.draft_step = 1
    for seat in range(s.players):
        for i in range(n):
            s.pack[seat * OFFER + i] = top_ticket(s)
            s.taken[seat * OFFER + i] = 0
    s.phase = DRAFT_PICK
    s.awaited = (1 << s.players) - 1
    tell(w, E_DRAFT, s.draft, n, 0, 0)
    if n == 1:
        take_last_cards(s, b, w)
    return 1


@kernel
def pick_menu(s: Position, seat: int) -> int:
    """The tickets left in the pack a seat holds."""
    at = pack_of(s, seat) * OFFER
    bits = 0
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            bits |= 1 << (PICK + i)
    return bits


@kernel
def pick(s: Position, b: Board, w: Work, seat: int, i: int) -> None:
    """Take a ticket; when all have taken one, all packs move at once (IBE-19)."""
    take_from_pack(s, w, seat, i)
    s.awaited &= ~(1 << seat)
    if s.awaited:
        return
    s.draft_step += 1
    s.awaited = (1 << s.players) - 1
    if s.draft_step < s.pack_n:
        tell(w, E_PACKS, s.draft, s.draft_step, 0, 0)
    else:
        take_last_cards(s, b, w)


@kernel
def take_from_pack(s: Position, w: Work, seat: int, i: int) -> None:
    at = pack_of(s, seat) * OFFER + i
    s.taken[at] = s.draft_step
    s.offer[seat * OFFER + s.offer_n[seat]] = s.pack[at]
    s.offer_n[seat] += 1
    tell(w, E_PICKED, seat, s.pack[at], 0, 0)


@kernel
def take_last_cards(s: Position, b: Board, w: Work) -> None:
    """The last card of each pack is taken without asking; then each chooses what to keep (IBE-05, IBE-19)."""
    for seat in range(s.players):
        at = pack_of(s, seat) * OFFER
        for i in range(s.pack_n):
            if s.taken[at + i] == 0:
                take_from_pack(s, w, seat, i)
                break
    s.phase = DRAFT_KEEP
    if s.pack_n <= b.draft_keep:
        for seat in range(s.players):
            s.kept_n[seat] = s.pack_n
        s.awaited = 0


@kernel
def end_draft(s: Position, b: Board, w: Work) -> None:
    """The kept tickets are the players'; the others go back as IBE-05 and IBE-09 say."""
    n = 0
    for seat in range(s.players):
        for i in range(s.offer_n[seat]):
            ticket = s.offer[seat * OFFER + i]
            if i < s.kept_n[seat]:
                s.ticket_at[ticket] = HELD + seat
                s.ticket_count[seat] += 1
                tell(w, E_TICKET, ticket, 0, 0, 0)
            else:
                w.cards[n] = ticket
                n += 1
        tell(w, E_KEPT, seat, s.kept_n[seat], s.offer_n[seat], 0)
        clear_offer(s, seat)
    for i in range(s.players * OFFER):
        s.pack[i] = 0
        s.taken[i] = 0
    s.pack_n = 0
    s.draft_step = 0
    if s.draft == 1:
        while s.ticket_n > 0:
            w.cards[n] = top_ticket(s)
            n += 1
    put_back_shuffled(s, b, w, n)


@kernel
def put_back_shuffled(s: Position, b: Board, w: Work, n: int) -> None:
    """Shuffle the n tickets in w.cards and put them at the bottom; nobody knows their order."""
    s.ticket_shuffles += 1
    k = s.ticket_shuffles
    shuffle(w.cards, n, stream_key(s.seed, TICKET_STREAM, k))
    if k < 3 and b.ticket_rig_n[k] > 0:
        s.fault |= arrange(w.cards, n, b.ticket_rig, k * MAX_TICKETS, k * MAX_TICKETS + b.ticket_rig_n[k])
    for i in range(n - 1, -1, -1):
        ticket_to_bottom(s, w.cards[i], 0)
