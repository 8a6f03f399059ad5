"""What a reader may know of stations: where they stand, and what the own ones would lend."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.base import view as base
from branchline.kernel.board import make_board
from branchline.kernel.paths import join_places
from branchline.kernel.scoring import score_tickets
from branchline.kernel.scratch import scratch
from branchline.kernel.state import HELD
from branchline.mechanics.stations.rules import borrow_tracks, pending_site, station_price
from branchline.mechanics.stations.score import StationLoan, loans_of
from branchline.mechanics.stations.state import PAY_STATION, STATIONS


@dataclass(frozen=True, slots=True)
class Lending:
    """What the reader's stations would lend if the game ended now, and the tickets that only this completes."""

    loans: tuple[StationLoan, ...] = ()
    tickets: tuple[str, ...] = ()


class View(base.View):
    __slots__ = ()

    @property
    def pending_station(self) -> str | None:
        """The city of the station the reader is paying for."""
        s = self._position
        return self._names.places[pending_site(s)] if s.phase == PAY_STATION else None

    @property
    def pending_track(self) -> str | None:
        return None if self._position.phase == PAY_STATION else super().pending_track

    @property
    def pending(self) -> str | None:
        return self.pending_station or super().pending

    def lending(self) -> Lending:
        """What the reader's stations would lend if the game ended now: the choice of the end (EUR-07, EUR-08)."""
        s, seat = self._position, self.reader
        if seat is None or not s.stations[seat * STATIONS]:
            return Lending()
        b, w = make_board(self.map), scratch()
        join_places(s, b, w, seat)
        score_tickets(s, b, w, seat)
        missing = [t for t in range(b.n_tickets) if s.ticket_at[t] == HELD + seat and not w.done[t]]
        borrow_tracks(s, b, w, seat)
        return Lending(loans_of(seat, s, w, self._names), tuple(self._names.tickets[t] for t in missing if w.done[t]))


class PlayerView(base.PlayerView):
    __slots__ = ()

    @property
    def stations(self) -> tuple[str, ...]:
        """In the order of building."""
        at = self.seat * STATIONS
        return tuple(self._names.places[p - 1] for p in self._position.stations[at : at + STATIONS] if p)

    @property
    def stations_left(self) -> int:
        return (self.map.stations.each if self.map.stations else 0) - len(self.stations)

    @property
    def station_price(self) -> int:
        """The cards that the next one costs, or 0 if none is left (EUR-06)."""
        return station_price(self._position, self.seat) if self.stations_left else 0
