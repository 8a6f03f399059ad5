"""The score sheet of a game: every number a player is owed an explanation for."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.codec import names_of
from branchline.kernel import state as k
from branchline.kernel.scoring import longest_path, score_game
from branchline.kernel.scratch import scratch
from branchline.kernel.state import Board, Position, Work
from branchline.maps.model import MapData


@dataclass(frozen=True, slots=True)
class TicketScore:
    ticket: str
    points: int  # with its sign
    completed: bool


@dataclass(frozen=True, slots=True)
class StationLoan:
    """What a station lent at the end (EUR-08); None if nothing."""

    place: str
    track: str | None


@dataclass(frozen=True, slots=True)
class FestivalScore:
    group: str
    cards: int
    points: int


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's sheet. `place` is 1 for the winner, or for all who share the victory."""

    seat: int
    total: int
    place: int
    tracks: int
    tickets: tuple[TicketScore, ...]
    completed: int
    stations: int
    loans: tuple[StationLoan, ...]
    festivals: tuple[FestivalScore, ...]
    longest_path: int
    longest_path_tracks: tuple[str, ...]
    longest_path_bonus: int
    globetrotter_bonus: int

    @property
    def ticket_points(self) -> int:
        return sum(t.points for t in self.tickets)

    @property
    def festival_points(self) -> int:
        return sum(f.points for f in self.festivals)


def score_sheet(s: Position, b: Board, data: MapData) -> tuple[PlayerScore, ...]:
    """Score a position as it stands."""
    w = scratch()
    score_game(s, b, w)
    bonus = b.longest_path
    if not bonus:  # a map without the bonus still shows the path: it may break a tie
        for seat in range(s.players):
            w.path[seat] = longest_path(s, b, w, seat)
    return tuple(_player(seat, s, b, w, data) for seat in range(s.players))


def _player(seat: int, s: Position, b: Board, w: Work, data: MapData) -> PlayerScore:
    names = names_of(data)
    held = [t for t in range(b.n_tickets) if s.ticket_at[t] == k.HELD + seat]
    best_path = max(w.path[: s.players])
    most = max(w.completed[: s.players])
    trail = w.best_trail[seat * k.BITS : seat * k.BITS + w.best_trail_n[seat]]
    return PlayerScore(
        seat=seat,
        total=w.total[seat],
        place=w.place[seat],
        tracks=w.track_score[seat],
        tickets=tuple(
            TicketScore(names.tickets[t], b.ticket_points[t] if w.done[t] else -b.ticket_points[t], bool(w.done[t]))
            for t in held
        ),
        completed=w.completed[seat],
        stations=w.station_score[seat],
        loans=_loans(seat, s, w, data),
        festivals=_festivals(seat, s, b, data),
        longest_path=w.path[seat],
        longest_path_tracks=tuple(names.tracks[t - 1] for t in trail),
        longest_path_bonus=b.longest_path if w.path[seat] == best_path > 0 else 0,
        globetrotter_bonus=b.globetrotter if w.completed[seat] == most > 0 else 0,
    )


def _loans(seat: int, s: Position, w: Work, data: MapData) -> tuple[StationLoan, ...]:
    names = names_of(data)
    loans = []
    for i in range(seat * k.STATIONS, (seat + 1) * k.STATIONS):
        if s.stations[i]:
            track = names.tracks[w.lent[i] - 1] if w.lent[i] else None
            loans.append(StationLoan(names.places[s.stations[i] - 1], track))
    return tuple(loans)


def _festivals(seat: int, s: Position, b: Board, data: MapData) -> tuple[FestivalScore, ...]:
    names = names_of(data)
    found = []
    for g in range(b.groups):
        cards = s.pile[seat * k.GROUPS + g]
        if cards:
            found.append(FestivalScore(names.groups[g], cards, b.festival_table[cards]))
    return tuple(found)
