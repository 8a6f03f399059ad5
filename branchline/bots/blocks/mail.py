"""Mail bags: which are carried after each choice, and how near they are to where they go (CAR-05 .. CAR-10)."""

from __future__ import annotations

from branchline.bots.blocks.codes import may_choose
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    CARRIED,
    LEAVE_BAGS,
    SWAP_BAG,
    TAKE_BAG,
    Board,
    Position,
    Work,
    carried_by,
    end_of_claim,
    is_delivered_at,
    kernel,
)
from branchline.graph.chains import NOWHERE, find_chain

MAIL_CHOICES = SWAP_BAG + 2 * CARRIED  # where they end
NONE_LAID = -1
AT_ONCE = 1 << 20  # a point won at once goes before all nearness


@kernel
def list_bags(s: Position, plan: Plan, seat: int, laid: int) -> None:
    """List the bags the seat carries, but for the one it lays down."""
    plan.bag_n = 0
    for i in range(carried_by(s, seat)):
        if i != laid:
            slot = seat * CARRIED + i
            add_bag(plan, s.carried_from[slot] - 1, s.carried[slot] - 1)


@kernel
def add_bag(plan: Plan, origin: int, label: int) -> None:
    plan.bag_from[plan.bag_n] = origin
    plan.bag_label[plan.bag_n] = label
    plan.bag_n += 1


@kernel
def bags_after(s: Position, b: Board, w: Work, plan: Plan, seat: int, bit: int) -> int:
    """List the bags the seat carries after a choice; the points it delivers at once (CAR-10)."""
    laid = (bit - SWAP_BAG) % CARRIED if bit >= SWAP_BAG else NONE_LAID
    list_bags(s, plan, seat, laid)
    if bit == LEAVE_BAGS:
        return 0
    end = (bit - SWAP_BAG) // CARRIED if bit >= SWAP_BAG else bit - TAKE_BAG
    place = end_of_claim(s, b, end)
    label = s.bag[place] - 1
    if bit < SWAP_BAG and is_delivered_at(s, b, w, seat, place):
        return b.mail[label]
    add_bag(plan, place, label)
    return 0


@kernel
def nearness(b: Board, plan: Plan) -> int:
    """How near the listed bags are to where they go, together, by the prices of the plan; 0 for one out of reach."""
    total = 0
    for i in range(plan.bag_n):
        total += NOWHERE - find_chain(b, plan, 1 << plan.bag_from[i], 1 << plan.bag_label[i], NOWHERE - 1)
    return total


@kernel
def choose_nearest_bag(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Take what is delivered at once, else what comes nearest to where it goes by the prices surveyed."""
    best = -1
    code = LEAVE_BAGS
    for bit in range(LEAVE_BAGS, MAIL_CHOICES):
        if may_choose(w, bit):
            value = AT_ONCE * bags_after(s, b, w, plan, seat, bit) + nearness(b, plan)
            if value > best:
                best = value
                code = bit
    return code
