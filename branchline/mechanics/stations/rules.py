"""Stations: building them (EUR-04 .. EUR-06), and what they lend at the end (EUR-07, EUR-08)."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.claim import pay, range_menu
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.paths import reached_from
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.report import tell
from branchline.kernel.scoring import split_places
from branchline.kernel.state import BITS, BUSY_TURN, CARDS, HAND, HELD, LOCO, PAIR, TRACK_WORDS
from branchline.kernel.turn import end_turn, open_words
from branchline.mechanics.stations.map import MapData
from branchline.mechanics.stations.state import (
    E_STATION,
    PAY_STATION,
    STATION,
    STATIONS,
    Board,
    Position,
    Work,
)

SAYS = {
    hooks.is_small_choice: "s.phase == PAY_STATION",
    hooks.is_unfinished: "s.phase == PAY_STATION",
}


@at(hooks.make_tables, ALWAYS)
def station_tables(b: Board, data: MapData) -> None:
    for p, place in enumerate(data.places):
        if place.kind != "country":
            b.station_sites |= 1 << p
    if data.stations:
        b.stations_each, b.station_points = data.stations.each, data.stations.unused_points


@kernel
def stations_built(s: Position, seat: int) -> int:
    n = 0
    while n < STATIONS and s.stations[seat * STATIONS + n] > 0:
        n += 1
    return n


@kernel
def station_price(s: Position, seat: int) -> int:
    """What the next station costs: one card, then two, then three (EUR-06)."""
    return stations_built(s, seat) + 1


@at(hooks.more_actions)
@kernel
def station_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write into the menu, colour by colour, the places where a station can be built and paid (EUR-05, EUR-06)."""
    open_words(w, STATION, STATION + CARDS)
    price = station_price(s, seat)
    sites = free_sites(s, b, seat)
    at = seat * HAND
    locos = s.hand[at + LOCO]
    for c in range(LOCO):
        have = s.hand[at + c]
        w.menu[STATION + c] = sites if have > 0 and have + locos >= price else 0
    w.menu[STATION + LOCO] = sites if locos >= price else 0


@kernel
def pending_site(s: Position) -> int:
    """The place of the pending station.

    It is kept where a claim keeps its track: a field of its own would make the positions of every map with stations
    longer, and with them the signature and what trained networks and observations are told. `claim_colour` and
    `claim_locos` serve both in the same way, and never two payments are open at once.
    """
    return s.claim_track


@kernel
def least_station_locos(s: Position, seat: int) -> int:
    """The pending station's price less the cards of its colour."""
    price = station_price(s, seat)
    if s.claim_colour == LOCO:
        return price
    return max(0, price - s.hand[seat * HAND + s.claim_colour])


@kernel
def most_station_locos(s: Position, seat: int) -> int:
    price = station_price(s, seat)
    if s.claim_colour == LOCO:
        return price
    return min(price - 1, s.hand[seat * HAND + LOCO])


@at(hooks.word_chosen, "STATION <= word < STATION + CARDS")
@kernel
def open_station(s: Position, b: Board, w: Work, seat: int, word: int, bit: int) -> None:
    """A place and a colour are chosen; ask how many locomotives, if that is a choice."""
    s.claim_track = bit  # read by pending_site
    s.claim_colour = word - STATION
    least = least_station_locos(s, seat)
    if least == most_station_locos(s, seat):
        build_station(s, b, w, seat, least)
    else:
        s.phase = PAY_STATION


@at(hooks.phase_choices, "s.phase == PAY_STATION")
@kernel
def station_locos_menu(s: Position, seat: int) -> int:
    return range_menu(least_station_locos(s, seat), most_station_locos(s, seat))


