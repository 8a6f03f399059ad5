"""What a reader may know of the mail: where bags lie, who carries how many from where, and the labels one has seen
(CAR-14)."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.base import view as base
from branchline.base.view import seats_of
from branchline.kernel.board import make_board
from branchline.kernel.scratch import scratch
from branchline.kernel.state import HIDDEN, SEATS
from branchline.mechanics.mail.rules import end_of_claim, is_delivered_at
from branchline.mechanics.mail.state import CARRIED, MAIL


@dataclass(frozen=True, slots=True)
class Bag:
    """A mail bag: where it lies or was taken, where it goes if the reader has seen that, and who has."""

    place: str
    label: str | None
    seen_by: tuple[int, ...]


def _bag(places: list[str], place: int, label: int, seen: int) -> Bag:
    return Bag(places[place], None if label == HIDDEN else places[label - 1], seats_of(seen))


class View(base.View):
    __slots__ = ()

    @property
    def bags(self) -> tuple[Bag, ...]:
        """The bags that lie in the cities (CAR-04)."""
        s, places = self._position, self._names.places
        return tuple(_bag(places, p, s.bag[p], s.bag_seen[p]) for p in range(len(places)) if s.bag[p])

    @property
    def bags_at_once(self) -> tuple[str, ...]:
        """The cities where the reader may take a bag now that would be delivered as it is taken (CAR-10)."""
        s, seat = self._position, self.reader
        if seat is None or s.phase != MAIL or not s.awaited >> seat & 1:
            return ()
        b, w = make_board(self.map), scratch()
        ends = (end_of_claim(s, b, end) for end in range(2))
        return tuple(self._names.places[p] for p in ends if s.bag[p] and is_delivered_at(s, b, w, seat, p))


class PlayerView(base.PlayerView):
    __slots__ = ()

    @property
    def carried(self) -> tuple[Bag, ...]:
        """In the order of taking."""
        s, slots = self._position, range(self.seat * CARRIED, (self.seat + 1) * CARRIED)
        places = self._names.places
        return tuple(
            _bag(places, s.carried_from[i] - 1, s.carried[i], s.carried_seen[i]) for i in slots if s.carried[i]
        )

    @property
    def delivered(self) -> tuple[str, ...]:
        """The places on their labels."""
        labels = self._position.delivered[self.seat]
        return tuple(place for p, place in enumerate(self._names.places) if labels >> p & 1)

    @property
    def stamps(self) -> int:
        return make_board(self.map).stamps[self._position.players * SEATS + self.seat]
