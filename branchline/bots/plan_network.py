"""The planner's network: what each track costs in turns and brings in points, and the cheapest forest for the tickets.

Costs are in 64ths of a point, prices for the search in quarters. A card of the hand pays for one planned track only:
what a chain takes is no longer there for the next, and the tracks of that colour are priced anew.
"""

from __future__ import annotations

from branchline.bots.cards import claim_gain, unseen_cards
from branchline.bots.routes import NOWHERE, is_joined, lendable_tracks, own_stations, search, track_ends
from branchline.bots.tuning import (
    DEFAULTS,
    P_CARD,
    P_CARDS_A_TURN,
    P_CLAIM,
    P_DANGER,
    P_DROP,
    P_END_BASE,
    P_END_HAND,
    P_END_TRAIN,
    P_EXTRA_DRAFT,
    P_EXTRA_MIN,
    P_EXTRA_MOST,
    P_EXTRA_NEAR,
    P_EXTRA_ODD,
    P_EXTRA_PLAN,
    P_EXTRA_POINT,
    P_EXTRA_RESERVE,
    P_FERRY,
    P_FLOOR,
    P_FLOW,
    P_GRAY,
    P_HELD,
    P_KEEP_LATE,
    P_KEEP_MISS,
    P_KEEP_POINT,
    P_KEEP_SPARE,
    P_KEEP_TIGHT,
    P_KEEP_TIME,
    P_LOAN,
    P_LOCO,
    P_NEAR,
    P_ODD,
    P_ORDERS,
    P_PASS_LENGTH,
    P_POINT,
    P_REGRET,
    P_SHOWN,
    P_SLACK,
    P_STATION,
    P_TERRAIN,
    P_TRAIN,
    P_TUNNEL,
    P_WAIT,
    TUNING,
)
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    GRAY,
    HAND,
    HELD,
    LOCO,
    TERRAINS,
    TRACK_WORDS,
    Board,
    Position,
)
from branchline.kernel.terrain import most_of_others
from branchline.kernel.tunnels import is_tunnel
from branchline.maps.model import MAX_LENGTH

QUARTER = 16  # 64ths of a point in a price
DEAREST = 200  # a price above which no track lies


@kernel
def load_tuning(k: PathWork) -> None:
    """Both planners play by the usual numbers, unless somebody has written others."""
    if k.is_tuned == 0:
        for i in range(TUNING):
            k.tuning[i] = DEFAULTS[i]
            k.tuning[TUNING + i] = DEFAULTS[i]
        k.is_tuned = 1


@kernel
def tuned(k: PathWork, i: int) -> int:
    """One of the numbers by which the seat plays."""
    return k.tuning[k.tune_at + i]


# ---------------------------------------------------------------- what is there


