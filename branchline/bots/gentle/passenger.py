"""Passenger, the first level: somebody's first game. It dreams of far places, and cannot leave its cards alone.

It keeps the tickets with the most points, as few as it may, and never asks for more. It works at the nearest, by the
way with the fewest spaces, and forgets the others meanwhile. What it can pay of that way it lays at once. While it
cannot, any other track that is not short tempts it, if it has the cards in a colour that its way does not need: so its
trains may be gone before its tickets are joined. It draws for one track at a time, from the display only the very
colour it collects and else from the deck. It forgets stations and terrain cards, takes the first ticket of a pack and
the first festival it sees, and looks neither at what the others do nor at the time left.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import cards_lacking, colour_for, is_rash, payment
from branchline.bots.blocks.claims import best_points
from branchline.bots.blocks.codes import NO_CHOICE, claim_code, keep_code, may_choose, may_keep
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.cards import conductor_draw
from branchline.bots.conductor.choices import best_claim, conductor_action
from branchline.bots.conductor.network import survey
from branchline.bots.gentle.nearest import plan_nearest
from branchline.bots.kernel import (
    BITS,
    DRAFT_PICK,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    FESTIVAL_A,
    FESTIVAL_CHOICE,
    HAND,
    LOCO,
    MISC,
    OFFER,
    PICK,
    TAKE_TERRAIN,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
    lowest,
    pack_of,
)
from branchline.graph.chains import has_none

SPACE_PRICE = 2  # so that of two ways with as many spaces the one with fewer tracks is taken
TRACK_PRICE = 1
TEMPTING = 3  # spaces from which a track off the way tempts it


@kernel
def passenger_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the passenger for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = passenger_turn(s, b, w, plan, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        passenger_plan(s, b, plan, seat)
        code = draw_for_one(s, b, w, plan, seat)
    elif choosing_tickets(s, seat):
        code = keep_grandest(s, b, w, seat)
    elif s.phase == DRAFT_PICK:
        code = pick_first(s, seat)
    elif s.phase == FESTIVAL_CHOICE:
        code = FESTIVAL_A
    return code if code != NO_CHOICE else conductor_action(s, b, w, plan, seat)


@kernel
def passenger_turn(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Claim for the ticket at hand, else what tempts, else draw; with all tickets joined, claim what brings most."""
    passenger_plan(s, b, plan, seat)
    code = best_claim(s, b, w, plan, seat)
    if code == NO_CHOICE:
        code = best_points(s, b, w, plan, seat, 2) if has_none(plan.tracks) else tempting_claim(s, b, w, plan, seat)
    return code if code != NO_CHOICE else draw_for_one(s, b, w, plan, seat)


@kernel
def passenger_plan(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan the nearest ticket alone, by the fewest spaces, as if there were no stations."""
    survey(s, b, plan, seat)
    for word in range(TRACK_WORDS):
        plan.usable[word] &= ~plan.lent[word]
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.price[t] = SPACE_PRICE * b.length[t] + TRACK_PRICE
    plan_nearest(s, b, plan, seat, 1)


@kernel
def tempting_claim(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The longest track that can be paid in a colour the plan, with its needs counted, does not take; or NO_CHOICE."""
    collected = collected_colour(s, b, seat, nearest_track(s, b, plan, seat, plan.tracks))
    longest = TEMPTING - 1
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, plan, seat, t)
            if colour in (NO_CHOICE, LOCO, collected) or plan.need[colour] > 0 or is_rash(s, b, plan, seat, t, colour):
                continue
            if b.length[t] > longest:
                longest = b.length[t]
                code = claim_code(t, colour)
    return code


# ---------------------------------------------------------------- drawing


@kernel
def draw_for_one(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The colour collected if the display shows it, else a card of the deck; without a deck, what helps most."""
    train_cards = w.menu[MISC] & ((1 << TAKE_TERRAIN) - 1)
    if train_cards:
        w.menu[MISC] = train_cards
    target = nearest_track(s, b, plan, seat, plan.free if has_none(plan.tracks) else plan.tracks)
    if target != NO_CHOICE:
        colour = collected_colour(s, b, seat, target)
        for i in range(b.display):
            if s.display[i] == colour and may_choose(w, DRAW_DISPLAY + i):
                return DRAW_DISPLAY + i
    return DRAW_DECK if may_choose(w, DRAW_DECK) else conductor_draw(s, b, w, plan, seat)


@kernel
def nearest_track(s: Position, b: Board, plan: Plan, seat: int, among: list[int]) -> int:
    """The track for which fewest cards are lacking, or NO_CHOICE if there is none."""
    least = 1 << 20
    nearest = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = among[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            lacking = cards_lacking(s, b, plan, seat, t)
            if lacking < least:
                least = lacking
                nearest = t
    return nearest


@kernel
def collected_colour(s: Position, b: Board, seat: int, t: int) -> int:
    """The colour to collect for a track: its own, or what the hand has most of; a locomotive if a ferry lacks it."""
    at = seat * HAND
    colour = colour_for(s, b, seat, t)
    if s.hand[at + LOCO] < b.ferry[t] and s.hand[at + colour] >= b.length[t] - b.ferry[t]:
        return LOCO
    return colour


# ---------------------------------------------------------------- tickets


@kernel
def keep_grandest(s: Position, b: Board, w: Work, seat: int) -> int:
    """Keep as few of the offered tickets as allowed, those with the most points."""
    kept = 0
    while not may_keep(w, kept):
        most = -1
        chosen = 0
        for i in range(s.offer_n[seat]):
            points = b.ticket_points[s.offer[seat * OFFER + i]]
            if not (kept >> i) & 1 and points > most:
                most = points
                chosen = i
        kept |= 1 << chosen
    return keep_code(kept)


@kernel
def pick_first(s: Position, seat: int) -> int:
    """The first ticket of the pack that is still there (IBE-04)."""
    at = pack_of(s, seat) * OFFER
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            return PICK + i
    return NO_CHOICE
