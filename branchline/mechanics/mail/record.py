"""Mail in game files: where the bags lay at first, and the points by the city each was delivered to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from branchline.base.record import DealtDeck, Line, RecordPart, SheetPart, number_of
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View
from branchline.words.labels import labels_of


@dataclass(frozen=True)
class SheetLine:
    mail: Mapping[str, int] = field(default_factory=dict)  # points by the city a bag was delivered to
    stamps: int = 0


def _first(data: MapData, s: Position) -> list[int]:
    return [s.bag[p] - 1 for p, place in enumerate(data.places) if place.mail]


def _sheet_words(score: PlayerScore, data: MapData) -> Iterator[Line]:
    for bag in score.mail:
        yield bag.points, f"for the mail bag delivered to {labels_of(data).place(bag.label)}"
    if score.stamps:
        yield score.stamps, "for stamps"


def _table_words(view: View) -> Iterator[str]:
    if view.bags:
        yield f"Mail bags lie in {', '.join(labels_of(view.map).place(bag.place) for bag in view.bags)}."


def _player_words(player: PlayerView) -> Iterator[str]:
    if player.map.mail:
        yield f"{number_of(len(player.carried), 'mail bag')} carried"
        yield f"{len(player.delivered)} delivered"


def _player(player: PlayerView) -> dict[str, Any]:
    if not player.map.mail:
        return {}
    carried = [asdict(bag) for bag in player.carried]
    return {"carried": carried, "delivered": list(player.delivered), "stamps": player.stamps}


PART = RecordPart(
    sheet=(
        SheetPart(
            "mail",
            "CAR-11",
            lambda score: {bag.label: bag.points for bag in score.mail},
            lambda reader, raw, path, names: reader.scores(raw, path, "place", names.place),
        ),
        SheetPart("stamps", "CAR-12", lambda score: score.stamps),
    ),
    decks={"mail": DealtDeck(_first, lambda before, s: [], lambda names: names.places)},
    sheet_words=_sheet_words,
    table_words=_table_words,
    player_words=_player_words,
    position=lambda view: {"bags": [asdict(bag) for bag in view.bags]} if view.map.mail else {},
    player=_player,
    sums=lambda score: {"mail_points": score.mail_points},
)