@kernel
def look_around(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What does not change while a choice is thought over: free tracks, what they bring, who is where, the time."""
    fit = min(s.trains[seat], MAX_LENGTH)
    k.time = time_left(s, b, k, seat)
    k.own_places = 0
    k.busy_places = 0
    count_cards(s, b, k)
    for word in range(TRACK_WORDS):
        k.free[word] = b.fits[TRACK_WORDS * fit + word] & ~s.shut[TRACK_WORDS * seat + word]
        k.lent[word] = lendable_tracks(s, b, seat, word) if b.stations_each > 0 else 0
        k.barred[word] = 0
        for c in range(CARDS):
            k.of_colour[TRACK_WORDS * c + word] = 0
        for p in range(s.players):
            tracks = s.owned[TRACK_WORDS * p + word]
            while tracks:
                ends = track_ends(b, word * BITS + lowest(tracks))
                tracks &= tracks - 1
                if p == seat:
                    k.own_places |= ends
                else:
                    k.busy_places |= ends
        tracks = k.free[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            k.gain[t] = claim_gain(s, b, seat, t)
            k.regret[t] = 0
            k.wanted[t] = 0
            k.of_colour[TRACK_WORDS * b.colour[t] + word] |= 1 << i


@kernel
def count_cards(s: Position, b: Board, k: PathWork) -> None:
    """What lies in the display, and how long one more card of each colour takes by what cannot be seen."""
    total = 0
    for c in range(CARDS):
        k.shown[c] = 0
        k.wait_of[c] = unseen_cards(s, b, c)
        total += k.wait_of[c]
    for i in range(b.display):
        if s.display[i] >= 0:
            k.shown[s.display[i]] += 1
    for c in range(CARDS):
        k.wait_of[c] = min(64, tuned(k, P_FLOW) * total // (CARDS * max(1, k.wait_of[c])))


@kernel
def time_left(s: Position, b: Board, k: PathWork, seat: int) -> int:
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
            turns = tuned(k, P_END_TRAIN) * trains - tuned(k, P_END_HAND) * min(cards, trains)
            least = min(least, turns + tuned(k, P_END_BASE))
    return max(2, least // 16)


# ---------------------------------------------------------------- what each track costs


@kernel
def price_free(s: Position, b: Board, k: PathWork, seat: int, c: int) -> None:
    """Price the free tracks of one colour that are not planned yet."""
    for word in range(TRACK_WORDS):
        tracks = k.of_colour[TRACK_WORDS * c + word] & ~(k.plan[word] | k.extra[word])
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.raw[t] = track_cost(s, b, k, seat, t)
            k.price[t] = max(1, min(DEAREST, max(tuned(k, P_FLOOR), k.raw[t]) // QUARTER))


@kernel
def track_cost(s: Position, b: Board, k: PathWork, seat: int, t: int) -> int:
    """What claiming a free track costs with the cards not yet allotted, less the points it brings."""
    colour = b.colour[t]
    plain = b.length[t] - b.ferry[t]
    have = most_cards(k) if colour == GRAY else k.avail[colour]
    held = min(have, plain)
    lacking = plain - held
    symbols = min(b.ferry[t], k.avail[LOCO])
    wild = min(lacking, k.avail[LOCO] - symbols)
    lacking -= wild
    k.lacks[t] = lacking + b.ferry[t] - symbols
    cost = tuned(k, P_CLAIM) + tuned(k, P_HELD) * held + tuned(k, P_LOCO) * (wild + symbols)
    cost += tuned(k, P_GRAY) * lacking if colour == GRAY else waiting_cost(k, colour, lacking)
    cost += tuned(k, P_FERRY) * (b.ferry[t] - symbols)
    cost += (tuned(k, P_TRAIN) - tuned(k, P_PASS_LENGTH)) * b.length[t] - tuned(k, P_POINT) * k.gain[t]
    if is_tunnel(b, t):
        cost += tuned(k, P_TUNNEL)
    if b.terrains > 0:
        cost -= doubling_hope(s, b, k, seat, t)
    ends = track_ends(b, t)
    if ends & k.own_places:
        cost -= tuned(k, P_NEAR)
    if b.longest_path > 0 and ends & k.odd_places:
        cost -= tuned(k, P_ODD)
    return cost + tuned(k, P_DANGER) * busy_ends(b, k, t)


@kernel
def waiting_cost(k: PathWork, colour: int, lacking: int) -> int:
    """What it costs to draw cards of one colour: each its share of a turn, and turns with nothing else to draw."""
    shown = min(lacking, k.shown[colour])
    wait = (lacking - shown) * k.wait_of[colour] - 8 * lacking - 8 * k.lacking
    cost = tuned(k, P_SHOWN) * shown + tuned(k, P_CARD) * (lacking - shown)
    return cost + tuned(k, P_WAIT) * max(0, wait) // 16


@kernel
def busy_ends(b: Board, k: PathWork, t: int) -> int:
    """At how many ends of a track others have been."""
    return ((k.busy_places >> b.track_a[t]) & 1) + ((k.busy_places >> b.track_b[t]) & 1)


@kernel
def most_cards(k: PathWork) -> int:
    """The cards of the colour of which most are not allotted."""
    most = 0
    for c in range(LOCO):
        most = max(most, k.avail[c])
    return most


@kernel
def doubling_hope(s: Position, b: Board, k: PathWork, seat: int, t: int) -> int:
    """What doubling a track would bring when the terrain cards lacking for it were drawn (AFR-10, AFR-11)."""
    points = b.points[b.length[t]]
    due = b.to_double[b.length[t]]
    kind = b.terrain_of[b.colour[t]]
    lacking = max(due, most_of_others(s, seat, kind)) - s.terrain[seat * TERRAINS + kind]
    if due == 0 or lacking <= 0:
        return 0
    return max(0, tuned(k, P_POINT) * points - tuned(k, P_TERRAIN) * lacking)


# ---------------------------------------------------------------- planning


@kernel
def begin_plan(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """An empty plan: own tracks cost nothing, free ones what they cost, others' ones a station."""
    k.loans_left = b.stations_each
    k.spaces = 0
    k.turns = 0
    k.lacking = 0
    k.longest_wait = 0
    k.plan_cost = 0
    k.planned_points = 0
    k.missed_points = 0
    k.odd_places = 0
    for c in range(CARDS):
        k.avail[c] = s.hand[seat * HAND + c]
        k.lack_of[c] = 0
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * seat + word]
        k.usable[word] = own | (k.free[word] & ~k.barred[word]) | k.lent[word]
        k.plan[word] = 0
        k.extra[word] = 0
        k.loan[word] = 0
        tracks = k.usable[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            k.worth[t] = 0
            if (own >> i) & 1:
                k.price[t] = 0
                k.odd_places ^= track_ends(b, t)
            elif (k.lent[word] >> i) & 1:
                standing = track_ends(b, t) & own_stations(s, seat)
                k.raw[t] = tuned(k, P_LOAN) if standing else tuned(k, P_STATION)
                k.price[t] = max(1, min(DEAREST, k.raw[t] // QUARTER))
    for c in range(CARDS):
        price_free(s, b, k, seat, c)


@kernel
def measure_chain(b: Board, k: PathWork, start: int) -> None:
    """What the chain found last takes beyond the plan: spaces, claims, loans and cards lacking."""
    k.chain_spaces = 0
    k.chain_turns = 0
    k.chain_loans = 0
    k.chain_lacking = 0
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        if k.price[t] > 0:
            k.chain_turns += 1
            if (k.free[t // BITS] >> (t % BITS)) & 1:
                k.chain_spaces += b.length[t]
                k.chain_lacking += k.lacks[t]
            else:
                k.chain_loans += 1
        p = b.track_a[t] + b.track_b[t] - p


@kernel
def chain_fits(s: Position, k: PathWork, seat: int) -> int:
    """1 if trains, stations and time suffice for the plan with the chain measured last."""
    if k.spaces + k.chain_spaces > s.trains[seat] or k.chain_loans > k.loans_left:
        return 0
    return 1 if plan_turns(k, k.chain_turns, k.chain_lacking) <= 16 * k.time + tuned(k, P_SLACK) else 0


@kernel
def plan_turns(k: PathWork, claims: int, lacking: int) -> int:
    """The turns, in 16ths, that the plan takes with so many claims and cards more."""
    drawing = 256 * (k.lacking + lacking) // max(1, tuned(k, P_CARDS_A_TURN))
    return 16 * (k.turns + claims) + max(drawing, k.longest_wait)


@kernel
def take_track(s: Position, b: Board, k: PathWork, seat: int, t: int) -> None:
    """Allot cards of the hand to a track now planned, and price anew what would have used them."""
    colour = b.colour[t]
    plain = b.length[t] - b.ferry[t]
    if colour == GRAY:
        colour = colour_for_gray(k, plain)
    held = min(plain, k.avail[colour])
    locos = min(k.avail[LOCO], b.length[t] - held)
    k.avail[colour] -= held
    k.avail[LOCO] -= locos
    k.spaces += b.length[t]
    k.turns += 1
    k.lacking += b.length[t] - held - locos
    k.plan_cost += k.raw[t]
    k.price[t] = 0
    k.odd_places ^= track_ends(b, t)
    if b.colour[t] != GRAY:
        k.lack_of[colour] += b.length[t] - held - locos
        k.longest_wait = max(k.longest_wait, (k.lack_of[colour] - k.shown[colour]) * k.wait_of[colour])
    if locos > 0:
        for c in range(CARDS):
            price_free(s, b, k, seat, c)
    elif held > 0:
        price_free(s, b, k, seat, colour)
        price_free(s, b, k, seat, GRAY)


@kernel
def colour_for_gray(k: PathWork, cards: int) -> int:
    """The colour that pays for a gray track: the fewest cards that suffice, else the most there are."""
    chosen = 0
    for c in range(1, LOCO):
        if k.avail[chosen] < cards:
            better = k.avail[c] > k.avail[chosen]
        else:
            better = cards <= k.avail[c] < k.avail[chosen]
        if better:
            chosen = c
    return chosen


@kernel
def take_chain(s: Position, b: Board, k: PathWork, seat: int, start: int, points: int) -> None:
    """Take the chain found last into the plan; the points of its ticket hang on each of its tracks."""
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        p = b.track_a[t] + b.track_b[t] - p
        word = t // BITS
        bit = 1 << (t % BITS)
        if k.free[word] & bit:
            k.worth[t] += points
            if not k.plan[word] & bit:
                k.plan[word] |= bit
                take_track(s, b, k, seat, t)
        elif k.lent[word] & bit and not k.loan[word] & bit:
            k.loan[word] |= bit
            k.loans_left -= 1
            k.turns += 1
            k.plan_cost += k.raw[t]
            k.price[t] = 0


@kernel
def list_tickets(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Write the tickets held that are not joined yet into k.todo, the most valuable first; needs an empty plan."""
    k.todo_n = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat and not is_joined(b, k, ticket):
            add_todo(b, k, ticket)


@kernel
def add_todo(b: Board, k: PathWork, ticket: int) -> None:
    """Put a ticket among those to join, the most valuable first."""
    i = k.todo_n
    while i > 0 and b.ticket_points[k.todo[i - 1]] < b.ticket_points[ticket]:
        k.todo[i] = k.todo[i - 1]
        i -= 1
    k.todo[i] = ticket
    k.todo_n += 1


@kernel
def join_ticket(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> None:
    """Take the cheapest chain for a ticket into the plan, if it fits and is worth it."""
    start = b.ticket_a[ticket]
    points = b.ticket_points[ticket]
    most = min(NOWHERE - 1, points * tuned(k, P_DROP) // QUARTER)
    if search(b, k, start, b.ticket_b[ticket], most) != NOWHERE:
        measure_chain(b, k, start)
        if chain_fits(s, k, seat):
            take_chain(s, b, k, seat, start, points)
            k.planned_points += points
            return
    k.missed_points += points


@kernel
def plan_in_order(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Plan the tickets of k.todo one after the other; the value of the plan."""
    begin_plan(s, b, k, seat)
    for i in range(k.todo_n):
        join_ticket(s, b, k, seat, k.todo[i])
    return plan_value(s, k, seat)


@kernel
def plan_value(s: Position, k: PathWork, seat: int) -> int:
    """What the plan is worth: ticket points less costs, and less for a plan with neither trains nor time to spare."""
    value = tuned(k, P_KEEP_POINT) * k.planned_points - tuned(k, P_KEEP_MISS) * k.missed_points - k.plan_cost
    spare = s.trains[seat] - k.spaces
    value -= tuned(k, P_KEEP_TIGHT) * max(0, tuned(k, P_KEEP_SPARE) - spare)
    late = 16 * tuned(k, P_KEEP_TIME) + plan_turns(k, 0, 0) - 16 * k.time
    return value - tuned(k, P_KEEP_LATE) * max(0, late) // 16


@kernel
def plan_cheapest_first(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Bring the tickets of k.todo into the order in which each next one is the cheapest; the value of that plan."""
    begin_plan(s, b, k, seat)
    for i in range(k.todo_n):
        best = NOWHERE
        chosen = i
        for j in range(i, k.todo_n):
            ticket = k.todo[j]
            price = search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], best)
            if price < best:
                best = price
                chosen = j
        ticket = k.todo[chosen]
        k.todo[chosen] = k.todo[i]
        k.todo[i] = ticket
        join_ticket(s, b, k, seat, ticket)
    return plan_value(s, k, seat)


@kernel
def plan_network(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """The best plan for the tickets of k.todo over several orders; its value."""
    value = plan_in_order(s, b, k, seat)
    orders = tuned(k, P_ORDERS)
    if k.todo_n < 2 or orders < 1:
        return value
    keep_order(k)
    best = value
    value = plan_cheapest_first(s, b, k, seat)
    latest = 1
    if value > best:
        best = value
        keep_order(k)
    else:
        latest = 0
    if orders > 1 and k.todo_n > 2:
        for i in range(1, k.todo_n):
            recall_order(k)
            bring_to_front(k, i)
            value = plan_in_order(s, b, k, seat)
            latest = 0
            if value > best:
                best = value
                keep_order(k)
                latest = 1
    if latest == 0:
        recall_order(k)
        plan_in_order(s, b, k, seat)
    return best


@kernel
def keep_order(k: PathWork) -> None:
    for i in range(k.todo_n):
        k.best_todo[i] = k.todo[i]


@kernel
def recall_order(k: PathWork) -> None:
    for i in range(k.todo_n):
        k.todo[i] = k.best_todo[i]


@kernel
def bring_to_front(k: PathWork, i: int) -> None:
    """The i-th ticket to join becomes the first."""
    ticket = k.todo[i]
    for j in range(i, 0, -1):
        k.todo[j] = k.todo[j - 1]
    k.todo[0] = ticket


@kernel
def plan_held(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Plan the network for the tickets held; its value."""
    k.todo_n = 0
    begin_plan(s, b, k, seat)
    list_tickets(s, b, k, seat)
    return plan_network(s, b, k, seat)


# ---------------------------------------------------------------- what would be lost


@kernel
def weigh_regrets(s: Position, b: Board, k: PathWork, seat: int, value: int) -> None:
    """Try each planned track out as lost; what the plan loses is its regret. A better plan found so is taken."""
    for word in range(TRACK_WORDS):
        k.tried[word] = k.plan[word]
    best = value
    good = -1  # the track without which the plan is better
    for _ in range(tuned(k, P_REGRET)):
        if k.tried[0] == 0 and k.tried[1] == 0:
            break
        word = 0 if k.tried[0] else 1
        t = word * BITS + lowest(k.tried[word])
        k.tried[word] &= k.tried[word] - 1
        bar_track(s, b, k, t)
        without = plan_in_order(s, b, k, seat)
        k.regret[t] = max(0, value - without)
        if without > best:
            best = without
            good = t
    clear_barred(k)
    if good >= 0:
        k.barred[good // BITS] |= 1 << (good % BITS)
    plan_in_order(s, b, k, seat)


@kernel
def clear_barred(k: PathWork) -> None:
    for word in range(TRACK_WORDS):
        k.barred[word] = 0


@kernel
def bar_track(s: Position, b: Board, k: PathWork, t: int) -> None:
    """Bar one track alone, and its twins where nobody may claim them after it (C-27)."""
    for word in range(TRACK_WORDS):
        k.barred[word] = b.twins[TRACK_WORDS * t + word] if s.players < b.both_tracks_from else 0
    k.barred[t // BITS] |= 1 << (t % BITS)


# ---------------------------------------------------------------- tracks for points


@kernel
def add_extras(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Add tracks that bring more points than their turns cost, while trains and time are left."""
    for _ in range(tuned(k, P_EXTRA_MOST)):
        room = room_for_extras(s, b, k, seat)
        time = 16 * k.time + tuned(k, P_SLACK)
        best = tuned(k, P_EXTRA_MIN)
        target = -1
        for word in range(TRACK_WORDS):
            tracks = k.free[word] & ~(k.plan[word] | k.extra[word])
            while tracks:
                t = word * BITS + lowest(tracks)
                tracks &= tracks - 1
                if b.length[t] <= room:
                    value = extra_value(b, k, t)
                    if value > best and plan_turns(k, 1, k.lacks[t]) <= time and not twin_is_planned(b, k, t):
                        best = value
                        target = t
        if target < 0:
            return
        k.extra[target // BITS] |= 1 << (target % BITS)
        take_track(s, b, k, seat, target)


@kernel
def room_for_extras(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """The trains that neither the plan nor what may come will need."""
    room = s.trains[seat] - k.spaces - tuned(k, P_EXTRA_RESERVE) - tuned(k, P_EXTRA_PLAN) * k.turns // 16
    if b.draft_cards > 0 and s.draft < 2:
        room -= tuned(k, P_EXTRA_DRAFT)
    return room


@kernel
def extra_value(b: Board, k: PathWork, t: int) -> int:
    """What a track is worth for its points alone."""
    value = tuned(k, P_EXTRA_POINT) * k.gain[t] - k.raw[t]
    if track_ends(b, t) & k.own_places:
        value += tuned(k, P_EXTRA_NEAR)
    if b.longest_path > 0 and track_ends(b, t) & k.odd_places:
        value += tuned(k, P_EXTRA_ODD)
    return value


@kernel
def twin_is_planned(b: Board, k: PathWork, t: int) -> int:
    """1 if the plan holds the other track of a double route: nobody may own both (C-26)."""
    for word in range(TRACK_WORDS):
        if b.twins[TRACK_WORDS * t + word] & (k.plan[word] | k.extra[word]):
            return 1
    return 0
