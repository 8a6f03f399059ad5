"""How dear cards are to the planner, by its tuning, and its draws."""

from __future__ import annotations

from branchline.bots.blocks.cards import COLOUR_WISH, choose_draw
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import BITS, TRACK_WORDS, Board, Position, Work, kernel, lowest
from branchline.bots.planner.costs import busy_ends, weighed_gain
from branchline.bots.planner.tuning import (
    P_LOSS_CARD,
    P_LOSS_LOCO,
    P_LOSS_NEEDED,
    P_TUNNEL_RESERVE,
    P_WISH_BASE,
    P_WISH_DECK,
    P_WISH_EXTRA,
    P_WISH_GAIN,
    P_WISH_GRAY,
    P_WISH_LOCO,
    P_WISH_RISK,
    P_WISH_TERRAIN,
    P_WISH_TRACK,
    P_WISH_TWO,
    P_WISH_WORTH,
    tuned,
)
from branchline.graph.chains import has_track

MOST_FOR_A_TRACK = 4000  # one track must not outweigh all others


@kernel
def value_cards_as_planner(plan: Plan) -> None:
    """Let cards be as dear as they are to the planner."""
    plan.card_loss = tuned(plan, P_LOSS_CARD)
    plan.needed_loss = tuned(plan, P_LOSS_NEEDED)
    plan.loco_loss = tuned(plan, P_LOSS_LOCO)
    plan.own_need_always = 0
    plan.tunnel_reserve = tuned(plan, P_TUNNEL_RESERVE)
    plan.base_wish = tuned(plan, P_WISH_BASE)
    plan.most_wish = MOST_FOR_A_TRACK
    plan.gray_wish = COLOUR_WISH * tuned(plan, P_WISH_GRAY)
    plan.loco_wish = COLOUR_WISH * tuned(plan, P_WISH_LOCO)
    plan.point_for_terrain = tuned(plan, P_WISH_TERRAIN)
    plan.deck_part = tuned(plan, P_WISH_DECK)
    plan.two_part = tuned(plan, P_WISH_TWO)
    plan.deck_first = 0
    plan.sees_terrain_deck = 1


@kernel
def planner_draw(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The draw that helps the plan most, or NO_CHOICE; plan.draw_gain is what it and the next best bring together."""
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word] | plan.extra[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.weight[t] = track_weight(b, plan, t)
    return choose_draw(s, b, w, plan, seat)


@kernel
def track_weight(b: Board, plan: Plan, t: int) -> int:
    """How much it matters to get the cards for a planned track."""
    weight = tuned(plan, P_WISH_TRACK)
    weight += weighed_gain(plan, P_WISH_GAIN, t) + tuned(plan, P_WISH_WORTH) * plan.worth[t]
    weight += weight * tuned(plan, P_WISH_RISK) * busy_ends(b, plan, t) // 64
    return weight * tuned(plan, P_WISH_EXTRA) // 64 if has_track(plan.extra, t) else weight
