"""Mail for bots: which bag is taken, what bags are worth on the way, what the laboratory notes (CAR-05 .. CAR-11)."""

from __future__ import annotations

from typing import Annotated

from branchline.bots import hooks
from branchline.bots.blocks import plan as blocks
from branchline.bots.blocks.chains import list_tickets
from branchline.bots.blocks.codes import may_choose
from branchline.bots.conductor.network import survey
from branchline.bots.games.rows import seat_row
from branchline.bots.kernel import BITS, I8, TRACK_WORDS, Board, Position, Work, kernel, lowest, popcount
from branchline.bots.planner.costs import look_around
from branchline.bots.planner.network import begin_plan, join_pair, plan_network
from branchline.bots.planner.tuning import P_KEEP_POINT, tuned
from branchline.graph.chains import NOWHERE, find_chain, track_ends
from branchline.kernel.hooks import at
from branchline.mechanics.mail.columns import S_DELIVERED, S_MAIL_POINTS
from branchline.mechanics.mail.rules import carried_by, end_of_claim, is_delivered_at, mail_points
from branchline.mechanics.mail.state import CARRIED, LEAVE_BAGS, SWAP_BAG, TAKE_BAG
from branchline.mechanics.mail.tuning import P_MAIL_LOOK, P_MAIL_POINT

MAIL_CHOICES = SWAP_BAG + 2 * CARRIED  # where they end
NONE_LAID = -1
AT_ONCE = 1 << 20  # a point won at once goes before all nearness
NEARNESS = 1 + CARRIED * NOWHERE  # more than all bags are near


class Plan(blocks.Plan, part=True):
    bag_n: Annotated[int, I8]  # bags to deliver
    bag_from: Annotated[list[int], I8, CARRIED]
    bag_label: Annotated[list[int], I8, CARRIED]


# ---------------------------------------------------------------- the bags in hand


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


# ---------------------------------------------------------------- which bag is taken


@at(hooks.simple_choice, "s.phase == MAIL")
@kernel
def choose_nearest_bag(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Take what is delivered at once, else what comes nearest to where it goes by the conductor's prices."""
    survey(s, b, plan, seat)
    best = -1
    code = LEAVE_BAGS
    for bit in range(LEAVE_BAGS, MAIL_CHOICES):
        if may_choose(w, bit):
            value = AT_ONCE * bags_after(s, b, w, plan, seat, bit) + nearness(b, plan)
            if value > best:
                best = value
                code = bit
    return code


@at(hooks.planner_choice, "s.phase == MAIL")
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


# ---------------------------------------------------------------- the planner's network


@at(hooks.look_closer)
@kernel
def hope_for_bags(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """What is carried, and what the mail at the ends of each free track may bring: one bag can be taken (CAR-05)."""
    list_bags(s, plan, seat, NONE_LAID)
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            near = plan.own_places | track_ends(b, t)
            first = hope_for_bag(s, b, plan, seat, b.track_a[t], near)
            plan.hope[t] += max(first, hope_for_bag(s, b, plan, seat, b.track_b[t], near))


@kernel
def hope_for_bag(s: Position, b: Board, plan: Plan, seat: int, place: int, near: int) -> int:
    """What the bag at a place may bring, in 64ths of a point: its value, if it is addressed to a place that is near."""
    if s.bag[place] == 0:
        return 0
    if not (s.bag_seen[place] >> seat) & 1:
        return tuned(plan, P_MAIL_LOOK)
    label = s.bag[place] - 1
    return tuned(plan, P_MAIL_POINT) * b.mail[label] if (near >> label) & 1 else 0


@at(hooks.join_more)
@kernel
def join_bags(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Join each bag carried to where it goes (CAR-09). Nothing is lost with it, as with a ticket: half its points hang
    on each track."""
    for i in range(plan.bag_n):
        points = b.mail[plan.bag_label[i]]
        value = points * tuned(plan, P_MAIL_POINT)
        join_pair(s, b, plan, seat, 1 << plan.bag_from[i], 1 << plan.bag_label[i], value, points // 2)


# ---------------------------------------------------------------- what the laboratory notes


@at(hooks.points_in_hand)
@kernel
def mail_in_hand(s: Position, b: Board, seat: int) -> int:
    return mail_points(b, s.delivered[seat])


@at(hooks.note_more_lines)
@kernel
def note_mail(s: Position, w: Work, notes: list[int], seat: int) -> None:
    notes[seat_row(seat) + S_MAIL_POINTS] = w.mail_score[seat]
    notes[seat_row(seat) + S_DELIVERED] = popcount(s.delivered[seat])
