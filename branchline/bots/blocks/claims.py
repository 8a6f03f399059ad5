"""What a claim brings at once, the claim that brings most, stations, and the details a claim asks for."""

from __future__ import annotations

from branchline.bots.blocks.cards import count_needs, payment
from branchline.bots.blocks.codes import NO_CHOICE, claim_code, may_build, station_code
from branchline.bots.blocks.plan import Plan
from branchline.bots.hooks import claim_brings, settled_choice
from branchline.bots.kernel import (
    BITS,
    CARDS,
    HAND,
    LOCO,
    TRACK_WORDS,
    Board,
    Position,
    Work,
    kernel,
    lending_places,
    lending_sites,
    lowest,
    nth_of_menu,
    station_price,
)
from branchline.graph.chains import track_ends

# ---------------------------------------------------------------- points at once


@kernel
def claim_gain(s: Position, b: Board, seat: int, t: int) -> int:
    """The points a claim brings at once: the track's, and what the mechanics make of them."""
    return claim_brings(s, b, seat, t, b.points[b.length[t]])


@kernel
def best_points(s: Position, b: Board, w: Work, plan: Plan, seat: int, ticket_part: int) -> int:
    """The claim that brings most points at once, or NO_CHOICE; the points it brings are left in plan.claim_value.

    The points of tickets that hang on a track count so many times: 2, for a ticket won is one not lost, or 0.
    """
    count_needs(b, plan)
    best = -1
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, plan, seat, t)
            if colour != NO_CHOICE:
                value = claim_gain(s, b, seat, t) + ticket_part * plan.worth[t]
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    plan.claim_value = best
    return code


# ---------------------------------------------------------------- stations


@kernel
def choose_station(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Build a station that lends a planned track, paid with what is needed least, or NO_CHOICE (EUR-05, EUR-06)."""
    place = station_place(s, b, plan, seat)
    if place == NO_CHOICE:
        return NO_CHOICE
    count_needs(b, plan)
    price = station_price(s, seat)
    least = 1 << 30
    code = NO_CHOICE
    for c in range(CARDS):
        if may_build(w, place, c):
            have = s.hand[seat * HAND + c]
            loss = plan.loco_loss * price
            if c != LOCO:
                loss = plan.loco_loss * max(0, price - have) + plan.needed_loss * plan.need[c] - have
            if loss < least:
                least = loss
                code = station_code(place, c)
    return code


@kernel
def station_place(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Where to build the next station the plan needs, or NO_CHOICE."""
    sites = lending_sites(s, b, seat)
    if sites == 0:
        return NO_CHOICE
    for word in range(TRACK_WORDS):
        loans = plan.loans[word]
        while loans:
            ends = track_ends(b, word * BITS + lowest(loans))
            loans &= loans - 1
            if not ends & lending_places(s, b, seat):
                ends &= sites
                if ends:
                    return lowest(ends)
    return NO_CHOICE


# ---------------------------------------------------------------- details of a claim


@kernel
def settle_claim(s: Position, b: Board, w: Work, seat: int, card_cost: int, loco_cost: int) -> int:
    """What a claim still asks for, where a card of another kind and a locomotive for one cost so much, in 64ths of a
    point. What is offered first plays colour cards before locomotives and returns tickets as they came."""
    code = settled_choice(s, b, w, seat, card_cost, loco_cost)
    return code if code != NO_CHOICE else nth_of_menu(w, 0)
