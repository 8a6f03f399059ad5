"""Festivals in a map file: sets of cards with the places that give them, and what a set scores (IBE-02, IBE-16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.core import MAX_PLACES
from branchline.maps.parts import Found, Keys, MapPart, Row, joined_marks, readable_rows, repeated_ids, unknown_place
from branchline.maps.shapes import MARK, OWN, OWN_MARK, PLACE_ID, POINTS, Field, ListOf, Record, Whole

MAX_FESTIVAL_GROUPS = 18
MAX_FESTIVAL_CARDS = 60  # of all groups together


@dataclass(frozen=True, slots=True)
class FestivalGroup:
    """One pool of festival cards and the places that give it (IBE-15)."""

    id: str
    places: tuple[str, ...]
    cards: int
    provenance: str


@dataclass(frozen=True, slots=True)
class Festivals:
    groups: tuple[FestivalGroup, ...]
    score_table: tuple[int, ...]  # score_table[n] = points for n cards of one group; [0] is 0

    @property
    def cards(self) -> int:
        return sum(group.cards for group in self.groups)


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    festivals: Festivals | None


FESTIVAL_GROUP = Record(
    {
        "id": Field(PLACE_ID, "Name of this set of cards."),
        "places": Field(
            ListOf(PLACE_ID, 1, MAX_PLACES, "places", "MAX_PLACES", unique=True),
            "The places that give these cards; several share one pool (IBE-15).",
        ),
        "cards": Field(Whole(1, MAX_FESTIVAL_CARDS, "MAX_FESTIVAL_CARDS"), "How many festival cards the set has."),
        "provenance": OWN_MARK,
    }
)

FESTIVAL_SCORE = Record(
    {
        "cards": Field(Whole(1, MAX_FESTIVAL_CARDS, "MAX_FESTIVAL_CARDS"), "So many cards of one set ..."),
        "points": Field(POINTS, "... score so many points (IBE-16)."),
        "provenance": OWN_MARK,
    }
)

FESTIVALS = Record(
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


class FestivalsPart(MapPart[MapData]):
    rules: ClassVar[Keys] = {"festivals": Field(FESTIVALS, "Festival cards lie in the deck (IBE-02).", None)}
    provenance: ClassVar[Keys] = {
        "festival_places": Field(MARK, "Which places have festivals.", OWN),
        "festival_cards": Field(MARK, "How many festival cards each set has.", OWN),
        "festival_scores": Field(MARK, "What sets of festival cards score.", OWN),
    }
    needs_sure_claims = True

    def is_used(self, data: MapData) -> bool:
        return data.festivals is not None

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["festivals"]
        return {"festivals": _festivals(rule, tidy["provenance"]["festival_cards"]) if rule else None}

    def wrong_names(self, rules: Row, place_ids: list[str]) -> Found:
        groups = readable_rows((rules.get("festivals") or {}).get("groups"))
        yield from repeated_ids("rules.festivals.groups", groups)
        for i, group in groups:
            for j, name in enumerate(group.get("places", ())):
                if isinstance(name, str):
                    yield from unknown_place(name, place_ids, f"rules.festivals.groups[{i}].places[{j}]")

    def faults(self, data: MapData) -> Found:
        if data.festivals:
            yield from _wrong_cards(data.festivals)
            yield from _wrong_scores(data.festivals)
            yield from _places_of_two_groups(data.festivals)

    def cards_mixed_in(self, data: MapData) -> tuple[int, str]:
        return data.festivals.cards if data.festivals else 0, "festival cards"

    def marks(self, tidy: Row, data: MapData) -> Iterator[tuple[str, str]]:
        """Part by part; then the scores whose mark is not that of their part."""
        marks, groups = tidy["provenance"], data.festivals.groups if data.festivals else ()
        scores = [(row["cards"], row["provenance"]) for row in tidy["rules"]["festivals"]["score_table"]]
        yield "festival_places", marks["festival_places"]
        yield "festival_cards", joined_marks(group.provenance for group in groups)
        yield "festival_scores", joined_marks(mark or marks["festival_scores"] for _, mark in scores)
        for cards, mark in scores:
            if mark and mark != marks["festival_scores"]:
                yield f"festival_scores[{cards}]", mark

    def facts(self, data: MapData) -> Row:
        return {"festivals": data.festivals and _facts(data.festivals)}


def _festivals(rule: Row, mark: str) -> Festivals:
    groups = tuple(
        FestivalGroup(row["id"], tuple(row["places"]), row["cards"], row["provenance"] or mark)
        for row in rule["groups"]
    )
    scores = {row["cards"]: row["points"] for row in rule["score_table"]}
    counted_up = all(row["cards"] == i for i, row in enumerate(rule["score_table"], start=1))
    return Festivals(groups, (0, *scores.values()) if counted_up else ())


def _facts(festivals: Festivals) -> list[object]:
    return [[[group.id, group.places, group.cards] for group in festivals.groups], festivals.score_table]


def _wrong_cards(festivals: Festivals) -> Found:
    if festivals.cards > MAX_FESTIVAL_CARDS:
        told = f"{festivals.cards} cards: at most {MAX_FESTIVAL_CARDS} are allowed (MAX_FESTIVAL_CARDS)"
        yield "rules.festivals.groups", told


def _wrong_scores(festivals: Festivals) -> Found:
    largest = max(group.cards for group in festivals.groups)
    if not festivals.score_table:
        yield "rules.festivals.score_table", "must count up: 1 card, 2 cards, 3 cards and so on"
    elif len(festivals.score_table) <= largest:
        yield "rules.festivals.score_table", f"no points for {largest} cards, and a group has so many"


def _places_of_two_groups(festivals: Festivals) -> Found:
    owner: dict[str, str] = {}
    for i, group in enumerate(festivals.groups):
        for j, place in enumerate(group.places):
            if owner.setdefault(place, group.id) != group.id:
                yield f"rules.festivals.groups[{i}].places[{j}]", f'"{place}" is in group "{owner[place]}" too'


PART = FestivalsPart()
