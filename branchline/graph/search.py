"""The cheapest way through a net of places. A dead end begins or ends a way and is never passed (AFR-18).

A net is numbers: places, tracks and prices mean what whoever made it says. A track may be on loan from one of several
lenders, each of which lends one track on a way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import NamedTuple

NONE: frozenset[int] = frozenset()
NOBODY: tuple[int, ...] = ()


class Way(NamedTuple):
    """A way out of a place, over a track; with `lenders`, numbered from 0, one of them must lend the track."""

    to: int
    track: int
    price: int
    lenders: tuple[int, ...]


class Step(NamedTuple):
    """A track that was gone over, and who lent it (-1: nobody)."""

    start: int
    end: int
    track: int
    price: int
    lender: int


@dataclass(slots=True)
class _Search:
    """A search under way. Its points are places for each set of lenders used: place + size * set."""

    size: int
    cost: dict[int, int] = field(default_factory=dict)
    came: dict[int, tuple[int, Step]] = field(default_factory=dict)  # from which point, by which step
    queue: list[tuple[int, int, int]] = field(default_factory=list)  # price, order of coming, point
    pushed: int = 0

    def begin(self, places: Iterable[int]) -> None:
        for place in places:
            self.cost[place] = 0
            self.queue.append((0, self.pushed, place))
            self.pushed += 1
        heapify(self.queue)

    def reach(self, point: int, at: int, way: Way, price: int, lender: int) -> None:
        """Of ways that cost the same the one found first stays."""
        cost = self.cost[at] + price
        if cost < self.cost.get(point, cost + 1):
            self.cost[point] = cost
            self.came[point] = at, Step(at % self.size, way.to, way.track, price, lender)
            heappush(self.queue, (cost, self.pushed, point))
            self.pushed += 1


class Net:
    """Places and the ways between them."""

    def __init__(self, places: int, dead_ends: Collection[int]) -> None:
        self.dead_ends = dead_ends
        self.ways: list[tuple[Way, ...]] = [()] * places

    def add(self, a: int, b: int, track: int, price: int, lenders: tuple[int, ...] = NOBODY) -> None:
        self.ways[a] += (Way(b, track, price, lenders),)
        self.ways[b] += (Way(a, track, price, lenders),)

    def copy(self) -> Net:
        twin = Net(0, self.dead_ends)
        twin.ways = self.ways.copy()
        return twin

    def cheapest(
        self, starts: Iterable[int], goals: Collection[int], free: Collection[int] = NONE
    ) -> tuple[Step, ...] | None:
        """The steps of the cheapest way from one of some places to one of others; None if there is none.

        Tracks that are `free` cost nothing and need nobody to lend them.
        """
        search = _Search(len(self.ways))
        end = self._search(search, starts, goals, free)
        if end is None:
            return None
        steps: list[Step] = []
        while end in search.came:
            end, step = search.came[end]
            steps.append(step)
        return tuple(reversed(steps))

    def distances(self, starts: Iterable[int]) -> dict[int, int]:
        """What each place costs to reach, of those that can be."""
        search = _Search(len(self.ways))
        self._search(search, starts, NONE, NONE)
        near: dict[int, int] = {}
        for point, cost in search.cost.items():
            place = point % search.size
            near[place] = min(cost, near.get(place, cost))
        return near

    def _search(
        self, search: _Search, starts: Iterable[int], goals: Collection[int], free: Collection[int]
    ) -> int | None:
        """Dijkstra's search; the point at which a goal was reached first."""
        size = search.size
        search.begin(starts)
        while search.queue:
            cost, _, at = heappop(search.queue)
            if cost > search.cost[at]:
                continue  # reached for less meanwhile
            used, place = divmod(at, size)
            if place in goals:
                return at
            if place in self.dead_ends and at in search.came:
                continue
            for way in self.ways[place]:
                if way.track in free:
                    search.reach(way.to + size * used, at, way, 0, -1)
                elif not way.lenders:
                    search.reach(way.to + size * used, at, way, way.price, -1)
                else:
                    for lender in way.lenders:
                        if not used >> lender & 1:
                            search.reach(way.to + size * (used | 1 << lender), at, way, way.price, lender)
        return None


class Road(NamedTuple):
    """A track as `first_shortest` takes it: two places and a length."""

    a: int
    b: int
    length: int


def first_shortest(
    roads: Sequence[Road], dead_ends: Collection[int], starts: Collection[int], goals: Collection[int]
) -> list[int]:
    """The numbers of the roads of a shortest way; none if there is none.

    Of ways that are as long as each other `Net.cheapest` shows the one it comes upon first, this one the way that
    going through the roads in their order finds, again and again until nothing gets shorter: trained networks were
    told which one that is, so it must stay the same.
    """
    reached = dict.fromkeys(starts, (0, -1))
    shorter = True
    while shorter:
        shorter = False
        for n, road in enumerate(roads):
            for p, q in ((road.a, road.b), (road.b, road.a)):
                if p not in reached or (p in dead_ends and p not in starts):
                    continue
                length = reached[p][0] + road.length
                if q not in reached or length < reached[q][0]:
                    reached[q] = length, n
                    shorter = True
    return _way_back(roads, reached, min((p for p in reached if p in goals), key=lambda p: reached[p][0], default=-1))


def _way_back(roads: Sequence[Road], reached: dict[int, tuple[int, int]], end: int) -> list[int]:
    way = []
    while end >= 0 and (n := reached[end][1]) >= 0:
        way.append(n)
        end = roads[n].a + roads[n].b - end
    return way
