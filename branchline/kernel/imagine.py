"""Filling in a view: a full position consistent with what a reader knows, all else dealt anew.

The world made is one the reader could be in: the same view, cards conserved, hands and decks of the right size.
How likely opponents are to hold what is for the searcher to weigh.
"""

from __future__ import annotations

from branchline.kernel.chance import below, mix, shuffle, stream_key
from branchline.kernel.hooks import (
    cards_in_sight,
    hidden_tickets_there,
    imagine_cards_put_in,
    imagine_mixed_cards,
    imagine_more,
    imagine_offers,
    imagine_tickets,
    keeps_offered,
    note_tickets,
    offers_lie_elsewhere,
)
from branchline.kernel.numbers import imagined
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import (
    CARDS,
    FIRST_TICKETS,
    HAND,
    HELD,
    HIDDEN,
    IMAGINE_STREAM,
    LOCO,
    OFFER,
    OVER,
    UNKNOWN,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import keep_offered
from branchline.kernel.turn import nth_bit, offered_menu
from branchline.maps.core import MAX_TICKETS

IMAGINED_CARDS, IMAGINED_TICKETS, IMAGINED_CHOICES = imagined("cards"), imagined("tickets"), imagined("choices")


@kernel
def fill_in(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Make a view of `reader` a full position, by the random numbers of `key`."""
    s.seed = mix(key)
    deal_unknown_cards(s, b, w, reader, stream_key(key, IMAGINE_STREAM, IMAGINED_CARDS))
    imagine_more(s, b, w, reader, key)
    deal_unknown_tickets(s, b, w, reader, stream_key(key, IMAGINE_STREAM, IMAGINED_TICKETS))
    imagine_offers(s, reader)
    guess_choices(s, b, reader, stream_key(key, IMAGINE_STREAM, IMAGINED_CHOICES))


# ---------------------------------------------------------------- train cards


@kernel
def unknown_of_card(s: Position, b: Board, card: int) -> int:
    """How many train cards of a kind are neither seen nor in a known hand."""
    n = b.locomotives if card == LOCO else b.cards_per_colour
    n -= s.discard[card]
    for seat in range(s.players):
        n -= s.hand[seat * HAND + card]
    for i in range(b.display):
        if s.display[i] == card:
            n -= 1
    return n - cards_in_sight(s, card)


@kernel
def deal_unknown_cards(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal the unseen train cards into unknown hands, the others into the deck."""
    n = 0
    for card in range(CARDS):
        for _ in range(unknown_of_card(s, b, card)):
            w.cards[n] = card
            n += 1
    shuffle(w.cards, n, key)
    for seat in range(s.players):
        for _ in range(s.hand[seat * HAND + UNKNOWN]):
            n -= 1
            s.hand[seat * HAND + w.cards[n]] += 1
        s.hand[seat * HAND + UNKNOWN] = 0
    n = imagine_mixed_cards(s, b, w, reader, n, key)
    for i in range(n):
        s.deck[i] = w.cards[i]
    imagine_cards_put_in(s, b, n, key)


# ---------------------------------------------------------------- tickets


@kernel
def gather_unknown_tickets(s: Position, b: Board, w: Work, of_long: int, key: int) -> int:
    """Write into w.pool, shuffled, the tickets of a kind whose whereabouts are not known; their number."""
    for t in range(b.n_tickets):
        w.cards[t] = 0
    for i in range(MAX_TICKETS):
        ticket = s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS]
        if i < s.ticket_n and ticket != HIDDEN:
            w.cards[ticket] = 1
    for seat in range(s.players):
        for i in range(s.offer_n[seat]):
            if s.offer[seat * OFFER + i] != HIDDEN:
                w.cards[s.offer[seat * OFFER + i]] = 1
    note_tickets(s, w.cards)
    n = 0
    for t in range(b.n_tickets):
        is_long = 1 if b.long_ticket[t] and b.deal_long > 0 else 0
        if s.ticket_at[t] == 0 and w.cards[t] == 0 and is_long == of_long:
            w.pool[n] = t
            n += 1
    shuffle(w.pool, n, key)
    return n


@kernel
def unknown_held(s: Position, reader: int, seat: int) -> int:
    """How many of a seat's tickets the reader does not know."""
    if seat == reader or s.phase == OVER:
        return 0
    return s.ticket_count[seat]


@kernel
def hidden_tickets(s: Position, reader: int) -> int:
    """How many places for tickets of the ordinary deck are unknown, hands of other players included."""
    n = hidden_tickets_there(s)
    elsewhere = offers_lie_elsewhere(s)
    for i in range(s.ticket_n):
        if s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] == HIDDEN:
            n += 1
    for seat in range(s.players):
        n += unknown_held(s, reader, seat)
        if seat != reader and not elsewhere:
            n += s.offer_n[seat]
    return n


