"""Mail: bags that are taken with a track and delivered by a chain of tracks (CAR-03 .. CAR-16). What is said about
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from branchline.base import actions as a
from branchline.base.events import Public, Reader
from branchline.faces import Deck, Face, Move, Notes, Teller, bare
from branchline.kernel.state import PAIR, SEATS
from branchline.maps.core import MAX_PLACES
from branchline.mechanics.mail.rules import carried_by
from branchline.mechanics.mail.state import (
    CARRIED,
    E_BAG_LAID,
    E_BAG_SEEN,
    E_BAG_TAKEN,
    E_BAGS_LEFT,
    E_DELIVERED,
    LEAVE_BAGS,
    MAIL,
    SWAP_BAG,
    TAKE_BAG,
)
from branchline.objections import Case, Objection, explains

if TYPE_CHECKING:
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names

# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class LeaveBags:
    """Take none of the mail bags at the ends of the track (CAR-05)."""


@dataclass(frozen=True, slots=True)
class TakeBag:
    """Take the mail bag lying at this end of the track along (CAR-05)."""

    place: str


@dataclass(frozen=True, slots=True)
class SwapBag:
    """Take it, and lay the carried bag of this number, from 1 on, down in its place (CAR-07)."""

    place: str
    laid: int


Action: TypeAlias = LeaveBags | TakeBag | SwapBag


def _ends(s: Position, names: Names) -> tuple[str, str]:
    return names.ends[names.tracks[s.claim_track]]


def _end_number(place: str, s: Position, names: Names) -> int:
    """Which end of the track just claimed this is, or -1."""
    return _ends(s, names).index(place) if s.phase == MAIL and place in _ends(s, names) else -1


def _take(n: int, s: Position, names: Names, seat: int) -> TakeBag:
    return TakeBag(_ends(s, names)[n])


def _swap(n: int, s: Position, names: Names, seat: int) -> SwapBag:
    return SwapBag(_ends(s, names)[n // CARRIED], n % CARRIED + 1)


def _swap_number(action: SwapBag, s: Position, names: Names, seat: int) -> int:
    end = _end_number(action.place, s, names)
    return CARRIED * end + action.laid - 1 if end >= 0 and 1 <= action.laid <= CARRIED else -1


_MOVES = (
    bare(LeaveBags(), "leave bags", LEAVE_BAGS),
    Move(
        TakeBag,
        "take bag CITY",
        range(TAKE_BAG, TAKE_BAG + 2),
        _take,
        lambda action, s, names, seat: _end_number(action.place, s, names),
        fixed=False,
    ),
    Move(
        SwapBag,
        "take bag CITY for NUMBER",
        range(SWAP_BAG, SWAP_BAG + 2 * CARRIED),
        _swap,
        _swap_number,
        fixed=False,
        form="take bag CITY for NUMBER (of the bag that is laid down)",
    ),
)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class BagSeen:
    """A player looked at the mail bag that lies in a city; where it goes is that player's secret (CAR-05, CAR-14)."""

    seat: a.Seat
    place: str
    label: str | None

    def seen_by(self, reader: Reader) -> BagSeen:
        return self if reader == self.seat else replace(self, label=None)


@dataclass(frozen=True, slots=True)
class BagTaken:
    """A mail bag taken along; where it goes is known to those who have looked at it (CAR-14)."""

    seat: a.Seat
    place: str
    label: str | None
    known_to: tuple[a.Seat, ...]

    def seen_by(self, reader: Reader) -> BagTaken:
        return self if reader in self.known_to else replace(self, label=None)


@dataclass(frozen=True, slots=True)
class BagLaid:
    """A mail bag laid down in a city, face down; `origin` is where it had been taken (CAR-07)."""

    seat: a.Seat
    place: str
    origin: str
    label: str | None
    known_to: tuple[a.Seat, ...]

    def seen_by(self, reader: Reader) -> BagLaid:
        return self if reader in self.known_to else replace(self, label=None)


@dataclass(frozen=True, slots=True)
class BagsLeft(Public):
    seat: a.Seat


