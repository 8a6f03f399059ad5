"""Tunnels (EUR-12 .. EUR-17, EUR-21 .. EUR-23). The cards laid down stay counted in the hand until it is settled."""

from __future__ import annotations

from branchline.kernel.claim import range_menu
from branchline.kernel.draw import next_train_card
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    CARDS,
    DECLINE,
    E_DUE,
    E_FAILED,
    E_TUNNEL,
    E_TURNED,
    HAND,
    LOCO,
    NO_CARD,
    Board,
    Position,
    Work,
)


@kernel
def is_tunnel(b: Board, track: int) -> int:
    return (b.tunnels[track // 63] >> (track % 63)) & 1


@kernel
def turn_up(s: Position, b: Board, w: Work, seat: int) -> None:
    """Lay the set down, turn up the cards and count what is due (EUR-12, EUR-15, EUR-16)."""
    length = b.length[s.claim_track]
    tell(w, E_TUNNEL, seat, s.claim_track, s.claim_colour, s.claim_locos)
    s.due = 0
    s.turned_n = 0
    for i in range(b.tunnel_cards):
        card = next_train_card(s, b, w)
        if card == NO_CARD:
            break
        s.turned[i] = card
        s.turned_n += 1
        if card == LOCO or card == s.claim_colour:
            s.due += 1
        tell(w, E_TURNED, card, 0, 0, 0)
    show_cards(s, seat, s.claim_colour, length - s.claim_locos, s.claim_locos)
    tell(w, E_DUE, seat, s.due, 0, 0)


@kernel
def show_cards(s: Position, seat: int, colour: int, cards: int, locos: int) -> None:
    """All have seen these cards laid down (I-02)."""
    at = seat * CARDS
    if colour != LOCO:
        s.seen[at + colour] = max(s.seen[at + colour], cards)
    s.seen[at + LOCO] = max(s.seen[at + LOCO], locos)


@kernel
def tunnel_menu(s: Position, b: Board, seat: int) -> int:
    """Pay the extra cards with some locomotives, or decline (EUR-12, EUR-13, EUR-15)."""
    at = seat * HAND
    locos = s.hand[at + LOCO] - s.claim_locos
    cards = 0
    if s.claim_colour != LOCO:
        cards = s.hand[at + s.claim_colour] - (b.length[s.claim_track] - s.claim_locos)
    return (1 << DECLINE) | range_menu(max(0, s.due - cards), min(s.due, locos))


@kernel
def discard_turned(s: Position) -> None:
    """The turned-up cards are discarded, paid or not (EUR-14)."""
    for i in range(s.turned_n):
        s.discard[s.turned[i]] += 1
        s.turned[i] = 0
    s.turned_n = 0


@kernel
def give_up_tunnel(s: Position, w: Work, seat: int) -> None:
    """Nothing is claimed; the cards laid down are in the hand again (EUR-13)."""
    tell(w, E_FAILED, seat, s.claim_track, 0, 0)
    discard_turned(s)
