"""Festivals in game files: points by city."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from branchline.base.record import Line, RecordPart, SheetPart, number_of
from branchline.maps.model import MapData
from branchline.mechanics.festivals.labels import group_name
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View
from branchline.words.labels import labels_of


@dataclass(frozen=True)
class SheetLine:
    festivals: Mapping[str, int] = field(default_factory=dict)  # points by city


def _sheet_words(score: PlayerScore, data: MapData) -> Iterator[Line]:
    for festival in score.festivals:
        cards = number_of(festival.cards, "festival card")
        yield festival.points, f"for {cards} of {group_name(labels_of(data), festival.group)}"


def _table_words(view: View) -> Iterator[str]:
    if view.festivals:
        labels = labels_of(view.map)
        lying = (f"{count} at {group_name(labels, city)}" for city, count in view.festivals.items())
        yield f"Festival cards: {', '.join(lying)}."


def _player_words(player: PlayerView) -> Iterator[str]:
    if player.map.festivals:
        yield number_of(player.festival_count, "festival card")


PART = RecordPart(
    sheet=(
        SheetPart(
            "festivals",
            "IBE-16",
            lambda score: {festival.group: festival.points for festival in score.festivals},
            lambda reader, raw, path, names: reader.scores(raw, path, "festival city", names.group),
        ),
    ),
    sheet_words=_sheet_words,
    table_words=_table_words,
    player_words=_player_words,
    position=lambda view: {"festivals": view.festivals},
    player=lambda player: {"festival_cards": player.festival_count},
    sums=lambda score: {"festival_points": score.festival_points},
)
