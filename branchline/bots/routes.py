"""Cheapest connections over a player's own and the free tracks, and the plan that joins the tickets held.

Prices are in quarters of a train card. They weigh what a track costs in cards and turns against the points it brings.
"""

from __future__ import annotations

from branchline.bots.work import PRICES, PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    GRAY,
    HAND,
    HELD,
    STATIONS,
    TRACK_WORDS,
    Board,
    Position,
)
from branchline.kernel.stations import stations_built
from branchline.kernel.tunnels import is_tunnel
from branchline.maps.model import MAX_LENGTH

NOWHERE = PRICES  # the price of what cannot be reached
NO_TRAINS_SUFFICE = 1000

CARD_PRICE = 4
CLAIM_PRICE = 6  # a turn
HELD_CARD_REBATE = 1
POINT_REBATE = 3  # quarters of a price for a point
FERRY_PRICE = 4  # a locomotive
TUNNEL_PRICE = 5
LOAN_PRICE = 1  # at a station that stands
STATION_PRICE = 60

TRAINS_A_TURN = 3  # what the fastest player is taken to lay
HURRY = 12  # turns before the end at which time becomes short


# ---------------------------------------------------------------- searching


@kernel
def search(b: Board, k: PathWork, start: int, goal: int, most: int) -> int:
    """The lowest price, up to `most`, of a chain between two sets of places, or NOWHERE; k.goal is where it ends.

    Places wait in k.at_price by the price at which they are reached. A dead end may begin or end a chain but is
    never passed (AFR-18).
    """
    reach = k.reach
    waiting = k.at_price
    via = k.via
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
                    then = now + k.price[t]
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
    for price in range(first, last + 1):
        k.at_price[price] = 0


@kernel
def spaces_of_chain(b: Board, k: PathWork, start: int) -> int:
    """The trains the chain found last takes beyond the plan; its turns are left in k.chain_turns."""
    spaces = 0
    loans = 0
    k.chain_turns = 0
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        if k.price[t] > 0:
            k.chain_turns += 1
            if (k.free[t // BITS] >> (t % BITS)) & 1:
                spaces += b.length[t]
            else:
                loans += 1
        p = b.track_a[t] + b.track_b[t] - p
    return spaces if loans <= k.loans_left else NO_TRAINS_SUFFICE


@kernel
def adopt_chain(b: Board, k: PathWork, start: int, points: int) -> None:
    """Take the chain found last into the plan; the points of its ticket hang on each of its tracks."""
    p = k.goal
    while not (start >> p) & 1:
        t = k.via[p]
        word = t // BITS
        bit = 1 << (t % BITS)
        if k.free[word] & bit:
            k.worth[t] += points
            if not k.plan[word] & bit:
                k.plan[word] |= bit
                k.spaces += b.length[t]
                k.turns += 1
        elif k.lent[word] & bit and not k.loan[word] & bit:
            k.loan[word] |= bit
            k.loans_left -= 1
            k.turns += 1
        k.price[t] = 0
        p = b.track_a[t] + b.track_b[t] - p


# ---------------------------------------------------------------- what each track costs


@kernel
def survey(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Price every track for the seat: own ones cost nothing, free ones cards and a turn, others' ones a station."""
    fit = min(s.trains[seat], MAX_LENGTH)
    k.loans_left = b.stations_each
    k.spaces = 0
    k.turns = 0
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * seat + word]
        k.free[word] = b.fits[TRACK_WORDS * fit + word] & ~s.shut[TRACK_WORDS * seat + word]
        k.lent[word] = lendable_tracks(s, b, seat, word) if b.stations_each > 0 else 0
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
                k.price[t] = track_price(s, b, seat, t)
            else:
                k.price[t] = loan_price(s, b, seat, t)


@kernel
def track_price(s: Position, b: Board, seat: int, t: int) -> int:
    """What claiming a free track costs; less where its cards are in hand already and where it brings points."""
    length = b.length[t]
    price = CARD_PRICE * length + CLAIM_PRICE + FERRY_PRICE * b.ferry[t]
    if is_tunnel(b, t):
        price += TUNNEL_PRICE
    if b.colour[t] != GRAY:
        price -= HELD_CARD_REBATE * min(length, s.hand[seat * HAND + b.colour[t]])
    return max(1, price - POINT_REBATE * b.points[length] // 4)


@kernel
def lendable_tracks(s: Position, b: Board, seat: int, word: int) -> int:
    """Tracks of other players at a station of the seat, or at a place where it can still build one (EUR-05, EUR-07)."""
    taken = 0
    for p in range(s.players):
        if p != seat:
            taken |= s.owned[TRACK_WORDS * p + word]
    sites = own_stations(s, seat)
    if stations_built(s, seat) < b.stations_each:
        sites |= b.station_sites & ~s.station_places
    near = 0
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
def loan_price(s: Position, b: Board, seat: int, t: int) -> int:
    """Little at a station that stands, much where one has still to be built."""
    return LOAN_PRICE if track_ends(b, t) & own_stations(s, seat) else STATION_PRICE


# ---------------------------------------------------------------- the plan


@kernel
def plan_tickets(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan how to join the tickets held: the most valuable first, each at the lowest price given those before."""
    survey(s, b, k, seat)
    n = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat and not is_joined(b, k, ticket):
            n = insert_by_points(b, k, ticket, n)
    for i in range(n):
        plan_ticket(s, b, k, seat, k.order[i])


@kernel
def is_joined(b: Board, k: PathWork, ticket: int) -> int:
    """1 if a ticket costs nothing any more."""
    return 1 if search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], 0) == 0 else 0


@kernel
def insert_by_points(b: Board, k: PathWork, ticket: int, n: int) -> int:
    """Put a ticket among the n of k.order, the most valuable first; how many there are then."""
    i = n
    while i > 0 and b.ticket_points[k.order[i - 1]] < b.ticket_points[ticket]:
        k.order[i] = k.order[i - 1]
        i -= 1
    k.order[i] = ticket
    return n + 1


@kernel
def plan_ticket(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> None:
    """Take the cheapest chain for a ticket into the plan, if trains and time suffice."""
    start = b.ticket_a[ticket]
    if search(b, k, start, b.ticket_b[ticket], NOWHERE) == NOWHERE:
        return
    spaces = k.spaces + spaces_of_chain(b, k, start)
    if spaces <= s.trains[seat] and not is_too_late(s, b, k, seat, spaces):
        adopt_chain(b, k, start, b.ticket_points[ticket])


@kernel
def is_too_late(s: Position, b: Board, k: PathWork, seat: int, spaces: int) -> int:
    """1 if the plan with the chain found last takes more turns than are left; three cards of four in hand will fit."""
    turns = turns_to_go(s, b)
    lacking = max(0, spaces - cards_in_hand(s, seat) * 3 // 4)
    return 1 if turns <= HURRY and k.turns + k.chain_turns + lacking // 2 > turns else 0


@kernel
def turns_to_go(s: Position, b: Board) -> int:
    """A guess at how many turns a player has left, this one included; 1 is no guess."""
    if s.turns_left > 0:
        return 1
    fewest = s.trains[0]
    for p in range(s.players):
        fewest = min(fewest, s.trains[p])
    return 2 + max(0, fewest - b.last_round_at - 1) // TRAINS_A_TURN


@kernel
def cards_in_hand(s: Position, seat: int) -> int:
    n = 0
    for c in range(CARDS):
        n += s.hand[seat * HAND + c]
    return n
