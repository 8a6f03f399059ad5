"""Hungry: tickets first. One of four published styles (common.py).

At the start it asks for tickets until the one network that joins all their cities would leave too few trains for
another one, and keeps those that bring most points for the cards. Then it lays that network, the longest track it can
pay first, and draws the colour it needs most; with the network laid, whatever brings most points.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import count_needs
from branchline.bots.blocks.chains import adopt_chain
from branchline.bots.blocks.claims import best_points
from branchline.bots.blocks.codes import NO_CHOICE, keep_code, may_choose, may_keep
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    BITS,
    DRAFT_KEEP,
    DRAW_FIRST,
    DRAW_SECOND,
    HAND,
    HELD,
    LOCO,
    OFFER,
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
from branchline.bots.styles.common import collect, otherwise, plain_claim, survey_steps
from branchline.graph.chains import NOWHERE, find_chain, trace_chain, track_ends

LEFT_OVER = 22  # trains beyond the network with which it is still hungry
SPARED = 5  # trains that the network of tickets it keeps should leave


@kernel
def hungry_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the hungry bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN or s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        plan_network_of_all(s, b, plan, seat)
        if s.phase == TURN and is_hungry(s, b, w, plan, seat):
            return TICKETS
        code = lay_network(s, b, w, plan, seat)
    elif s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        code = keep_rich(s, b, w, plan, seat)
    return otherwise(s, b, w, plan, seat, code)


@kernel
def plan_network_of_all(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan one network of few spaces for all tickets held, whether the trains suffice or not."""
    survey_steps(s, b, plan, seat, 1)
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.price[t] = b.length[t]
    plan.own_places = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            add_to_network(b, plan, ticket)


@kernel
def add_to_network(b: Board, plan: Plan, ticket: int) -> int:
    """Join both ends of a ticket to the one network of all tickets, plan.own_places; 0 if that cannot be."""
    start = plan.own_places if plan.own_places else b.ticket_a[ticket]
    return join_network(b, plan, start, b.ticket_a[ticket]) & join_network(b, plan, start, b.ticket_b[ticket])


@kernel
def join_network(b: Board, plan: Plan, start: int, goal: int) -> int:
    """Add the chain of fewest spaces from a set of places, and the network, to another; 0 if there is none."""
    start |= plan.own_places
    if find_chain(b, plan, start, goal, NOWHERE) == NOWHERE:
        return 0
    trace_chain(b, plan, start)
    plan.own_places |= 1 << plan.goal
    for i in range(plan.chain_n):
        plan.own_places |= track_ends(b, plan.chain[i])
    adopt_chain(b, plan, 0)
    return 1


@kernel
def is_hungry(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """1 while what is laid and what is planned would leave trains over. Tracks laid count, so it is sated once."""
    laid = b.trains - s.trains[seat]
    return 1 if may_choose(w, TICKETS) and laid + plan.spaces < s.trains[seat] - LEFT_OVER else 0


@kernel
def lay_network(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Claim the longest track of the network that can be paid, else draw what it lacks most."""
    best = 0
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            if b.length[t] > best:
                claim = plain_claim(s, b, w, plan, seat, t)
                if claim != NO_CHOICE:
                    best = b.length[t]
                    code = claim
    if code == NO_CHOICE and plan.spaces == 0 and s.phase == TURN:
        code = best_points(s, b, w, plan, seat, 2)
    return code if code != NO_CHOICE else collect(s, b, w, scarcest_colour(s, b, plan, seat), 0)


@kernel
def scarcest_colour(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The colour of which the network lacks most cards; the first where all are the same."""
    count_needs(b, plan)
    best = 0
    for c in range(LOCO):
        if plan.need[c] - s.hand[seat * HAND + c] > plan.need[best] - s.hand[seat * HAND + best]:
            best = c
    return best


@kernel
def keep_rich(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Keep what makes the network richest for its cards while trains are left; else what takes fewest.

    NO_CHOICE where every set loses points, as when all the tickets are out of reach.
    """
    best = -1
    least = 1 << 20
    chosen = 0
    for kept in range(1, 1 << s.offer_n[seat]):
        if not may_keep(w, kept):
            continue
        points = network_points(s, b, plan, seat, kept)
        if plan.spaces <= s.trains[seat] - SPARED:
            value = 256 * points // max(1, plan.spaces)
            if value > best:
                best = value
                chosen = kept
        elif best < 0 and plan.spaces < least:
            least = plan.spaces
            chosen = kept
    return keep_code(chosen)


@kernel
def network_points(s: Position, b: Board, plan: Plan, seat: int, kept: int) -> int:
    """The points of the network with these tickets, its tracks' included; a ticket out of reach loses its points."""
    plan_network_of_all(s, b, plan, seat)
    points = 0
    for i in range(s.offer_n[seat]):
        if (kept >> i) & 1:
            ticket = s.offer[seat * OFFER + i]
            points += b.ticket_points[ticket] * (2 * add_to_network(b, plan, ticket) - 1)
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word]
        while tracks:
            points += b.points[b.length[word * BITS + lowest(tracks)]]
            tracks &= tracks - 1
    return points
