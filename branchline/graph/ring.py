"""Cheapest paths for many games at once, on a GPU too: the search of chains.py in a sixteenth of its room.

No track costs more than a ring has places, so the places that wait need one word for each price modulo RING, where
chains.py keeps a word for every price there is. Prices are therefore small here: spaces, and one for the turn.
"""

from __future__ import annotations

from typing import Annotated

from branchline.kernel.flat import I8, I16, I64, Flat
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import BITS, TRACK_WORDS, Board
from branchline.maps.model import MAX_PLACES, MAX_TRACKS

FAR = 9999  # the cost of what cannot be reached
RING = 16  # more than any track costs


class Paths(Flat, part=True):
    """The part of a scratch record that a search works on."""

    open: Annotated[list[int], I64, TRACK_WORDS]  # tracks that a path may run over
    ring: Annotated[list[int], I64, RING]  # places to go on from, by what they cost to reach, modulo RING
    cost: Annotated[list[int], I16, MAX_TRACKS]
    reach: Annotated[list[int], I16, MAX_PLACES]
    via: Annotated[list[int], I8, MAX_PLACES]  # the track by which a place is reached
    goal: Annotated[int, I8]  # where the path found last ends, or -1


@kernel
def find_path(b: Board, r: Paths, start: int, goals: int) -> int:
    """The cost of joining two sets of places, FAR if that is impossible; r.goal is where the path ends, r.via tells it.

    Places are settled in the order of what they cost, so the search ends at the first goal. A dead end may begin or
    end a path but is never passed (AFR-18).
    """
    start_search(b, r, start)
    front = start
    barred = b.dead_ends & ~front
    cost = 0
    while front:
        here = r.ring[cost % RING]
        r.ring[cost % RING] = 0
        if here & goals:
            r.goal = lowest(here & goals)
            return cost
        while here:
            p = lowest(here)
            here &= here - 1
            if r.reach[p] == cost:  # else it was reached for less
                front &= ~(1 << p)
                if not (barred >> p) & 1:
                    front |= go_on(b, r, p, cost)
        if r.ring[cost % RING] == 0:
            cost += 1
    r.goal = -1
    return FAR


@kernel
def start_search(b: Board, r: Paths, start: int) -> None:
    """Nothing is reached but the places where a path may begin."""
    for i in range(RING):
        r.ring[i] = 0
    r.ring[0] = start
    for p in range(b.n_places):
        r.reach[p] = 0 if (start >> p) & 1 else FAR
        r.via[p] = -1


@kernel
def go_on(b: Board, r: Paths, p: int, cost: int) -> int:
    """Reach the neighbours of a place that cost so much; those that are now reached for less than before."""
    nearer = 0
    for word in range(TRACK_WORDS):
        tracks = b.at_place[p * TRACK_WORDS + word] & r.open[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            q = b.track_a[t] + b.track_b[t] - p
            far = cost + r.cost[t]
            if far < r.reach[q]:
                r.reach[q] = far
                r.via[q] = t
                r.ring[far % RING] |= 1 << q
                nearer |= 1 << q
    return nearer
