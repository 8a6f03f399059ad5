"""Terrain: cards that double the points of a track (AFR-03 .. AFR-16). What is said about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from branchline.base import actions as a
from branchline.base.events import Public
from branchline.base.names import Names as BaseNames
from branchline.faces import Deck, Face, Move, Teller, bare
from branchline.maps.core import LOCO
from branchline.maps.model import MapData
from branchline.mechanics.terrain.map import MAX_TERRAIN_CARDS
from branchline.mechanics.terrain.rules import most_of_others
from branchline.mechanics.terrain.state import (
    DOUBLE,
    DOUBLED,
    E_TERRAIN,
    E_TERRAIN_FILLED,
    E_TERRAIN_PLAYED,
    E_TERRAIN_RESHUFFLED,
    SINGLE,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAIN_UP,
    TERRAINS,
)
from branchline.objections import Case, Objection, explains

# ---------------------------------------------------------------- names


class Names(BaseNames):
    def __init__(self, data: MapData) -> None:
        super().__init__(data)
        self.terrains = [t.id for t in data.terrain.types] if data.terrain else []
        self.terrain = {name: n for n, name in enumerate(self.terrains)}


# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class TakeTerrain(a.Draw):
    """Take a face-up terrain card, 1 or 2, instead of a train card (AFR-05)."""

    place: int


@dataclass(frozen=True, slots=True)
class DrawTerrain(a.Draw):
    """Take the top card of the terrain deck (AFR-05)."""


@dataclass(frozen=True, slots=True)
class DoublePoints:
    """Double the track's points with terrain cards, this many of them locomotives (AFR-09)."""

    locos: int


@dataclass(frozen=True, slots=True)
class SinglePoints:
    """Claim the track without doubling it."""


Action: TypeAlias = TakeTerrain | DrawTerrain | DoublePoints | SinglePoints


_MOVES = (
    Move(
        TakeTerrain,
        "terrain NUMBER",
        range(TAKE_TERRAIN, TAKE_TERRAIN + TERRAIN_UP),
        lambda n, *_: TakeTerrain(n + 1),
        lambda action, *_: action.place - 1,
        form="terrain 1, terrain 2",
    ),
    bare(DrawTerrain(), "terrain deck", TERRAIN_DECK),
    Move(
        DoublePoints,
        "double NUMBER",
        range(DOUBLED, DOUBLED + 16),
        lambda n, *_: DoublePoints(n),
        lambda action, *_: action.locos,
        form="double NUMBER (of locomotives played as terrain)",
    ),
    bare(SinglePoints(), "single", SINGLE),
)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class DrewTerrain(Public):
    """A terrain card, from a face-up place or from the deck (None); it lies open (AFR-08)."""

    seat: a.Seat
    place: int | None
    terrain: str


@dataclass(frozen=True, slots=True)
class TerrainFilled(Public):
    place: int
    terrain: str


@dataclass(frozen=True, slots=True)
class TerrainReshuffled(Public):
    cards: int


@dataclass(frozen=True, slots=True)
class TerrainPlayed(Public):
    seat: a.Seat
    terrain: str
    cards: int
    locos: int


Event: TypeAlias = DrewTerrain | TerrainFilled | TerrainReshuffled | TerrainPlayed


_EVENTS: dict[int, Teller] = {
    E_TERRAIN: lambda notes, seat, place, kind, _: DrewTerrain(
        seat, place + 1 if place >= 0 else None, notes.names.terrains[kind]
    ),
    E_TERRAIN_FILLED: lambda notes, place, kind, *_: TerrainFilled(place + 1, notes.names.terrains[kind]),
    E_TERRAIN_RESHUFFLED: lambda notes, cards, *_: TerrainReshuffled(cards),
    E_TERRAIN_PLAYED: lambda notes, seat, kind, cards, locos: TerrainPlayed(
        seat, notes.names.terrains[kind], cards, locos
    ),
}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class NoTerrain:
    """On this map."""


@dataclass(frozen=True, slots=True)
class NoTerrainCard:
    """In that place, or in the deck."""


@dataclass(frozen=True, slots=True)
class NothingToDouble:
    pass


@dataclass(frozen=True, slots=True)
class TooFewTerrain:
    terrain: str
    needed: int
    mine: int


@dataclass(frozen=True, slots=True)
class OthersHaveMore:
    terrain: str
    others: int
    mine: int  # with the locomotives played for it


@dataclass(frozen=True, slots=True)
class TooFewLocomotivesLeft:
    """Beside those that pay for the track."""

    count: int


@dataclass(frozen=True, slots=True)
class TooManyLocomotives:
    """More than are due, or than the comparison lacks."""

    count: int


@explains(TakeTerrain, DrawTerrain)
def _draw(case: Case, action: TakeTerrain | DrawTerrain) -> Objection:
    return ("AFR-07", NoTerrainCard()) if case.data.terrain else ("AFR-05", NoTerrain())


@explains(SinglePoints)
def _single(case: Case, action: SinglePoints) -> Objection:
    return "AFR-09", NothingToDouble()


@explains(DoublePoints)
def _double(case: Case, action: DoublePoints) -> Objection:
    s, b, locos = case.s, case.b, action.locos
    if s.phase != DOUBLE:
        return "AFR-09", NothingToDouble()
    kind = b.terrain_of[b.colour[s.claim_track]]
    due = b.to_double[b.length[s.claim_track]]
    mine, others = s.terrain[case.seat * TERRAINS + kind], most_of_others(s, case.seat, kind)
    if locos > case.hand[LOCO] - s.claim_locos:
        return "AFR-12", TooFewLocomotivesLeft(locos)
    if mine + locos < others:
        return "AFR-11", OthersHaveMore(case.names.terrains[kind], others, mine + locos)
    if locos > max(due, others - mine):
        return "AFR-13", TooManyLocomotives(locos)
    return "AFR-10", TooFewTerrain(case.names.terrains[kind], due, mine)


Refusal: TypeAlias = (
    NoTerrain
    | NoTerrainCard
    | NothingToDouble
    | TooFewTerrain
    | OthersHaveMore
    | TooFewLocomotivesLeft
    | TooManyLocomotives
)

# ---------------------------------------------------------------- decks


@dataclass(frozen=True)
class Deal:
    """`terrain_reshuffles`: the new decks made of the discards (AFR-07), in order."""

    terrain_deck: Sequence[str] = ()
    terrain_reshuffles: Sequence[Sequence[str]] = ()


_DECK = Deck(
    key="terrain_deck",
    card="terrain card",
    rig="terrain_rig",
    most=MAX_TERRAIN_CARDS,
    numbers=lambda data, names: names.terrain,
    dealt=lambda data: (data.terrain.deal, data.terrain.face_up) if data.terrain else (0, 0),
    reshuffles="terrain_reshuffles",
    clause="AFR-07",
)

# ---------------------------------------------------------------- the whole

FACE = Face(
    moves=_MOVES,
    events=_EVENTS,
    phases={DOUBLE: "double"},
    decks=(_DECK,),
    chance={DrewTerrain: "terrain", TerrainFilled: "terrain"},
    alike={
        TakeTerrain: lambda action, view: view.terrain_display[action.place - 1 : action.place] or (action.place,),
        DoublePoints: lambda action, view: (),
    },
)
