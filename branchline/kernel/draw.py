"""Train cards: the deck, the display, drawing (C-10 .. C-20) and the terrain cards drawn instead (AFR-05 .. AFR-07)."""

from __future__ import annotations

from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    CARDS,
    DISPLAY,
    DRAFT_CARD,
    DRAW_DECK,
    DRAW_DISPLAY,
    E_DRAFT_CARD,
    E_FESTIVAL,
    E_FILLED,
    E_RESHUFFLED,
    E_SWEPT,
    E_TERRAIN_FILLED,
    E_TERRAIN_RESHUFFLED,
    FESTIVAL,
    LOCO,
    NO_CARD,
    RIGS,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAIN_STREAM,
    TRAIN_STREAM,
    Board,
    Position,
    Work,
)
from branchline.maps.model import MAX_DECK, MAX_TERRAIN_CARDS

MOST_SWEEPS = 10
LEAST_COLOURED = 3


@kernel
def discards(s: Position) -> int:
    """How many train cards are discarded."""
    n = 0
    for c in range(CARDS):
        n += s.discard[c]
    return n


@kernel
def reshuffle(s: Position, b: Board, w: Work) -> int:
    """Make the discards the new deck (C-18); the number of cards, 0 if there are none."""
    n = 0
    deck = s.deck
    for c in range(CARDS):
        for _ in range(s.discard[c]):
            deck[n] = c
            n += 1
        s.discard[c] = 0
    if n == 0:
        return 0
    s.shuffles += 1
    shuffle(deck, n, stream_key(s.seed, TRAIN_STREAM, s.shuffles))
    k = s.shuffles
    if k < RIGS and b.train_rig_n[k] > 0:
        s.fault |= arrange(deck, n, b.train_rig, k * MAX_DECK, k * MAX_DECK + b.train_rig_n[k])
    s.deck_n = n
    tell(w, E_RESHUFFLED, n, 0, 0, 0)
    return n


@kernel
def next_train_card(s: Position, b: Board, w: Work) -> int:
    """The next train card of the deck, or NO_CARD. Festival and second-draft cards pass by (IBE-07, IBE-08)."""
    while s.deck_n > 0 or reshuffle(s, b, w) > 0:
        s.deck_n -= 1
        card = s.deck[s.deck_n]
        if card < CARDS:
            return card
        if card == DRAFT_CARD:
            s.draft_due = 1
            tell(w, E_DRAFT_CARD, 0, 0, 0, 0)
        else:
            s.pool[card - FESTIVAL] += 1
            tell(w, E_FESTIVAL, card - FESTIVAL, 0, 0, 0)
    return NO_CARD


@kernel
def fill_display(s: Position, b: Board, w: Work) -> None:
    """Fill the empty places, the lowest first, as far as the cards go (C-19)."""
    for i in range(b.display):
        if s.display[i] == NO_CARD:
            card = next_train_card(s, b, w)
            if card == NO_CARD:
                return
            s.display[i] = card
            tell(w, E_FILLED, i, card, 0, 0)


@kernel
def coloured_cards_in_play(s: Position, b: Board) -> int:
    """The train cards in display, deck and discards that are not locomotives (C-16)."""
    n = 0
    for c in range(LOCO):
        n += s.discard[c]
    for i in range(b.display):
        if 0 <= s.display[i] < LOCO:
            n += 1
    for i in range(s.deck_n):
        if s.deck[i] < LOCO:
            n += 1
    return n


@kernel
def check_display(s: Position, b: Board, w: Work) -> None:
    """Sweep the display while it shows three locomotives (C-15, C-16)."""
    while True:
        locos = 0
        for i in range(DISPLAY):
            if s.display[i] == LOCO:
                locos += 1
        if locos < b.sweep_at or s.sweeps >= MOST_SWEEPS or coloured_cards_in_play(s, b) < LEAST_COLOURED:
            return
        for i in range(b.display):
            if s.display[i] != NO_CARD:
                s.discard[s.display[i]] += 1
                s.display[i] = NO_CARD
        s.sweeps += 1
        tell(w, E_SWEPT, 0, 0, 0, 0)
        fill_display(s, b, w)


@kernel
def refill_display(s: Position, b: Board, w: Work) -> None:
    """At the end of a turn: fill what is empty, then check (C-16, C-19)."""
    fill_display(s, b, w)
    check_display(s, b, w)


@kernel
def take_from_display(s: Position, b: Board, w: Work, i: int) -> int:
    """Take the card at place i, replace it at once in the same place, and check (C-11, C-15)."""
    card = s.display[i]
    s.display[i] = next_train_card(s, b, w)
    if s.display[i] != NO_CARD:
        tell(w, E_FILLED, i, s.display[i], 0, 0)
    check_display(s, b, w)
    return card


@kernel
def terrain_discards(s: Position, b: Board) -> int:
    n = 0
    for k in range(b.terrains):
        n += s.terrain_discard[k]
    return n


@kernel
def next_terrain_card(s: Position, b: Board, w: Work) -> int:
    """The next terrain card, after a reshuffle if one is needed (AFR-07), or NO_CARD."""
    if s.terrain_n == 0:
        n = 0
        for k in range(b.terrains):
            for _ in range(s.terrain_discard[k]):
                s.terrain_deck[n] = k
                n += 1
            s.terrain_discard[k] = 0
        if n == 0:
            return NO_CARD
        s.terrain_shuffles += 1
        k = s.terrain_shuffles
        shuffle(s.terrain_deck, n, stream_key(s.seed, TERRAIN_STREAM, k))
        if k < RIGS and b.terrain_rig_n[k] > 0:
            at = k * MAX_TERRAIN_CARDS
            s.fault |= arrange(s.terrain_deck, n, b.terrain_rig, at, at + b.terrain_rig_n[k])
        s.terrain_n = n
        tell(w, E_TERRAIN_RESHUFFLED, n, 0, 0, 0)
    s.terrain_n -= 1
    return s.terrain_deck[s.terrain_n]


@kernel
def fill_terrain(s: Position, b: Board, w: Work) -> None:
    """Turn up terrain cards where a place is empty (AFR-04, AFR-07)."""
    for i in range(b.terrain_up):
        if s.terrain_up[i] == NO_CARD:
            card = next_terrain_card(s, b, w)
            if card == NO_CARD:
                return
            s.terrain_up[i] = card
            tell(w, E_TERRAIN_FILLED, i, card, 0, 0)


@kernel
def draw_menu(s: Position, b: Board, second: int) -> int:
    """The draws open to a player, as bits of the menu (C-10 .. C-13, C-19, C-20, AFR-05, AFR-06, AFR-21)."""
    bits = 0
    for i in range(b.display):
        card = s.display[i]
        if card != NO_CARD and (card != LOCO or second == 0):
            bits |= 1 << (DRAW_DISPLAY + i)
    if s.deck_n > 0 or discards(s) > 0:
        bits |= 1 << DRAW_DECK
    if b.terrains > 0:
        for i in range(b.terrain_up):
            if s.terrain_up[i] != NO_CARD:
                bits |= 1 << (TAKE_TERRAIN + i)
        if s.terrain_n > 0 or terrain_discards(s, b) > 0:
            bits |= 1 << TERRAIN_DECK
    return bits
