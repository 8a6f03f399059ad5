"""Wilson's interval, for the arena and the laboratory alike."""

from __future__ import annotations

import math


def wilson_interval(rate: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's score interval for a rate seen in n independent trials; z is the normal quantile of its confidence."""
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # Rounding must not put the rate outside its own interval where it is 0 or 1.
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))
