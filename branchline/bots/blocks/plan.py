"""What a bot works out before it chooses; nothing but the planner's tuning lasts from one decision to the next.

This is the part all bots have. The whole plan, with the part the search for chains works on (graph/chains.py) and
those of the mechanics, is composed (composed.py).
"""

from __future__ import annotations

from typing import Annotated

from branchline.bots.kernel import (
    CARDS,
    I8,
    I16,
    I32,
    I64,
    MAX_TICKETS,
    MAX_TRACKS,
    TERRAINS,
    TRACK_WORDS,
)
from branchline.bots.planner.numbers import SETS, TUNING
from branchline.graph import chains

FACTS = 32  # numbers the evaluation is told of a seat (rollout/evaluation.py)


class Plan(chains.Plan, part=True):
    """What each track would cost, which ones the seat wants, what cards are worth for them."""

    usable_before: Annotated[list[int], I64, TRACK_WORDS]  # the same, while a track is tried out as lost
    tracks: Annotated[list[int], I64, TRACK_WORDS]  # tracks to claim
    loans: Annotated[list[int], I64, TRACK_WORDS]  # tracks to borrow
    extra: Annotated[list[int], I64, TRACK_WORDS]  # planned tracks that no ticket needs
    of_colour: Annotated[list[int], I64, CARDS * TRACK_WORDS]  # free tracks by colour
    tried: Annotated[list[int], I64, TRACK_WORDS]  # tracks still to be tried out as lost
    own_places: Annotated[int, I64]  # where the seat has tracks
    busy_places: Annotated[int, I64]  # where others have
    odd_places: Annotated[int, I64]  # where an odd number of own or planned tracks end: a long path can go on there
    tuning: Annotated[list[int], I32, SETS * TUNING]  # planner/numbers.py
    cost: Annotated[list[int], I32, MAX_TRACKS]  # what a track costs, in 64ths of a point; below 0 where it brings more
    total_cost: Annotated[int, I32]  # of the planned tracks together
    draw_gain: Annotated[int, I32]  # what the best draws bring
    best_worth: Annotated[int, I32]  # of the best draw
    second_worth: Annotated[int, I32]  # of the next best
    claim_value: Annotated[int, I32]  # what speaks for the best claim
    regret: Annotated[list[int], I32, MAX_TRACKS]  # what the plan loses without a track
    worth: Annotated[list[int], I32, MAX_TRACKS]  # the ticket points that hang on a planned track
    weight: Annotated[list[int], I32, MAX_TRACKS]  # how much it matters to get the cards for a planned track
    wish: Annotated[list[int], I32, CARDS]  # what one more card of a colour is worth
    terrain_wish: Annotated[list[int], I32, TERRAINS]
    card_loss: Annotated[int, I32]  # what is lost with a card that is played
    needed_loss: Annotated[int, I32]  # more, if the plan needs it elsewhere
    loco_loss: Annotated[int, I32]
    own_need_always: Annotated[int, I32]  # 1: what a track itself takes is not needed elsewhere, planned or not
    tunnel_reserve: Annotated[int, I32]  # cards to spare for a tunnel
    base_wish: Annotated[int, I32]  # what a card is worth that is lacking at all
    most_wish: Annotated[int, I32]  # and by one track at the most
    gray_wish: Annotated[int, I32]  # a card for a gray track by the track's weight (64ths)
    loco_wish: Annotated[int, I32]  # a locomotive that stands in (64ths)
    point_for_terrain: Annotated[int, I32]  # a point won by doubling
    deck_part: Annotated[int, I32]  # of its mean worth that a card of the deck is worth (64ths)
    two_part: Annotated[int, I32]  # of two other cards that a locomotive of the display must be worth (64ths)
    deck_first: Annotated[int, I32]  # 1: the deck goes before a card that is worth as much
    sees_terrain_deck: Annotated[int, I32]  # 1: the terrain deck is thought of
    facts: Annotated[list[int], I32, FACTS]  # what the evaluation is told of a seat
    gain: Annotated[list[int], I16, MAX_TRACKS]  # points a claim brings
    hope: Annotated[list[int], I16, MAX_TRACKS]  # what it may bring besides, in 64ths of a point
    wanted: Annotated[list[int], I16, MAX_TRACKS]  # how much longer others' way would be without a track
    shown: Annotated[list[int], I16, CARDS]  # cards in the display
    wait_of: Annotated[list[int], I16, CARDS]  # 16ths of a turn until one more card of a colour comes by
    lack_of: Annotated[list[int], I16, CARDS]  # cards the plan lacks of a colour
    longest_wait: Annotated[int, I16]  # 16ths of a turn until the colour lacking most is there
    free_cards: Annotated[list[int], I16, CARDS]  # cards in hand that no planned track takes
    is_tuned: Annotated[int, I16]  # 1 when `tuning` is filled
    tuning_at: Annotated[int, I16]  # where the set of numbers begins by which the seat plays
    time: Annotated[int, I16]  # turns left, by guess
    lacking: Annotated[int, I16]  # cards the plan lacks
    chain_spaces: Annotated[int, I16]  # what the chain traced last would add to the plan: trains
    chain_turns: Annotated[int, I16]
    chain_loans: Annotated[int, I16]
    chain_lacking: Annotated[int, I16]  # cards
    todo_n: Annotated[int, I16]  # tickets to join
    more_value: Annotated[int, I32]  # of what the plan joins beside tickets, in 64ths of a point
    planned_points: Annotated[int, I16]  # of tickets the plan joins
    missed_points: Annotated[int, I16]  # of tickets it does not
    need: Annotated[list[int], I16, CARDS]  # cards the planned tracks take, by colour
    spaces: Annotated[int, I16]  # trains the plan takes
    turns: Annotated[int, I16]  # turns the plan takes, those of drawing not counted
    loans_left: Annotated[int, I16]
    best_draw: Annotated[int, I8]
    todo: Annotated[list[int], I8, MAX_TICKETS]  # tickets to join, in the order in which they are planned
    best_todo: Annotated[list[int], I8, MAX_TICKETS]
    lacks: Annotated[list[int], I8, MAX_TRACKS]  # cards a free track lacks
