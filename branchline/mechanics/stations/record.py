"""Stations in game files: their points, and the track that each lent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from branchline.base.record import Line, RecordPart, SheetPart, SheetReader, number_of
from branchline.codec import Names
from branchline.maps.model import MapData
from branchline.scores import PlayerScore
from branchline.view import PlayerView
from branchline.words.labels import labels_of


@dataclass(frozen=True)
class SheetLine:
    stations: int = 0
    loans: Mapping[str, str | None] = field(default_factory=dict)  # the track each station lent, if any


def _read_loans(reader: SheetReader, raw: Any, path: str, names: Names) -> dict[str, str | None]:
    loans = reader.named(raw, path, "place", names.place)
    for place, track in loans.items():
        if track is not None:
            reader.known(reader.text(track, f"{path}.{place}"), f"{path}.{place}", "track", names.track)
    return loans


def _sheet_words(score: PlayerScore, data: MapData) -> Iterator[Line]:
    left = data.stations.each - len(score.loans) if data.stations else 0
    if left:
        yield score.stations, f"for {number_of(left, 'station')} not built"
    for loan in score.loans:
        lent = f"lent {labels_of(data).track(loan.track)}" if loan.track else "lent no track"
        yield None, f"the station in {labels_of(data).place(loan.place)} {lent}"


def _player_words(player: PlayerView) -> Iterator[str]:
    if player.map.stations:
        yield f"{number_of(player.stations_left, 'station')} left"


PART = RecordPart(
    sheet=(
        SheetPart("stations", "EUR-10", lambda score: score.stations),
        SheetPart("loans", "EUR-08", lambda score: {loan.place: loan.track for loan in score.loans}, _read_loans),
    ),
    sheet_words=_sheet_words,
    player_words=_player_words,
    player=lambda player: {"stations": list(player.stations), "stations_left": player.stations_left},
)
