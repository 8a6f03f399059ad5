"""What a player's tracks join, and the longest path through them (C-32, C-36, AFR-17, AFR-18)."""

from __future__ import annotations

from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.state import BITS, TRACK_WORDS, Board, Position, Work


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
