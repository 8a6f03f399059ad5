"""Final scoring: tickets, stations, longest path, bonuses, ties (C-32, C-35 .. C-39, EUR-07 .. EUR-10, EUR-19,
IBE-16, IBE-17, AFR-17 .. AFR-20). The sheet is written into the work space; the position is not changed."""

from __future__ import annotations

from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.state import (
    BITS,
    GROUPS,
    HELD,
    STATIONS,
    TIE_PATH,
    TIE_STATIONS,
    TIE_TICKETS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.kernel.stations import stations_built


@kernel
def score_game(s: Position, b: Board, w: Work) -> None:
    """Fill the score sheet for the position as it stands."""
    for seat in range(s.players):
        w.track_score[seat] = track_points(s, b, seat)
        join_places(s, b, w, seat)
        score_tickets(s, b, w, seat)
        if stations_built(s, seat) > 0:
            borrow_tracks(s, b, w, seat)
        w.unbuilt[seat] = b.stations_each - stations_built(s, seat)
        w.station_score[seat] = w.unbuilt[seat] * b.station_points
        w.festival_score[seat] = festival_points(s, b, seat)
        w.bonus[seat] = 0
        w.path[seat] = 0
    if b.longest_path > 0:
        measure_paths(s, b, w)
        give_bonus(s, w, w.path, b.longest_path)
    if b.globetrotter > 0:
        give_bonus(s, w, w.completed, b.globetrotter)
    for seat in range(s.players):
        w.total[seat] = (
            w.track_score[seat] + w.ticket_score[seat] + w.station_score[seat] + w.festival_score[seat] + w.bonus[seat]
        )
    rank_players(s, b, w)


@kernel
def give_bonus(s: Position, w: Work, of: list[int], points: int) -> None:
    """Points to all who have the most of something, if that is more than none (C-36, AFR-19)."""
    most = 1
    for seat in range(s.players):
        most = max(most, of[seat])
    for seat in range(s.players):
        if of[seat] == most:
            w.bonus[seat] += points


@kernel
def track_points(s: Position, b: Board, seat: int) -> int:
    """The points of the tracks a player owns, from the board alone (C-35)."""
    points = 0
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            i = lowest(owned)
            value = b.points[b.length[word * BITS + i]]
            points += value * (1 + ((s.doubled[word] >> i) & 1))
            owned &= owned - 1
    return points


# ---------------------------------------------------------------- tickets and stations


@kernel
def join_places(s: Position, b: Board, w: Work, seat: int) -> None:
    """w.near[p] = the places that a track of the player joins to p."""
    near = w.near
    for p in range(b.n_places):
        near[p] = 0
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            t = word * BITS + lowest(owned)
            near[b.track_a[t]] |= 1 << b.track_b[t]
            near[b.track_b[t]] |= 1 << b.track_a[t]
            owned &= owned - 1


@kernel
def reached_from(b: Board, w: Work, places: int) -> int:
    """All places that a chain from one of these reaches; a dead end is reached, not passed (AFR-18)."""
    reached = places
    front = places
    while front:
        p = lowest(front)
        front &= front - 1
        new = w.near[p] & ~reached
        reached |= new
        front |= new & ~b.dead_ends
    return reached


@kernel
def is_completed(b: Board, w: Work, ticket: int) -> int:
    """1 if the two ends are joined in w.near (C-32, AFR-17)."""
    return 1 if reached_from(b, w, b.ticket_a[ticket]) & b.ticket_b[ticket] else 0


@kernel
def score_tickets(s: Position, b: Board, w: Work, seat: int) -> None:
    """Plus or minus the value of each ticket, by the joins in w.near (C-32)."""
    points = 0
    completed = 0
    for t in range(b.n_tickets):
        if s.ticket_at[t] == HELD + seat:
            w.done[t] = is_completed(b, w, t)
            completed += w.done[t]
            points += b.ticket_points[t] if w.done[t] else -b.ticket_points[t]
    w.ticket_score[seat] = points
    w.completed[seat] = completed


@kernel
def next_loan(s: Position, b: Board, seat: int, station: int, after: int) -> int:
    """The next track after `after` (in map order) that a station can lend, or the number of tracks."""
    place = s.stations[seat * STATIONS + station] - 1
    for word in range(TRACK_WORDS):
        lendable = 0
        for p in range(s.players):
            if p != seat:
                lendable |= s.owned[TRACK_WORDS * p + word]
        lendable &= b.at_place[TRACK_WORDS * place + word]
        while lendable:
            t = word * BITS + lowest(lendable)
            if t > after:
                return t
            lendable &= lendable - 1
    return b.n_tracks


@kernel
def borrow_tracks(s: Position, b: Board, w: Work, seat: int) -> None:
    """Try every loan of every station and score the tickets with the best (EUR-07, EUR-08).

    The order of trial is the order of preference among equals: earlier stations first, earlier tracks
    first, none last. So a later trial replaces the best only if it is better in points, completed tickets
    or fewer tracks.
    """
    n = stations_built(s, seat)
    at = seat * STATIONS
    for k in range(n):
        w.lent[at + k] = 0
    if not loans_can_help(s, b, w, seat):
        return
    none = b.n_tracks
    for k in range(n):
        w.lent[at + k] = 1 + next_loan(s, b, seat, k, -1)
    best = -(1 << 40)
    while True:
        value = value_of_loans(s, b, w, seat)
        if value > best:
            best = value
            for k in range(n):
                w.best_lent[k] = w.lent[at + k]
        k = n - 1
        while k >= 0 and w.lent[at + k] - 1 == none:
            w.lent[at + k] = 1 + next_loan(s, b, seat, k, -1)
            k -= 1
        if k < 0:
            break
        w.lent[at + k] = 1 + next_loan(s, b, seat, k, w.lent[at + k] - 1)
    for k in range(n):
        w.lent[at + k] = w.best_lent[k]
    value_of_loans(s, b, w, seat)
    for k in range(n):
        if w.lent[at + k] - 1 == none:
            w.lent[at + k] = 0


@kernel
def loans_can_help(s: Position, b: Board, w: Work, seat: int) -> int:
    """1 if one more ticket would be completed with all that all stations could lend at once."""
    completed = w.completed[seat]
    if completed == s.ticket_count[seat]:
        return 0
    for k in range(stations_built(s, seat)):
        t = next_loan(s, b, seat, k, -1)
        while t < b.n_tracks:
            lend(b, w, t)
            t = next_loan(s, b, seat, k, t)
    for t in range(b.n_tickets):
        if s.ticket_at[t] == HELD + seat and w.done[t] == 0 and is_completed(b, w, t):
            return 1
    return 0


@kernel
def value_of_loans(s: Position, b: Board, w: Work, seat: int) -> int:
    """Score the tickets with the loans in w.lent: points first, then completed tickets, then few loans."""
    join_places(s, b, w, seat)
    borrowed = 0
    for k in range(stations_built(s, seat)):
        t = w.lent[seat * STATIONS + k] - 1
        if t < b.n_tracks:
            borrowed += 1
            lend(b, w, t)
    score_tickets(s, b, w, seat)
    return (w.ticket_score[seat] * 128 + w.completed[seat]) * 4 - borrowed


@kernel
def lend(b: Board, w: Work, track: int) -> None:
    """Join the ends of a borrowed track, for tickets only."""
    w.near[b.track_a[track]] |= 1 << b.track_b[track]
    w.near[b.track_b[track]] |= 1 << b.track_a[track]


@kernel
def festival_points(s: Position, b: Board, seat: int) -> int:
    """Each set of cards of one group scores by the table (IBE-16)."""
    points = 0
    for g in range(b.groups):
        points += b.festival_table[s.pile[seat * GROUPS + g]]
    return points


# ---------------------------------------------------------------- longest path


@kernel
def measure_paths(s: Position, b: Board, w: Work) -> None:
    for seat in range(s.players):
        w.path[seat] = longest_path(s, b, w, seat)


@kernel
def number_tracks(s: Position, b: Board, w: Work, seat: int) -> int:
    """List the player's tracks in w.edge_*, and at each place the bits of those that end there."""
    for p in range(b.n_places):
        w.edges[p] = 0
    n = 0
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            t = word * BITS + lowest(owned)
            owned &= owned - 1
            w.edge_a[n] = b.track_a[t]
            w.edge_b[n] = b.track_b[t]
            w.edge_length[n] = b.length[t]
            w.edge_track[n] = t
            w.edges[b.track_a[t]] |= 1 << n
            w.edges[b.track_b[t]] |= 1 << n
            n += 1
    return n


@kernel
def longest_path(s: Position, b: Board, w: Work, seat: int) -> int:
    """The longest chain of own tracks, in cars; it may pass a city again, never a track (C-36)."""
    n = number_tracks(s, b, w, seat)
    w.best_trail_n[seat] = 0
    left = (1 << n) - 1
    best = 0
    while left:
        network = network_of(b, w, lowest(left))
        left &= ~network
        if length_of(w, network) > best:
            best = max(best, longest_in_network(b, w, network, best, seat))
    return best


@kernel
def length_of(w: Work, edges: int) -> int:
    total = 0
    while edges:
        total += w.edge_length[lowest(edges)]
        edges &= edges - 1
    return total


@kernel
def network_of(b: Board, w: Work, edge: int) -> int:
    """The tracks that hang together with this one; a dead end joins nothing (AFR-18)."""
    network = 1 << edge
    front = ((1 << w.edge_a[edge]) | (1 << w.edge_b[edge])) & ~b.dead_ends
    visited = front
    while front:
        p = lowest(front)
        front &= front - 1
        new = w.edges[p] & ~network
        network |= new
        while new:
            e = lowest(new)
            new &= new - 1
            ends = ((1 << w.edge_a[e]) | (1 << w.edge_b[e])) & ~b.dead_ends & ~visited
            visited |= ends
            front |= ends
    return network


@kernel
def odd_places(b: Board, w: Work, network: int) -> int:
    """The places where an odd number of the network's tracks end, and every dead end among them."""
    odd = 0
    edges = network
    while edges:
        e = lowest(edges)
        edges &= edges - 1
        odd ^= (1 << w.edge_a[e]) ^ (1 << w.edge_b[e])
    edges = network
    while edges:
        e = lowest(edges)
        edges &= edges - 1
        odd |= ((1 << w.edge_a[e]) | (1 << w.edge_b[e])) & b.dead_ends
    return odd


@kernel
def longest_in_network(b: Board, w: Work, network: int, best: int, seat: int) -> int:
    """The longest trail of one connected network, if it is longer than `best`.

    A longest trail that is not the whole network starts at a place of odd degree or at a dead end: from
    any other place it could be made longer. And with 2k odd places at least k - 1 tracks stay unused.
    """
    total = length_of(w, network)
    starts = odd_places(b, w, network)
    bound = total - unused_at_least(b, w, network)
    if starts == 0:
        starts = 1 << w.edge_a[lowest(network)]
    while starts and best < bound:
        start = lowest(starts)
        starts &= starts - 1
        best = max(best, longest_from(b, w, start, network, best, bound, seat))
    return best


@kernel
def unused_at_least(b: Board, w: Work, network: int) -> int:
    """A lower bound of the cars no single trail can use: the k - 1 shortest tracks, with 2k odd ends."""
    ends = popcount(odd_places(b, w, network) & ~b.dead_ends)
    dead = b.dead_ends
    while dead:
        p = lowest(dead)
        dead &= dead - 1
        ends += popcount(w.edges[p] & network)
    spare = ends // 2 - 1
    unused = 0
    length = 1
    while spare > 0 and length < 10:
        edges = network
        while edges and spare > 0:
            e = lowest(edges)
            edges &= edges - 1
            if w.edge_length[e] == length:
                unused += length
                spare -= 1
        length += 1
    return unused


@kernel
def longest_from(b: Board, w: Work, start: int, network: int, best: int, bound: int, seat: int) -> int:
    """Search all trails from a place, deepest first, without recursion; stop at the bound."""
    depth = 0
    length = 0
    used = 0
    w.at[0] = start
    w.trail[0] = w.edges[start] & network
    while depth >= 0:
        todo = w.trail[depth]
        if todo == 0:
            depth -= 1
            if depth >= 0:
                used ^= 1 << w.via[depth]
                length -= w.edge_length[w.via[depth]]
            continue
        e = lowest(todo)
        w.trail[depth] = todo & (todo - 1)
        w.via[depth] = e
        used |= 1 << e
        length += w.edge_length[e]
        place = w.edge_b[e] if w.edge_a[e] == w.at[depth] else w.edge_a[e]
        depth += 1
        w.at[depth] = place
        w.trail[depth] = 0 if (b.dead_ends >> place) & 1 else w.edges[place] & ~used
        if length > best:
            best = length
            keep_trail(w, seat, depth)
            if best >= bound:
                return best
    return best


@kernel
def keep_trail(w: Work, seat: int, n: int) -> None:
    """Remember the tracks of the best trail, in order, to show it."""
    for i in range(n):
        w.best_trail[seat * BITS + i] = 1 + w.edge_track[w.via[i]]
    w.best_trail_n[seat] = n


# ---------------------------------------------------------------- places


@kernel
def rank_players(s: Position, b: Board, w: Work) -> None:
    """The place of each player: points, then tie-breaks among those still level (C-37, C-39, EUR-19, IBE-17)."""
    for seat in range(s.players):
        w.place[seat] = 1
    split_places(s, w, w.total)
    for i in range(3):
        rule = b.ties[i]
        if any_level(s, w) == 0:
            return
        if rule == TIE_TICKETS:
            split_places(s, w, w.completed)
        elif rule == TIE_STATIONS:
            split_places(s, w, w.unbuilt)
        elif rule == TIE_PATH:
            if b.longest_path == 0:
                measure_paths(s, b, w)
            split_places(s, w, w.path)


@kernel
def any_level(s: Position, w: Work) -> int:
    """1 if two players share a place."""
    for p in range(s.players):
        for q in range(p):
            if w.place[p] == w.place[q]:
                return 1
    return 0


@kernel
def split_places(s: Position, w: Work, value: list[int]) -> None:
    """Among players on one place, those with less of `value` fall behind those with more."""
    for p in range(s.players):
        w.cards[p] = 0
        for q in range(s.players):
            if w.place[q] == w.place[p] and value[q] > value[p]:
                w.cards[p] += 1
    for p in range(s.players):
        w.place[p] += w.cards[p]
