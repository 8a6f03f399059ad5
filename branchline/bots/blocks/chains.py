"""A plan with nothing in it yet, what a chain of tracks adds to it, and the tickets that want one."""

from __future__ import annotations

from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import HELD, TRACK_WORDS, Board, Position, kernel, most_loans
from branchline.graph.chains import add_track, has_track, is_joined


@kernel
def clear_plan(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan nothing yet: chains may run over own, free and lent tracks, but for those that are barred."""
    plan.loans_left = most_loans(b)
    plan.spaces = 0
    plan.turns = 0
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * seat + word]
        plan.usable[word] = own | (plan.free[word] & ~plan.barred[word]) | plan.lent[word]
        plan.tracks[word] = 0
        plan.extra[word] = 0
        plan.loans[word] = 0


@kernel
def measure_chain(b: Board, plan: Plan) -> None:
    """What the chain traced last takes beyond the plan: spaces, turns, loans, and cards where they are known."""
    plan.chain_spaces = 0
    plan.chain_turns = 0
    plan.chain_loans = 0
    plan.chain_lacking = 0
    for i in range(plan.chain_n):
        t = plan.chain[i]
        if plan.price[t] > 0:
            plan.chain_turns += 1
            if has_track(plan.free, t):
                plan.chain_spaces += b.length[t]
                plan.chain_lacking += plan.lacks[t]
            else:
                plan.chain_loans += 1


@kernel
def adopt_chain(b: Board, plan: Plan, points: int) -> None:
    """Take the chain traced last into the plan; the points of its ticket hang on each of its tracks."""
    for i in range(plan.chain_n):
        t = plan.chain[i]
        if has_track(plan.free, t):
            plan.worth[t] += points
            if not has_track(plan.tracks, t):
                add_track(plan.tracks, t)
                count_track(b, plan, t)
        elif has_track(plan.lent, t) and not has_track(plan.loans, t):
            adopt_loan(plan, t)


@kernel
def count_track(b: Board, plan: Plan, t: int) -> None:
    """Count a track that is planned now: its trains and its turn. For further chains it costs nothing."""
    plan.spaces += b.length[t]
    plan.turns += 1
    plan.price[t] = 0


@kernel
def adopt_loan(plan: Plan, t: int) -> None:
    """Plan to borrow a track of somebody else's."""
    add_track(plan.loans, t)
    plan.loans_left -= 1
    plan.turns += 1
    plan.price[t] = 0


# ---------------------------------------------------------------- tickets to join


@kernel
def list_tickets(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Write the tickets held that are not joined yet into plan.todo, the most valuable first; needs an empty plan."""
    plan.todo_n = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat and not is_joined(b, plan, ticket):
            add_todo(b, plan, ticket)


@kernel
def add_todo(b: Board, plan: Plan, ticket: int) -> None:
    """Put a ticket among those to join, the most valuable first."""
    i = plan.todo_n
    while i > 0 and b.ticket_points[plan.todo[i - 1]] < b.ticket_points[ticket]:
        plan.todo[i] = plan.todo[i - 1]
        i -= 1
    plan.todo[i] = ticket
    plan.todo_n += 1
