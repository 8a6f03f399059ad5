"""Passenger, the first level: somebody's first game. It thinks of one ticket, and of one track of it.

It keeps the tickets with the fewest points and as few as it may, works at the nearest and forgets the others, and
goes the way with the fewest spaces, whatever colours that takes. It lays what it can pay of it at once, and draws for
the track for which it lacks least. It forgets stations and terrain cards too, and neither looks at what the others do
nor at the time left for tickets: with its own joined and half of its trains left it asks for new ones, short ones
again, and goes for points with the rest.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE, cards_lacking, choose_draw
from branchline.bots.choices import aim_at_points, best_claim, is_blank, path_action
from branchline.bots.novices import plan_nearest
from branchline.bots.routes import survey
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    DRAW_FIRST,
    DRAW_SECOND,
    KEEP,
    MISC,
    OFFER,
    TAKE_TERRAIN,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import choosing_tickets, fill_menu

SPACE_PRICE = 2  # so that of two ways with as many spaces the one with fewer tracks is taken
TRACK_PRICE = 1


@kernel
def passenger_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the passenger for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = passenger_turn(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        passenger_plan(s, b, k, seat)
        code = draw_for_one(s, b, w, k, seat)
    elif choosing_tickets(s, seat):
        code = keep_shortest(s, b, w, seat)
    return code if code != NO_CHOICE else path_action(s, b, w, k, seat)


@kernel
def passenger_turn(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim for the ticket at hand, else draw for it; with all tickets joined, draw others or go for points."""
    passenger_plan(s, b, k, seat)
    code = best_claim(s, b, w, k, seat)
    if code == NO_CHOICE and is_blank(k):
        if (w.menu[MISC] >> TICKETS) & 1 and 2 * s.trains[seat] >= b.trains:
            return TICKETS
        aim_at_points(s, b, k, seat)
        code = best_claim(s, b, w, k, seat)
    return code if code != NO_CHOICE else draw_for_one(s, b, w, k, seat)


@kernel
def passenger_plan(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan the nearest ticket alone, by the fewest spaces, as if there were no stations."""
    survey(s, b, k, seat)
    for word in range(TRACK_WORDS):
        k.usable[word] &= ~k.lent[word]
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.price[t] = SPACE_PRICE * b.length[t] + TRACK_PRICE
    plan_nearest(s, b, k, seat, 1)


@kernel
def draw_for_one(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The train card that helps most with the planned track for which fewest cards are lacking."""
    aim_at_points(s, b, k, seat)
    least = 1 << 20
    target = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        k.plan[word] = 0
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            lacking = cards_lacking(s, b, seat, t)
            if lacking < least:
                least = lacking
                target = t
    if target != NO_CHOICE:
        k.plan[target // BITS] |= 1 << (target % BITS)
    train_cards = w.menu[MISC] & ((1 << TAKE_TERRAIN) - 1)
    if train_cards:
        w.menu[MISC] = train_cards
    return choose_draw(s, b, w, k, seat)


@kernel
def keep_shortest(s: Position, b: Board, w: Work, seat: int) -> int:
    """Keep as few of the offered tickets as allowed, those with the fewest points."""
    kept = 0
    while not kept or not (w.menu[KEEP] >> (kept - 1)) & 1:
        least = 1 << 20
        chosen = 0
        for i in range(s.offer_n[seat]):
            points = b.ticket_points[s.offer[seat * OFFER + i]]
            if not (kept >> i) & 1 and points < least:
                least = points
                chosen = i
        kept |= 1 << chosen
    return 64 * KEEP + kept - 1
