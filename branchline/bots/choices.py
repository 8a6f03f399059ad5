"""The conductor's choices. It reads a veiled position (kernel/view.py), so it knows what its seat knows.

It plans the cheapest tracks that join its tickets, claims what it can pay of them and draws what it lacks; when
nothing is left to join, it draws tickets while there is time, and else goes for points.
"""

from __future__ import annotations

from branchline.bots.cards import (
    LOCO_LOSS,
    NEEDED_LOSS,
    NO_CHOICE,
    cards_lacking,
    choose_draw,
    claim_gain,
    count_needs,
    festival_gain,
    is_rash,
    payment,
    payment_loss,
)
from branchline.bots.routes import (
    NOWHERE,
    adopt_chain,
    own_stations,
    plan_tickets,
    search,
    spaces_of_chain,
    track_ends,
    turns_to_go,
)
from branchline.bots.work import PathWork
from branchline.kernel.draft import pack_of
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    DOUBLE,
    DOUBLED,
    DRAFT_KEEP,
    DRAFT_PICK,
    DRAW_FIRST,
    DRAW_SECOND,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
    HAND,
    KEEP,
    LOCO,
    LOCOS,
    MISC,
    OFFER,
    PICK,
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

CLAIM_POINT = 4  # what a point of a claim weighs against the cards that pay for it
STATION_TURNS = 4  # when so many turns are left, a station no longer waits for the tracks

TICKET_TURNS = 8  # new tickets need so many turns, and so many trains
TICKET_TRAINS = 10
TICKET_POINT = 4  # a price a ticket point is worth
SPARE_TRAINS = 4
HOPELESS = -10_000  # the value of tickets that cannot be joined lies below

TERRAIN_COST = 2  # points that doubling must bring for a terrain card, and for a locomotive
TERRAIN_LOCO_COST = 4


