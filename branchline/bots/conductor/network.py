"""What each track costs the conductor, and the plan that joins the tickets held.

Prices are in quarters of a train card. They weigh what a track costs in cards and turns against the points it brings.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import cards_in_hand
from branchline.bots.blocks.chains import adopt_chain, clear_plan, list_tickets, measure_chain
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.cards import value_cards_as_conductor
from branchline.bots.hooks import more_price
from branchline.bots.kernel import (
    BITS,
    GRAY,
    HAND,
    TRACK_WORDS,
    Board,
    Position,
    kernel,
    lending_places,
    lowest,
)
from branchline.graph.chains import NOWHERE, find_chain, find_tracks, trace_chain, track_ends

NO_TRAINS_SUFFICE = 1000

CARD_PRICE = 4
CLAIM_PRICE = 6  # a turn
HELD_CARD_REBATE = 1
POINT_REBATE = 3  # quarters of a price for a point
FERRY_PRICE = 4  # a locomotive
LOAN_PRICE = 1  # at a station that stands
STATION_PRICE = 60

TRAINS_A_TURN = 3  # what the fastest player is taken to lay
HURRY = 12  # turns before the end at which time becomes short


# ---------------------------------------------------------------- what each track costs


@kernel
def survey(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Price every track for the seat: own ones cost nothing, free ones cards and a turn, others' ones a station."""
    value_cards_as_conductor(plan)
    find_tracks(s, b, plan, seat)
    clear_plan(s, b, plan, seat)
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * seat + word]
        tracks = plan.usable[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            plan.worth[t] = 0
            if (own >> i) & 1:
                plan.price[t] = 0
            elif (plan.free[word] >> i) & 1:
                plan.price[t] = track_price(s, b, seat, t)
            else:
                plan.price[t] = loan_price(s, b, seat, t)


@kernel
def track_price(s: Position, b: Board, seat: int, t: int) -> int:
    """What claiming a free track costs; less where its cards are in hand already and where it brings points."""
    length = b.length[t]
    price = CARD_PRICE * length + CLAIM_PRICE + FERRY_PRICE * b.ferry[t] + more_price(b, t)
    if b.colour[t] != GRAY:
        price -= HELD_CARD_REBATE * min(length, s.hand[seat * HAND + b.colour[t]])
    return max(1, price - POINT_REBATE * b.points[length] // 4)


@kernel
def loan_price(s: Position, b: Board, seat: int, t: int) -> int:
    """Little at a station that stands, much where one has still to be built."""
    return LOAN_PRICE if track_ends(b, t) & lending_places(s, b, seat) else STATION_PRICE


# ---------------------------------------------------------------- the plan


@kernel
def plan_tickets(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan how to join the tickets held: the most valuable first, each at the lowest price given those before."""
    survey(s, b, plan, seat)
    list_tickets(s, b, plan, seat)
    for i in range(plan.todo_n):
        plan_ticket(s, b, plan, seat, plan.todo[i])


@kernel
def plan_ticket(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> None:
    """Take the cheapest chain for a ticket into the plan, if trains and time suffice."""
    if find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE) == NOWHERE:
        return
    spaces = plan.spaces + spaces_of_chain(b, plan, b.ticket_a[ticket])
    if spaces <= s.trains[seat] and not is_too_late(s, b, plan, seat, spaces):
        adopt_chain(b, plan, b.ticket_points[ticket])


@kernel
def spaces_of_chain(b: Board, plan: Plan, start: int) -> int:
    """Trace the chain found last; the trains it takes beyond the plan, too many where stations do not suffice."""
    trace_chain(b, plan, start)
    measure_chain(b, plan)
    return plan.chain_spaces if plan.chain_loans <= plan.loans_left else NO_TRAINS_SUFFICE


@kernel
def is_too_late(s: Position, b: Board, plan: Plan, seat: int, spaces: int) -> int:
    """1 if the plan with the chain found last takes more turns than are left; three cards of four in hand will fit."""
    turns = turns_to_go(s, b)
    lacking = max(0, spaces - cards_in_hand(s, seat) * 3 // 4)
    return 1 if turns <= HURRY and plan.turns + plan.chain_turns + lacking // 2 > turns else 0


@kernel
def turns_to_go(s: Position, b: Board) -> int:
    """A guess at how many turns a player has left, this one included; 1 is no guess."""
    if s.turns_left > 0:
        return 1
    fewest = s.trains[0]
    for p in range(s.players):
        fewest = min(fewest, s.trains[p])
    return 2 + max(0, fewest - b.last_round_at - 1) // TRAINS_A_TURN
