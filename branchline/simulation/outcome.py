"""What came of a series: wins, scores, tickets, ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline.bots.games.match import (
    GAME_NOTES,
    N_CHOICES,
    N_COMPLETED,
    N_DECISIONS,
    N_END,
    N_PLACE,
    N_SCORE,
    N_TICKET_POINTS,
    N_TICKETS,
    N_TRACK_POINTS,
    N_TRAINS,
    SEAT_NOTES,
)
from branchline.codec import ENDS
from branchline.simulation.parts import COUNTED
from branchline.version import __version__

if TYPE_CHECKING:
    from branchline.simulation.series import Series

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """How one bot fared. A victory shared by k players counts as 1/k in `wins`, so that all wins make up the games."""

    seat: int
    bot: str
    wins: float
    wins_alone: int
    wins_shared: int
    scores: Numbers  # game by game
    tickets_kept: int
    tickets_completed: int
    choices_per_game: float
    mean_trains_left: float
    mean_track_points: float
    mean_ticket_points: float
    more: Mapping[str, float]  # what the mechanics count

    @property
    def games(self) -> int:
        return len(self.scores)

    @property
    def win_rate(self) -> float:
        return self.wins / self.games

    @property
    def mean_score(self) -> float:
        return float(self.scores.mean())

    @property
    def sd_score(self) -> float:
        return float(self.scores.std())

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """A quarter, half and three quarters of the scores lie at or below these."""
        first, median, third = np.percentile(self.scores, (25, 50, 75)).tolist()
        return first, median, third

    @property
    def ticket_completion(self) -> float:
        """The part of the tickets kept that was completed."""
        return self.tickets_completed / self.tickets_kept if self.tickets_kept else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "bot": self.bot,
            "wins": int(self.wins) if self.wins == int(self.wins) else round(self.wins, 6),
            "wins_alone": self.wins_alone,
            "wins_shared": self.wins_shared,
            "win_rate": round(self.win_rate, 6),
            "mean_score": round(self.mean_score, 4),
            "sd_score": round(self.sd_score, 4),
            "min_score": int(self.scores.min()),
            "max_score": int(self.scores.max()),
            "quartiles": list(self.quartiles),
            "mean_tickets": round(self.tickets_kept / self.games, 4),
            "tickets_kept": self.tickets_kept,
            "tickets_completed": self.tickets_completed,
            "ticket_completion": round(self.ticket_completion, 6),
            "mean_track_points": round(self.mean_track_points, 4),
            "mean_ticket_points": round(self.mean_ticket_points, 4),
            "mean_trains_left": round(self.mean_trains_left, 4),
            **{name: round(value, 4) for name, value in self.more.items()},
            "choices_per_game": round(self.choices_per_game, 4),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """A series played. The seats are in the order in which the bots were entered."""

    series: Series
    seats: tuple[SeatOutcome, ...]
    ends: dict[str, int]
    decisions: int
    elapsed_s: float

    @classmethod
    def of(cls, series: Series, notes: Numbers, elapsed_s: float) -> Outcome:
        """Count the notes of all games, a row each."""
        by_seat = notes[:, GAME_NOTES:].reshape(series.games, series.players, SEAT_NOTES)
        winners = (by_seat[:, :, N_PLACE] == 1).sum(axis=1)
        seats = (_seat_outcome(series, entry, by_seat, winners) for entry in range(series.players))
        ends: dict[str, int] = {name: int((notes[:, N_END] == end).sum()) for end, name in ENDS.items()}
        return cls(series, tuple(seats), ends, int(notes[:, N_DECISIONS].sum(dtype=np.int64)), elapsed_s)

    @property
    def decisions_per_game(self) -> float:
        return self.decisions / self.series.games

    @property
    def games_per_s(self) -> float:
        return self.series.games / max(self.elapsed_s, 1e-9)

    @property
    def decisions_per_s(self) -> float:
        return self.decisions / max(self.elapsed_s, 1e-9)

    def to_json(self) -> dict[str, Any]:
        series = self.series
        return {
            "map": series.map.id,
            "players": series.players,
            "bots": list(series.bots),
            "games": series.games,
            "seed": series.seed,
            "rotate": series.rotate,
            "decisions_per_game": round(self.decisions_per_game, 4),
            "seats": [seat.to_json() for seat in self.seats],
            "ends": self.ends,
            "elapsed_s": round(self.elapsed_s, 4),
            "games_per_s": round(self.games_per_s, 1),
            "decisions_per_s": round(self.decisions_per_s, 1),
            "version": __version__,
        }


def _seat_outcome(series: Series, entry: int, by_seat: Numbers, winners: Numbers) -> SeatOutcome:
    games = np.arange(series.games)
    rows = by_seat[games, (entry + games) % series.players if series.rotate else entry]
    won = rows[:, N_PLACE] == 1
    alone = int((won & (winners == 1)).sum())
    shared = [int((won & (winners == k)).sum()) for k in range(2, series.players + 1)]
    return SeatOutcome(
        seat=entry,
        bot=series.bots[entry],
        wins=alone + sum(n / k for k, n in enumerate(shared, 2)),
        wins_alone=alone,
        wins_shared=sum(shared),
        scores=rows[:, N_SCORE].copy(),
        tickets_kept=int(rows[:, N_TICKETS].sum()),
        tickets_completed=int(rows[:, N_COMPLETED].sum()),
        choices_per_game=float(rows[:, N_CHOICES].mean()),
        mean_trains_left=float(rows[:, N_TRAINS].mean()),
        mean_track_points=float(rows[:, N_TRACK_POINTS].mean()),
        mean_ticket_points=float(rows[:, N_TICKET_POINTS].mean()),
        more={counted.name: float(rows[:, counted.note].mean()) for counted in COUNTED},
    )
