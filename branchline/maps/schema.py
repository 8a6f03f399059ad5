"""What a map file may say: one table of keys, read by the loader and printed as a JSON Schema.

A shape says what one value looks like; a record lists its keys, each with its meaning and its default.
The loader walks the same table, so a key that is documented here is a key that is read, and no other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

from branchline.maps.model import (
    COLOURS,
    GRAY,
    MAX_FERRY,
    MAX_FESTIVAL_GROUPS,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PLACES,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TERRAIN_CARDS,
    MAX_TERRAIN_TYPES,
    MAX_TICKETS,
    MAX_TRACKS,
    MAX_TRAIN_CARDS,
    MAX_TRAINS,
)

SCHEMA_NAME: Final = "branchline-map/1"

MIN_PLAYERS: Final = 2  # C-01
MAX_DISPLAY: Final = 5  # the five places of C-04; a fan map may have fewer
MAX_TUNNEL_CARDS: Final = 5
MAX_FESTIVAL_CARDS: Final = 60  # of all groups together
MAX_FACE_UP_TERRAIN: Final = 3
MAX_TERRAIN_LOCOMOTIVES: Final = 15  # so many can be played as terrain at once (AFR-13)
MAX_POINTS: Final = 100
MAX_NAME: Final = 80
MAX_NOTE: Final = 2000
MAX_NOTES: Final = 100

TRACK_COLOURS: Final = (*COLOURS, GRAY)
PLACE_KINDS: Final = ("city", "country", "way_station")
UNKEPT: Final = ("bottom", "removed")
TIE_BREAKS: Final = ("tickets", "stations", "path")
MARKS: Final = ("official-2-sources", "official-1-source", "reconstruction", "own")
OWN: Final = "own"

TRACK_POINTS: Final = {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18, "8": 21, "9": 27}  # C-24
CARDS_TO_DOUBLE: Final = {"1": 1, "2": 1, "3": 1, "4": 2, "5": 2, "6": 2}  # AFR-10
SECOND_DEPTH: Final = {"2": "1/2", "3": "2/3", "4": "3/4", "5": "3/4"}  # IBE-03

REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number. `limit` names the head-room constant that its upper bound is, if it is one."""

    low: int
    high: int
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Real:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Flag:
    pass


@dataclass(frozen=True, slots=True)
class Text:
    longest: int
    pattern: str = ""
    letters: str = ""  # the pattern in words, for a refusal


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words; `what` is what a refusal calls them."""

    what: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction between 0 and 1, written "2/3"."""


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Shape
    low: int
    high: int
    what: str
    limit: str = ""
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A value for each of some numbers from `low` to `high`: {"1": 1, "2": 2}."""

    low: int
    high: int
    value: Whole | Ratio


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a record. Without a default it must be there; a default of None means "none of it"."""

    shape: Shape
    doc: str
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Record:
    fields: Mapping[str, Field]
    what: str = "key"
    one_of: bool = False  # exactly one of the keys


Shape: TypeAlias = Whole | Real | Flag | Text | Choice | Ratio | ListOf | Table | Record

PLACE_ID: Final = Text(40, "[a-z0-9_]+", "a-z, 0-9 and _")
FACT_ID: Final = Text(90, "[a-z0-9_-]+", "a-z, 0-9, _ and -")
NAME: Final = Text(MAX_NAME)
NOTES: Final = ListOf(Text(MAX_NOTE), 0, MAX_NOTES, "notes")
MARK: Final = Choice("provenance mark", MARKS)
POINTS: Final = Whole(0, MAX_POINTS)

_OWN_MARK: Final = Field(MARK, "Where this one fact comes from, if not from where its part does.", None)

PLAYERS: Final = Record(
    {
        "min": Field(Whole(MIN_PLAYERS, MAX_PLAYERS, "MAX_PLAYERS"), "Fewest players.", 2),
        "max": Field(Whole(MIN_PLAYERS, MAX_PLAYERS, "MAX_PLAYERS"), "Most players.", 5),
    }
)

CARD_COUNTS: Final = Record(
    {
        "per_colour": Field(Whole(1, 13), "Train cards of each of the eight colours (C-02).", 12),
        "locomotives": Field(Whole(0, MAX_TRAIN_CARDS, "MAX_TRAIN_CARDS"), "Locomotives (C-02).", 14),
        "first_hand": Field(Whole(0, 20), "Train cards dealt to each player (C-04).", 4),
        "display": Field(Whole(1, MAX_DISPLAY), "Train cards that lie face up (C-04).", 5),
        "sweep_at": Field(Whole(2, MAX_DISPLAY + 1), "So many locomotives in the display sweep it away (C-15).", 3),
    }
)

