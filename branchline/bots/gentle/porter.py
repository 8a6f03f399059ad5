"""Porter, the second level: plans like the conductor but has no sense of time, and loves a full hand.

It keeps as few tickets as it may and never asks for more. It wants a big hand before it lays anything, and takes
every locomotive it sees, though that costs a card each time. When its tickets are joined it lays the best track it
happens to have the cards for, if it is not a short one. It never looks at how many trains the others have left, so
the end often finds it with its hand full.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import cards_in_hand
from branchline.bots.blocks.claims import best_points, choose_station
from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.cards import conductor_draw
from branchline.bots.conductor.choices import aim_at_points, best_claim, conductor_action
from branchline.bots.conductor.network import survey
from branchline.bots.conductor.tickets import BEYOND_PRICE, choose_tickets
from branchline.bots.gentle.nearest import plan_nearest, seen_locomotive
from branchline.bots.kernel import (
    DRAW_FIRST,
    DRAW_SECOND,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
)
from branchline.graph.chains import has_none

HOARD_CARDS, HOARD_TRAINS = 2, 5  # a full hand would lay two trains of five
SHORT_TRACK = 2  # spaces up to which a track is not worth laying for itself


@kernel
def porter_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the porter for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = porter_turn(s, b, w, plan, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        porter_plan(s, b, plan, seat)
        code = porter_draw(s, b, w, plan, seat)
    elif choosing_tickets(s, seat):
        code = choose_tickets(s, b, w, plan, seat, BEYOND_PRICE)  # as few as it may, those that add most
    return code if code != NO_CHOICE else conductor_action(s, b, w, plan, seat)


@kernel
def porter_turn(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Draw until the hand is full; then claim for the tickets, or when they are joined, for points."""
    porter_plan(s, b, plan, seat)
    code = NO_CHOICE
    if HOARD_TRAINS * cards_in_hand(s, seat) <= HOARD_CARDS * b.trains:
        code = porter_draw(s, b, w, plan, seat)
    if code == NO_CHOICE and not has_none(plan.tracks):
        code = best_claim(s, b, w, plan, seat)
    elif code == NO_CHOICE:
        code = choose_station(s, b, w, plan, seat)
        if code == NO_CHOICE:
            code = lay_for_points(s, b, w, plan, seat)
    return code if code != NO_CHOICE else porter_draw(s, b, w, plan, seat)


@kernel
def porter_plan(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan all tickets, the nearest first."""
    survey(s, b, plan, seat)
    plan_nearest(s, b, plan, seat, b.n_tickets)


@kernel
def porter_draw(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """A locomotive if one is to be had, else what helps the plan."""
    code = seen_locomotive(s, b, w)
    if code != NO_CHOICE:
        return code
    aim_at_points(s, b, plan, seat)
    return conductor_draw(s, b, w, plan, seat)


@kernel
def lay_for_points(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Of the tracks that are not short, the one that brings most points now; or NO_CHOICE."""
    for word in range(TRACK_WORDS):
        plan.free[word] &= ~b.fits[TRACK_WORDS * SHORT_TRACK + word]
    return best_points(s, b, w, plan, seat, 2)
