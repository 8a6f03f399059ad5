"""Set-up: shuffle, deal, turn up (C-03 .. C-07, EUR-01, EUR-02, IBE-03, IBE-04, AFR-02, AFR-04)."""

from __future__ import annotations

from branchline.kernel.chance import arrange, below, shuffle, stream_key
from branchline.kernel.draft import begin_draft
from branchline.kernel.draw import fill_terrain, next_terrain_card, next_train_card, refill_display
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    CARDS,
    DEPTH_STREAM,
    DISPLAY,
    DRAFT_CARD,
    FESTIVAL,
    FESTIVAL_STREAM,
    FIRST_TICKETS,
    HAND,
    LOCO,
    LONG_STREAM,
    NO_CARD,
    OFFER,
    TERRAIN_STREAM,
    TERRAIN_UP,
    TERRAINS,
    TICKET_STREAM,
    TRAIN_STREAM,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import offer_tickets
from branchline.kernel.turn import close_draft


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
    if b.groups > 0 or b.draft_cards > 0:
        mix_festivals_in(s, b)
    if b.terrains > 0:
        deal_terrain(s, b, w)
    make_ticket_deck(s, b, w)
    if b.draft_cards > 0:
        begin_draft(s, b, w)
        if s.awaited == 0:
            close_draft(s, b, w)
    else:
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
    """How many cards of the rigged deck come before its first festival card."""
    n = 0
    while n < b.train_rig_n[0] and b.train_rig[n] < CARDS:
        n += 1
    return n


@kernel
def mix_festivals_in(s: Position, b: Board) -> None:
    """Shuffle the festival cards into the deck and put the second-draft card at its depth (IBE-03)."""
    n = s.deck_n
    dealt = b.cards_per_colour * LOCO + b.locomotives - n
    for g in range(b.groups):
        for _ in range(b.group_cards[g]):
            s.deck[n] = FESTIVAL + g
            n += 1
    shuffle(s.deck, n, stream_key(s.seed, FESTIVAL_STREAM, 0))
    s.mixed_n = n
    if b.draft_cards > 0:
        above = second_draft_depth(s, b, n)
        for i in range(n, n - above, -1):
            s.deck[i] = s.deck[i - 1]
        s.deck[n - above] = DRAFT_CARD
        n += 1
    s.deck_n = n
    if b.train_rig_n[0] > 0:
        rigged = rigged_train_cards(b)
        if rigged < b.train_rig_n[0] and rigged < dealt:
            s.fault = 1  # a festival card among the cards of the first deal
        elif dealt < b.train_rig_n[0]:
            s.fault |= arrange(s.deck, n, b.train_rig, dealt, b.train_rig_n[0])


@kernel
def second_draft_depth(s: Position, b: Board, n: int) -> int:
    """How many of the n other cards lie above the second-draft card (IBE-03)."""
    jitter = b.depth_jitter
    above = n * b.depth_num[s.players] // b.depth_den[s.players]
    above += below(stream_key(s.seed, DEPTH_STREAM, 0), 0, 2 * jitter + 1) - jitter
    return max(0, min(n, above))


@kernel
def deal_terrain(s: Position, b: Board, w: Work) -> None:
    """Shuffle the terrain cards, deal, turn up (AFR-04)."""
    n = 0
    for k in range(b.terrains):
        for _ in range(b.terrain_cards[k]):
            s.terrain_deck[n] = k
            n += 1
    shuffle(s.terrain_deck, n, stream_key(s.seed, TERRAIN_STREAM, 0))
    s.fault |= arrange(s.terrain_deck, n, b.terrain_rig, 0, b.terrain_rig_n[0])
    s.terrain_n = n
    for seat in range(s.players):
        for _ in range(b.terrain_deal):
            s.terrain[seat * TERRAINS + next_terrain_card(s, b, w)] += 1
    for i in range(TERRAIN_UP):
        s.terrain_up[i] = NO_CARD
    fill_terrain(s, b, w)


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
