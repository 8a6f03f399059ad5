"""How dear cards are to the conductor, and its draws."""

from __future__ import annotations

from branchline.bots.blocks.cards import COLOUR_WISH, choose_draw
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import BITS, TRACK_WORDS, Board, Position, Work, kernel, lowest

# What is lost with a card that is played.
CARD_LOSS = 1
NEEDED_LOSS = 4  # more, if the plan needs it elsewhere
LOCO_LOSS = 6

# How much it matters to get the cards for a planned track, and what a card is worth by that.
POINT_WEIGHT = 4
TRACK_WEIGHT = 8
GRAY_WISH = 8
LOCO_WISH = 4
MOST_WISH = 300  # one track must not outweigh all others

TUNNEL_RESERVE = 1


@kernel
def value_cards_as_conductor(plan: Plan) -> None:
    """Let cards be as dear as they are to the conductor. It prefers the deck to a card as good, but for terrain."""
    plan.card_loss = CARD_LOSS
    plan.needed_loss = NEEDED_LOSS
    plan.loco_loss = LOCO_LOSS
    plan.own_need_always = 1
    plan.tunnel_reserve = TUNNEL_RESERVE
    plan.base_wish = 0
    plan.most_wish = MOST_WISH
    plan.gray_wish = 64 * GRAY_WISH
    plan.loco_wish = 64 * LOCO_WISH
    plan.point_for_terrain = COLOUR_WISH * POINT_WEIGHT
    plan.deck_part = 64
    plan.two_part = 64
    plan.deck_first = 1
    plan.sees_terrain_deck = 0


@kernel
def conductor_draw(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The draw that helps the plan most, or NO_CHOICE: each planned track matters by its points and its tickets'."""
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.weight[t] = POINT_WEIGHT * b.points[b.length[t]] + plan.worth[t] + TRACK_WEIGHT
    return choose_draw(s, b, w, plan, seat)
