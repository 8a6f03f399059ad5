"""The planner: at every turn it knows which whole network it wants, what that costs, and what it fears to lose.

1. Every free track has a cost: the turn of the claim, the turns to draw the cards that the hand lacks, locomotives for
   ferries, the risk of a tunnel; less the points it brings (with terrain that doubles it, with festival cards at its
   ends). Cards of the hand count once: what one track takes, another lacks (costs.py, network.py).
2. The plan is a forest that joins the tickets held at the lowest cost, over several orders of joining them; a ticket
   that cannot be joined in time or is not worth its chain is given up. Left-over trains go to long tracks.
3. A planned track that can be paid is claimed by the regret of losing it: what the plan would be worth without it,
   by the chance that somebody takes it, against what the display offers to draw now.
4. Tickets are drawn when the tickets not seen yet promise, on the average, more than a turn is worth beside the plan.
5. The time left is guessed from the others' trains and cards; in the last turn only points count.

Nothing here knows a map by its name: everything is read off the board. The numbers are in tuning.py.
What only some maps have is asked of the mechanics (bots/hooks.py).
"""

from __future__ import annotations

from branchline.bots.blocks.cards import cards_in_hand, count_needs, is_planned, is_rash, payment, payment_loss
from branchline.bots.blocks.claims import best_points, choose_station, settle_claim
from branchline.bots.blocks.codes import NO_CHOICE, claim_code, may_choose
from branchline.bots.blocks.plan import Plan
from branchline.bots.hooks import planner_choice
from branchline.bots.kernel import (
    BITS,
    DRAW_FIRST,
    DRAW_SECOND,
    MAX_LENGTH,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    choosing_tickets,
    fill_menu,
    kernel,
    lowest,
)
from branchline.bots.planner.cards import planner_draw, value_cards_as_planner
from branchline.bots.planner.costs import busy_ends, look_around, weighed_gain
from branchline.bots.planner.extras import add_extras
from branchline.bots.planner.network import plan_held, plan_turns, weigh_regrets
from branchline.bots.planner.numbers import TUNING, load_tuning
from branchline.bots.planner.rivals import look_at_rivals
from branchline.bots.planner.tickets import planner_keep, ticket_prospect
from branchline.bots.planner.tuning import (
    P_DENY,
    P_DOUBLE_CARD,
    P_DOUBLE_LOCO,
    P_HURRY,
    P_LAST_TURNS,
    P_NOW_DENY,
    P_NOW_DRAW,
    P_NOW_EXTRA,
    P_NOW_EXTRA_PLAN,
    P_NOW_GAIN,
    P_NOW_HAND,
    P_NOW_REGRET,
    P_NOW_TICKET,
    P_NOW_WORTH,
    P_REGRET,
    P_RISK_BASE,
    P_RISK_END,
    P_RISK_PLAYERS,
    P_RISK_SHORT,
    P_RISK_WANTED,
    P_STATION_TURNS,
    P_TICKETS_GATE,
    P_TICKETS_NOW,
    P_TICKETS_PLAN,
    P_TICKETS_TIME,
    tuned,
)
from branchline.graph.chains import has_none, has_track

NO_CLAIM = -(1 << 30)
USUAL_HAND = 8
STATION_POINTS = 15  # a last claim that brings fewer makes way for a station


