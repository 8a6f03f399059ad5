"""The planner: at every turn it knows which whole network it wants, what that costs, and what it fears to lose.

1. Every free track has a cost: the turn of the claim, the turns to draw the cards that the hand lacks, locomotives for
   ferries, the risk of a tunnel; less the points it brings (with terrain that doubles it, with festival cards at its
   ends). Cards of the hand count once: what one track takes, another lacks (plan_network.py).
2. The plan is a forest that joins the tickets held at the lowest cost, over several orders of joining them; a ticket
   that cannot be joined in time or is not worth its chain is given up. Left-over trains go to long tracks.
3. A planned track that can be paid is claimed by the regret of losing it: what the plan would be worth without it,
   by the chance that somebody takes it, against what the display offers to draw now.
4. Tickets are drawn when the tickets not seen yet promise, on the average, more than a turn is worth beside the plan.
5. The time left is guessed from the others' trains and cards; in the last turn only points count.

Nothing here knows a map by its name: everything is read off the board. The numbers are in tuning.py.
"""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE
from branchline.bots.choices import choose_festival, claim_code, station_place
from branchline.bots.plan_cards import (
    count_plan_needs,
    is_too_rash,
    planner_draw,
    planner_loss,
    planner_payment,
)
from branchline.bots.plan_network import (
    add_extras,
    busy_ends,
    load_tuning,
    look_around,
    plan_held,
    plan_turns,
    tuned,
    weigh_regrets,
)
from branchline.bots.plan_rivals import look_at_rivals
from branchline.bots.plan_tickets import planner_keep, planner_pick, ticket_prospect
from branchline.bots.routes import cards_in_hand
from branchline.bots.tuning import (
    P_DENY,
    P_DOUBLE_CARD,
    P_DOUBLE_LOCO,
    P_HURRY,
    P_LAST_TURNS,
    P_LOSS_LOCO,
    P_LOSS_NEEDED,
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
    TUNING,
)
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    DOUBLE,
    DOUBLED,
    DRAFT_PICK,
    DRAW_FIRST,
    DRAW_SECOND,
    FESTIVAL_CHOICE,
    HAND,
    LOCO,
    LOCOS,
    MISC,
    SINGLE,
    STATION,
    TICKETS,
    TRACK_WORDS,
    TUNNEL,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.stations import stations_built
from branchline.kernel.turn import choosing_tickets, fill_menu, nth_of_menu
from branchline.maps.model import MAX_LENGTH

NO_CLAIM = -(1 << 30)
USUAL_HAND = 8


