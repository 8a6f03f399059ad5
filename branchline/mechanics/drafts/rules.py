"""Drafts of tickets (IBE-03 .. IBE-06, IBE-08 .. IBE-10, IBE-19).

A draft keeps its packs as they were dealt and notes for each ticket at which step it was taken, so that
what a player has seen, passed on and missed can be told at any time.
"""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.chance import arrange, below, shuffle, stream_key
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import E_KEPT, E_TICKET, HELD, HIDDEN, IMAGINE_STREAM, OFFER, TICKET_STREAM, Work
from branchline.kernel.tickets import clear_offer, keep_menu, ticket_to_bottom, top_ticket
from branchline.kernel.turn import begin_turn
from branchline.kernel.view import SPECTATOR
from branchline.maps.core import MAX_TICKETS, MapData
from branchline.mechanics.drafts.map import TicketDraft
from branchline.mechanics.drafts.state import (
    DEPTH_STREAM,
    DRAFT_CARD,
    DRAFT_KEEP,
    DRAFT_PICK,
    E_DRAFT,
    E_DRAFT_CARD,
    E_PACKS,
    E_PICKED,
    IMAGINED_PACKS,
    PICK,
    Board,
    Position,
)

SAYS = {
    hooks.mixes_cards_in: "b.draft_cards > 0",
    hooks.tickets_closed: "b.draft_cards > 0 and s.draft < 2",  # until the second draft (IBE-10)
    hooks.keeps_offered: "s.phase == DRAFT_KEEP",
    hooks.offers_lie_elsewhere: "s.pack_n > 0",
}


@at(hooks.make_tables, ALWAYS)
def draft_tables(b: Board, data: MapData) -> None:
    first = data.first_tickets
    if not isinstance(first, TicketDraft):
        return
    b.draft_cards, b.draft_keep, b.depth_jitter = first.cards, first.keep_exactly, first.second_jitter
    for players, depth in first.second_depth:
        b.depth_num[players], b.depth_den[players] = depth.numerator, depth.denominator


# ---------------------------------------------------------------- when there is one