BOARD: Final = Record(
    {
        "width": Field(Whole(1, 100_000), "Width of the printed board, in any unit."),
        "height": Field(Whole(1, 100_000), "Height of the printed board, in the same unit."),
    }
)

DEAL: Final = Record(
    {
        "normal": Field(Whole(0, MAX_OFFER, "MAX_OFFER"), "Normal tickets dealt to each player.", 3),
        "long": Field(Whole(0, MAX_OFFER, "MAX_OFFER"), "Long tickets dealt to each player (EUR-01).", 0),
        "keep_at_least": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Fewest a player must keep.", 2),
        "unkept": Field(
            Choice("fate of unkept tickets", UNKEPT),
            "What becomes of the others: the bottom of the ticket deck (C-06) or out of the game (EUR-02).",
            "bottom",
        ),
    }
)

SECOND_DRAFT: Final = Record(
    {
        "depth": Field(
            Table(MIN_PLAYERS, MAX_PLAYERS, Ratio()),
            "By number of players: how deep in the deck the second-draft card lies (IBE-03).",
            SECOND_DEPTH,
        ),
        "jitter": Field(Whole(0, 20), "The depth is moved by up to so many cards either way (IBE-03).", 5),
    }
)

DRAFT: Final = Record(
    {
        "cards": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Tickets in each player's pack (IBE-04).", 6),
        "keep_exactly": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Tickets each player keeps (IBE-05).", 4),
        "second": Field(SECOND_DRAFT, "The second draft, when its card comes up (IBE-08).", {}),
    }
)

FIRST_TICKETS: Final = Record(
    {
        "deal": Field(DEAL, "Tickets are dealt and each player chooses (C-06, EUR-01, AFR-02).", None),
        "draft": Field(DRAFT, "Tickets are drafted, and once more later (IBE-03 to IBE-10).", None),
    },
    one_of=True,
)

TICKET_DRAW: Final = Record(
    {
        "draw": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Tickets drawn as an action (C-28).", 3),
        "keep_at_least": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Fewest of them a player must keep.", 1),
    }
)

DOUBLE_ROUTES: Final = Record(
    {
        "both_from_players": Field(
            Whole(MIN_PLAYERS, MAX_PLAYERS + 1),
            f"From so many players on both tracks may be claimed (C-27); {MAX_PLAYERS + 1} means never.",
            4,
        )
    }
)

TUNNELS: Final = Record({"cards": Field(Whole(1, MAX_TUNNEL_CARDS), "Cards turned up for a tunnel (EUR-12).", 3)})

STATIONS: Final = Record(
    {
        "each": Field(Whole(1, MAX_STATIONS, "MAX_STATIONS"), "Stations of each player (EUR-04).", 3),
        "unused_points": Field(POINTS, "Points for each station not built (EUR-10).", 4),
    }
)

FESTIVAL_GROUP: Final = Record(
    {
        "id": Field(PLACE_ID, "Name of this set of cards."),
        "places": Field(
            ListOf(PLACE_ID, 1, MAX_PLACES, "places", "MAX_PLACES", unique=True),
            "The places that give these cards; several share one pool (IBE-15).",
        ),
        "cards": Field(Whole(1, MAX_FESTIVAL_CARDS, "MAX_FESTIVAL_CARDS"), "How many festival cards the set has."),
        "provenance": _OWN_MARK,
    }
)

FESTIVAL_SCORE: Final = Record(
    {
        "cards": Field(Whole(1, MAX_FESTIVAL_CARDS, "MAX_FESTIVAL_CARDS"), "So many cards of one set ..."),
        "points": Field(POINTS, "... score so many points (IBE-16)."),
        "provenance": _OWN_MARK,
    }
)

FESTIVALS: Final = Record(
    {
        "groups": Field(
            ListOf(FESTIVAL_GROUP, 1, MAX_FESTIVAL_GROUPS, "festival groups", "MAX_FESTIVAL_GROUPS"),
            "The sets of festival cards (IBE-02).",
        ),
        "score_table": Field(
            ListOf(FESTIVAL_SCORE, 1, MAX_FESTIVAL_CARDS, "scores", "MAX_FESTIVAL_CARDS"),
            "What a set scores, for 1, 2, 3 ... cards, up to the largest set.",
        ),
    }
)