@kernel
def planner_action(s: Position, b: Board, w: Work, k: PathWork, seat: int, twin: int) -> int:
    """The choice of the planner for a seat that has to choose; its twin plays by the second set of numbers."""
    load_tuning(k)
    k.tune_at = TUNING if twin else 0
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = planner_turn(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        look_around(s, b, k, seat)
        plan_held(s, b, k, seat)
        add_extras(s, b, k, seat)
        code = planner_draw(s, b, w, k, seat)
    elif choosing_tickets(s, seat):
        code = planner_keep(s, b, w, k, seat)
    elif s.phase == DRAFT_PICK:
        code = planner_pick(s, b, k, seat)
    elif s.phase == DOUBLE:
        code = planner_double(s, b, w, k)
    elif s.phase == FESTIVAL_CHOICE:
        code = choose_festival(s, b, seat)
    elif s.phase == TUNNEL and w.menu[MISC] >> LOCOS:
        code = LOCOS + lowest(w.menu[MISC] >> LOCOS)
    # What is offered first plays colour cards before locomotives and returns tickets as they came.
    return code if code != NO_CHOICE else nth_of_menu(w, 0)


# ---------------------------------------------------------------- the turn


@kernel
def planner_turn(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim, build, draw tickets or draw cards."""
    look_around(s, b, k, seat)
    if k.time == 1:
        return planner_last(s, b, w, k, seat)
    if tuned(k, P_DENY) > 0 or tuned(k, P_RISK_WANTED) > 0:
        look_at_rivals(s, b, k, seat)
    value = plan_held(s, b, k, seat)
    if tuned(k, P_REGRET) > 0:
        weigh_regrets(s, b, k, seat, value)
    ticket_turns = plan_turns(k, 0, 0) // 16
    tickets = wants_more_tickets(s, b, w, k, seat)
    blank = k.plan[0] == 0 and k.plan[1] == 0
    if blank or k.time <= tuned(k, P_STATION_TURNS):
        code = planner_station(s, b, w, k, seat)
        if code != NO_CHOICE:
            return code
    add_extras(s, b, k, seat)
    draw = planner_draw(s, b, w, k, seat)
    code = planner_claim(s, b, w, k, seat, ticket_turns)
    if tickets and (code == NO_CHOICE or k.claim_value < tickets + tuned(k, P_TICKETS_NOW)):
        return TICKETS
    if code != NO_CHOICE and (draw == NO_CHOICE or 64 * k.claim_value >= tuned(k, P_NOW_DRAW) * k.draw_gain):
        return code
    return draw if draw != NO_CHOICE else most_points(s, b, w, k, seat)


@kernel
def wants_more_tickets(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """By how much drawing tickets is worth its turn now, or 0."""
    if not (w.menu[MISC] >> TICKETS) & 1 or k.time < tuned(k, P_TICKETS_TIME):
        return 0
    gate = tuned(k, P_TICKETS_GATE) + tuned(k, P_TICKETS_PLAN) * plan_turns(k, 0, 0) // 16
    return max(0, ticket_prospect(s, b, k, seat) - gate)


@kernel
def planner_claim(s: Position, b: Board, w: Work, k: PathWork, seat: int, turns: int) -> int:
    """The planned track to claim now, or NO_CHOICE; k.claim_value is what speaks for it."""
    count_plan_needs(b, k)
    list_claims(s, b, w, k, seat, turns)
    code = NO_CHOICE
    k.claim_value = NO_CLAIM
    for i in range(k.claims_n):
        if k.claim_score[i] > k.claim_value:
            k.claim_value = k.claim_score[i]
            code = k.claim_choice[i]
    return code


@kernel
def list_claims(s: Position, b: Board, w: Work, k: PathWork, seat: int, turns: int) -> None:
    """Write the tracks that can be paid into k.claim_choice, with what speaks for each; tickets still take `turns`."""
    k.claims_n = 0
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            if not ((k.plan[word] | k.extra[word]) >> i) & 1 and (k.wanted[t] == 0 or tuned(k, P_DENY) == 0):
                continue
            colour = planner_payment(s, b, w, k, seat, t)
            if colour != NO_CHOICE and not is_too_rash(s, b, k, seat, t, colour):
                k.claim_choice[k.claims_n] = claim_code(t, colour)
                k.claim_score[k.claims_n] = claim_worth(s, b, k, seat, t, colour, turns)
                k.claims_n += 1


@kernel
def claim_worth(s: Position, b: Board, k: PathWork, seat: int, t: int, colour: int, turns: int) -> int:
    """What speaks for claiming a track now."""
    value = tuned(k, P_NOW_GAIN) * k.gain[t] - planner_loss(s, b, k, seat, t, colour)
    value += tuned(k, P_NOW_HAND) * max(0, cards_in_hand(s, seat) - USUAL_HAND)
    value += tuned(k, P_DENY) * k.wanted[t] + tuned(k, P_HURRY) * max(0, tuned(k, P_LAST_TURNS) - k.time)
    if (k.plan[t // BITS] >> (t % BITS)) & 1:
        regret = tuned(k, P_NOW_REGRET) * k.regret[t] // 64 * risk_of(s, b, k, t) // 64
        return value + regret + tuned(k, P_NOW_WORTH) * k.worth[t] + tuned(k, P_NOW_TICKET)
    if (k.extra[t // BITS] >> (t % BITS)) & 1:
        return value + tuned(k, P_NOW_EXTRA) - tuned(k, P_NOW_EXTRA_PLAN) * turns
    return value + tuned(k, P_NOW_DENY)


@kernel
def risk_of(s: Position, b: Board, k: PathWork, t: int) -> int:
    """The chance, in 64ths, that others take a track before the next turn."""
    risk = tuned(k, P_RISK_BASE) + tuned(k, P_RISK_END) * busy_ends(b, k, t)
    risk += tuned(k, P_RISK_SHORT) * (MAX_LENGTH - b.length[t])
    if k.wanted[t] > 0:
        risk += tuned(k, P_RISK_WANTED)
    return risk + risk * tuned(k, P_RISK_PLAYERS) * (s.players - 2) // 64


@kernel
def most_points(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The claim that brings most points at once, or NO_CHOICE."""
    best = -1
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = planner_payment(s, b, w, k, seat, t)
            if colour != NO_CHOICE and k.gain[t] > best:
                best = k.gain[t]
                code = claim_code(t, colour)
    return code


# ---------------------------------------------------------------- the last turn


@kernel
def planner_last(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The last turn: the claim that brings most points with the tickets it joins, or a station that joins more."""
    plan_held(s, b, k, seat)
    count_plan_needs(b, k)
    best = -1
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = planner_payment(s, b, w, k, seat, t)
            if colour != NO_CHOICE:
                value = k.gain[t] + 2 * k.worth[t]
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    if best < 15:
        station = planner_station(s, b, w, k, seat)
        if station != NO_CHOICE:
            return station
    return code if code != NO_CHOICE else planner_draw(s, b, w, k, seat)


# ---------------------------------------------------------------- stations and details of a claim


@kernel
def planner_station(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Build a station that lends a planned track, paid with what is needed least, or NO_CHOICE (EUR-05, EUR-06)."""
    place = station_place(s, b, k, seat) if b.stations_each > 0 else NO_CHOICE
    if place == NO_CHOICE:
        return NO_CHOICE
    count_plan_needs(b, k)
    price = stations_built(s, seat) + 1
    least = 1 << 30
    code = NO_CHOICE
    for c in range(CARDS):
        if (w.menu[STATION + c] >> place) & 1:
            have = s.hand[seat * HAND + c]
            loss = tuned(k, P_LOSS_LOCO) * price
            if c != LOCO:
                loss = tuned(k, P_LOSS_LOCO) * max(0, price - have) + tuned(k, P_LOSS_NEEDED) * k.need[c] - have
            if loss < least:
                least = loss
                code = 64 * (STATION + c) + place
    return code


@kernel
def planner_double(s: Position, b: Board, w: Work, k: PathWork) -> int:
    """Double a track if its points are worth the cards, with as few locomotives as possible."""
    length = b.length[s.claim_track]
    locos = lowest(w.menu[MISC] >> DOUBLED)
    cost = tuned(k, P_DOUBLE_CARD) * max(0, b.to_double[length] - locos) + tuned(k, P_DOUBLE_LOCO) * locos
    if s.turns_left > 0:  # no card is worth anything any more
        cost = 0
    return DOUBLED + locos if 64 * b.points[length] >= cost else SINGLE
