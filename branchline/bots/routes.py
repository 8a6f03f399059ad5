"""Cheapest connections over a player's own and the free tracks, and the plan that joins all tickets held."""

from __future__ import annotations

from branchline.bots.work import PRICES, PathWork
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.state import (
    BITS,
    CARDS,
    GRAY,
    HAND,
    HELD,
    MAX_LENGTH,
    STATIONS,
    TRACK_WORDS,
    Board,
    Position,
)
from branchline.kernel.stations import stations_built

NOWHERE = PRICES
TICKET_DONE, TICKET_PLANNED, TICKET_GIVEN_UP = 1, 2, 3

(
    K_CARD,
    K_CLAIM,
    K_FERRY,
    K_TUNNEL,
    K_STATION,
    K_LENT,
    K_KEEP_POINTS,
    K_KEEP_PRICE,
    K_KEEP_SLACK,
    K_KEEP_LEAST,
    K_PACE,
    K_TICKET_TURNS,
    K_TICKET_TRAINS,
    K_LOCO_COST,
    K_NEEDED_COST,
    K_CLAIM_POINTS,
    K_DOUBLE_CARD,
    K_DOUBLE_LOCO,
    K_TUNNEL_RESERVE,
    K_LOCO_WISH,
    K_POINTS_PRICE,
    K_WISH_POINTS,
    K_TERRAIN,
    K_HURRY,
    K_LEAST_LATE,
    K_HAND,
    K_FESTIVAL,
    K_STATION_TURNS,
    K_A,
    K_B,
    K_C,
    K_D,
) = range(32)


@kernel
def set_knobs(k: PathWork) -> None:
    k.knob[K_CARD] = 4
    k.knob[K_CLAIM] = 6
    k.knob[K_FERRY] = 4
    k.knob[K_TUNNEL] = 5
    k.knob[K_STATION] = 60
    k.knob[K_LENT] = 1
    k.knob[K_KEEP_POINTS] = 8
    k.knob[K_KEEP_PRICE] = 2
    k.knob[K_KEEP_SLACK] = 4
    k.knob[K_KEEP_LEAST] = 0
    k.knob[K_PACE] = 3
    k.knob[K_TICKET_TURNS] = 8
    k.knob[K_TICKET_TRAINS] = 10
    k.knob[K_LOCO_COST] = 6
    k.knob[K_NEEDED_COST] = 4
    k.knob[K_CLAIM_POINTS] = 4
    k.knob[K_DOUBLE_CARD] = 2
    k.knob[K_DOUBLE_LOCO] = 4
    k.knob[K_TUNNEL_RESERVE] = 1
    k.knob[K_LOCO_WISH] = 4
    k.knob[K_POINTS_PRICE] = 3
    k.knob[K_WISH_POINTS] = 4
    k.knob[K_TERRAIN] = 4
    k.knob[K_HURRY] = 12
    k.knob[K_LEAST_LATE] = 10
    k.knob[K_FESTIVAL] = 4
    k.knob[K_STATION_TURNS] = 4
    k.knob[K_A] = 3
    k.knob[K_HAND] = 1


# ---------------------------------------------------------------- searching


@kernel
def search(b: Board, k: PathWork, start: int, goal: int, most: int) -> int:
    """The lowest price, up to `most`, of a chain between two sets of places, or NOWHERE; k.goal is where it ends.

    Places wait in k.at_price by the price at which they were reached. A dead end may begin or end a chain but is
    never passed (AFR-18).
    """
    reach = k.reach
    waiting = k.at_price
    price = k.price
    via = k.via
    k.goal = -1
    for p in range(b.n_places):
        reach[p] = NOWHERE
    places = start
    while places:
        reach[lowest(places)] = 0
        places &= places - 1
    waiting[0] = start
    last = 0
    now = 0
    while now <= last and now <= most:
        front = waiting[now]
        waiting[now] = 0
        while front:
            p = lowest(front)
            front &= front - 1
            if reach[p] != now:
                continue
            if (goal >> p) & 1:
                k.goal = p
                clear_waiting(k, now, last)
                return now
            if (b.dead_ends >> p) & 1 and not (start >> p) & 1:
                continue
            for word in range(TRACK_WORDS):
                tracks = b.at_place[TRACK_WORDS * p + word] & k.usable[word]
                while tracks:
                    t = word * BITS + lowest(tracks)
                    tracks &= tracks - 1
                    q = b.track_a[t] + b.track_b[t] - p
                    then = now + price[t]
                    if then < reach[q]:
                        reach[q] = then
                        via[q] = t
                        if then == now:
                            front |= 1 << q
                        else:
                            waiting[then] |= 1 << q
                            last = max(last, then)
        now += 1
    clear_waiting(k, now, last)
    return NOWHERE