@kernel
def conductor_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the conductor for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = choose_turn(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        plan_tickets(s, b, k, seat)
        aim_at_points(s, b, k, seat)
        code = choose_draw(s, b, w, k, seat)
    elif choosing_tickets(s, seat):
        code = choose_tickets(s, b, w, k, seat)
    elif s.phase == DRAFT_PICK:
        code = choose_pick(s, b, k, seat)
    elif s.phase == DOUBLE:
        code = choose_double(s, b, w)
    elif s.phase == FESTIVAL_CHOICE:
        code = choose_festival(s, b, seat)
    elif s.phase == TUNNEL and w.menu[MISC] >> LOCOS:
        code = LOCOS + lowest(w.menu[MISC] >> LOCOS)
    # What is offered first plays colour cards before locomotives and returns tickets as they came.
    return code if code != NO_CHOICE else nth_of_menu(w, 0)


# ---------------------------------------------------------------- the turn


@kernel
def choose_turn(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim what the plan names, else draw what it lacks; with nothing planned, draw tickets or go for points."""
    plan_tickets(s, b, k, seat)
    turns = turns_to_go(s, b)
    if turns == 1:
        return choose_last(s, b, w, k, seat)
    code = best_claim(s, b, w, k, seat)
    if code == NO_CHOICE and (is_blank(k) or turns <= STATION_TURNS):
        code = choose_station(s, b, w, k, seat)
    if code == NO_CHOICE and is_blank(k):
        if wants_tickets(s, w, seat, turns):
            return TICKETS
        aim_at_points(s, b, k, seat)
        code = best_claim(s, b, w, k, seat)
    if code == NO_CHOICE:
        code = choose_draw(s, b, w, k, seat)
    return code if code != NO_CHOICE else best_points(s, b, w, k, seat)


@kernel
def choose_last(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The last turn: a ticket's last station, else what brings most points at once."""
    code = choose_station(s, b, w, k, seat)
    if code == NO_CHOICE:
        code = best_points(s, b, w, k, seat)
    return code if code != NO_CHOICE else choose_draw(s, b, w, k, seat)


@kernel
def is_blank(k: PathWork) -> int:
    """1 if the plan names no track to claim."""
    return 1 if k.plan[0] == 0 and k.plan[1] == 0 else 0


@kernel
def wants_tickets(s: Position, w: Work, seat: int, turns: int) -> int:
    """1 if there are tickets to draw, and time and trains enough for them."""
    return 1 if (w.menu[MISC] >> TICKETS) & 1 and turns >= TICKET_TURNS and s.trains[seat] >= TICKET_TRAINS else 0


@kernel
def claim_code(t: int, colour: int) -> int:
    return 64 * (CLAIM + TRACK_WORDS * colour + t // BITS) + t % BITS


@kernel
def best_claim(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The planned track to claim now, or NO_CHOICE: the one on which most hangs, for the cards it takes."""
    count_needs(b, k)
    best = -(1 << 20)
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, k, seat, t)
            if colour != NO_CHOICE and not is_rash(s, b, seat, t, colour):
                value = CLAIM_POINT * claim_gain(s, b, seat, t) + k.worth[t] - payment_loss(s, b, k, seat, t, colour)
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def best_points(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The claim that brings most points at once, or NO_CHOICE; a ticket won is one not lost, so it counts twice."""
    count_needs(b, k)
    best = -1
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, k, seat, t)
            if colour != NO_CHOICE:
                value = claim_gain(s, b, seat, t) + 2 * k.worth[t]
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def aim_at_points(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """With nothing planned for tickets, plan the track that brings most points for the time it takes."""
    if not is_blank(k):
        return
    turns = turns_to_go(s, b)
    best = 0
    target = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            takes = 1 + (cards_lacking(s, b, seat, t) + 1) // 2
            value = 64 * claim_gain(s, b, seat, t) // (takes + 1)
            if takes <= turns and value > best:
                best = value
                target = t
    if target != NO_CHOICE:
        k.plan[target // BITS] |= 1 << (target % BITS)


# ---------------------------------------------------------------- stations


@kernel
def choose_station(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Build a station that lends a planned track, paid with what is needed least, or NO_CHOICE (EUR-05, EUR-06)."""
    place = station_place(s, b, k, seat)
    if place == NO_CHOICE:
        return NO_CHOICE
    count_needs(b, k)
    price = stations_built(s, seat) + 1
    least = 1 << 20
    code = NO_CHOICE
    for c in range(CARDS):
        if (w.menu[STATION + c] >> place) & 1:
            have = s.hand[seat * HAND + c]
            loss = LOCO_LOSS * price
            if c != LOCO:
                loss = LOCO_LOSS * max(0, price - have) + NEEDED_LOSS * k.need[c] - have
            if loss < least:
                least = loss
                code = 64 * (STATION + c) + place
    return code


@kernel
def station_place(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Where to build the next station the plan needs, or NO_CHOICE."""
    if stations_built(s, seat) >= b.stations_each:
        return NO_CHOICE
    for word in range(TRACK_WORDS):
        loans = k.loan[word]
        while loans:
            ends = track_ends(b, word * BITS + lowest(loans))
            loans &= loans - 1
            if not ends & own_stations(s, seat):
                ends &= b.station_sites & ~s.station_places
                if ends:
                    return lowest(ends)
    return NO_CHOICE


# ---------------------------------------------------------------- details of a claim


@kernel
def choose_double(s: Position, b: Board, w: Work) -> int:
    """Double a track if its points are worth the cards, with as few locomotives as possible."""
    length = b.length[s.claim_track]
    locos = lowest(w.menu[MISC] >> DOUBLED)
    cost = TERRAIN_COST * max(0, b.to_double[length] - locos) + TERRAIN_LOCO_COST * locos
    if s.turns_left > 0:  # no card is worth anything any more
        cost = 0
    return DOUBLED + locos if b.points[length] >= cost else SINGLE


@kernel
def choose_festival(s: Position, b: Board, seat: int) -> int:
    """The end whose festival cards add more."""
    first = festival_gain(s, b, seat, b.track_a[s.claim_track])
    second = festival_gain(s, b, seat, b.track_b[s.claim_track])
    return FESTIVAL_A if first >= second else FESTIVAL_B


# ---------------------------------------------------------------- tickets


@kernel
def ticket_value(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> int:
    """What a ticket adds to the plan, less the price of its chain, which can be adopted then; or below HOPELESS."""
    points = b.ticket_points[ticket]
    price = search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
    if price == NOWHERE:
        return HOPELESS - points
    spaces = k.spaces + spaces_of_chain(b, k, b.ticket_a[ticket])
    if spaces > s.trains[seat]:
        return HOPELESS - points
    value = TICKET_POINT * points - price
    if spaces > s.trains[seat] - SPARE_TRAINS:
        value -= TICKET_POINT * points
    return value


@kernel
def adopt_ticket(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> None:
    """Take an offered ticket into the plan as if it were held."""
    if ticket_value(s, b, k, seat, ticket) > HOPELESS:
        adopt_chain(b, k, b.ticket_a[ticket], b.ticket_points[ticket])


@kernel
def choose_tickets(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Keep, one after the other, the offered ticket that adds most to the plan, while it adds anything."""
    plan_tickets(s, b, k, seat)
    kept = 0
    while popcount(kept) < s.offer_n[seat]:
        best = -(1 << 20)
        chosen = 0
        for i in range(s.offer_n[seat]):
            if not (kept >> i) & 1:
                value = ticket_value(s, b, k, seat, s.offer[seat * OFFER + i])
                if value > best:
                    best = value
                    chosen = i
        if kept and (w.menu[KEEP] >> (kept - 1)) & 1 and (best < 0 or s.phase == DRAFT_KEEP):
            break
        kept |= 1 << chosen
        adopt_ticket(s, b, k, seat, s.offer[seat * OFFER + chosen])
    return 64 * KEEP + kept - 1


@kernel
def choose_pick(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Take the ticket of the pack that adds most to those held and taken (IBE-04)."""
    plan_tickets(s, b, k, seat)
    for i in range(s.offer_n[seat]):
        adopt_ticket(s, b, k, seat, s.offer[seat * OFFER + i])
    at = pack_of(s, seat) * OFFER
    best = -(1 << 20)
    code = NO_CHOICE
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            value = ticket_value(s, b, k, seat, s.pack[at + i])
            if value > best:
                best = value
                code = PICK + i
    return code