@kernel
def planner_action(s: Position, b: Board, w: Work, plan: Plan, seat: int, numbers: int) -> int:
    """The choice of the planner for a seat that has to choose, by one of the sets of numbers (numbers.py)."""
    load_tuning(plan)
    plan.tuning_at = TUNING * numbers
    value_cards_as_planner(plan)
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = planner_turn(s, b, w, plan, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        look_around(s, b, plan, seat)
        plan_held(s, b, plan, seat)
        add_extras(s, b, plan, seat)
        code = planner_draw(s, b, w, plan, seat)
    elif choosing_tickets(s, seat):
        code = planner_keep(s, b, w, plan, seat)
    else:
        code = planner_choice(s, b, w, plan, seat)
    if code != NO_CHOICE:
        return code
    return settle_claim(s, b, w, seat, tuned(plan, P_DOUBLE_CARD), tuned(plan, P_DOUBLE_LOCO))


# ---------------------------------------------------------------- the turn


@kernel
def planner_turn(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Claim, build, draw tickets or draw cards."""
    look_around(s, b, plan, seat)
    if plan.time == 1:
        return planner_last(s, b, w, plan, seat)
    if tuned(plan, P_DENY) > 0 or tuned(plan, P_RISK_WANTED) > 0:
        look_at_rivals(s, b, plan, seat)
    value = plan_held(s, b, plan, seat)
    if tuned(plan, P_REGRET) > 0:
        weigh_regrets(s, b, plan, seat, value)
    ticket_turns = plan_turns(plan, 0, 0) // 16
    tickets = wants_more_tickets(s, b, w, plan, seat)
    if has_none(plan.tracks) or plan.time <= tuned(plan, P_STATION_TURNS):
        code = choose_station(s, b, w, plan, seat)
        if code != NO_CHOICE:
            return code
    add_extras(s, b, plan, seat)
    draw = planner_draw(s, b, w, plan, seat)
    code = planner_claim(s, b, w, plan, seat, ticket_turns)
    if tickets and (code == NO_CHOICE or plan.claim_value < tickets + tuned(plan, P_TICKETS_NOW)):
        return TICKETS
    if code != NO_CHOICE and (draw == NO_CHOICE or 64 * plan.claim_value >= tuned(plan, P_NOW_DRAW) * plan.draw_gain):
        return code
    return draw if draw != NO_CHOICE else best_points(s, b, w, plan, seat, 0)


@kernel
def wants_more_tickets(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """By how much drawing tickets is worth its turn now, or 0."""
    if not may_choose(w, TICKETS) or plan.time < tuned(plan, P_TICKETS_TIME):
        return 0
    gate = tuned(plan, P_TICKETS_GATE) + tuned(plan, P_TICKETS_PLAN) * plan_turns(plan, 0, 0) // 16
    return max(0, ticket_prospect(s, b, plan, seat) - gate)


@kernel
def planner_claim(s: Position, b: Board, w: Work, plan: Plan, seat: int, turns: int) -> int:
    """The track to claim now, or NO_CHOICE, and what speaks for it in plan.claim_value; tickets still take `turns`."""
    count_needs(b, plan)
    plan.claim_value = NO_CLAIM
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            if not is_planned(plan, t) and (plan.wanted[t] == 0 or tuned(plan, P_DENY) == 0):
                continue
            colour = payment(s, b, w, plan, seat, t)
            if colour != NO_CHOICE and not is_rash(s, b, plan, seat, t, colour):
                value = claim_worth(s, b, plan, seat, t, colour, turns)
                if value > plan.claim_value:
                    plan.claim_value = value
                    code = claim_code(t, colour)
    return code


@kernel
def claim_worth(s: Position, b: Board, plan: Plan, seat: int, t: int, colour: int, turns: int) -> int:
    """What speaks for claiming a track now."""
    value = weighed_gain(plan, P_NOW_GAIN, t) - payment_loss(s, b, plan, seat, t, colour)
    value += tuned(plan, P_NOW_HAND) * max(0, cards_in_hand(s, seat) - USUAL_HAND)
    value += tuned(plan, P_DENY) * plan.wanted[t] + tuned(plan, P_HURRY) * max(0, tuned(plan, P_LAST_TURNS) - plan.time)
    if has_track(plan.tracks, t):
        regret = tuned(plan, P_NOW_REGRET) * plan.regret[t] // 64 * risk_of(s, b, plan, t) // 64
        return value + regret + tuned(plan, P_NOW_WORTH) * plan.worth[t] + tuned(plan, P_NOW_TICKET)
    if has_track(plan.extra, t):
        return value + tuned(plan, P_NOW_EXTRA) - tuned(plan, P_NOW_EXTRA_PLAN) * turns
    return value + tuned(plan, P_NOW_DENY)


@kernel
def risk_of(s: Position, b: Board, plan: Plan, t: int) -> int:
    """The chance, in 64ths, that others take a track before the next turn."""
    risk = tuned(plan, P_RISK_BASE) + tuned(plan, P_RISK_END) * busy_ends(b, plan, t)
    risk += tuned(plan, P_RISK_SHORT) * (MAX_LENGTH - b.length[t])
    if plan.wanted[t] > 0:
        risk += tuned(plan, P_RISK_WANTED)
    return risk + risk * tuned(plan, P_RISK_PLAYERS) * (s.players - 2) // 64


# ---------------------------------------------------------------- the last turn


@kernel
def planner_last(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The last turn: the claim that brings most points with the tickets it joins, or a station that joins more."""
    plan_held(s, b, plan, seat)
    code = best_points(s, b, w, plan, seat, 2)
    if plan.claim_value < STATION_POINTS:
        station = choose_station(s, b, w, plan, seat)
        if station != NO_CHOICE:
            return station
    return code if code != NO_CHOICE else planner_draw(s, b, w, plan, seat)
