"""Terrain in a map file: its types with their colours and cards, and what doubles a track (AFR-03, AFR-04, AFR-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.core import MAX_LENGTH, TRACK_COLOURS
from branchline.maps.parts import Found, Keys, MapPart, Row, by_length, readable_rows, repeated_ids
from branchline.maps.shapes import MARK, NAME, OWN, PLACE_ID, Choice, Field, ListOf, Record, Table, Whole

MAX_TERRAIN_CARDS = 48
MAX_TERRAIN_TYPES = 3
MAX_FACE_UP_TERRAIN = 3
MAX_TERRAIN_LOCOMOTIVES = 15  # so many can be played as terrain at once (AFR-13)
LONGEST_DOUBLED = 6  # AFR-10
CARDS_TO_DOUBLE = {"1": 1, "2": 1, "3": 1, "4": 2, "5": 2, "6": 2}  # AFR-10


@dataclass(frozen=True, slots=True)
class TerrainType:
    id: str
    name: str
    colours: tuple[str, ...]  # track colours, GRAY among them
    cards: int


@dataclass(frozen=True, slots=True)
class Terrain:
    types: tuple[TerrainType, ...]
    deal: int
    face_up: int
    cards_to_double: tuple[int, ...]  # by track length; 0 = cannot be doubled; [0] is 0


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    terrain: Terrain | None


TERRAIN_TYPE = Record(
    {
        "id": Field(PLACE_ID, "Name of the type in files."),
        "name": Field(NAME, "Name of the type for players."),
        "colours": Field(
            ListOf(Choice("colour", TRACK_COLOURS), 1, len(TRACK_COLOURS), "colours", unique=True),
            "The track colours that belong to it; each of the nine belongs to one type (AFR-03).",
        ),
        "cards": Field(Whole(1, MAX_TERRAIN_CARDS, "MAX_TERRAIN_CARDS"), "How many cards of this type."),
    }
)

TERRAIN = Record(
    {
        "types": Field(
            ListOf(TERRAIN_TYPE, 1, MAX_TERRAIN_TYPES, "terrain types", "MAX_TERRAIN_TYPES"),
            "The types of terrain (AFR-03).",
        ),
        "deal": Field(Whole(0, 9), "Terrain cards dealt to each player (AFR-04).", 1),
        "face_up": Field(Whole(0, MAX_FACE_UP_TERRAIN), "Terrain cards that lie face up (AFR-04).", 2),
        "cards_to_double": Field(
            Table(1, MAX_LENGTH, Whole(1, 9)),
            "By length of track: terrain cards that double its points; a length left out cannot be (AFR-10).",
            CARDS_TO_DOUBLE,
        ),
    }
)


class TerrainPart(MapPart[MapData]):
    rules: ClassVar[Keys] = {"terrain": Field(TERRAIN, "Terrain cards double the points of tracks (AFR-03).", None)}
    provenance: ClassVar[Keys] = {"terrain": Field(MARK, "The terrain cards.", OWN)}
    needs_sure_claims = True

    def is_used(self, data: MapData) -> bool:
        return data.terrain is not None

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["terrain"]
        return {"terrain": _terrain(rule) if rule else None}

    def wrong_names(self, rules: Row, place_ids: list[str]) -> Found:
        yield from repeated_ids("rules.terrain.types", readable_rows((rules.get("terrain") or {}).get("types")))

    def faults(self, data: MapData) -> Found:
        if data.terrain:
            yield from _colours_without_one_type(data.terrain)
            yield from _wrong_cards(data, data.terrain)
            yield from _doubled_too_long(data.terrain)

    def marks(self, tidy: Row, data: MapData) -> Iterator[tuple[str, str]]:
        yield "terrain", tidy["provenance"]["terrain"]

    def facts(self, data: MapData) -> Row:
        return {"terrain": data.terrain and _facts(data.terrain)}


def _terrain(rule: Row) -> Terrain:
    types = tuple(TerrainType(row["id"], row["name"], tuple(row["colours"]), row["cards"]) for row in rule["types"])
    return Terrain(types, rule["deal"], rule["face_up"], by_length(rule["cards_to_double"]))


def _facts(terrain: Terrain) -> list[object]:
    types = [[kind.id, kind.colours, kind.cards] for kind in terrain.types]
    return [types, terrain.deal, terrain.face_up, terrain.cards_to_double]


def _colours_without_one_type(terrain: Terrain) -> Found:
    times = Counter(colour for kind in terrain.types for colour in kind.colours)
    for colour in TRACK_COLOURS:
        if times[colour] != 1:
            told = "no terrain type" if not times[colour] else f"{times[colour]} terrain types"
            yield "rules.terrain.types", f"{told} for {colour}: each colour belongs to exactly one"


def _wrong_cards(data: MapData, terrain: Terrain) -> Found:
    total = sum(kind.cards for kind in terrain.types)
    if total > MAX_TERRAIN_CARDS:
        told = f"{total} cards: at most {MAX_TERRAIN_CARDS} are allowed (MAX_TERRAIN_CARDS)"
        yield "rules.terrain.types", told
    if data.locomotives > MAX_TERRAIN_LOCOMOTIVES:
        told = f"at most {MAX_TERRAIN_LOCOMOTIVES} are allowed with terrain (MAX_TERRAIN_LOCOMOTIVES)"
        yield "cards.locomotives", f"{data.locomotives} locomotives: {told}"
    due = terrain.deal * data.max_players + terrain.face_up
    if due > total:
        yield "rules.terrain.deal", f"first deal and face-up cards take {due} cards, there are {total}"


def _doubled_too_long(terrain: Terrain) -> Found:
    for length in range(LONGEST_DOUBLED + 1, len(terrain.cards_to_double)):
        if terrain.cards_to_double[length]:
            reason = f"a track of more than {LONGEST_DOUBLED} spaces cannot be doubled (AFR-10)"
            yield f"rules.terrain.cards_to_double.{length}", reason


PART = TerrainPart()
