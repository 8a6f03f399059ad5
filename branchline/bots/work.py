"""The work space of the bots; nothing in it but the planner's tuning lasts from one decision to the next."""

from __future__ import annotations

from typing import Annotated

from branchline.bots.tuning import TUNING
from branchline.kernel.flat import I8, I16, I32, I64, Flat
from branchline.kernel.state import CARDS, TERRAINS, TRACK_WORDS
from branchline.maps.model import MAX_PLACES, MAX_TICKETS, MAX_TRACKS

PRICES = 512  # no chain of tracks is followed beyond this price
FACTS = 32


class PathWork(Flat):
    """What the bots compute with."""

    at_price: Annotated[list[int], I64, PRICES]  # places waiting in a search, by the price of reaching them
    usable: Annotated[list[int], I64, TRACK_WORDS]  # tracks a chain may run over
    free: Annotated[list[int], I64, TRACK_WORDS]  # tracks the seat may still claim
    lent: Annotated[list[int], I64, TRACK_WORDS]  # tracks of others that a station could lend
    plan: Annotated[list[int], I64, TRACK_WORDS]  # tracks to claim
    loan: Annotated[list[int], I64, TRACK_WORDS]  # tracks to borrow
    extra: Annotated[list[int], I64, TRACK_WORDS]  # planned tracks that no ticket needs
    of_colour: Annotated[list[int], I64, CARDS * TRACK_WORDS]  # free tracks by colour
    tried: Annotated[list[int], I64, TRACK_WORDS]  # tracks still to be tried out as lost
    barred: Annotated[list[int], I64, TRACK_WORDS]  # tracks the plan must do without
    own_places: Annotated[int, I64]  # where the seat has tracks
    busy_places: Annotated[int, I64]  # where others have
    odd_places: Annotated[int, I64]  # where an odd number of own or planned tracks end: a long path can go on there
    tuning: Annotated[list[int], I32, 2 * TUNING]
    raw: Annotated[list[int], I32, MAX_TRACKS]  # what a track costs, in 64ths of a point; below 0 where it brings more
    plan_cost: Annotated[int, I32]  # of the planned tracks together
    draw_gain: Annotated[int, I32]  # what the best draws bring
    claim_value: Annotated[int, I32]  # what speaks for the best claim
    regret: Annotated[list[int], I32, MAX_TRACKS]  # what the plan loses without a track
    claim_score: Annotated[list[int], I32, MAX_TRACKS]
    claim_choice: Annotated[list[int], I32, MAX_TRACKS]
    worth: Annotated[list[int], I32, MAX_TRACKS]  # the ticket points that hang on a planned track
    wish: Annotated[list[int], I32, CARDS]  # what one more card of a colour is worth
    terrain_wish: Annotated[list[int], I32, TERRAINS]
    facts: Annotated[list[int], I32, FACTS]  # what the evaluation is told of a seat
    price: Annotated[list[int], I16, MAX_TRACKS]
    reach: Annotated[list[int], I16, MAX_PLACES]  # the price at which a place is reached
    gain: Annotated[list[int], I16, MAX_TRACKS]  # points a claim brings
    wanted: Annotated[list[int], I16, MAX_TRACKS]  # how much longer others' way would be without a track
    shown: Annotated[list[int], I16, CARDS]  # cards in the display
    wait_of: Annotated[list[int], I16, CARDS]  # 16ths of a turn until one more card of a colour comes by
    lack_of: Annotated[list[int], I16, CARDS]  # cards the plan lacks of a colour
    longest_wait: Annotated[int, I16]  # 16ths of a turn until the colour lacking most is there
    avail: Annotated[list[int], I16, CARDS]  # cards in hand that no planned track takes
    is_tuned: Annotated[int, I16]  # 1 when `tuning` is filled
    tune_at: Annotated[int, I16]  # where the set of numbers begins by which the seat plays
    time: Annotated[int, I16]  # turns left, by guess
    lacking: Annotated[int, I16]  # cards the plan lacks
    chain_spaces: Annotated[int, I16]
    chain_loans: Annotated[int, I16]
    chain_lacking: Annotated[int, I16]
    claims_n: Annotated[int, I16]  # planned tracks that can be paid
    todo_n: Annotated[int, I16]  # tickets to join
    planned_points: Annotated[int, I16]  # of tickets the plan joins
    missed_points: Annotated[int, I16]  # of tickets it does not
    need: Annotated[list[int], I16, CARDS]  # cards the planned tracks take, by colour
    spaces: Annotated[int, I16]  # trains the plan takes
    turns: Annotated[int, I16]  # turns the plan takes, those of drawing not counted
    chain_turns: Annotated[int, I16]  # what the chain found last would add to that
    loans_left: Annotated[int, I16]
    goal: Annotated[int, I8]  # the place where the chain found last ends
    via: Annotated[list[int], I8, MAX_PLACES]  # the track by which a place is reached
    order: Annotated[list[int], I8, MAX_TICKETS]
    todo: Annotated[list[int], I8, MAX_TICKETS]  # tickets to join, in the order in which they are planned
    best_todo: Annotated[list[int], I8, MAX_TICKETS]
    lacks: Annotated[list[int], I8, MAX_TRACKS]  # cards a free track lacks