TERRAIN_TYPE: Final = Record(
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

TERRAIN: Final = Record(
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

RULES: Final = Record(
    {
        "first_tickets": Field(FIRST_TICKETS, "How players get their first tickets.", {"deal": {}}),
        "ticket_draw": Field(TICKET_DRAW, "Drawing tickets as an action.", {}),
        "double_routes": Field(DOUBLE_ROUTES, "Who may use the second track of a double route.", {}),
        "last_round_at": Field(Whole(0, MAX_TRAINS - 1), "So few trains left begin the last round (C-33).", 2),
        "track_points": Field(
            Table(1, MAX_LENGTH, Whole(1, MAX_POINTS)),
            "Points for a claimed track, by length (C-24). A table given here replaces the whole default.",
            TRACK_POINTS,
        ),
        "longest_path": Field(POINTS, "Points for the longest continuous path (C-36); 0: no such bonus.", 0),
        "globetrotter": Field(POINTS, "Points for most completed tickets (AFR-19); 0: no such bonus.", 0),
        "tunnels": Field(TUNNELS, "Tracks marked as tunnels are tunnels (EUR-12).", None),
        "stations": Field(STATIONS, "Players have stations (EUR-04).", None),
        "festivals": Field(FESTIVALS, "Festival cards lie in the deck (IBE-02).", None),
        "terrain": Field(TERRAIN, "Terrain cards double the points of tracks (AFR-03).", None),
        "ties": Field(
            ListOf(Choice("tie break", TIE_BREAKS), 0, len(TIE_BREAKS), "tie breaks", unique=True),
            "What decides between players level on points, in this order (C-37, EUR-19).",
            ["tickets", "path"],
        ),
    },
    what="rule",
)

PLACE: Final = Record(
    {
        "id": Field(PLACE_ID, "Name of the place in files and moves."),
        "name": Field(NAME, "Printed name; for a way station, which has none, a label."),
        "kind": Field(
            Choice("kind of place", PLACE_KINDS),
            "A city; one of the places of a country (AFR-17, AFR-18); or a way station, which no ticket "
            "names (AFR-22).",
            "city",
        ),
        "country": Field(PLACE_ID, "The country this is a place of: tickets may name it.", None),
        "dead_end": Field(Flag(), "No chain of tracks passes through here (AFR-18).", False),
        "lat": Field(Real(-90, 90), "Latitude."),
        "lon": Field(Real(-180, 180), "Longitude."),
        "board": Field(
            ListOf(Real(0, 1), 2, 2, "numbers"),
            "Where it lies on the printed board, as parts of its width and height from the top left.",
            None,
        ),
        "provenance": _OWN_MARK,
    }
)

TRACK: Final = Record(
    {
        "id": Field(
            FACT_ID,
            "Name of the track in files and moves, by custom the two places and a number. Of the tracks of "
            "a double route, -1 is the northern or western one on the printed board.",
        ),
        "a": Field(PLACE_ID, "The place it starts at."),
        "b": Field(PLACE_ID, "The place it ends at."),
        "length": Field(Whole(1, MAX_LENGTH, "MAX_LENGTH"), "Its number of spaces."),
        "colour": Field(Choice("colour", TRACK_COLOURS), "Its colour; gray takes any one colour (C-22)."),
        "ferry": Field(Whole(0, MAX_FERRY, "MAX_FERRY"), "Locomotive symbols (EUR-11).", 0),
        "tunnel": Field(Flag(), "It is a tunnel (EUR-12).", False),
        "provenance": _OWN_MARK,
    }
)

TICKET: Final = Record(
    {
        "id": Field(FACT_ID, "Name of the ticket in files and moves; left out, it is its two ends.", None),
        "a": Field(PLACE_ID, "One end: a place, or a country for any of its places."),
        "b": Field(PLACE_ID, "The other end."),
        "points": Field(Whole(1, MAX_POINTS), "Its value (C-32)."),
        "long": Field(Flag(), "It is a long ticket (EUR-01).", False),
        "provenance": _OWN_MARK,
    }
)

PROVENANCE: Final = Record(
    {
        "places": Field(MARK, "The places and where they lie.", OWN),
        "tracks": Field(MARK, "The tracks.", OWN),
        "tickets": Field(MARK, "The tickets and their values.", OWN),
        "cards": Field(MARK, "The numbers of trains and cards.", OWN),
        "rules": Field(MARK, "Which rules the map has.", OWN),
        "festival_places": Field(MARK, "Which places have festivals.", OWN),
        "festival_cards": Field(MARK, "How many festival cards each set has.", OWN),
        "festival_scores": Field(MARK, "What sets of festival cards score.", OWN),
        "terrain": Field(MARK, "The terrain cards.", OWN),
    },
    what="part",
)

MAP: Final = Record(
    {
        "$schema": Field(Text(200), "Where an editor finds this schema.", None),
        "schema": Field(Choice("schema", (SCHEMA_NAME,)), "The version of this format."),
        "id": Field(PLACE_ID, "Name of the map in files."),
        "name": Field(NAME, "Name of the map for players."),
        "version": Field(Whole(1, 1_000_000), "Counted up by the map's maker with every change.", 1),
        "players": Field(PLAYERS, "For how many players (C-01).", {}),
        "trains": Field(Whole(1, MAX_TRAINS, "MAX_TRAINS"), "Trains of each player (C-03)."),
        "cards": Field(CARD_COUNTS, "The train cards.", {}),
        "board": Field(BOARD, "Proportions of the printed board, for drawing.", None),
        "rules": Field(RULES, "The rules this map switches on, with their numbers.", {}),
        "provenance": Field(
            PROVENANCE,
            "By part of the map: where its facts come from. A fact with a mark of its own keeps that.",
            {},
        ),
        "places": Field(ListOf(PLACE, 2, MAX_PLACES, "places", "MAX_PLACES"), "Whatever tracks end at."),
        "tracks": Field(
            ListOf(TRACK, 1, MAX_TRACKS, "tracks", "MAX_TRACKS"),
            "One entry a track; a double route is two with the same ends. Their order counts (EUR-08).",
        ),
        "tickets": Field(ListOf(TICKET, 1, MAX_TICKETS, "tickets", "MAX_TICKETS"), "The tickets."),
        "sources": Field(NOTES, "Where the facts were found.", []),
        "doubts": Field(NOTES, "What could not be settled.", []),
    }
)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a map file. The loader checks more than a schema can say."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Branchline map",
        "description": "One board, its tickets and the rules it switches on.",
        **_shape_schema(MAP),
    }


def schema_text() -> str:
    """The JSON Schema as the text of the shipped file `map.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _shape_schema(shape: Shape) -> dict[str, Any]:
    match shape:
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Real(low, high):
            return {"type": "number", "minimum": low, "maximum": high}
        case Flag():
            return {"type": "boolean"}
        case Text(longest, pattern):
            limits: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": longest}
            return limits | ({"pattern": f"^{pattern}$"} if pattern else {})
        case Choice(_, values):
            return {"enum": list(values)}
        case Ratio():
            return {"type": "string", "pattern": "^[1-9][0-9]?/[1-9][0-9]?$"}
        case ListOf():
            return _list_schema(shape)
        case Table(low, high, value):
            keys = {str(number): _shape_schema(value) for number in range(low, high + 1)}
            return {"type": "object", "properties": keys, "additionalProperties": False}
        case Record():
            return _record_schema(shape)
        case _:
            assert_never(shape)


def _list_schema(shape: ListOf) -> dict[str, Any]:
    limits: dict[str, Any] = {"type": "array", "minItems": shape.low, "maxItems": shape.high}
    if shape.unique:
        limits["uniqueItems"] = True
    return limits | {"items": _shape_schema(shape.item)}


def _record_schema(shape: Record) -> dict[str, Any]:
    required = [key for key, field in shape.fields.items() if field.default is REQUIRED]
    schema: dict[str, Any] = {"type": "object"}
    if required:
        schema["required"] = required
    if shape.one_of:
        schema |= {"minProperties": 1, "maxProperties": 1}
    schema["properties"] = {key: _field_schema(field) for key, field in shape.fields.items()}
    return schema | {"additionalProperties": False}


def _field_schema(field: Field) -> dict[str, Any]:
    schema = {"description": field.doc} | _shape_schema(field.shape)
    if field.default is not REQUIRED and field.default is not None:
        schema["default"] = field.default
    return schema
