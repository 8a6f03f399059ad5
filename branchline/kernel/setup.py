"""Set-up: shuffle, deal, turn up (C-03 .. C-07, EUR-01, EUR-02, IBE-03, AFR-02)."""

from __future__ import annotations

from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.draw import next_train_card, refill_display
from branchline.kernel.hooks import add_mixed_cards, deal_more, deal_tickets, mixes_cards_in, put_cards_in
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    CARDS,
    DISPLAY,
    FIRST_TICKETS,
    HAND,
    LOCO,
    LONG_STREAM,
    MIXED_STREAM,
    NO_CARD,
    OFFER,
    TICKET_STREAM,
    TRAIN_STREAM,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import offer_tickets


@kernel
def set_up(s: Position, b: Board, w: Work, players: int, seed: int) -> None:
    """Deal a new game into a position that is all zero."""
    w.event_n = 0
    s.players = players
    s.seed = seed
    s.claim_track = -1
    for seat in range(players):
        s.trains[seat] = b.trains
    deal_train_cards(s, b, w)
    if mixes_cards_in(b):
        mix_cards_in(s, b)
    deal_more(s, b, w)
    make_ticket_deck(s, b, w)
    if not deal_tickets(s, b, w):
        deal_first_tickets(s, b, w)


@kernel
def deal_train_cards(s: Position, b: Board, w: Work) -> None:
    """Shuffle the train cards, deal them seat by seat, turn up the display and check it (C-04, C-05)."""
    n = 0
    for c in range(CARDS):
        for _ in range(b.locomotives if c == LOCO else b.cards_per_colour):
            s.deck[n] = c
            n += 1
    shuffle(s.deck, n, stream_key(s.seed, TRAIN_STREAM, 0))
    s.deck_n = n
    s.fault |= arrange(s.deck, n, b.train_rig, 0, rigged_train_cards(b))
    for seat in range(s.players):
        for _ in range(b.first_hand):
            s.hand[seat * HAND + next_train_card(s, b, w)] += 1
    for i in range(DISPLAY):
        s.display[i] = NO_CARD
    refill_display(s, b, w)


@kernel
def rigged_train_cards(b: Board) -> int:
    """How many cards of the rigged deck come before the first that is no train card."""
    n = 0
    while n < b.train_rig_n[0] and b.train_rig[n] < CARDS:
        n += 1
    return n


@kernel
def mix_cards_in(s: Position, b: Board) -> None:
    """Mix cards of other kinds into the deck, after the first deal (IBE-03)."""
    dealt = b.cards_per_colour * LOCO + b.locomotives - s.deck_n
    n = add_mixed_cards(s, b, s.deck_n)
    shuffle(s.deck, n, stream_key(s.seed, MIXED_STREAM, 0))
    s.mixed_n = n
    n = put_cards_in(s, b, n)
    s.deck_n = n
    if b.train_rig_n[0] > 0:
        rigged = rigged_train_cards(b)
        if rigged < b.train_rig_n[0] and rigged < dealt:
            s.fault = 1  # a card of another kind among those of the first deal
        elif dealt < b.train_rig_n[0]:
            s.fault |= arrange(s.deck, n, b.train_rig, dealt, b.train_rig_n[0])


@kernel
def make_ticket_deck(s: Position, b: Board, w: Work) -> None:
    """Shuffle the tickets; long ones are a deck of their own (EUR-01) and lie in w.pool until they are dealt."""
    n = 0
    long_n = 0
    for t in range(b.n_tickets):
        if b.long_ticket[t] and b.deal_long > 0:
            w.pool[long_n] = t
            long_n += 1
        else:
            w.cards[n] = t
            n += 1
    shuffle(w.cards, n, stream_key(s.seed, TICKET_STREAM, 0))
    s.fault |= arrange(w.cards, n, b.ticket_rig, 0, b.ticket_rig_n[0])
    shuffle(w.pool, long_n, stream_key(s.seed, LONG_STREAM, 0))
    s.fault |= arrange(w.pool, long_n, b.long_rig, 0, b.long_rig_n)
    for i in range(n):
        s.ticket_deck[i] = w.cards[n - 1 - i]
    s.ticket_top = 0
    s.ticket_n = n
    at = long_n
    for seat in range(s.players):
        for i in range(b.deal_long):
            at -= 1
            s.offer[seat * OFFER + i] = w.pool[at]
            s.offer_n[seat] += 1


@kernel
def deal_first_tickets(s: Position, b: Board, w: Work) -> None:
    """Each player's first tickets; all choose at the same time (C-07)."""
    for seat in range(s.players):
        offer_tickets(s, w, seat, b.deal_normal)
    s.phase = FIRST_TICKETS
    s.awaited = (1 << s.players) - 1
