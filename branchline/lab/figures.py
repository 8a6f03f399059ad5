"""What the notes of many games say about a map, as frozen values; words and pictures are made of these elsewhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from branchline.lab.intervals import Estimate
from branchline.maps.model import MapData
from branchline.version import __version__


@dataclass(frozen=True, slots=True)
class SeatFigures:
    seat: int
    wins: Estimate
    score: Estimate


@dataclass(frozen=True, slots=True)
class Source:
    """Where points come from: their mean for every player, for those who win and for those who do not."""

    name: str
    all: float
    winners: float
    others: float


@dataclass(frozen=True, slots=True)
class ScoreFigures:
    mean: float
    sd: float
    quantiles: dict[str, float]  # "1 %" .. "99 %"
    bins: tuple[tuple[int, int], ...]  # (lower edge, scores in it)
    bin_width: int
    winner_mean: float
    margin_median: float  # of the winner before the next
    failed_by_last: float  # points the lowest tenth of all scores lost by tickets not completed
    close: Estimate  # games won by at most CLOSE points
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class LengthFigures:
    """Turns are one player's; a game ends by the last round, or because nobody can or does get on."""

    turns_mean: float
    turns_quantiles: dict[str, float]
    ends: dict[str, int]
    ender_wins: Estimate  # games won by the player who began the last round
    trains_left: float
    kinds: dict[str, float]  # the share of turns used for drawing cards, claiming, …


@dataclass(frozen=True, slots=True)
class LeadFigures:
    """The leader after part of the turns: how often it wins, by points in hand and by points on the board."""

    part: str
    wins: Estimate
    board_wins: Estimate


@dataclass(frozen=True, slots=True)
class TrackFigures:
    id: str
    name: str
    length: int
    colour: str
    reconstruction: bool
    taken: Estimate
    when: float | None  # the median part of the game, 0..1
    turn: float | None  # the median turn of its taker
    wins: Estimate  # of its taker
    more: Mapping[str, Any]  # what the mechanics count


@dataclass(frozen=True, slots=True)
class RouteFigures:
    """All tracks between two places: who needs them, who is shut out, and what that costs."""

    name: str
    tracks: tuple[str, ...]
    taken: Estimate
    needed: Estimate  # games in which somebody holds a ticket that usually runs here
    contested: Estimate  # games in which two or more do
    shut_out: Estimate  # of the players who need it
    done_if_shut: Estimate  # of the tickets that usually run here
    done_if_not: Estimate
    cost: Estimate  # final points of those who need it: not shut out less shut out
    cost_per_game: float


@dataclass(frozen=True, slots=True)
class TicketFigures:
    id: str
    name: str
    points: int
    long: bool
    reconstruction: bool
    kept: Estimate  # of the times somebody had to say
    completed: Estimate  # of the times it was kept
    worth: Estimate  # points gained less points lost, when kept
    score: Estimate  # the holder's final score less the mean of all
    wins: Estimate  # of the holder
    dealt_score: Estimate  # the same for whoever it was dealt to at the start, kept or not: chance alone decides that
    dealt_wins: Estimate
    done_when: float | None  # the median part of the game
    more: Mapping[str, Any]  # what the mechanics count


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two tickets in one hand: what the one adds to a hand with the other, less what it adds to a hand without."""

    a: str
    b: str
    both_completed: Estimate
    synergy: Estimate


@dataclass(frozen=True, slots=True)
class KindFigures:
    """Tracks of one colour or one length."""

    name: str
    tracks: int
    spaces: int
    taken: float  # of these tracks, in a mean game
    points: float  # of all track points


@dataclass(frozen=True, slots=True)
class Study:
    """One map, one number of players, many games."""

    map: MapData
    players: int
    bot: str
    games: int
    seed: int
    seats: tuple[SeatFigures, ...]
    scores: ScoreFigures
    length: LengthFigures
    leads: tuple[LeadFigures, ...]
    lead_changes: float
    tracks: tuple[TrackFigures, ...]
    routes: tuple[RouteFigures, ...]
    tickets: tuple[TicketFigures, ...]
    pairs: tuple[PairFigures, ...]
    colours: tuple[KindFigures, ...]
    lengths: tuple[KindFigures, ...]
    more: Mapping[str, Any]  # what the mechanics count

    def to_json(self) -> dict[str, Any]:
        """Everything but the map, which is named."""
        head = {
            "map": self.map.id,
            "map_version": self.map.version,
            "map_hash": self.map.hash,
            "reconstructed": list(self.map.reconstructed),
            "version": __version__,
        }
        return head | _fields(self)


def _plain(value: Any) -> Any:
    """A value as JSON takes it, with numbers short enough to read."""
    if isinstance(value, Estimate):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return round(value, 4) if isinstance(value, float) else value


def _fields(value: Any) -> dict[str, Any]:
    """The figures of a value by name; those of the mechanics stand among the others."""
    names = [field.name for field in dataclasses.fields(value) if field.name not in ("map", "more")]
    own = {name: _plain(getattr(value, name)) for name in names}
    return own | {name: _plain(one) for name, one in getattr(value, "more", {}).items()}