@kernel
def deal_unknown_tickets(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal the unknown tickets to hands, decks and offers; what is left over is out of the game."""
    long_n = gather_unknown_tickets(s, b, w, 1, stream_key(key, IMAGINE_STREAM, 1))
    normal_n = gather_unknown_tickets(s, b, w, 0, stream_key(key, IMAGINE_STREAM, 2))
    short_of = hidden_tickets(s, reader) - normal_n
    for seat in range(s.players):
        if seat == reader:
            continue
        held = unknown_held(s, reader, seat)
        if s.phase == FIRST_TICKETS:
            held = 0
            short_of -= b.deal_long
        if held > 0 and long_n > 0 and b.deal_long > 0 and (short_of > 0 or below(key, seat, 2) == 1):
            long_n -= 1
            short_of -= 1
            held -= 1
            s.ticket_at[some_unknown_long(s, b, key, long_n)] = HELD + seat
        for _ in range(held):
            normal_n -= 1
            s.ticket_at[w.pool[normal_n]] = HELD + seat
    for i in range(s.ticket_n):
        at = (s.ticket_top + i) % MAX_TICKETS
        if s.ticket_deck[at] == HIDDEN:
            normal_n -= 1
            s.ticket_deck[at] = w.pool[normal_n]
    normal_n = imagine_tickets(s, w, normal_n)
    if not offers_lie_elsewhere(s):
        fill_offers(s, b, w, reader, normal_n, key)


@kernel
def some_unknown_long(s: Position, b: Board, key: int, n: int) -> int:
    """Some unknown long ticket: one nobody holds, looked for from a random place on."""
    at = below(key, 100 + n, b.n_tickets)
    while True:
        if b.long_ticket[at] and s.ticket_at[at] == 0 and not is_offered(s, at):
            return at
        at = (at + 1) % b.n_tickets


@kernel
def is_offered(s: Position, ticket: int) -> int:
    """1 if a ticket lies in an offer."""
    for seat in range(s.players):
        for i in range(s.offer_n[seat]):
            if s.offer[seat * OFFER + i] == ticket:
                return 1
    return 0


@kernel
def fill_offers(s: Position, b: Board, w: Work, reader: int, normal_n: int, key: int) -> None:
    """The hidden offers of the others, long tickets first as they were dealt."""
    for seat in range(s.players):
        if seat == reader:
            continue
        for i in range(s.offer_n[seat]):
            if s.phase == FIRST_TICKETS and i < b.deal_long:
                s.offer[seat * OFFER + i] = some_unknown_long(s, b, key, seat)
            else:
                normal_n -= 1
                s.offer[seat * OFFER + i] = w.pool[normal_n]


# ---------------------------------------------------------------- choices made unseen


@kernel
def guess_choices(s: Position, b: Board, reader: int, key: int) -> None:
    """Others who have chosen their tickets unseen have chosen something."""
    if s.phase != FIRST_TICKETS and not keeps_offered(s):
        return
    for seat in range(s.players):
        if seat != reader and not (s.awaited >> seat) & 1:
            menu = offered_menu(s, b, seat)
            keep_offered(s, seat, 1 + nth_bit(menu, below(key, seat, popcount(menu))))
            if s.phase == FIRST_TICKETS and b.unkept_removed == 0:
                s.ordered_n[seat] = max(0, s.offer_n[seat] - s.kept_n[seat] - 1)