@at(hooks.locos_chosen, "s.phase == PAY_STATION")
@kernel
def build_station(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """Build the pending station and pay for it."""
    place = pending_site(s)
    cards = station_price(s, seat) - locos
    pay(s, seat, s.claim_colour, cards, locos)
    s.stations[seat * STATIONS + stations_built(s, seat)] = place + 1
    s.station_places |= 1 << place
    tell(w, E_STATION, seat, place, s.claim_colour, PAIR * cards + locos)
    end_turn(s, b, w, BUSY_TURN)


# ---------------------------------------------------------------- points


@at(hooks.score_lines, ALWAYS)
@kernel
def score_stations(s: Position, b: Board, w: Work, seat: int) -> int:
    """Each station that was not built is worth points (EUR-09)."""
    w.unbuilt[seat] = b.stations_each - stations_built(s, seat)
    w.station_score[seat] = w.unbuilt[seat] * b.station_points
    return w.station_score[seat]


@at(hooks.break_tie, "rule == TIE_STATIONS")
@kernel
def fewer_stations_first(s: Position, w: Work) -> None:
    """Who has built fewer is ahead (EUR-19)."""
    split_places(s, w, w.unbuilt)


@at(hooks.more_joins)
@kernel
def score_loans(s: Position, b: Board, w: Work, seat: int) -> None:
    """What stations lend completes tickets (EUR-07)."""
    if stations_built(s, seat) > 0:
        borrow_tracks(s, b, w, seat)


# ---------------------------------------------------------------- what they could lend


@at(hooks.most_loans)
@kernel
def station_loans(b: Board) -> int:
    return b.stations_each


@at(hooks.lending_places)
@kernel
def own_stations(s: Position, seat: int) -> int:
    """The places of the player's stations."""
    places = 0
    for i in range(seat * STATIONS, (seat + 1) * STATIONS):
        if s.stations[i] > 0:
            places |= 1 << (s.stations[i] - 1)
    return places


@at(hooks.lending_sites)
@kernel
def free_sites(s: Position, b: Board, seat: int) -> int:
    """Where the player may still build a station (EUR-05)."""
    return b.station_sites & ~s.station_places if stations_built(s, seat) < b.stations_each else 0


@at(hooks.tracks_to_lend)
@kernel
def others_tracks_at(s: Position, b: Board, seat: int, places: int, word: int) -> int:
    """The tracks of other players that end in one of these places (EUR-07)."""
    taken = 0
    for p in range(s.players):
        if p != seat:
            taken |= s.owned[TRACK_WORDS * p + word]
    near = 0
    while places:
        near |= b.at_place[TRACK_WORDS * lowest(places) + word]
        places &= places - 1
    return taken & near


@at(hooks.loan_at)
@kernel
def lent_by_station(s: Position, w: Work, seat: int, place: int) -> int:
    """1 + the track that the station in a place lends, or 0."""
    for i in range(seat * STATIONS, (seat + 1) * STATIONS):
        if s.stations[i] == place + 1:
            return w.lent[i]
    return 0


# ---------------------------------------------------------------- what they lend at the end


@kernel
def borrow_tracks(s: Position, b: Board, w: Work, seat: int) -> None:
    """Try the loans of the stations and score the tickets with the best (EUR-07, EUR-08); w.near and the tickets are
    those of the player's own tracks.

    The order of trial is the order of preference among equals: earlier stations first, earlier tracks
    first, none last. So a later trial replaces the best only if it is better in points, completed tickets
    or fewer tracks. Loans that change nothing are not tried: a borrowed track too many is worse than none.
    """
    n = stations_built(s, seat)
    at = seat * STATIONS
    for k in range(n):
        w.lent[at + k] = 0
    if w.completed[seat] == s.ticket_count[seat]:
        return
    gather_nodes(b, w)
    for k in range(n):
        find_loans(s, b, w, seat, k)
    if not find_wanted(s, b, w, seat, n):
        return
    drop_useless_loans(s, b, w, seat, n)
    none = b.n_tracks
    for k in range(n):
        w.lent[at + k] = 1 + next_loan(b, w, k, -1)
    best = -1
    while True:
        value = value_of_loans(b, w, at, n)
        if value > best:
            best = value
            for k in range(n):
                w.best_lent[k] = w.lent[at + k]
        k = n - 1
        while k >= 0 and w.lent[at + k] - 1 == none:
            w.lent[at + k] = 1 + next_loan(b, w, k, -1)
            k -= 1
        if k < 0:
            break
        w.lent[at + k] = 1 + next_loan(b, w, k, w.lent[at + k] - 1)
    for k in range(n):
        w.lent[at + k] = w.best_lent[k] if w.best_lent[k] - 1 < none else 0
    score_wanted(b, w, seat, n)


@kernel
def gather_nodes(b: Board, w: Work) -> None:
    """w.node[p] = one place for all that the player's tracks join to p, and w.near between such nodes. A dead end,
    which no chain passes (AFR-18), is a node of its own."""
    for p in range(b.n_places):
        w.node[p] = -1
    for p in range(b.n_places):
        if w.node[p] < 0:
            joined = 1 << p if (b.dead_ends >> p) & 1 else reached_from(b, w, 1 << p) & ~b.dead_ends
            while joined:
                w.node[lowest(joined)] = p
                joined &= joined - 1
    ends = 0
    for p in range(b.n_places):
        if (b.dead_ends >> p) & 1:
            w.near[p] = nodes_of(w, w.near[p])
            ends |= 1 << p
        else:
            w.near[p] = 0
    while ends:
        p = lowest(ends)
        ends &= ends - 1
        beside = w.near[p]
        while beside:
            w.near[lowest(beside)] |= 1 << p
            beside &= beside - 1


@kernel
def nodes_of(w: Work, places: int) -> int:
    nodes = 0
    while places:
        nodes |= 1 << w.node[lowest(places)]
        places &= places - 1
    return nodes


@kernel
def find_loans(s: Position, b: Board, w: Work, seat: int, station: int) -> None:
    """w.loans = the tracks of others at a station, the first of each that join the same nodes."""
    place = s.stations[seat * STATIONS + station] - 1
    home = w.node[place]
    known = w.near[home] | 1 << home
    for word in range(TRACK_WORDS):
        lendable = others_tracks_at(s, b, seat, 1 << place, word)
        w.loans[station * TRACK_WORDS + word] = 0
        while lendable:
            far = far_node(b, w, home, word * BITS + lowest(lendable))
            if not (known >> far) & 1:
                known |= 1 << far
                w.loans[station * TRACK_WORDS + word] |= lendable & -lendable
            lendable &= lendable - 1


@kernel
def far_node(b: Board, w: Work, home: int, track: int) -> int:
    """The other node of a track that ends in this one."""
    a = w.node[b.track_a[track]]
    return w.node[b.track_b[track]] if a == home else a


@kernel
def find_wanted(s: Position, b: Board, w: Work, seat: int, n: int) -> int:
    """w.wanted = the tickets that would be completed with all that all stations could lend at once; how many."""
    for k in range(n):
        t = next_loan(b, w, k, -1)
        while t < b.n_tracks:
            lend(b, w, t)
            t = next_loan(b, w, k, t)
    w.wanted_n = 0
    for t in range(b.n_tickets):
        if s.ticket_at[t] == HELD + seat and w.done[t] == 0:
            a = nodes_of(w, b.ticket_a[t])
            z = nodes_of(w, b.ticket_b[t])
            if reached_from(b, w, a) & z:
                w.wanted[w.wanted_n] = t
                w.wanted_a[w.wanted_n] = a
                w.wanted_b[w.wanted_n] = z
                w.wanted_n += 1
    for k in range(n):
        t = next_loan(b, w, k, -1)
        while t < b.n_tracks:
            take_back(b, w, t)
            t = next_loan(b, w, k, t)
    return w.wanted_n


@kernel
def drop_useless_loans(s: Position, b: Board, w: Work, seat: int, n: int) -> None:
    """A loan is of use only if a chain can go on, or end, at both its nodes: at the end of a ticket that is wanted, at
    a dead end, or at what another station lends."""
    ends = 0
    for i in range(w.wanted_n):
        ends |= w.wanted_a[i] | w.wanted_b[i]
    for p in range(b.n_places):
        if w.near[p]:
            ends |= 1 << p
    for k in range(n):
        w.touched[k] = touched_by(s, b, w, seat, k)
    for k in range(n):
        useful = ends
        for other in range(n):
            if other != k:
                useful |= w.touched[other]
        home = w.node[s.stations[seat * STATIONS + k] - 1]
        for word in range(TRACK_WORDS):
            kept = 0
            loans = w.loans[k * TRACK_WORDS + word]
            while loans and (useful >> home) & 1:
                if (useful >> far_node(b, w, home, word * BITS + lowest(loans))) & 1:
                    kept |= loans & -loans
                loans &= loans - 1
            w.loans[k * TRACK_WORDS + word] = kept


@kernel
def touched_by(s: Position, b: Board, w: Work, seat: int, station: int) -> int:
    """The nodes that what a station could lend joins."""
    home = w.node[s.stations[seat * STATIONS + station] - 1]
    touched = 0
    t = next_loan(b, w, station, -1)
    while t < b.n_tracks:
        touched |= 1 << home | 1 << far_node(b, w, home, t)
        t = next_loan(b, w, station, t)
    return touched


@kernel
def next_loan(b: Board, w: Work, station: int, after: int) -> int:
    """The next track after `after` (in map order) among w.loans of a station, or the number of tracks."""
    for word in range(TRACK_WORDS):
        loans = w.loans[station * TRACK_WORDS + word]
        while loans:
            t = word * BITS + lowest(loans)
            if t > after:
                return t
            loans &= loans - 1
    return b.n_tracks


@kernel
def value_of_loans(b: Board, w: Work, at: int, n: int) -> int:
    """What the loans in w.lent bring: points first, then completed tickets, then few loans."""
    borrowed = 0
    for k in range(n):
        t = w.lent[at + k] - 1
        if t < b.n_tracks:
            borrowed += 1
            lend(b, w, t)
    points = 0
    completed = 0
    for i in range(w.wanted_n):
        if reached_from(b, w, w.wanted_a[i]) & w.wanted_b[i]:
            completed += 1
            points += 2 * b.ticket_points[w.wanted[i]]
    for k in range(n):
        t = w.lent[at + k] - 1
        if t < b.n_tracks:
            take_back(b, w, t)
    return (points * 128 + completed) * 4 + STATIONS - borrowed


@kernel
def score_wanted(b: Board, w: Work, seat: int, n: int) -> None:
    """Score the tickets that the loans in w.lent complete."""
    for k in range(n):
        if w.lent[seat * STATIONS + k] > 0:
            lend(b, w, w.lent[seat * STATIONS + k] - 1)
    for i in range(w.wanted_n):
        if reached_from(b, w, w.wanted_a[i]) & w.wanted_b[i]:
            w.done[w.wanted[i]] = 1
            w.completed[seat] += 1
            w.ticket_score[seat] += 2 * b.ticket_points[w.wanted[i]]


@kernel
def lend(b: Board, w: Work, track: int) -> None:
    """Join the nodes of a borrowed track, for tickets only."""
    one = w.node[b.track_a[track]]
    other = w.node[b.track_b[track]]
    w.near[one] |= 1 << other
    w.near[other] |= 1 << one


@kernel
def take_back(b: Board, w: Work, track: int) -> None:
    """Part the nodes of a borrowed track: nothing but loans joins them (`find_loans`)."""
    one = w.node[b.track_a[track]]
    other = w.node[b.track_b[track]]
    w.near[one] &= ~(1 << other)
    w.near[other] &= ~(1 << one)
