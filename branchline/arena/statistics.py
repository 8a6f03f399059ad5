"""What may be concluded from games, with the deal as the unit: its games share their cards and hang together.

docs/arena.md gives every formula in words; tests/test_arena.py holds each against values known from elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from branchline.simulation.intervals import wilson_interval

CONFIDENCE = 0.95
ELO_PER_NAT = 400 / math.log(10)

Numbers = np.ndarray[Any, np.dtype[np.float64]]
Interval = tuple[float, float]


# ---------------------------------------------------------------- intervals


def normal_quantile(p: float) -> float:
    """The number below which a standard normal variable lies with chance p."""
    return NormalDist().inv_cdf(p)


def t_quantile(p: float, df: int) -> float:
    """The same of Student's t: exact for 1 and 2 degrees of freedom, else expanded about the normal quantile."""
    if df == 1:
        return math.tan(math.pi * (p - 0.5))
    if df == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = normal_quantile(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / float(df) ** i for i, term in enumerate(terms, 1))


def mean_interval(values: Numbers, confidence: float = CONFIDENCE) -> Interval:
    """Student's interval for the mean of independent values: one value a deal."""
    n = len(values)
    mean = float(values.mean())
    if n < 2:
        return -math.inf, math.inf
    half = t_quantile(0.5 + confidence / 2, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return mean - half, mean + half


def rate_interval(shares: Numbers, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for a win rate from the share won in each deal of `games` games.

    The number of trials is the effective one: that of independent games whose rate would vary as the mean of the deals
    does. To the variation seen one deal of independent games is added, so that a few deals that happen to be equal
    prove little. Where all was won, or nothing, every deal counts as one trial.
    """
    n = len(shares)
    rate = min(max(float(shares.mean()), 0.0), 1.0)
    spread = rate * (1 - rate)
    seen = float(((shares - rate) ** 2).sum())
    effective = spread / ((seen + spread / games) / n**2) if spread > 1e-12 else float(n)
    return wilson_interval(rate, effective, t_quantile(0.5 + confidence / 2, max(n - 1, 1)))


# ---------------------------------------------------------------- Elo of a rate


def elo_of_rate(rate: float) -> float:
    """The difference in Elo that stands for a win rate between two players."""
    if rate <= 0 or rate >= 1:
        return math.copysign(math.inf, rate - 0.5)
    return ELO_PER_NAT * math.log(rate / (1 - rate))


def rate_of_elo(difference: float) -> float:
    """The win rate that a difference in Elo stands for."""
    return 1 / (1 + math.exp(-difference / ELO_PER_NAT))


# ---------------------------------------------------------------- the sequential test


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the first bot's win rate, stated before the first game: `low` against `high`."""

    low: float
    high: float
    alpha: float = 0.05  # the chance of finding `high` where the rate is `low`
    beta: float = 0.05  # the chance of finding `low` where the rate is `high`
    text: str = ""  # as it was asked for

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise ValueError(
                f"a sequential test needs two rising win rates between 0 and 1, not {self.low}:{self.high}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"the chances of error must lie between 0 and 0.5, not {self.alpha} and {self.beta}")

    @classmethod
    def of(cls, text: str, players: int, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
        """Read `0.5:0.64` (win rates, or shares of more than two) or `0:100` (Elo, for two)."""
        try:
            low, high = (float(word) for word in text.split(":"))
        except ValueError:
            raise ValueError(f'"{text}": a test is two numbers, 0.5:0.64 (win rates) or 0:100 (Elo)') from None
        if 0 < low < 1 and 0 < high < 1:
            return cls(low, high, alpha, beta, text)
        if players != 2:
            raise ValueError(f'"{text}": Elo is for two players; give shares of the wins, as in 0.25:0.35')
        return cls(rate_of_elo(low), rate_of_elo(high), alpha, beta, text)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio: below the first `low` is found, above the second `high`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def path(self, shares: Numbers, since: int = 0) -> Numbers:
        """The log-likelihood ratio after each deal from number `since` on, given the first bot's share in each."""
        if len(shares) <= since:
            return np.zeros(0)
        values = np.unique(np.concatenate((np.array([0.0, 1.0]), shares)))
        counts = np.cumsum(shares[:, None] == values, axis=0)[since:].astype(np.float64)
        return log_likelihood_ratio(counts, values, self.low, self.high)

    def verdict(self, path: Numbers) -> tuple[Verdict, int]:
        """What the test says and the number of deals after which it says so; all of them while it is open."""
        below, above = self.bounds
        crossed = np.nonzero((path <= below) | (path >= above))[0]
        if not len(crossed):
            return "open", len(path)
        first = int(crossed[0])
        return ("high" if path[first] >= above else "low"), first + 1


Verdict = Literal["low", "high", "open"]


def log_likelihood_ratio(counts: Numbers, values: Numbers, low: float, high: float) -> Numbers:
    """How much likelier the counts (last axis) of the values 0 .. 1 are if their mean is `high` than if it is `low`.

    Each hypothesis gets the likeliest distribution that has its mean (a generalised ratio); how much deals vary is
    thereby estimated and nothing is assumed about their shape. The values must begin with 0 and end with 1, which count
    a thousandth where they were never seen: without them no distribution might have the mean asked for.
    """
    counts = counts.copy()
    for end in (0, -1):
        counts[..., end] = np.maximum(counts[..., end], 1e-3)
    return _log_likelihood(counts, values, high) - _log_likelihood(counts, values, low)


def _log_likelihood(counts: Numbers, values: Numbers, mean: float) -> Numbers:
    """The greatest log-likelihood of the counts under a distribution with this mean, up to a term without the mean.

    That distribution is p_i = f_i / (1 + x (v_i - mean)), f_i being the frequencies seen and x what gives it the mean;
    x is found by bisection.
    """
    away = values - mean
    low = np.full(counts.shape[:-1], -1 / (1 - mean) * (1 - 1e-12))
    high = np.full(counts.shape[:-1], 1 / mean * (1 - 1e-12))
    for _ in range(40):
        middle = (low + high) / 2
        above = (counts * away / (1 + middle[..., None] * away)).sum(axis=-1) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    x = (low + high) / 2
    result: Numbers = -(counts * np.log1p(x[..., None] * away)).sum(axis=-1)
    return result
