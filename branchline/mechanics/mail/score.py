"""The mail of a score sheet: bags and stamps in a line of their own (CAR-11, CAR-12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from branchline.kernel.state import SEATS
from branchline.mechanics.composed import Board, Position, Work

if TYPE_CHECKING:
    from branchline.mechanics.composed_face import Names


@dataclass(frozen=True, slots=True)
class BagScore:
    """A mail bag that was delivered to the place on its label."""

    label: str
    points: int


@dataclass(frozen=True)
class PlayerScore:
    mail: tuple[BagScore, ...]
    stamps: int

    @property
    def mail_points(self) -> int:
        return sum(bag.points for bag in self.mail) + self.stamps


def score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:
    labels = (p for p in range(b.n_places) if s.delivered[seat] >> p & 1)
    return PlayerScore(tuple(BagScore(names.places[p], b.mail[p]) for p in labels), b.stamps[s.players * SEATS + seat])
