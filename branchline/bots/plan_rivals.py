"""What the planner reads off the others' tracks: pieces of a network that lie apart will be joined, and where.

For each piece of a rival's network the cheapest link to the next piece is sought; a track of that link is wanted, by
as much as the way round would be longer.
"""

from __future__ import annotations

from branchline.bots.routes import NOWHERE, search, track_ends
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import BITS, TRACK_WORDS, Board, Position
from branchline.maps.model import MAX_LENGTH

LINK = 24  # a link beyond this price is none
MOST_WANTED = 24
PIECES = 6


@kernel
def look_at_rivals(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Write into k.wanted how much longer a rival's link would be without a track; prices are lost."""
    for p in range(s.players):
        if p != seat and s.turns_left == 0:
            places = price_for_rival(s, b, k, p)
            left = places
            pieces = 0
            while left and pieces < PIECES:
                piece = piece_of(b, k, left & -left)
                left &= ~piece
                pieces += 1
                if places & ~piece:
                    want_link(s, b, k, piece, places & ~piece)


@kernel
def price_for_rival(s: Position, b: Board, k: PathWork, p: int) -> int:
    """Price the tracks for another player by their length, own ones nothing; the places it has reached."""
    fit = min(s.trains[p], MAX_LENGTH)
    places = 0
    for word in range(TRACK_WORDS):
        own = s.owned[TRACK_WORDS * p + word]
        k.usable[word] = own | (b.fits[TRACK_WORDS * fit + word] & ~s.shut[TRACK_WORDS * p + word])
        tracks = k.usable[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            if (own >> i) & 1:
                k.price[t] = 0
                places |= track_ends(b, t)
            else:
                k.price[t] = 2 + b.length[t]
    return places


@kernel
def piece_of(b: Board, k: PathWork, place: int) -> int:
    """The places that hang together with one, as bits."""
    search(b, k, place, 0, 0)
    piece = 0
    for p in range(b.n_places):
        if k.reach[p] == 0:
            piece |= 1 << p
    return piece


@kernel
def want_link(s: Position, b: Board, k: PathWork, piece: int, others: int) -> None:
    """Note the tracks of the cheapest link between two pieces, if there are one or two."""
    price = search(b, k, piece, others, LINK)
    if price == NOWHERE:
        return
    n = 0
    first = 0
    second = 0
    p = k.goal
    while not (piece >> p) & 1:
        t = k.via[p]
        p = b.track_a[t] + b.track_b[t] - p
        if k.price[t] > 0:
            second = first
            first = t
            n += 1
    if n > 0 and n <= 2:
        want_track(s, b, k, piece, others, price, first)
        if n == 2:
            want_track(s, b, k, piece, others, price, second)


@kernel
def want_track(s: Position, b: Board, k: PathWork, piece: int, others: int, price: int, t: int) -> None:
    """How much longer the link is without one of its tracks."""
    word = t // BITS
    usable_0 = k.usable[0]
    usable_1 = k.usable[1]
    k.usable[word] &= ~(1 << (t % BITS))
    if s.players < b.both_tracks_from:
        k.usable[0] &= ~b.twins[TRACK_WORDS * t]
        k.usable[1] &= ~b.twins[TRACK_WORDS * t + 1]
    longer = search(b, k, piece, others, price + MOST_WANTED) - price
    k.wanted[t] = max(k.wanted[t], min(MOST_WANTED, longer))
    k.usable[0] = usable_0
    k.usable[1] = usable_1
