"""Path: the shortest paths for its tickets, and nothing else. One of four published styles (published.py).

It keeps as few tickets as it may and never asks for more. On the path of fewest tracks for each of its tickets it
goes for the track that is worth most, by its own points and twice the ticket's, and lays any of them it can pay. With
its tickets joined it lays whatever brings most points at once.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE, colour_for
from branchline.bots.choices import best_points
from branchline.bots.published import (
    better_twin,
    collect,
    keep_first,
    longest_free,
    otherwise,
    plain_claim,
    survey_steps,
)
from branchline.bots.routes import NOWHERE, search
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
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
)
from branchline.kernel.turn import choosing_tickets, fill_menu


@kernel
def path_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the path bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN or s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        weigh_paths(s, b, k, seat)
        code = lay_or_draw(s, b, w, k, seat)
    elif s.phase != DRAFT_KEEP and choosing_tickets(s, seat):
        code = keep_first(s, w, seat)
    return otherwise(s, b, w, k, seat, code)


@kernel
def weigh_paths(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Put into k.worth what each track on the path of a ticket held is worth; the others get nothing."""
    survey_steps(s, b, k, seat, 1)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] != HELD + seat:
            continue
        start = b.ticket_a[ticket]
        if search(b, k, start, b.ticket_b[ticket], NOWHERE) == NOWHERE:
            continue
        p = k.goal
        while not (start >> p) & 1:
            t = k.via[p]
            if k.price[t] > 0:
                k.worth[t] = max(k.worth[t], b.points[b.length[t]] + 2 * b.ticket_points[ticket])
            p = b.track_a[t] + b.track_b[t] - p


@kernel
def lay_or_draw(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim the track worth most of those that can be paid, else draw for the one worth most of all."""
    most = 0
    target = NO_CHOICE
    best = 0
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            if k.worth[t] > most:
                most = k.worth[t]
                target = t
            if k.worth[t] > best:
                claim = plain_claim(s, b, w, k, seat, better_twin(s, b, k, seat, t))
                if claim != NO_CHOICE:
                    best = k.worth[t]
                    code = claim
    if code == NO_CHOICE and target == NO_CHOICE:
        code = best_points(s, b, w, k, seat) if s.phase == TURN else NO_CHOICE
        target = longest_free(s, b, k, seat)
    if code == NO_CHOICE and target != NO_CHOICE:
        code = collect(s, b, w, colour_for(s, b, seat, better_twin(s, b, k, seat, target)), 0)
    return code
