"""The planner's mail: which bag it takes, and which it lays down."""

from __future__ import annotations

from branchline.bots.blocks.chains import list_tickets
from branchline.bots.blocks.codes import may_choose
from branchline.bots.blocks.mail import MAIL_CHOICES, bags_after, nearness
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import CARRIED, LEAVE_BAGS, Board, Position, Work, kernel
from branchline.bots.planner.costs import look_around
from branchline.bots.planner.network import begin_plan, plan_network
from branchline.bots.planner.tuning import P_KEEP_POINT, P_MAIL_LOOK, P_MAIL_POINT, tuned
from branchline.graph.chains import NOWHERE

NEARNESS = 1 + CARRIED * NOWHERE  # more than all bags are near


@kernel
def planner_mail(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The choice with which the plan is worth most; among those the plan leaves alone, the one with the nearest label.

    A planner to which bags are worth nothing leaves them.
    """
    if tuned(plan, P_MAIL_POINT) == 0 and tuned(plan, P_MAIL_LOOK) == 0:
        return LEAVE_BAGS
    look_around(s, b, plan, seat)
    best = -(1 << 60)
    code = LEAVE_BAGS
    for bit in range(LEAVE_BAGS, MAIL_CHOICES):
        if may_choose(w, bit):
            value = value_of_bags(s, b, w, plan, seat, bit)
            if value > best:
                best = value
                code = bit
    return code


@kernel
def value_of_bags(s: Position, b: Board, w: Work, plan: Plan, seat: int, bit: int) -> int:
    """What the plan is worth after a choice, and how near all bags are then."""
    value = tuned(plan, P_KEEP_POINT) * bags_after(s, b, w, plan, seat, bit)
    begin_plan(s, b, plan, seat)
    list_tickets(s, b, plan, seat)
    value += plan_network(s, b, plan, seat)
    return NEARNESS * value + nearness(b, plan)
