"""Drafts for bots: which ticket of a pack is taken, trains kept for the second, and what the laboratory notes."""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.blocks.chains import add_todo, list_tickets
from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.network import plan_tickets
from branchline.bots.conductor.tickets import BEYOND_PRICE, adopt_ticket, ticket_value
from branchline.bots.games.rows import ticket_row
from branchline.bots.kernel import OFFER, Board, Position, kernel
from branchline.bots.planner.costs import look_around
from branchline.bots.planner.network import begin_plan, plan_network
from branchline.bots.planner.tuning import P_EXTRA_DRAFT, P_KEEP_POINT, tuned
from branchline.graph.chains import is_joined
from branchline.kernel.hooks import at
from branchline.mechanics.drafts.columns import D_PICK
from branchline.mechanics.drafts.rules import pack_of
from branchline.mechanics.drafts.state import PICK


@at(hooks.simple_choice, "s.phase == DRAFT_PICK")
@kernel
def choose_pick(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Take the ticket of the pack that adds most to those held and taken (IBE-04)."""
    plan_tickets(s, b, plan, seat)
    for i in range(s.offer_n[seat]):
        adopt_ticket(s, b, plan, seat, s.offer[seat * OFFER + i])
    pack = pack_of(s, seat) * OFFER
    best = -BEYOND_PRICE
    code = NO_CHOICE
    for i in range(s.pack_n):
        if s.taken[pack + i] == 0:
            value = ticket_value(s, b, plan, seat, s.pack[pack + i])
            if value > best:
                best = value
                code = PICK + i
    return code


@at(hooks.planner_choice, "s.phase == DRAFT_PICK")
@kernel
def planner_pick(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Take the ticket of the pack with which those held and taken make the best plan (IBE-04)."""
    look_around(s, b, plan, seat)
    pack = pack_of(s, seat) * OFFER
    best = -(1 << 40)
    code = NO_CHOICE
    for i in range(s.pack_n):
        if s.taken[pack + i] == 0:
            value = value_of_pick(s, b, plan, seat, s.pack[pack + i])
            if value > best:
                best = value
                code = PICK + i
    return code


@kernel
def value_of_pick(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> int:
    """What the plan is worth with a ticket of the pack; what need not be kept is not missed."""
    begin_plan(s, b, plan, seat)
    list_tickets(s, b, plan, seat)
    for i in range(s.offer_n[seat]):
        if not is_joined(b, plan, s.offer[seat * OFFER + i]):
            add_todo(b, plan, s.offer[seat * OFFER + i])
    value = 0
    if is_joined(b, plan, ticket):
        value += tuned(plan, P_KEEP_POINT) * b.ticket_points[ticket]
    else:
        add_todo(b, plan, ticket)
    return value + plan_network(s, b, plan, seat)


@at(hooks.trains_to_keep)
@kernel
def trains_for_draft(s: Position, plan: Plan) -> int:
    return tuned(plan, P_EXTRA_DRAFT) if s.draft < 2 else 0


@at(hooks.note_more_choices, "s.phase == DRAFT_PICK and s.draft == 1")
@kernel
def note_pick(s: Position, notes: list[int], seat: int, code: int) -> None:
    ticket = s.pack[pack_of(s, seat) * OFFER + code - PICK]
    notes[ticket_row(ticket) + D_PICK] = s.draft_step
