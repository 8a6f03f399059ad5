"""The festival cards of a score sheet (IBE-16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.festivals.state import GROUPS

if TYPE_CHECKING:
    from branchline.mechanics.composed_face import Names


@dataclass(frozen=True, slots=True)
class FestivalScore:
    group: str
    cards: int
    points: int


@dataclass(frozen=True)
class PlayerScore:
    festivals: tuple[FestivalScore, ...]

    @property
    def festival_points(self) -> int:
        return sum(f.points for f in self.festivals)


def score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:
    counted = ((group, s.pile[seat * GROUPS + g]) for g, group in enumerate(names.groups))
    return PlayerScore(tuple(FestivalScore(group, n, b.festival_table[n]) for group, n in counted if n))