@dataclass(frozen=True, slots=True)
class BagDelivered(Public):
    """A mail bag came from where it was taken to the city on its label (CAR-09)."""

    seat: a.Seat
    origin: str
    label: str
    points: int


Event: TypeAlias = BagSeen | BagTaken | BagLaid | BagsLeft | BagDelivered


def _seats(bits: int) -> tuple[a.Seat, ...]:
    return tuple(seat for seat in range(SEATS) if bits >> seat & 1)


def _laid(notes: Notes, seat: int, places: int, label: int, seen: int) -> BagLaid:
    names = notes.names.places
    return BagLaid(seat, names[places // PAIR], names[places % PAIR], names[label], _seats(seen))


_EVENTS: dict[int, Teller] = {
    E_BAG_SEEN: lambda notes, seat, place, label, _: BagSeen(
        seat, notes.names.places[place], notes.names.places[label]
    ),
    E_BAG_TAKEN: lambda notes, seat, place, label, seen: BagTaken(
        seat, notes.names.places[place], notes.names.places[label], _seats(seen)
    ),
    E_BAG_LAID: _laid,
    E_BAGS_LEFT: lambda notes, seat, *_: BagsLeft(seat),
    E_DELIVERED: lambda notes, seat, origin, label, points: BagDelivered(
        seat, notes.names.places[origin], notes.names.places[label], points
    ),
}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class NoMailNow:
    """Bags are seen to after a claim at whose ends one lies."""


@dataclass(frozen=True, slots=True)
class NoBagThere:
    place: str


@dataclass(frozen=True, slots=True)
class NotAtThatEnd:
    place: str
    track: str  # the one just claimed


@dataclass(frozen=True, slots=True)
class BagToLayDown:
    """As many are carried as may be: which is laid down has to be said."""

    most: int


@dataclass(frozen=True, slots=True)
class NoBagToLayDown:
    """There is room, or the bag is delivered as it is taken."""

    most: int


@dataclass(frozen=True, slots=True)
class NoSuchBag:
    number: int
    carried: int


@explains(LeaveBags)
def _why_not_leave(case: Case, action: LeaveBags) -> Objection:
    return "CAR-05", NoMailNow()


@explains(TakeBag, SwapBag)
def _why_not_there(case: Case, action: TakeBag | SwapBag) -> Objection | None:
    if case.s.phase != MAIL:
        return "CAR-05", NoMailNow()
    if action.place not in _ends(case.s, case.names):
        return "CAR-05", NotAtThatEnd(action.place, case.names.tracks[case.s.claim_track])
    return None if case.s.bag[case.names.place[action.place]] else ("CAR-05", NoBagThere(action.place))


@explains(TakeBag)
def _why_not_take(case: Case, action: TakeBag) -> Objection:
    return "CAR-07", BagToLayDown(case.b.mail_carry)


@explains(SwapBag)
def _why_not_swap(case: Case, action: SwapBag) -> Objection:
    carried = carried_by(case.s, case.seat)
    if not 1 <= action.laid <= carried:
        return "CAR-07", NoSuchBag(action.laid, carried)
    return "CAR-07", NoBagToLayDown(case.b.mail_carry)


Refusal: TypeAlias = NoMailNow | NoBagThere | NotAtThatEnd | BagToLayDown | NoBagToLayDown | NoSuchBag

# ---------------------------------------------------------------- the deal


@dataclass(frozen=True)
class Deal:
    """`mail`: the labels of the bags, place by place in the order of the map file (CAR-04)."""

    mail: Sequence[str] = ()


_DECK = Deck(
    key="mail",
    card="mail bag",
    rig="mail_rig",
    most=MAX_PLACES,
    numbers=lambda data, names: {place.id: names.place[place.id] for place in data.places if place.mail},
    dealt=lambda data: (0, 0),
)

# ---------------------------------------------------------------- the whole

FACE = Face(moves=_MOVES, events=_EVENTS, phases={MAIL: "mail"}, decks=(_DECK,), chance={BagSeen: "mail"})
