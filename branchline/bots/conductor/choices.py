"""The conductor's choices. It reads a veiled position (kernel/view.py), so it knows what its seat knows.

It plans the cheapest tracks that join its tickets, claims what it can pay of them and draws what it lacks; when
nothing is left to join, it draws tickets while there is time, and else goes for points.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import cards_lacking, count_needs, is_rash, payment, payment_loss
from branchline.bots.blocks.claims import best_points, choose_station, claim_gain, settle_claim
from branchline.bots.blocks.codes import NO_CHOICE, claim_code
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.cards import conductor_draw
from branchline.bots.conductor.network import plan_tickets, turns_to_go
from branchline.bots.conductor.tickets import choose_tickets, wants_tickets
from branchline.bots.hooks import simple_choice
from branchline.bots.kernel import (
    BITS,
    DRAW_FIRST,
    DRAW_SECOND,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
    lowest,
)
from branchline.graph.chains import add_track, has_none

CLAIM_POINT = 4  # what a point of a claim weighs against the cards that pay for it
STATION_TURNS = 4  # when so many turns are left, a station no longer waits for the tracks

TERRAIN_COST = 128  # 64ths of a point that doubling must bring for a terrain card, and for a locomotive
TERRAIN_LOCO_COST = 256


@kernel
def conductor_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the conductor for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = choose_turn(s, b, w, plan, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        plan_tickets(s, b, plan, seat)
        aim_at_points(s, b, plan, seat)
        code = conductor_draw(s, b, w, plan, seat)
    elif choosing_tickets(s, seat):
        code = choose_tickets(s, b, w, plan, seat, 0)
    else:
        code = simple_choice(s, b, w, plan, seat)
    return code if code != NO_CHOICE else settle_claim(s, b, w, seat, TERRAIN_COST, TERRAIN_LOCO_COST)


# ---------------------------------------------------------------- the turn


@kernel
def choose_turn(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Claim what the plan names, else draw what it lacks; with nothing planned, draw tickets or go for points."""
    plan_tickets(s, b, plan, seat)
    turns = turns_to_go(s, b)
    if turns == 1:
        return choose_last(s, b, w, plan, seat)
    code = best_claim(s, b, w, plan, seat)
    if code == NO_CHOICE and (has_none(plan.tracks) or turns <= STATION_TURNS):
        code = choose_station(s, b, w, plan, seat)
    if code == NO_CHOICE and has_none(plan.tracks):
        if wants_tickets(s, w, seat, turns):
            return TICKETS
        aim_at_points(s, b, plan, seat)
        code = best_claim(s, b, w, plan, seat)
    if code == NO_CHOICE:
        code = conductor_draw(s, b, w, plan, seat)
    return code if code != NO_CHOICE else best_points(s, b, w, plan, seat, 2)


@kernel
def choose_last(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The last turn: a ticket's last station, else what brings most points at once."""
    code = choose_station(s, b, w, plan, seat)
    if code == NO_CHOICE:
        code = best_points(s, b, w, plan, seat, 2)
    return code if code != NO_CHOICE else conductor_draw(s, b, w, plan, seat)


@kernel
def best_claim(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The planned track to claim now, or NO_CHOICE: the one on which most hangs, for the cards it takes."""
    count_needs(b, plan)
    best = -(1 << 20)
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, plan, seat, t)
            if colour != NO_CHOICE and not is_rash(s, b, plan, seat, t, colour):
                value = claim_merit(s, b, plan, seat, t, colour)
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def claim_merit(s: Position, b: Board, plan: Plan, seat: int, t: int, colour: int) -> int:
    """What speaks for a claim: its points and what hangs on it, less the cards it takes."""
    gain = CLAIM_POINT * claim_gain(s, b, seat, t) + plan.worth[t]
    return gain - payment_loss(s, b, plan, seat, t, colour)


@kernel
def aim_at_points(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """With nothing planned for tickets, plan the track that brings most points for the time it takes."""
    if not has_none(plan.tracks):
        return
    turns = turns_to_go(s, b)
    best = 0
    target = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            takes = 1 + (cards_lacking(s, b, plan, seat, t) + 1) // 2
            value = 64 * claim_gain(s, b, seat, t) // (takes + 1)
            if takes <= turns and value > best:
                best = value
                target = t
    if target != NO_CHOICE:
        add_track(plan.tracks, target)
