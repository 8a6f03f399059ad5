"""In which order work is done: each address in turn, at an address each person in turn, bots among themselves last.

Nothing here waits or knows of processes: `join` and `leave` say whose turn it is by calling them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from branchline.server.thinking.askers import Asker, Priority, TooBusy

K = TypeVar("K")

MANY = 1_000_000
BOTS_ONLY_AT_ONCE = 1  # jobs of tables with only bots, of one person or address


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much may be asked for at once, waiting or being done, and how much of it is being done."""

    in_all: int = 20_000
    of_person: int = MANY
    of_address: int = MANY
    done_of_person: int = MANY
    done_of_address: int = MANY


@dataclass(slots=True, eq=False)
class Place:
    """A place in line; `call` is called once, when its turn has come."""

    asker: Asker
    call: Callable[[], None]
    called: bool = False


class Turns:
    """Who may work now, of all who ask, where so many can work at once."""

    def __init__(self, at_once: int, bounds: Bounds | None = None) -> None:
        self.at_once = at_once
        self.bounds = bounds or Bounds()
        self._lines = {priority: _Line() for priority in Priority}
        self._asked = {priority: _Jobs() for priority in Priority}
        self._working = {priority: _Jobs() for priority in Priority}

    @property
    def asked(self) -> int:
        return sum(jobs.count for jobs in self._asked.values())

    @property
    def working(self) -> int:
        return sum(jobs.count for jobs in self._working.values())

    @property
    def waiting(self) -> int:
        return self.asked - self.working

    def crowd(self, asker: Asker) -> int:
        """After how many jobs a new one of this asker would be done, of those that are asked for now."""
        return self._asked[asker.priority].crowd(asker)

    def join(self, asker: Asker, call: Callable[[], None]) -> Place:
        """Wait for a turn; raises TooBusy where too many wait already. Every place is left again, by `leave`."""
        self._check(asker)
        place = Place(asker, call)
        self._asked[asker.priority].add(asker)
        self._lines[asker.priority].add(place)
        self._go_on()
        return place

    def leave(self, place: Place) -> None:
        """The work is done, or nobody wants it any more."""
        asker = place.asker
        self._asked[asker.priority].remove(asker)
        if place.called:
            self._working[asker.priority].remove(asker)
        else:
            self._lines[asker.priority].remove(place)
        self._go_on()

    def _check(self, asker: Asker) -> None:
        asked, bounds = self._asked.values(), self.bounds
        of_person = sum(jobs.of_person(asker) for jobs in asked)
        of_address = sum(jobs.of_address(asker) for jobs in asked)
        if self.asked >= bounds.in_all or of_person >= bounds.of_person or of_address >= bounds.of_address:
            raise TooBusy

    def _go_on(self) -> None:
        while (place := self._next()) is not None:
            place.called = True
            self._working[place.asker.priority].add(place.asker)
            place.call()

    def _next(self) -> Place | None:
        if self.working >= self.at_once:
            return None
        place = self._lines[Priority.PEOPLE].take(self._may_work)
        if place is None and self._has_room_for_bots:
            place = self._lines[Priority.BOTS_ONLY].take(self._may_work)
        return place

    @property
    def _has_room_for_bots(self) -> bool:
        """Bots among themselves leave a place free for people, where there is more than one."""
        return self._working[Priority.BOTS_ONLY].count < max(1, self.at_once - 1)

    def _may_work(self, asker: Asker) -> bool:
        working = self._working.values()
        if sum(jobs.of_person(asker) for jobs in working) >= self.bounds.done_of_person:
            return False
        if sum(jobs.of_address(asker) for jobs in working) >= self.bounds.done_of_address:
            return False
        if asker.priority == Priority.PEOPLE:
            return True
        bots = self._working[Priority.BOTS_ONLY]
        return max(bots.of_person(asker), bots.of_address(asker)) < BOTS_ONLY_AT_ONCE


class _Line:
    """Who waits: addresses take turns, at an address persons take turns, a person is served first come, first."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, OrderedDict[str | None, deque[Place]]] = OrderedDict()

    def add(self, place: Place) -> None:
        persons = self._places.setdefault(place.asker.place, OrderedDict())
        persons.setdefault(place.asker.person, deque()).append(place)

    def remove(self, place: Place) -> None:
        self._places[place.asker.place][place.asker.person].remove(place)
        self._forget_empty(place.asker)

    def take(self, may_work: Callable[[Asker], bool]) -> Place | None:
        """Whose turn it is of those who may work now; they go to the end of the line."""
        for address, persons in self._places.items():
            for person, places in persons.items():
                if may_work(places[0].asker):
                    self._places.move_to_end(address)
                    persons.move_to_end(person)
                    place = places.popleft()
                    self._forget_empty(place.asker)
                    return place
        return None

    def _forget_empty(self, asker: Asker) -> None:
        persons = self._places[asker.place]
        if not persons[asker.person]:
            del persons[asker.person]
        if not persons:
            del self._places[asker.place]


class _Jobs:
    """How many jobs there are, by address and person."""

    def __init__(self) -> None:
        self.count = 0
        self._persons: Counter[str] = Counter()
        self._at: dict[str, Counter[str | None]] = {}

    def add(self, asker: Asker) -> None:
        self.count += 1
        self._at.setdefault(asker.place, Counter())[asker.person] += 1
        if asker.person is not None:
            self._persons[asker.person] += 1

    def remove(self, asker: Asker) -> None:
        self.count -= 1
        _one_less(self._at[asker.place], asker.person)
        if not self._at[asker.place]:
            del self._at[asker.place]
        if asker.person is not None:
            _one_less(self._persons, asker.person)

    def of_person(self, asker: Asker) -> int:
        return self._persons[asker.person] if asker.person is not None else 0

    def of_address(self, asker: Asker) -> int:
        return self._at[asker.place].total() if asker.address and asker.place in self._at else 0

    def crowd(self, asker: Asker) -> int:
        here: Counter[str | None] = self._at.get(asker.place, Counter())
        others = len(self._at) - (asker.place in self._at) + len(here) - (asker.person in here)
        return others + here[asker.person]


def _one_less(counts: Counter[K], key: K) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
