"""The bots and the mechanics' parts of them together: the whole plan, and who is asked at each place.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.kernel import I8, I16, I32, I64, kernel
from branchline.kernel.hooks import link
from branchline.mechanics.composed import (
    DOUBLE,
    DRAFT_PICK,
    FESTIVAL_CHOICE,
    MAIL,
    TUNNEL,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.mechanics.drafts.bots import choose_pick, note_pick, planner_pick, trains_for_draft
from branchline.mechanics.festivals.bots import choose_festival, festivals_in_hand, note_festivals, with_festival
from branchline.mechanics.mail import bots as mail
from branchline.mechanics.mail.bots import (
    choose_nearest_bag,
    hope_for_bags,
    join_bags,
    mail_in_hand,
    note_mail,
    planner_mail,
)
from branchline.mechanics.stations.bots import note_building, note_stations
from branchline.mechanics.terrain.bots import (
    choose_double,
    doubling_hope,
    note_doubled,
    note_terrain_draw,
    points_doubled,
)
from branchline.mechanics.tunnels.bots import cost_of_tunnel, note_tunnel, pay_in_tunnel, price_of_tunnel

__all__ = [
    "Plan",
    "claim_brings",
    "join_more",
    "look_closer",
    "more_cost",
    "more_price",
    "note_more_choices",
    "note_more_lines",
    "note_taken_track",
    "planner_choice",
    "points_in_hand",
    "settled_choice",
    "simple_choice",
    "trains_to_keep",
]


class Plan(mail.Plan):
    """What a bot works out before it chooses."""

    at_price: Annotated[list[int], I64, 512]
    usable: Annotated[list[int], I64, 2]
    free: Annotated[list[int], I64, 2]
    lent: Annotated[list[int], I64, 2]
    barred: Annotated[list[int], I64, 2]
    usable_before: Annotated[list[int], I64, 2]
    tracks: Annotated[list[int], I64, 2]
    loans: Annotated[list[int], I64, 2]
    extra: Annotated[list[int], I64, 2]
    of_colour: Annotated[list[int], I64, 18]
    tried: Annotated[list[int], I64, 2]
    own_places: Annotated[int, I64]
    busy_places: Annotated[int, I64]
    odd_places: Annotated[int, I64]
    tuning: Annotated[list[int], I32, 435]
    cost: Annotated[list[int], I32, 126]
    total_cost: Annotated[int, I32]
    draw_gain: Annotated[int, I32]
    best_worth: Annotated[int, I32]
    second_worth: Annotated[int, I32]
    claim_value: Annotated[int, I32]
    regret: Annotated[list[int], I32, 126]
    worth: Annotated[list[int], I32, 126]
    weight: Annotated[list[int], I32, 126]
    wish: Annotated[list[int], I32, 9]
    terrain_wish: Annotated[list[int], I32, 3]
    card_loss: Annotated[int, I32]
    needed_loss: Annotated[int, I32]
    loco_loss: Annotated[int, I32]
    own_need_always: Annotated[int, I32]
    tunnel_reserve: Annotated[int, I32]
    base_wish: Annotated[int, I32]
    most_wish: Annotated[int, I32]
    gray_wish: Annotated[int, I32]
    loco_wish: Annotated[int, I32]
    point_for_terrain: Annotated[int, I32]
    deck_part: Annotated[int, I32]
    two_part: Annotated[int, I32]
    deck_first: Annotated[int, I32]
    sees_terrain_deck: Annotated[int, I32]
    facts: Annotated[list[int], I32, 32]
    more_value: Annotated[int, I32]
    price: Annotated[list[int], I16, 126]
    reach: Annotated[list[int], I16, 63]
    gain: Annotated[list[int], I16, 126]
    hope: Annotated[list[int], I16, 126]
    wanted: Annotated[list[int], I16, 126]
    shown: Annotated[list[int], I16, 9]
    wait_of: Annotated[list[int], I16, 9]
    lack_of: Annotated[list[int], I16, 9]
    longest_wait: Annotated[int, I16]
    free_cards: Annotated[list[int], I16, 9]
    is_tuned: Annotated[int, I16]
    tuning_at: Annotated[int, I16]
    time: Annotated[int, I16]
    lacking: Annotated[int, I16]
    chain_spaces: Annotated[int, I16]
    chain_turns: Annotated[int, I16]
    chain_loans: Annotated[int, I16]
    chain_lacking: Annotated[int, I16]
    todo_n: Annotated[int, I16]
    planned_points: Annotated[int, I16]
    missed_points: Annotated[int, I16]
    need: Annotated[list[int], I16, 9]
    spaces: Annotated[int, I16]
    turns: Annotated[int, I16]
    loans_left: Annotated[int, I16]
    chain_n: Annotated[int, I8]
    chain: Annotated[list[int], I8, 63]
    goal: Annotated[int, I8]
    via: Annotated[list[int], I8, 63]
    best_draw: Annotated[int, I8]
    todo: Annotated[list[int], I8, 72]
    best_todo: Annotated[list[int], I8, 72]
    lacks: Annotated[list[int], I8, 126]
    bag_n: Annotated[int, I8]  # mail
    bag_from: Annotated[list[int], I8, 3]  # mail
    bag_label: Annotated[list[int], I8, 3]  # mail


@kernel
def simple_choice(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """What a bot without foresight chooses in a phase of the mechanic; w holds the menu."""
    if s.phase == DRAFT_PICK:
        return choose_pick(s, b, plan, seat)
    if s.phase == MAIL:
        return choose_nearest_bag(s, b, w, plan, seat)
    return NO_CHOICE


@kernel
def planner_choice(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """What the planner chooses in a phase of the mechanic; w holds the menu."""
    if s.phase == DRAFT_PICK:
        return planner_pick(s, b, plan, seat)
    if s.phase == MAIL:
        return planner_mail(s, b, w, plan, seat)
    return NO_CHOICE


@kernel
def settled_choice(s: Position, b: Board, w: Work, seat: int, card_cost: int, loco_cost: int) -> int:
    """What every bot chooses in a phase of the mechanic that belongs to a claim. A card of another kind and a
    locomotive that stands in for one cost so much, in 64ths of a point."""
    if s.phase == TUNNEL:
        return pay_in_tunnel(w)
    if s.phase == DOUBLE:
        return choose_double(s, b, w, card_cost, loco_cost)
    if s.phase == FESTIVAL_CHOICE:
        return choose_festival(s, b, seat)
    return NO_CHOICE


@kernel
def claim_brings(s: Position, b: Board, seat: int, t: int, n: int) -> int:
    """A claim brings n points at once; how many with what the mechanic adds."""
    if b.terrains > 0:
        n = points_doubled(s, b, seat, t, n)
    if b.groups > 0:
        n = with_festival(s, b, seat, t, n)
    return n


@kernel
def more_price(b: Board, t: int) -> int:
    """What a free track costs beside cards and turn, in the conductor's prices: quarters of a card."""
    total = 0
    if b.tunnel_cards > 0:
        total += price_of_tunnel(b, t)
    return total


