"""Path: the shortest paths for its tickets, and nothing else. One of four published styles (common.py).

It keeps as few tickets as it may and never asks for more. On the path of fewest tracks for each of its tickets it
goes for the track that is worth most, by its own points and twice the ticket's, and lays any of them it can pay. With
its tickets joined it lays whatever brings most points at once.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import colour_for
from branchline.bots.blocks.claims import best_points
from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    BITS,
    DRAFT_KEEP,
    DRAW_FIRST,
    DRAW_SECOND,
    HELD,
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
from branchline.bots.styles.common import (
    better_twin,
    collect,
    keep_first,
    longest_free,
    otherwise,
    plain_claim,
    survey_steps,
)
from branchline.graph.chains import NOWHERE, find_chain, trace_chain


@kernel
def path_action(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice of the path bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN or s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        weigh_paths(s, b, plan, seat)
        code = lay_or_draw(s, b, w, plan, seat)
    elif s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        code = keep_first(s, w, seat)
    return otherwise(s, b, w, plan, seat, code)


@kernel
def weigh_paths(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Put into plan.worth what each track on the path of a ticket held is worth; the others get nothing."""
    survey_steps(s, b, plan, seat, 1)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] != HELD + seat:
            continue
        if find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE) == NOWHERE:
            continue
        trace_chain(b, plan, b.ticket_a[ticket])
        for i in range(plan.chain_n):
            t = plan.chain[i]
            if plan.price[t] > 0:
                plan.worth[t] = max(plan.worth[t], b.points[b.length[t]] + 2 * b.ticket_points[ticket])


@kernel
def lay_or_draw(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Claim the track worth most of those that can be paid, else draw for the one worth most of all."""
    most = 0
    target = NO_CHOICE
    best = 0
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            if plan.worth[t] > most:
                most = plan.worth[t]
                target = t
            if plan.worth[t] > best:
                claim = plain_claim(s, b, w, plan, seat, better_twin(s, b, plan, seat, t))
                if claim != NO_CHOICE:
                    best = plan.worth[t]
                    code = claim
    if code == NO_CHOICE and target == NO_CHOICE:
        code = best_points(s, b, w, plan, seat, 2) if s.phase == TURN else NO_CHOICE
        target = longest_free(s, b, plan, seat)
    if code == NO_CHOICE and target != NO_CHOICE:
        code = collect(s, b, w, colour_for(s, b, seat, better_twin(s, b, plan, seat, target)), 0)
    return code
