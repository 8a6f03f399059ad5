"""Porter, the second level: plans like the conductor but has no sense of time, and loves a full hand.

It keeps as few tickets as it may and never asks for more. It wants a big hand before it lays anything, and takes
every locomotive it sees, though that costs a card each time. When its tickets are joined it lays the best track it
happens to have the cards for, if it is not a short one. It never looks at how many trains the others have left, so
the end often finds it with its hand full.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE, choose_draw
from branchline.bots.choices import (
    adopt_ticket,
    aim_at_points,
    best_claim,
    best_points,
    choose_station,
    conductor_action,
    is_blank,
    ticket_value,
)
from branchline.bots.novices import plan_nearest, seen_locomotive
from branchline.bots.routes import cards_in_hand, plan_tickets, survey
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    DRAW_FIRST,
    DRAW_SECOND,
    KEEP,
    OFFER,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import choosing_tickets, fill_menu

HOARD_CARDS, HOARD_TRAINS = 2, 5  # a full hand would lay two trains of five
SHORT_TRACK = 2  # spaces up to which a track is not worth laying for itself


@kernel
def porter_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the porter for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = porter_turn(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        porter_plan(s, b, k, seat)
        code = porter_draw(s, b, w, k, seat)
    elif choosing_tickets(s, seat):
        code = keep_fewest(s, b, w, k, seat)
    return code if code != NO_CHOICE else conductor_action(s, b, w, k, seat)


@kernel
def porter_turn(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Draw until the hand is full; then claim for the tickets, or when they are joined, for points."""
    porter_plan(s, b, k, seat)
    code = NO_CHOICE
    if HOARD_TRAINS * cards_in_hand(s, seat) <= HOARD_CARDS * b.trains:
        code = porter_draw(s, b, w, k, seat)
    if code == NO_CHOICE and not is_blank(k):
        code = best_claim(s, b, w, k, seat)
    elif code == NO_CHOICE:
        code = choose_station(s, b, w, k, seat)
        if code == NO_CHOICE:
            code = lay_for_points(s, b, w, k, seat)
    return code if code != NO_CHOICE else porter_draw(s, b, w, k, seat)


@kernel
def porter_plan(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan all tickets, the nearest first."""
    survey(s, b, k, seat)
    plan_nearest(s, b, k, seat, b.n_tickets)


@kernel
def porter_draw(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """A locomotive if one is to be had, else what helps the plan."""
    code = seen_locomotive(s, b, w)
    if code != NO_CHOICE:
        return code
    aim_at_points(s, b, k, seat)
    return choose_draw(s, b, w, k, seat)


@kernel
def lay_for_points(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Of the tracks that are not short, the one that brings most points now; or NO_CHOICE."""
    for word in range(TRACK_WORDS):
        k.free[word] &= ~b.fits[TRACK_WORDS * SHORT_TRACK + word]
    return best_points(s, b, w, k, seat)


@kernel
def keep_fewest(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Keep as few of the offered tickets as allowed, those that add most to the plan."""
    plan_tickets(s, b, k, seat)
    kept = 0
    while not kept or not (w.menu[KEEP] >> (kept - 1)) & 1:
        best = -(1 << 20)
        chosen = 0
        for i in range(s.offer_n[seat]):
            if not (kept >> i) & 1:
                value = ticket_value(s, b, k, seat, s.offer[seat * OFFER + i])
                if value > best:
                    best = value
                    chosen = i
        kept |= 1 << chosen
        adopt_ticket(s, b, k, seat, s.offer[seat * OFFER + chosen])
    return 64 * KEEP + kept - 1
