"""Train cards: the deck, the display, drawing (C-10 .. C-20)."""

from __future__ import annotations

from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.hooks import card_came_up, more_draws
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    CARDS,
    DRAW_DECK,
    DRAW_DISPLAY,
    E_FILLED,
    E_RESHUFFLED,
    E_SWEPT,
    LOCO,
    NO_CARD,
    RIGS,
    TRAIN_STREAM,
    Board,
    Position,
    Work,
)
from branchline.maps.core import MAX_DECK

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
    """The next train card of the deck, or NO_CARD. Cards of other kinds pass by."""
    while s.deck_n > 0 or reshuffle(s, b, w) > 0:
        s.deck_n -= 1
        card = s.deck[s.deck_n]
        if card < CARDS:
            return card
        card_came_up(s, b, w, card)
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
        for i in range(b.display):
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
def draw_menu(s: Position, b: Board, second: int) -> int:
    """The draws open to a player, as bits of the menu (C-10 .. C-13, C-19, C-20)."""
    bits = more_draws(s, b)
    for i in range(b.display):
        card = s.display[i]
        if card != NO_CARD and (card != LOCO or second == 0):
            bits |= 1 << (DRAW_DISPLAY + i)
    if s.deck_n > 0 or discards(s) > 0:
        bits |= 1 << DRAW_DECK
    return bits
