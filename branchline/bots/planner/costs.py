"""What each track costs the planner: turns and cards, less the points it brings. Costs are in 64ths of a point."""

from __future__ import annotations

from branchline.bots.blocks.cards import unseen_cards
from branchline.bots.blocks.claims import claim_gain
from branchline.bots.blocks.plan import Plan
from branchline.bots.hooks import look_closer, more_cost
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
    lowest,
)
from branchline.bots.planner.tuning import (
    P_CARD,
    P_CLAIM,
    P_DANGER,
    P_END_BASE,
    P_END_HAND,
    P_END_TRAIN,
    P_FERRY,
    P_FLOOR,
    P_FLOW,
    P_GRAY,
    P_HELD,
    P_LOCO,
    P_NEAR,
    P_ODD,
    P_PASS_LENGTH,
    P_POINT,
    P_SHOWN,
    P_TRAIN,
    P_WAIT,
    tuned,
)
from branchline.graph.chains import find_tracks, track_ends

QUARTER = 16  # 64ths of a point in a price
DEAREST = 200  # a price above which no track lies


# ---------------------------------------------------------------- what is there


@kernel
def look_around(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """What does not change while a choice is thought over: free tracks, what they bring, who is where, the time."""
    find_tracks(s, b, plan, seat)
    plan.time = time_left(s, b, plan, seat)
    plan.own_places = 0
    plan.busy_places = 0
    count_cards(s, b, plan)
    for word in range(TRACK_WORDS):
        for c in range(CARDS):
            plan.of_colour[TRACK_WORDS * c + word] = 0
        for p in range(s.players):
            tracks = s.owned[TRACK_WORDS * p + word]
            while tracks:
                ends = track_ends(b, word * BITS + lowest(tracks))
                tracks &= tracks - 1
                if p == seat:
                    plan.own_places |= ends
                else:
                    plan.busy_places |= ends
        tracks = plan.free[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            plan.gain[t] = claim_gain(s, b, seat, t)
            plan.hope[t] = 0
            plan.regret[t] = 0
            plan.wanted[t] = 0
            plan.of_colour[TRACK_WORDS * b.colour[t] + word] |= 1 << i
    look_closer(s, b, plan, seat)


@kernel
def weighed_gain(plan: Plan, i: int, t: int) -> int:
    """The points of a claim, and what else it may bring, by one of the numbers."""
    return tuned(plan, i) * (64 * plan.gain[t] + plan.hope[t]) // 64


@kernel
def count_cards(s: Position, b: Board, plan: Plan) -> None:
    """What lies in the display, and how long one more card of each colour takes by what cannot be seen."""
    total = 0
    for c in range(CARDS):
        plan.shown[c] = 0
        plan.wait_of[c] = unseen_cards(s, b, c)
        total += plan.wait_of[c]
    for i in range(b.display):
        if s.display[i] >= 0:
            plan.shown[s.display[i]] += 1
    for c in range(CARDS):
        plan.wait_of[c] = min(64, tuned(plan, P_FLOW) * total // (CARDS * max(1, plan.wait_of[c])))


@kernel
def time_left(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """A guess at how many turns the seat has left, this one included, by the others' trains and cards; 1 is sure."""
    if s.turns_left > 0:
        return 1
    least = 1000 * 16
    for p in range(s.players):
        if p != seat:
            cards = 0
            for c in range(HAND):
                cards += s.hand[p * HAND + c]
            trains = max(0, s.trains[p] - b.last_round_at)
            turns = tuned(plan, P_END_TRAIN) * trains - tuned(plan, P_END_HAND) * min(cards, trains)
            least = min(least, turns + tuned(plan, P_END_BASE))
    return max(2, least // 16)


# ---------------------------------------------------------------- what each track costs


@kernel
def price_free(s: Position, b: Board, plan: Plan, seat: int, c: int) -> None:
    """Price the free tracks of one colour that are not planned yet."""
    for word in range(TRACK_WORDS):
        tracks = plan.of_colour[TRACK_WORDS * c + word] & ~(plan.tracks[word] | plan.extra[word])
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.cost[t] = track_cost(s, b, plan, seat, t)
            plan.price[t] = max(1, min(DEAREST, max(tuned(plan, P_FLOOR), plan.cost[t]) // QUARTER))


@kernel
def track_cost(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """What claiming a free track costs with the cards not yet allotted, less the points it brings."""
    colour = b.colour[t]
    plain = b.length[t] - b.ferry[t]
    have = most_cards(plan) if colour == GRAY else plan.free_cards[colour]
    held = min(have, plain)
    lacking = plain - held
    symbols = min(b.ferry[t], plan.free_cards[LOCO])
    wild = min(lacking, plan.free_cards[LOCO] - symbols)
    lacking -= wild
    plan.lacks[t] = lacking + b.ferry[t] - symbols
    cost = tuned(plan, P_CLAIM) + tuned(plan, P_HELD) * held + tuned(plan, P_LOCO) * (wild + symbols)
    cost += tuned(plan, P_GRAY) * lacking if colour == GRAY else waiting_cost(plan, colour, lacking)
    cost += tuned(plan, P_FERRY) * (b.ferry[t] - symbols)
    cost += (tuned(plan, P_TRAIN) - tuned(plan, P_PASS_LENGTH)) * b.length[t] - weighed_gain(plan, P_POINT, t)
    cost += more_cost(s, b, plan, seat, t)
    ends = track_ends(b, t)
    if ends & plan.own_places:
        cost -= tuned(plan, P_NEAR)
    if b.longest_path > 0 and ends & plan.odd_places:
        cost -= tuned(plan, P_ODD)
    return cost + tuned(plan, P_DANGER) * busy_ends(b, plan, t)


@kernel
def waiting_cost(plan: Plan, colour: int, lacking: int) -> int:
    """What it costs to draw cards of one colour: each its share of a turn, and turns with nothing else to draw."""
    shown = min(lacking, plan.shown[colour])
    wait = (lacking - shown) * plan.wait_of[colour] - 8 * lacking - 8 * plan.lacking
    cost = tuned(plan, P_SHOWN) * shown + tuned(plan, P_CARD) * (lacking - shown)
    return cost + tuned(plan, P_WAIT) * max(0, wait) // 16


@kernel
def busy_ends(b: Board, plan: Plan, t: int) -> int:
    """At how many ends of a track others have been."""
    return ((plan.busy_places >> b.track_a[t]) & 1) + ((plan.busy_places >> b.track_b[t]) & 1)


@kernel
def most_cards(plan: Plan) -> int:
    """The cards of the colour of which most are not allotted."""
    most = 0
    for c in range(LOCO):
        most = max(most, plan.free_cards[c])
    return most
