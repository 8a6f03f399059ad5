"""The planner's network: the cheapest forest of tracks for the tickets, and what it would lose without each of them.

A card of the hand pays for one planned track only: what a chain takes is no longer there for the next, and the tracks
of that colour are priced anew.
"""

from __future__ import annotations

from branchline.bots.blocks.chains import adopt_loan, clear_plan, count_track, list_tickets, measure_chain
from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.hooks import join_more
from branchline.bots.kernel import (
    BITS,
    CARDS,
    GRAY,
    HAND,
    LOCO,
    TRACK_WORDS,
    Board,
    Position,
    kernel,
    lending_places,
    lowest,
)
from branchline.bots.planner.costs import DEAREST, QUARTER, price_free
from branchline.bots.planner.tuning import (
    P_CARDS_A_TURN,
    P_DROP,
    P_KEEP_LATE,
    P_KEEP_MISS,
    P_KEEP_POINT,
    P_KEEP_SPARE,
    P_KEEP_TIGHT,
    P_KEEP_TIME,
    P_LOAN,
    P_ORDERS,
    P_REGRET,
    P_SLACK,
    P_STATION,
    tuned,
)
from branchline.graph.chains import NOWHERE, add_track, find_chain, has_track, trace_chain, track_ends


@kernel
def begin_plan(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """An empty plan: own tracks cost nothing, free ones what they cost, others' ones a station."""
    clear_plan(s, b, plan, seat)
    plan.lacking = 0
    plan.longest_wait = 0
    plan.total_cost = 0
    plan.planned_points = 0
    plan.missed_points = 0
    plan.more_value = 0
    plan.odd_places = 0
    for c in range(CARDS):
        plan.free_cards[c] = s.hand[seat * HAND + c]
        plan.lack_of[c] = 0
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
                plan.odd_places ^= track_ends(b, t)
            elif (plan.lent[word] >> i) & 1:
                standing = track_ends(b, t) & lending_places(s, b, seat)
                plan.cost[t] = tuned(plan, P_LOAN) if standing else tuned(plan, P_STATION)
                plan.price[t] = max(1, min(DEAREST, plan.cost[t] // QUARTER))
    for c in range(CARDS):
        price_free(s, b, plan, seat, c)


@kernel
def chain_fits(s: Position, plan: Plan, seat: int) -> int:
    """1 if trains, stations and time suffice for the plan with the chain measured last."""
    if plan.spaces + plan.chain_spaces > s.trains[seat] or plan.chain_loans > plan.loans_left:
        return 0
    return 1 if plan_turns(plan, plan.chain_turns, plan.chain_lacking) <= 16 * plan.time + tuned(plan, P_SLACK) else 0


@kernel
def plan_turns(plan: Plan, claims: int, lacking: int) -> int:
    """The turns, in 16ths, that the plan takes with so many claims and cards more."""
    drawing = 256 * (plan.lacking + lacking) // max(1, tuned(plan, P_CARDS_A_TURN))
    return 16 * (plan.turns + claims) + max(drawing, plan.longest_wait)


@kernel
def take_track(s: Position, b: Board, plan: Plan, seat: int, t: int) -> None:
    """Allot cards of the hand to a track now planned, and price anew what would have used them."""
    colour = b.colour[t]
    plain = b.length[t] - b.ferry[t]
    if colour == GRAY:
        colour = colour_for_gray(plan, plain)
    held = min(plain, plan.free_cards[colour])
    locos = min(plan.free_cards[LOCO], b.length[t] - held)
    plan.free_cards[colour] -= held
    plan.free_cards[LOCO] -= locos
    count_track(b, plan, t)
    plan.lacking += b.length[t] - held - locos
    plan.total_cost += plan.cost[t]
    plan.odd_places ^= track_ends(b, t)
    if b.colour[t] != GRAY:
        plan.lack_of[colour] += b.length[t] - held - locos
        plan.longest_wait = max(plan.longest_wait, (plan.lack_of[colour] - plan.shown[colour]) * plan.wait_of[colour])
    if locos > 0:
        for c in range(CARDS):
            price_free(s, b, plan, seat, c)
    elif held > 0:
        price_free(s, b, plan, seat, colour)
        price_free(s, b, plan, seat, GRAY)


@kernel
def colour_for_gray(plan: Plan, cards: int) -> int:
    """The colour that pays for a gray track: the fewest cards that suffice, else the most there are."""
    chosen = 0
    for c in range(1, LOCO):
        if plan.free_cards[chosen] < cards:
            better = plan.free_cards[c] > plan.free_cards[chosen]
        else:
            better = cards <= plan.free_cards[c] < plan.free_cards[chosen]
        if better:
            chosen = c
    return chosen


@kernel
def take_chain(s: Position, b: Board, plan: Plan, seat: int, points: int) -> None:
    """Take the chain traced last into the plan; the points of its ticket hang on each of its tracks."""
    for i in range(plan.chain_n):
        t = plan.chain[i]
        if has_track(plan.free, t):
            plan.worth[t] += points
            if not has_track(plan.tracks, t):
                add_track(plan.tracks, t)
                take_track(s, b, plan, seat, t)
        elif has_track(plan.lent, t) and not has_track(plan.loans, t):
            adopt_loan(plan, t)
            plan.total_cost += plan.cost[t]


@kernel
def join_ticket(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> None:
    """Take the cheapest chain for a ticket into the plan, if it fits and is worth it."""
    start = b.ticket_a[ticket]
    points = b.ticket_points[ticket]
    most = min(NOWHERE - 1, points * tuned(plan, P_DROP) // QUARTER)
    if find_chain(b, plan, start, b.ticket_b[ticket], most) != NOWHERE:
        trace_chain(b, plan, start)
        measure_chain(b, plan)
        if chain_fits(s, plan, seat):
            take_chain(s, b, plan, seat, points)
            plan.planned_points += points
            return
    plan.missed_points += points


@kernel
def join_pair(s: Position, b: Board, plan: Plan, seat: int, start: int, goal: int, value: int, points: int) -> None:
    """Take the cheapest chain between two places, as bits, into the plan, if it fits and is worth it: so much, in 64ths
    of a point. These points hang on each of its tracks, beside those of tickets."""
    most = min(NOWHERE - 1, value // QUARTER)
    if find_chain(b, plan, start, goal, most) != NOWHERE:
        trace_chain(b, plan, start)
        measure_chain(b, plan)
        if chain_fits(s, plan, seat):
            take_chain(s, b, plan, seat, points)
            plan.more_value += value


# ---------------------------------------------------------------- orders of the tickets


@kernel
def plan_in_order(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Plan the tickets of plan.todo one after the other; the value of the plan."""
    begin_plan(s, b, plan, seat)
    for i in range(plan.todo_n):
        join_ticket(s, b, plan, seat, plan.todo[i])
    join_more(s, b, plan, seat)
    return plan_value(s, plan, seat)


@kernel
def plan_value(s: Position, plan: Plan, seat: int) -> int:
    """What the plan is worth: ticket points less costs, and less for a plan with neither trains nor time to spare."""
    value = (
        tuned(plan, P_KEEP_POINT) * plan.planned_points
        - tuned(plan, P_KEEP_MISS) * plan.missed_points
        + plan.more_value
        - plan.total_cost
    )
    spare = s.trains[seat] - plan.spaces
    value -= tuned(plan, P_KEEP_TIGHT) * max(0, tuned(plan, P_KEEP_SPARE) - spare)
    late = 16 * tuned(plan, P_KEEP_TIME) + plan_turns(plan, 0, 0) - 16 * plan.time
    return value - tuned(plan, P_KEEP_LATE) * max(0, late) // 16


@kernel
def plan_cheapest_first(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Bring the tickets of plan.todo into the order in which each next one is the cheapest; the value of that plan."""
    begin_plan(s, b, plan, seat)
    for i in range(plan.todo_n):
        best = NOWHERE
        chosen = i
        for j in range(i, plan.todo_n):
            ticket = plan.todo[j]
            price = find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], best)
            if price < best:
                best = price
                chosen = j
        ticket = plan.todo[chosen]
        plan.todo[chosen] = plan.todo[i]
        plan.todo[i] = ticket
        join_ticket(s, b, plan, seat, ticket)
    join_more(s, b, plan, seat)
    return plan_value(s, plan, seat)


@kernel
def plan_network(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The best plan for the tickets of plan.todo over several orders; its value."""
    value = plan_in_order(s, b, plan, seat)
    orders = tuned(plan, P_ORDERS)
    if plan.todo_n < 2 or orders < 1:
        return value
    keep_order(plan)
    best = value
    value = plan_cheapest_first(s, b, plan, seat)
    latest = 1
    if value > best:
        best = value
        keep_order(plan)
    else:
        latest = 0
    if orders > 1 and plan.todo_n > 2:
        for i in range(1, plan.todo_n):
            recall_order(plan)
            bring_to_front(plan, i)
            value = plan_in_order(s, b, plan, seat)
            latest = 0
            if value > best:
                best = value
                keep_order(plan)
                latest = 1
    if latest == 0:
        recall_order(plan)
        plan_in_order(s, b, plan, seat)
    return best


@kernel
def keep_order(plan: Plan) -> None:
    for i in range(plan.todo_n):
        plan.best_todo[i] = plan.todo[i]


@kernel
def recall_order(plan: Plan) -> None:
    for i in range(plan.todo_n):
        plan.todo[i] = plan.best_todo[i]


@kernel
def bring_to_front(plan: Plan, i: int) -> None:
    """The i-th ticket to join becomes the first."""
    ticket = plan.todo[i]
    for j in range(i, 0, -1):
        plan.todo[j] = plan.todo[j - 1]
    plan.todo[0] = ticket


@kernel
def plan_held(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """Plan the network for the tickets held; its value."""
    plan.todo_n = 0
    begin_plan(s, b, plan, seat)
    list_tickets(s, b, plan, seat)
    return plan_network(s, b, plan, seat)


# ---------------------------------------------------------------- what would be lost


@kernel
def weigh_regrets(s: Position, b: Board, plan: Plan, seat: int, value: int) -> None:
    """Try each planned track out as lost; what the plan loses is its regret. A better plan found so is taken."""
    for word in range(TRACK_WORDS):
        plan.tried[word] = plan.tracks[word]
    best = value
    good = NO_CHOICE  # the track without which the plan is better
    for _ in range(tuned(plan, P_REGRET)):
        t = next_tried(plan)
        if t == NO_CHOICE:
            break
        bar_track(s, b, plan, t)
        without = plan_in_order(s, b, plan, seat)
        plan.regret[t] = max(0, value - without)
        if without > best:
            best = without
            good = t
    clear_barred(plan)
    if good != NO_CHOICE:
        add_track(plan.barred, good)
    plan_in_order(s, b, plan, seat)


@kernel
def next_tried(plan: Plan) -> int:
    """The next track to try out as lost, taken from plan.tried; NO_CHOICE when there is none left."""
    for word in range(TRACK_WORDS):
        if plan.tried[word]:
            t = word * BITS + lowest(plan.tried[word])
            plan.tried[word] &= plan.tried[word] - 1
            return t
    return NO_CHOICE


@kernel
def clear_barred(plan: Plan) -> None:
    for word in range(TRACK_WORDS):
        plan.barred[word] = 0


@kernel
def bar_track(s: Position, b: Board, plan: Plan, t: int) -> None:
    """Bar one track alone, and its twins where nobody may claim them after it (C-27)."""
    for word in range(TRACK_WORDS):
        plan.barred[word] = b.twins[TRACK_WORDS * t + word] if s.players < b.both_tracks_from else 0
    add_track(plan.barred, t)
