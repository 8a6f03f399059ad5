"""The stations of a score sheet: points for those not built, and what the others lent (EUR-08, EUR-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.stations.state import STATIONS

if TYPE_CHECKING:
    from branchline.mechanics.composed_face import Names


@dataclass(frozen=True, slots=True)
class StationLoan:
    """What a station lent at the end (EUR-08); None if nothing."""

    place: str
    track: str | None


@dataclass(frozen=True)
class PlayerScore:
    stations: int
    loans: tuple[StationLoan, ...]

    @property
    def lent_tracks(self) -> frozenset[str]:
        return frozenset(loan.track for loan in self.loans if loan.track)


def score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:
    return PlayerScore(w.station_score[seat], loans_of(seat, s, w, names))


def loans_of(seat: int, s: Position, w: Work, names: Names) -> tuple[StationLoan, ...]:
    """The loans the kernel found best for a player."""
    loans = []
    for i in range(seat * STATIONS, (seat + 1) * STATIONS):
        if s.stations[i]:
            track = names.tracks[w.lent[i] - 1] if w.lent[i] else None
            loans.append(StationLoan(names.places[s.stations[i] - 1], track))
    return tuple(loans)
