"""What a map file may say: one table of keys, read by the loader and printed as a JSON Schema.

Mechanics add their keys where `_of_mechanics` stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

from branchline.maps.core import (
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PLACES,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
    MAX_TRAIN_CARDS,
    MAX_TRAINS,
    TRACK_COLOURS,
)
from branchline.maps.model import PARTS
from branchline.maps.shapes import (
    CLAUSE,
    FACT_ID,
    LANGUAGES,
    MARK,
    MAX_POINTS,
    MIN_PLAYERS,
    NAME,
    NOTES,
    OWN,
    OWN_MARK,
    PLACE_ID,
    POINTS,
    Choice,
    Field,
    Flag,
    ListOf,
    Real,
    Record,
    Table,
    Text,
    Texts,
    Whole,
    shape_schema,
)

SCHEMA_NAME: Final = "branchline-map/1"

MAX_DISPLAY: Final = 5  # the five places of C-04; a fan map may have fewer
MAX_OUTLINES: Final = 60
MAX_OUTLINE_POINTS: Final = 1000  # of one line
PLACE_KINDS: Final = ("city", "country", "way_station")
UNKEPT: Final = ("bottom", "removed")
TIE_BREAKS: Final = ("tickets", *(tie for part in PARTS.values() for tie in part.ties), "path")
TRACK_POINTS: Final = {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18, "8": 21, "9": 27}  # C-24


def _of_mechanics(place: Literal["rules", "first_tickets", "place", "track", "provenance"]) -> Mapping[str, Field]:
    """The keys that mechanics add at one place of the file."""
    return {key: field for part in PARTS.values() for key, field in getattr(part, place).items()}


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

POINT: Final = ListOf(Real(-180, 180), 2, 2, "numbers")
OUTLINE: Final = ListOf(POINT, 3, MAX_OUTLINE_POINTS, "points")

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

FIRST_TICKETS: Final = Record(
    {
        "deal": Field(DEAL, "Tickets are dealt and each player chooses (C-06, EUR-01, AFR-02).", None),
        **_of_mechanics("first_tickets"),
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

CLAUSES: Final = Record(
    {
        "first_tickets": Field(CLAUSE, "How many of the first tickets are kept.", "C-06"),
        "ticket_draw": Field(CLAUSE, "How many of the tickets drawn later are kept.", "C-28"),
        "second_card": Field(CLAUSE, "What may not be the second card of a turn.", "C-13"),
    },
    what="rule that is stated anew",
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
        **_of_mechanics("rules"),
        "ties": Field(
            ListOf(Choice("tie break", TIE_BREAKS), 0, len(TIE_BREAKS), "tie breaks", unique=True),
            "What decides between players level on points, in this order (C-37, EUR-19).",
            ["tickets", "path"],
        ),
        "clauses": Field(CLAUSES, "The clause to cite, where the rulebook states a rule anew for this map.", {}),
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
        **_of_mechanics("place"),
        "provenance": OWN_MARK,
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
        **_of_mechanics("track"),
        "provenance": OWN_MARK,
    }
)

TICKET: Final = Record(
    {
        "id": Field(FACT_ID, "Name of the ticket in files and moves; left out, it is its two ends.", None),
        "a": Field(PLACE_ID, "One end: a place, or a country for any of its places."),
        "b": Field(PLACE_ID, "The other end."),
        "points": Field(Whole(1, MAX_POINTS), "Its value (C-32)."),
        "long": Field(Flag(), "It is a long ticket (EUR-01).", False),
        "provenance": OWN_MARK,
    }
)

OTHER_NAMES: Final = Record(
    {
        "map": Field(NAME, "What the map is called in this language, if not as above.", None),
        "places": Field(
            Texts(NAME, MAX_PLACES, "places"),
            "By id, what places are called in this language, if not as printed.",
            {},
        ),
    }
)

NAMES: Final = Record(
    {language: Field(OTHER_NAMES, "Names in this language.", None) for language in LANGUAGES}, what="language"
)

PROVENANCE: Final = Record(
    {
        "places": Field(MARK, "The places and where they lie.", OWN),
        "tracks": Field(MARK, "The tracks.", OWN),
        "tickets": Field(MARK, "The tickets and their values.", OWN),
        "cards": Field(MARK, "The numbers of trains and cards.", OWN),
        "rules": Field(MARK, "Which rules the map has.", OWN),
        **_of_mechanics("provenance"),
    },
    what="part",
)

MAP: Final = Record(
    {
        "$schema": Field(Text(200), "Where an editor finds this schema.", None),
        "schema": Field(Choice("schema", (SCHEMA_NAME,)), "The version of this format."),
        "id": Field(PLACE_ID, "Name of the map in files."),
        "name": Field(NAME, "Name of the map for players."),
        "names": Field(NAMES, "Names in other languages, for the page and the terminal.", {}),
        "version": Field(Whole(1, 1_000_000), "Counted up by the map's maker with every change.", 1),
        "players": Field(PLAYERS, "For how many players (C-01).", {}),
        "trains": Field(Whole(1, MAX_TRAINS, "MAX_TRAINS"), "Trains of each player (C-03)."),
        "cards": Field(CARD_COUNTS, "The train cards.", {}),
        "board": Field(BOARD, "Proportions of the printed board, for drawing.", None),
        "outline": Field(
            ListOf(OUTLINE, 0, MAX_OUTLINES, "lines"),
            "The land, for drawing: each line a closed shore of [longitude, latitude].",
            [],
        ),
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
        **shape_schema(MAP),
    }


def schema_text() -> str:
    """The JSON Schema as the text of the shipped file `map.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
