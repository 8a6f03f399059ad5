"""Shares and means with their 95 % confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.simulation.intervals import wilson_interval

Numbers = np.ndarray[Any, Any]

Z = 1.959964  # 95 of 100 intervals made like this hold the true value


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share or a mean, the interval it lies in, and the number of observations behind it; NaN if there are none."""

    value: float
    low: float
    high: float
    n: int

    @property
    def known(self) -> bool:
        return self.n > 0

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def above(self, bound: float) -> bool:
        """True if even the lower end lies above a bound."""
        return self.known and self.low > bound

    def below(self, bound: float) -> bool:
        return self.known and self.high < bound

    def to_json(self) -> list[float | None] | None:
        """Value, low, high, n; null if there are no observations, and for an end that one observation does not give."""
        if not self.known:
            return None
        ends = [round(x, 4) if math.isfinite(x) else None for x in (self.low, self.high)]
        return [round(self.value, 4), *ends, self.n]


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


def share(part: float, n: int) -> Estimate:
    """A share of n observations, with Wilson's interval; a victory shared by k may count as 1/k in `part`."""
    if n == 0:
        return NOTHING
    return Estimate(part / n, *wilson_interval(part / n, n, Z), n)


def mean(values: Numbers, less: float = 0.0) -> Estimate:
    """The mean of values, less a number that is taken as known, with its normal interval."""
    n = len(values)
    if n == 0:
        return NOTHING
    value = float(values.mean()) - less
    half = Z * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(value, value - half, value + half, n)


def difference(some: Numbers, others: Numbers) -> Estimate:
    """The difference of two means with its normal interval (Welch); n counts the smaller group."""
    a, b = mean(some), mean(others)
    if min(a.n, b.n) < 2:
        return NOTHING
    half = math.hypot(a.half, b.half)
    value = a.value - b.value
    return Estimate(value, value - half, value + half, min(a.n, b.n))