@at(hooks.put_cards_in)
@kernel
def put_draft_card_in(s: Position, b: Board, n: int) -> int:
    """The second-draft card lies at its depth among the n other cards (IBE-03)."""
    above = second_draft_depth(s, b, n)
    for i in range(n, n - above, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[n - above] = DRAFT_CARD
    return n + 1


@kernel
def second_draft_depth(s: Position, b: Board, n: int) -> int:
    """How many of the n other cards lie above the second-draft card (IBE-03)."""
    jitter = b.depth_jitter
    above = n * b.depth_num[s.players] // b.depth_den[s.players]
    above += below(stream_key(s.seed, DEPTH_STREAM, 0), 0, 2 * jitter + 1) - jitter
    return max(0, min(n, above))


@at(hooks.card_came_up, "card == DRAFT_CARD")
@kernel
def draft_card_came_up(s: Position, w: Work) -> None:
    """The second draft follows this turn (IBE-08)."""
    s.draft_due = 1
    tell(w, E_DRAFT_CARD, 0, 0, 0, 0)


@at(hooks.deal_tickets)
@kernel
def first_draft(s: Position, b: Board, w: Work) -> int:
    """The first tickets are drafted (IBE-04)."""
    begin_draft(s, b, w)
    if s.awaited == 0:
        close_draft(s, b, w)
    return 1


@at(hooks.between_turns)
@kernel
def second_draft(s: Position, b: Board, w: Work) -> int:
    """The second draft, if its card came up (IBE-08)."""
    if s.draft_due == 0 or begin_draft(s, b, w) == 0:
        return 0
    if s.awaited == 0:
        close_draft(s, b, w)
    return 1


# ---------------------------------------------------------------- the course of a draft


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


@at(hooks.phase_choices, "s.phase == DRAFT_PICK")
@kernel
def pick_menu(s: Position, seat: int) -> int:
    """The tickets left in the pack a seat holds."""
    at = pack_of(s, seat) * OFFER
    bits = 0
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            bits |= 1 << (PICK + i)
    return bits


@at(hooks.choice_made, "PICK <= bit < PICK + OFFER")
@kernel
def pick(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """Take a ticket; when all have taken one, all packs move at once (IBE-19)."""
    take_from_pack(s, w, seat, bit - PICK)
    s.awaited &= ~(1 << seat)
    if s.awaited:
        return
    s.draft_step += 1
    s.awaited = (1 << s.players) - 1
    if s.draft_step < s.pack_n:
        tell(w, E_PACKS, s.draft, s.draft_step, 0, 0)
    else:
        take_last_cards(s, b, w)
        if s.awaited == 0:
            close_draft(s, b, w)


@at(hooks.sets_to_keep, "s.phase == DRAFT_KEEP")
@kernel
def draft_keep_menu(s: Position, b: Board, seat: int) -> int:
    """Just so many are kept (IBE-05)."""
    return keep_menu(s.offer_n[seat], b.draft_keep, b.draft_keep)


@at(hooks.offer_chosen, "s.phase == DRAFT_KEEP")
@kernel
def keep_of_draft(s: Position, b: Board, w: Work, seat: int) -> None:
    """A seat has chosen what it keeps; when all have, the draft is over."""
    s.awaited &= ~(1 << seat)
    if s.awaited == 0:
        close_draft(s, b, w)


@kernel
def close_draft(s: Position, b: Board, w: Work) -> None:
    end_draft(s, b, w)
    begin_turn(s, w)


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


# ---------------------------------------------------------------- what a reader may know


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


@at(hooks.veil_more)
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


# ---------------------------------------------------------------- what could be


@at(hooks.imagine_cards_put_in)
@kernel
def insert_draft_card(s: Position, b: Board, n: int, key: int) -> None:
    """Put the second-draft card where the set-up may have put it, as far as it has not come up yet (IBE-03)."""
    if s.deck_n <= n:
        return
    base = s.mixed_n * b.depth_num[s.players] // b.depth_den[s.players]
    drawn = s.mixed_n - n
    least = max(0, min(n, base - b.depth_jitter - drawn))
    most = max(0, min(n, base + b.depth_jitter - drawn))
    above = least + below(stream_key(key, IMAGINE_STREAM, 3), 0, most - least + 1)
    for i in range(n, n - above, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[n - above] = DRAFT_CARD


@at(hooks.note_tickets, "s.pack_n > 0")
@kernel
def note_packs(s: Position, cards: list[int]) -> None:
    for seat in range(s.players):
        for i in range(seat * OFFER, seat * OFFER + s.pack_n):
            if s.pack[i] != HIDDEN:
                cards[s.pack[i]] += 1


@at(hooks.hidden_tickets_there, "s.pack_n > 0")
@kernel
def hidden_in_packs(s: Position) -> int:
    n = 0
    for seat in range(s.players):
        for i in range(seat * OFFER, seat * OFFER + s.pack_n):
            if s.pack[i] == HIDDEN:
                n += 1
    return n


@at(hooks.imagine_tickets, "s.pack_n > 0")
@kernel
def fill_packs(s: Position, w: Work, n: int) -> int:
    """The hidden tickets of the packs."""
    for seat in range(s.players):
        for i in range(seat * OFFER, seat * OFFER + s.pack_n):
            if s.pack[i] == HIDDEN:
                n -= 1
                s.pack[i] = w.pool[n]
    return n


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


@at(hooks.imagine_more, "s.pack_n > 0")
@kernel
def guess_packs(s: Position, w: Work, reader: int, key: int) -> None:
    """Say for every pack which card went at which step, in line with what the reader saw of it."""
    key = stream_key(key, IMAGINE_STREAM, IMAGINED_PACKS)
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


@at(hooks.imagine_offers, "s.pack_n > 0")
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
