"""Tunnels (EUR-12 .. EUR-17, EUR-21 .. EUR-23). The cards laid down stay counted in the hand until it is settled."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.claim import range_menu
from branchline.kernel.draw import next_train_card
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import BITS, CARDS, HAND, LOCO, NO_CARD, VAIN_TURN, Work
from branchline.kernel.turn import close_claim, end_turn
from branchline.mechanics.tunnels.map import MapData
from branchline.mechanics.tunnels.state import DECLINE, E_DUE, E_FAILED, E_TUNNEL, E_TURNED, TUNNEL, Board, Position

SAYS = {hooks.forget_claim: "s.due = 0"}


@at(hooks.make_tables, ALWAYS)
def tunnel_tables(b: Board, data: MapData) -> None:
    b.tunnel_cards = data.tunnel_cards
    for t, track in enumerate(data.tracks):
        if track.tunnel:
            b.tunnels[t // BITS] |= 1 << (t % BITS)


@kernel
def is_tunnel(b: Board, track: int) -> int:
    return (b.tunnels[track // BITS] >> (track % BITS)) & 1


@at(hooks.question_of_claim, "s.phase == TUNNEL")
@kernel
def enter_tunnel(s: Position, b: Board, w: Work, seat: int) -> int:
    """If the track is a tunnel, turn up the cards; ask for the extra cards if any are due (EUR-17)."""
    if not is_tunnel(b, s.claim_track):
        return 0
    turn_up(s, b, w, seat)
    if s.due > 0:
        s.phase = TUNNEL
    else:
        close_claim(s, b, w, seat, 0, 0)
    return 1


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


@at(hooks.phase_choices, "s.phase == TUNNEL")
@kernel
def tunnel_menu(s: Position, b: Board, seat: int) -> int:
    """Pay the extra cards with some locomotives, or decline (EUR-12, EUR-13, EUR-15)."""
    at = seat * HAND
    locos = s.hand[at + LOCO] - s.claim_locos
    cards = 0
    if s.claim_colour != LOCO:
        cards = s.hand[at + s.claim_colour] - (b.length[s.claim_track] - s.claim_locos)
    return (1 << DECLINE) | range_menu(max(0, s.due - cards), min(s.due, locos))


@at(hooks.locos_chosen, "s.phase == TUNNEL")
@kernel
def pay_extra(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """The extra cards are paid, with so many locomotives among them."""
    close_claim(s, b, w, seat, s.due - locos, locos)


@at(hooks.after_claim)
@kernel
def discard_turned(s: Position) -> None:
    """The turned-up cards are discarded, paid or not (EUR-14)."""
    for i in range(s.turned_n):
        s.discard[s.turned[i]] += 1
        s.turned[i] = 0
    s.turned_n = 0


@at(hooks.choice_made, "bit == DECLINE")
@kernel
def give_up_tunnel(s: Position, b: Board, w: Work, seat: int) -> None:
    """Nothing is claimed; the cards laid down are in the hand again (EUR-13)."""
    tell(w, E_FAILED, seat, s.claim_track, 0, 0)
    discard_turned(s)
    end_turn(s, b, w, VAIN_TURN)


@at(hooks.cards_in_sight, ALWAYS)
@kernel
def turned_cards(s: Position, card: int) -> int:
    """How many of the cards turned up are of a kind."""
    n = 0
    for i in range(s.turned_n):
        if s.turned[i] == card:
            n += 1
    return n
