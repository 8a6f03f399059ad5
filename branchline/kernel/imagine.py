"""Filling in a view: a full position consistent with what a reader knows, all else dealt anew.

The world made is one the reader could be in: the same view, cards conserved, hands and decks of the right size.
How likely opponents are to hold what is for the searcher to weigh.
"""

from __future__ import annotations

from branchline.kernel.chance import below, mix, shuffle, stream_key
from branchline.kernel.draft import pack_at
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import (
    CARDS,
    DRAFT_CARD,
    DRAFT_KEEP,
    FESTIVAL,
    FIRST_TICKETS,
    GROUPS,
    HAND,
    HELD,
    HIDDEN,
    IMAGINE_STREAM,
    LOCO,
    OFFER,
    OVER,
    TERRAINS,
    UNKNOWN,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import keep_offered
from branchline.kernel.turn import nth_bit, offered_menu
from branchline.kernel.view import first_hold, last_hold
from branchline.maps.model import MAX_TICKETS


@kernel
def fill_in(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Make a view of `reader` a full position, by the random numbers of `key`."""
    s.seed = mix(key)
    deal_unknown_cards(s, b, w, reader, stream_key(key, IMAGINE_STREAM, 1))
    deal_unknown_terrain(s, b, stream_key(key, IMAGINE_STREAM, 2))
    if s.pack_n > 0:
        guess_packs(s, w, reader, stream_key(key, IMAGINE_STREAM, 3))
    deal_unknown_tickets(s, b, w, reader, stream_key(key, IMAGINE_STREAM, 4))
    if s.pack_n > 0:
        fill_offers_from_packs(s, reader)
    guess_choices(s, b, reader, stream_key(key, IMAGINE_STREAM, 5))


# ---------------------------------------------------------------- train, festival and terrain cards


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
    for i in range(s.turned_n):
        if s.turned[i] == card:
            n -= 1
    return n


@kernel
def deal_unknown_cards(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal the unseen train cards into unknown hands, the others and the unseen festival cards into the deck."""
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
    if b.groups > 0:
        n = add_unknown_festivals(s, b, w, reader, n, stream_key(key, IMAGINE_STREAM, 1))
        shuffle(w.cards, n, stream_key(key, IMAGINE_STREAM, 2))
    for i in range(n):
        s.deck[i] = w.cards[i]
    if s.deck_n > n:
        insert_draft_card(s, b, n, stream_key(key, IMAGINE_STREAM, 3))


@kernel
def add_unknown_festivals(s: Position, b: Board, w: Work, reader: int, n: int, key: int) -> int:
    """Deal unseen festival cards into the other players' piles; the rest joins the n deck cards in w.cards."""
    unseen = 0
    for g in range(b.groups):
        left = b.group_cards[g] - s.pool[g]
        for seat in range(s.players):
            left -= s.pile[seat * GROUPS + g]
        for _ in range(left):
            w.pool[unseen] = g
            unseen += 1
    shuffle(w.pool, unseen, key)
    for seat in range(s.players):
        if seat != reader and s.phase != OVER:
            for _ in range(s.pile_n[seat]):
                unseen -= 1
                s.pile[seat * GROUPS + w.pool[unseen]] += 1
    for i in range(unseen):
        w.cards[n] = FESTIVAL + w.pool[i]
        n += 1
    return n


@kernel
def insert_draft_card(s: Position, b: Board, n: int, key: int) -> None:
    """Put the second-draft card where the set-up may have put it, as far as it has not come up yet (IBE-03)."""
    base = s.mixed_n * b.depth_num[s.players] // b.depth_den[s.players]
    drawn = s.mixed_n - n
    least = max(0, min(n, base - b.depth_jitter - drawn))
    most = max(0, min(n, base + b.depth_jitter - drawn))
    above = least + below(key, 0, most - least + 1)
    for i in range(n, n - above, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[n - above] = DRAFT_CARD


@kernel
def deal_unknown_terrain(s: Position, b: Board, key: int) -> None:
    """The terrain deck holds what lies nowhere in sight."""
    n = 0
    for k in range(b.terrains):
        left = b.terrain_cards[k] - s.terrain_discard[k]
        for seat in range(s.players):
            left -= s.terrain[seat * TERRAINS + k]
        for i in range(b.terrain_up):
            if s.terrain_up[i] == k:
                left -= 1
        for _ in range(left):
            s.terrain_deck[n] = k
            n += 1
    shuffle(s.terrain_deck, n, key)


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
        for i in range(s.pack_n):
            if s.pack[seat * OFFER + i] != HIDDEN:
                w.cards[s.pack[seat * OFFER + i]] = 1
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
    n = 0
    for i in range(s.ticket_n):
        if s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] == HIDDEN:
            n += 1
    for seat in range(s.players):
        n += unknown_held(s, reader, seat)
        for i in range(s.pack_n):
            if s.pack[seat * OFFER + i] == HIDDEN:
                n += 1
        if s.pack_n == 0 and seat != reader:
            n += s.offer_n[seat]
    return n


@kernel
def deal_unknown_tickets(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal the unknown tickets to decks, packs, offers and hands; what is left over is out of the game."""
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
    fill_packs_and_offers(s, b, w, reader, normal_n, key)


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
def fill_packs_and_offers(s: Position, b: Board, w: Work, reader: int, normal_n: int, key: int) -> None:
    """Hidden cards of packs, and of other players' offers, long ones first as they were dealt."""
    for seat in range(s.players):
        for i in range(s.pack_n):
            if s.pack[seat * OFFER + i] == HIDDEN:
                normal_n -= 1
                s.pack[seat * OFFER + i] = w.pool[normal_n]
        if s.pack_n == 0 and seat != reader:
            for i in range(s.offer_n[seat]):
                if s.phase == FIRST_TICKETS and i < b.deal_long:
                    s.offer[seat * OFFER + i] = some_unknown_long(s, b, key, seat)
                else:
                    normal_n -= 1
                    s.offer[seat * OFFER + i] = w.pool[normal_n]


# ---------------------------------------------------------------- drafts and choices made unseen


@kernel
def takes_of_pack(s: Position, pack: int) -> int:
    """How many cards have been taken from a pack."""
    if s.phase == DRAFT_KEEP:
        return s.pack_n
    n = s.draft_step - 1
    for seat in range(s.players):
        if pack_at(s, seat, s.draft_step) == pack and not (s.awaited >> seat) & 1:
            n += 1
    return n


@kernel
def guess_packs(s: Position, w: Work, reader: int, key: int) -> None:
    """Say for every pack which card went at which step, in line with what the reader saw of it."""
    for pack in range(s.players):
        at = pack * OFFER
        first = 0
        last = 0
        if reader >= 0:
            last = last_hold(s, reader, pack)
            first = first_hold(s, reader, pack)
        for i in range(s.pack_n):
            w.cards[i] = 0  # 1 once its step is settled
            if s.taken[at + i] > 0 and last > 0 and s.taken[at + i] >= first:
                if (s.taken[at + i] - first) % s.players == 0:
                    w.cards[i] = 1
        for step in range(1, takes_of_pack(s, pack) + 1):
            if last > 0 and first <= step <= last and (step - first) % s.players == 0:
                if step_is_settled(s, w, at, step):
                    continue
            mark = sight_mark(s, first, last, step)
            guess_take(s, w, at, mark, step, stream_key(key, pack, step))


@kernel
def step_is_settled(s: Position, w: Work, at: int, step: int) -> int:
    """1 if the card taken at this step is known, for the reader took it."""
    for i in range(s.pack_n):
        if w.cards[i] == 1 and s.taken[at + i] == step:
            return 1
    return 0


@kernel
def sight_mark(s: Position, first: int, last: int, step: int) -> int:
    """How a view marks a card taken at this step: see veil_packs."""
    if last == 0 or step > last:
        return 0
    if step < first:
        return 1
    return step - (step - first) % s.players + 1


@kernel
def guess_take(s: Position, w: Work, at: int, mark: int, step: int, key: int) -> None:
    """One of the cards with this mark, none settled yet, went at this step."""
    n = 0
    for i in range(s.pack_n):
        if w.cards[i] == 0 and s.taken[at + i] == mark:
            n += 1
    if n == 0:
        return
    k = below(key, 0, n)
    for i in range(s.pack_n):
        if w.cards[i] == 0 and s.taken[at + i] == mark:
            if k == 0:
                s.taken[at + i] = step
                w.cards[i] = 1
                return
            k -= 1


@kernel
def fill_offers_from_packs(s: Position, reader: int) -> None:
    """What the others have taken so far, in the order in which they took it."""
    for seat in range(s.players):
        if seat == reader:
            continue
        for k in range(s.offer_n[seat]):
            pack = pack_at(s, seat, k + 1)
            for i in range(s.pack_n):
                if s.taken[pack * OFFER + i] == k + 1:
                    s.offer[seat * OFFER + k] = s.pack[pack * OFFER + i]


@kernel
def guess_choices(s: Position, b: Board, reader: int, key: int) -> None:
    """Others who have chosen their tickets unseen have chosen something."""
    if s.phase != FIRST_TICKETS and s.phase != DRAFT_KEEP:
        return
    for seat in range(s.players):
        if seat != reader and not (s.awaited >> seat) & 1:
            menu = offered_menu(s, b, seat)
            keep_offered(s, seat, 1 + nth_bit(menu, below(key, seat, popcount(menu))))
            if s.phase == FIRST_TICKETS and b.unkept_removed == 0:
                s.ordered_n[seat] = max(0, s.offer_n[seat] - s.kept_n[seat] - 1)
