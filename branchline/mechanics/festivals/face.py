"""Festivals: cards that come up at their cities and are taken with a track (IBE-07, IBE-13 .. IBE-16). What is said
about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from branchline.base import actions as a
from branchline.base.events import Public
from branchline.base.names import Names as BaseNames
from branchline.faces import Face, Move, Teller
from branchline.maps.model import MapData
from branchline.mechanics.festivals.state import (
    E_FESTIVAL,
    E_FESTIVALS_TAKEN,
    FESTIVAL,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
)
from branchline.objections import Case, Objection, explains

if TYPE_CHECKING:
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names as AllNames

# ---------------------------------------------------------------- names


class Names(BaseNames):
    def __init__(self, data: MapData) -> None:
        super().__init__(data)
        self.groups = [g.id for g in data.festivals.groups] if data.festivals else []
        self.group = {name: n for n, name in enumerate(self.groups)}


# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class TakeFestivals:
    """Take the festival cards lying at this end of the track (IBE-14)."""

    place: str


Action: TypeAlias = TakeFestivals


def _action(n: int, s: Position, names: AllNames, seat: int) -> TakeFestivals:
    return TakeFestivals(names.ends[names.tracks[s.claim_track]][n])


def _number(action: TakeFestivals, s: Position, names: AllNames, seat: int) -> int:
    if s.phase != FESTIVAL_CHOICE:
        return -1
    ends = names.ends[names.tracks[s.claim_track]]
    return ends.index(action.place) if action.place in ends else -1


_MOVES = (Move(TakeFestivals, "festival CITY", range(FESTIVAL_A, FESTIVAL_B + 1), _action, _number, fixed=False),)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class FestivalLaid(Public):
    """A festival card came up and lies at its city (IBE-07)."""

    group: str


@dataclass(frozen=True, slots=True)
class FestivalsTaken(Public):
    seat: a.Seat
    group: str
    count: int


Event: TypeAlias = FestivalLaid | FestivalsTaken


_EVENTS: dict[int, Teller] = {
    E_FESTIVAL: lambda notes, group, *_: FestivalLaid(notes.names.groups[group]),
    E_FESTIVALS_TAKEN: lambda notes, seat, group, count, _: FestivalsTaken(seat, notes.names.groups[group], count),
}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class NotThatFestival:
    place: str


@explains(TakeFestivals)
def _take(case: Case, action: TakeFestivals) -> Objection:
    return "IBE-14", NotThatFestival(action.place)


Refusal: TypeAlias = NotThatFestival

# ---------------------------------------------------------------- cards in the train deck


def _train_cards(data: MapData, names: AllNames) -> dict[str, int]:
    return {f"festival:{group}": FESTIVAL + g for group, g in names.group.items()}


# ---------------------------------------------------------------- the whole

FACE = Face(moves=_MOVES, events=_EVENTS, phases={FESTIVAL_CHOICE: "festival"}, train_cards=_train_cards)