@kernel
def clear_waiting(k: PathWork, first: int, last: int) -> None:
    for i in range(first, last + 1):
        k.at_price[i] = 0


@kernel
def spaces_to(b: Board, k: PathWork, start: int) -> int:
    """The trains the chain just found takes beyond the plan; a number no player has if it borrows too much."""
    spaces = 0
    loans = 0
    k.turns = 0
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        if k.price[t] > 0:
            k.turns += 1
            if (k.free[t // BITS] >> (t % BITS)) & 1:
                spaces += b.length[t]
            else:
                loans += 1
        p = b.track_a[t] + b.track_b[t] - p
    return spaces if loans <= k.loans_left else 1000


@kernel
def adopt(b: Board, k: PathWork, start: int, points: int) -> None:
    """Take the chain just found into the plan; `points` hang on each of its tracks."""
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        word = t // BITS
        bit = 1 << (t % BITS)
        if k.free[word] & bit:
            if not k.plan[word] & bit:
                k.plan[word] |= bit
                k.spaces += b.length[t]
                k.claims += 1
            k.worth[t] += points
        elif k.lent[word] & bit and not k.loan[word] & bit:
            k.loan[word] |= bit
            k.loans_left -= 1
            k.claims += 1
        k.price[t] = 0
        p = b.track_a[t] + b.track_b[t] - p


# ---------------------------------------------------------------- the board as the seat sees it


@kernel
def survey(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What each track would cost the seat: own ones nothing, free ones cards and a turn, others' ones a station."""
    trains = min(s.trains[seat], MAX_LENGTH)
    left = b.stations_each - stations_built(s, seat)
    k.loans_left = b.stations_each
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * seat + word]
        k.free[word] = b.fits[TRACK_WORDS * trains + word] & ~s.shut[TRACK_WORDS * seat + word]
        k.lent[word] = 0
        if b.stations_each > 0:
            k.lent[word] = lendable_tracks(s, b, seat, word, left)
        k.usable[word] = own | k.free[word] | k.lent[word]
        k.plan[word] = 0
        k.loan[word] = 0
        tracks = k.usable[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            k.worth[t] = 0
            if (own >> i) & 1:
                k.price[t] = 0
            elif (k.free[word] >> i) & 1:
                k.price[t] = track_price(s, b, k, seat, t)
            else:
                k.price[t] = loan_price(s, b, k, seat, t)
    k.spaces = 0
    k.claims = 0


@kernel
def track_price(s: Position, b: Board, k: PathWork, seat: int, t: int) -> int:
    """What claiming a free track costs, in quarters of a card."""
    length = b.length[t]
    price = k.knob[K_CARD] * length + k.knob[K_CLAIM] + k.knob[K_FERRY] * b.ferry[t]
    if (b.tunnels[t // BITS] >> (t % BITS)) & 1:
        price += k.knob[K_TUNNEL]
    if b.colour[t] != GRAY:
        price -= k.knob[K_HAND] * min(length, s.hand[seat * HAND + b.colour[t]])
    return max(1, price - k.knob[K_POINTS_PRICE] * b.points[length] // 4)


@kernel
def lendable_tracks(s: Position, b: Board, seat: int, word: int, left: int) -> int:
    """Tracks of other players at a station of the seat, or at a place where it can still build one (EUR-05, EUR-07)."""
    taken = 0
    for p in range(s.players):
        if p != seat:
            taken |= s.owned[TRACK_WORDS * p + word]
    near = 0
    sites = own_stations(s, seat)
    if left > 0:
        sites |= b.station_sites & ~s.station_places
    while sites:
        near |= b.at_place[TRACK_WORDS * lowest(sites) + word]
        sites &= sites - 1
    return taken & near


@kernel
def own_stations(s: Position, seat: int) -> int:
    """The places of the seat's stations."""
    places = 0
    for i in range(seat * STATIONS, (seat + 1) * STATIONS):
        if s.stations[i] > 0:
            places |= 1 << (s.stations[i] - 1)
    return places


@kernel
def track_ends(b: Board, t: int) -> int:
    return (1 << b.track_a[t]) | (1 << b.track_b[t])


@kernel
def loan_price(s: Position, b: Board, k: PathWork, seat: int, t: int) -> int:
    """Little at a station that stands, much where one has still to be built."""
    if track_ends(b, t) & own_stations(s, seat):
        return k.knob[K_LENT]
    return k.knob[K_STATION]


# ---------------------------------------------------------------- the plan


@kernel
def turns_to_go(s: Position, b: Board, k: PathWork) -> int:
    """A guess at how many turns a player has left, this one included."""
    if s.turns_left > 0:
        return 1
    fewest = s.trains[0]
    for p in range(s.players):
        fewest = min(fewest, s.trains[p])
    return 2 + max(0, fewest - b.last_round_at - 1) // k.knob[K_PACE]


@kernel
def cards_in_hand(s: Position, seat: int) -> int:
    n = 0
    for c in range(CARDS):
        n += s.hand[seat * HAND + c]
    return n


@kernel
def own_ticket_count(s: Position, b: Board, seat: int) -> int:
    return s.ticket_count[seat]


@kernel
def plan_tickets(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan how to join the tickets held: the most valuable first, each at the lowest price given those before."""
    survey(s, b, k, seat)
    n = 0
    for t in range(b.n_tickets):
        k.fate[t] = 0
        if s.ticket_at[t] == HELD + seat:
            if search(b, k, b.ticket_a[t], b.ticket_b[t], 0) == 0:
                k.fate[t] = TICKET_DONE
            else:
                n = insert_by_points(b, k, t, n)
    for i in range(n):
        plan_ticket(s, b, k, seat, k.order[i])


@kernel
def insert_by_points(b: Board, k: PathWork, ticket: int, n: int) -> int:
    """Put a ticket into k.order, the most valuable first; the new number of tickets there."""
    i = n
    while i > 0 and b.ticket_points[k.order[i - 1]] < b.ticket_points[ticket]:
        k.order[i] = k.order[i - 1]
        i -= 1
    k.order[i] = ticket
    return n + 1


@kernel
def plan_ticket(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> None:
    """Take the cheapest chain for a ticket into the plan, if the trains suffice."""
    price = search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
    if price >= NOWHERE:
        k.fate[ticket] = TICKET_GIVEN_UP
        return
    spaces = k.spaces + spaces_to(b, k, b.ticket_a[ticket])
    if spaces > s.trains[seat] or is_too_late(s, b, k, seat, spaces):
        k.fate[ticket] = TICKET_GIVEN_UP
        return
    k.fate[ticket] = TICKET_PLANNED
    adopt(b, k, b.ticket_a[ticket], b.ticket_points[ticket])


@kernel
def is_too_late(s: Position, b: Board, k: PathWork, seat: int, spaces: int) -> int:
    """1 if the plan with the chain just found takes more turns than are left."""
    turns = turns_to_go(s, b, k)
    if turns > k.knob[K_HURRY]:
        return 0
    lacking = max(0, spaces - cards_in_hand(s, seat) * k.knob[K_A] // 4)
    return 1 if k.claims + k.turns + lacking // 2 > turns else 0
