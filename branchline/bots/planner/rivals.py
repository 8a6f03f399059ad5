"""What the planner reads off the others' tracks: pieces of a network that lie apart will be joined, and where.

For each piece of a rival's network the cheapest link to the next piece is sought; a track of that link is wanted, by
as much as the way round would be longer.
"""

from __future__ import annotations

from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import BITS, MAX_LENGTH, TRACK_WORDS, Board, Position, kernel, lowest
from branchline.graph.chains import NOWHERE, find_chain, trace_chain, track_ends

LINK = 24  # a link beyond this price is none
MOST_WANTED = 24
PIECES = 6


@kernel
def look_at_rivals(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Write into plan.wanted how much longer a rival's link would be without a track; prices are lost."""
    for p in range(s.players):
        if p != seat and s.turns_left == 0:
            places = price_for_rival(s, b, plan, p)
            left = places
            pieces = 0
            while left and pieces < PIECES:
                piece = piece_of(b, plan, left & -left)
                left &= ~piece
                pieces += 1
                if places & ~piece:
                    want_link(s, b, plan, piece, places & ~piece)


@kernel
def price_for_rival(s: Position, b: Board, plan: Plan, p: int) -> int:
    """Price the tracks for another player by their length, own ones nothing; the places it has reached."""
    fit = min(s.trains[p], MAX_LENGTH)
    places = 0
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * p + word]
        plan.usable[word] = own | (b.fits[TRACK_WORDS * fit + word] & ~s.shut[TRACK_WORDS * p + word])
        tracks = plan.usable[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            if (own >> i) & 1:
                plan.price[t] = 0
                places |= track_ends(b, t)
            else:
                plan.price[t] = 2 + b.length[t]
    return places


@kernel
def piece_of(b: Board, plan: Plan, place: int) -> int:
    """The places that hang together with one, as bits."""
    find_chain(b, plan, place, 0, 0)
    piece = 0
    for p in range(b.n_places):
        if plan.reach[p] == 0:
            piece |= 1 << p
    return piece


@kernel
def want_link(s: Position, b: Board, plan: Plan, piece: int, others: int) -> None:
    """Note the tracks of the cheapest link between two pieces, if there are one or two."""
    price = find_chain(b, plan, piece, others, LINK)
    if price == NOWHERE:
        return
    trace_chain(b, plan, piece)
    n = 0
    first = 0
    second = 0
    for i in range(plan.chain_n):
        t = plan.chain[i]
        if plan.price[t] > 0:
            second = first
            first = t
            n += 1
    if n > 0 and n <= 2:
        want_track(s, b, plan, piece, others, price, first)
        if n == 2:
            want_track(s, b, plan, piece, others, price, second)


@kernel
def want_track(s: Position, b: Board, plan: Plan, piece: int, others: int, price: int, t: int) -> None:
    """How much longer the link is without one of its tracks."""
    for word in range(TRACK_WORDS):
        plan.usable_before[word] = plan.usable[word]
        if s.players < b.both_tracks_from:
            plan.usable[word] &= ~b.twins[TRACK_WORDS * t + word]
    plan.usable[t // BITS] &= ~(1 << (t % BITS))
    longer = find_chain(b, plan, piece, others, price + MOST_WANTED) - price
    plan.wanted[t] = max(plan.wanted[t], min(MOST_WANTED, longer))
    for word in range(TRACK_WORDS):
        plan.usable[word] = plan.usable_before[word]
