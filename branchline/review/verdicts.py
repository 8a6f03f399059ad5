"""What a loss is called, and how exact a player was: all thresholds of the review stand here.

A loss is a difference of win chances. A verdict is given only where its interval excludes the milder one, so whoever
has bad luck with the imagined worlds is called better than they were, never worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

Verdict: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
# The least loss of each. Backgammon calls 0.02 of its equity, a hundredth of a game, an error, and 0.08 a blunder; for
# chess lichess says 0.05, 0.10 and 0.15. Cards are between the two.
LEAST: Final[dict[Verdict, float]] = {"inaccuracy": 0.02, "mistake": 0.05, "blunder": 0.10}
SURE: Final = 1.96  # standard errors to each side
WEIGHT: Final = 5.0  # how fast accuracy falls with what is lost
MISTAKES: Final[frozenset[Verdict]] = frozenset({"mistake", "blunder"})


def called(loss: float) -> Verdict:
    """The verdict on a loss that is known exactly."""
    found: Verdict = "good"
    for verdict, least in LEAST.items():
        found = verdict if loss >= least else found
    return found


def verdict_on(loss: float, error: float, is_best: bool) -> Verdict:
    """The worst verdict that the interval of a loss allows no doubt of."""
    return "best" if is_best else called(loss - SURE * error)


def is_close(loss: float, error: float) -> bool:
    """Whether chance may explain the whole loss."""
    return loss - SURE * error <= 0


def accuracy(losses: Sequence[float]) -> float:
    """From 0 to 100: the mean over all decisions of 100 * exp(-5 * loss), so 0.02 costs 10 and 0.14 half of one."""
    return sum(100 * math.exp(-WEIGHT * max(0.0, loss)) for loss in losses) / len(losses) if losses else 100.0