@kernel
def more_cost(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """The same for the planner, in 64ths of a point; below 0 for what it may bring. Asked very often."""
    total = 0
    if b.tunnel_cards > 0:
        total += cost_of_tunnel(b, plan, t)
    if b.terrains > 0:
        total += doubling_hope(s, b, plan, seat, t)
    return total


@kernel
def look_closer(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The planner has looked around: fill the mechanic's fields of the plan, and add to plan.hope of a free track what
    it may bring beside its points, in 64ths of a point."""
    if b.mail_carry > 0:
        hope_for_bags(s, b, plan, seat)


@kernel
def join_more(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The tickets are planned: join the pairs of places that the mechanic wants joined (planner/network.py,
    `join_pair`), each for what it is worth."""
    if b.mail_carry > 0:
        join_bags(s, b, plan, seat)


@kernel
def trains_to_keep(s: Position, b: Board, plan: Plan) -> int:
    """Trains not to be spent on tracks for points, for what is still to come."""
    total = 0
    if b.draft_cards > 0:
        total += trains_for_draft(s, plan)
    return total


@kernel
def note_more_choices(s: Position, b: Board, notes: list[int], seat: int, code: int) -> None:
    """A choice is about to be carried out."""
    if s.phase == TUNNEL:
        note_tunnel(s, notes, code)
    if s.phase == TURN:
        note_building(notes, seat, code)
    if s.phase == TURN:
        note_terrain_draw(notes, seat, code)
    if s.phase == DRAFT_PICK and s.draft == 1:
        note_pick(s, notes, seat, code)


@kernel
def note_taken_track(s: Position, b: Board, notes: list[int], t: int) -> None:
    """A track has just been taken."""
    if b.terrains > 0:
        note_doubled(s, notes, t)


@kernel
def points_in_hand(s: Position, b: Board, seat: int) -> int:
    """Points that a seat is sure of before the end, beside those of its tracks and tickets."""
    total = 0
    if b.groups > 0:
        total += festivals_in_hand(s, b, seat)
    if b.mail_carry > 0:
        total += mail_in_hand(s, b, seat)
    return total


@kernel
def note_more_lines(s: Position, b: Board, w: Work, notes: list[int], seat: int) -> None:
    """The game is over and scored: the mechanic's columns of a seat."""
    if b.stations_each > 0:
        note_stations(s, w, notes, seat)
    if b.groups > 0:
        note_festivals(s, b, w, notes, seat)
    if b.mail_carry > 0:
        note_mail(s, w, notes, seat)


link(globals())
