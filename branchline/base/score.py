"""The base game's part of a score sheet. Mechanics add theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from branchline.kernel import state as k
from branchline.mechanics.composed import Board, Position, Work

if TYPE_CHECKING:
    from branchline.mechanics.composed_face import Names


@dataclass(frozen=True, slots=True)
class TicketScore:
    ticket: str
    points: int  # with its sign
    completed: bool


@dataclass(frozen=True)
class PlayerScore:
    """What every sheet has."""

    seat: int
    total: int
    place: int
    tracks: int
    tickets: tuple[TicketScore, ...]
    completed: int
    longest_path: int
    longest_path_tracks: tuple[str, ...]
    longest_path_bonus: int
    globetrotter_bonus: int

    @property
    def ticket_points(self) -> int:
        return sum(t.points for t in self.tickets)

    @property
    def lent_tracks(self) -> frozenset[str]:
        """Tracks of others that count for the tickets of this player."""
        return frozenset()


def score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:
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
        longest_path=w.path[seat],
        longest_path_tracks=tuple(names.tracks[t - 1] for t in trail),
        longest_path_bonus=b.longest_path if w.path[seat] == best_path > 0 else 0,
        globetrotter_bonus=b.globetrotter if w.completed[seat] == most > 0 else 0,
    )
