"""The ledger: how each seat came from its chances at the start to its result.

    result = start + own luck + own skill + others' luck + others' skill + remainder

Each term but the remainder is computed for itself. Luck and skill of a move are what its seat could judge, told for
every seat; the start is what the seat itself thought at its first decision. The remainder holds what nobody's chance or
choice explains: what the others held and the seat did not know, and by how much the network errs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from branchline.review.curve import Point
from branchline.review.decisions import Decided
from branchline.review.luck import Luck
from branchline.review.moments import Played


@dataclass(frozen=True)
class Ledger:
    """Of one seat."""

    start: float
    own_luck: float
    own_skill: float
    others_luck: float
    others_skill: float
    remainder: float
    kinds: dict[str, float] = field(default_factory=dict)  # own luck, by kind of chance


def ledgers_of(
    played: Played, curve: Sequence[Point], decided: Sequence[Decided], lucks: Sequence[Luck]
) -> tuple[Ledger, ...]:
    return tuple(_ledger(seat, played, curve, decided, lucks) for seat in range(played.players))


def _ledger(
    seat: int, played: Played, curve: Sequence[Point], decided: Sequence[Decided], lucks: Sequence[Luck]
) -> Ledger:
    first = next((m.number for m in played.moments if m.seat == seat and not m.is_detail), 1)
    start = curve[first - 1].win[seat]
    own_luck = sum(luck.by_seat[seat] for luck in lucks if luck.seat == seat)
    own_skill = sum(one.skill[seat] for one in decided if one.seat == seat)
    others_luck = sum(luck.by_seat[seat] for luck in lucks if luck.seat != seat)
    others_skill = sum(one.skill[seat] for one in decided if one.seat != seat)
    rest = played.shares[seat] - start - own_luck - own_skill - others_luck - others_skill
    return Ledger(start, own_luck, own_skill, others_luck, others_skill, rest, _kinds(seat, lucks))


def _kinds(seat: int, lucks: Sequence[Luck]) -> dict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    for luck in lucks:
        if luck.seat == seat:
            sums[luck.kind] += luck.by_seat[seat]
    return dict(sums)
