"""OneStep: no plan beyond the next claim. Each turn it asks of every free track what claiming it would be worth.

A claim is worth its points, and what it brings each open ticket nearer: the share of the ticket's cheapest chain it
saves, of the points the ticket wins or loses. It goes for the track that brings most for the turns it takes, drawing
for that one alone, and asks anew next turn. The style is one of four published by Silva et al. (2017), written anew
from its description. The last turns, tickets and details of a claim are left to the path bot.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE, cards_lacking, choose_draw, claim_gain
from branchline.bots.choices import STATION_TURNS, best_claim, path_action, wants_tickets
from branchline.bots.routes import NOWHERE, is_too_late, search, spaces_of_chain, survey, turns_to_go
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    DRAW_FIRST,
    DRAW_SECOND,
    HELD,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import fill_menu

STEP_POINT = 4  # parts of a point in which a step is valued
TICKET_SWING = 2  # a ticket won is one not lost


@kernel
def onestep_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the one-step bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN and turns_to_go(s, b) > STATION_TURNS:
        code = choose_step(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        weigh_steps(s, b, k, seat)
        aim_one_step(s, b, k, seat)
        code = choose_draw(s, b, w, k, seat)
    return code if code != NO_CHOICE else path_action(s, b, w, k, seat)


@kernel
def choose_step(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim the best track of all, or draw for it; tickets when none is open."""
    still_open = weigh_steps(s, b, k, seat)
    if still_open == 0 and wants_tickets(s, w, seat, turns_to_go(s, b)):
        return TICKETS
    aim_one_step(s, b, k, seat)
    code = best_claim(s, b, w, k, seat)
    return code if code != NO_CHOICE else choose_draw(s, b, w, k, seat)


@kernel
def weigh_steps(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Put into k.worth what each track is worth to the tickets held; how many of these can still be joined."""
    survey(s, b, k, seat)
    n = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            n += weigh_ticket(s, b, k, seat, ticket)
    return n


@kernel
def weigh_ticket(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> int:
    """Add what each free track is worth to a ticket; 0 if it is joined or cannot be."""
    start = b.ticket_a[ticket]
    end = b.ticket_b[ticket]
    price = search(b, k, start, end, NOWHERE)
    if price == 0 or price == NOWHERE:
        return 0
    spaces = spaces_of_chain(b, k, start)
    if spaces > s.trains[seat] or is_too_late(s, b, k, seat, spaces):
        return 0
    swing = STEP_POINT * TICKET_SWING * b.ticket_points[ticket]
    search(b, k, end, 0, NOWHERE)
    for p in range(b.n_places):
        k.back[p] = k.reach[p]
    search(b, k, start, 0, NOWHERE)
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            there = min(chain_by(b, k, t, b.track_a[t], start, end), chain_by(b, k, t, b.track_b[t], start, end))
            if there < price:
                k.worth[t] += swing * (price - there) // price
    return 1


@kernel
def chain_by(b: Board, k: PathWork, t: int, p: int, start: int, end: int) -> int:
    """The price of the cheapest chain that enters a track at p, the track itself being had for nothing."""
    q = b.track_a[t] + b.track_b[t] - p
    if (b.dead_ends & ~start) >> p & 1 or (b.dead_ends & ~end) >> q & 1:
        return NOWHERE
    return k.reach[p] + k.back[q]


@kernel
def aim_one_step(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan the one track that is worth most for the turns it takes."""
    turns = turns_to_go(s, b)
    best = 0
    target = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            takes = 1 + (cards_lacking(s, b, seat, t) + 1) // 2
            value = 64 * (STEP_POINT * claim_gain(s, b, seat, t) + k.worth[t]) // (takes + 1)
            if takes <= turns and value > best:
                best = value
                target = t
    if target != NO_CHOICE:
        k.plan[target // BITS] |= 1 << (target % BITS)
