"""Numbers as a reader of a report meets them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from branchline.lab.intervals import Estimate

NONE = "–"


def percent(x: float, digits: int = 0) -> str:
    return f"{100 * x:.{digits}f} %"


def number(x: float | None, digits: int = 1) -> str:
    """A number with the true minus sign, or a dash where there is none."""
    if x is None or not math.isfinite(x):
        return NONE
    text = f"{x:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")


def signed(x: float, digits: int = 1) -> str:
    text = number(x, digits)
    return text if text.startswith("−") or not float(text.replace(",", "")) else f"+{text}"


def share_cell(e: Estimate) -> str:
    """A share in per cent with half the width of its interval."""
    return f"{100 * e.value:.1f} ±{100 * e.half:.1f}" if e.known else NONE


def mean_cell(e: Estimate) -> str:
    """A difference of points with half the width of its interval."""
    if not e.known:
        return NONE
    return f"{signed(e.value)} ±{number(e.half)}" if math.isfinite(e.half) else signed(e.value)


def share_words(e: Estimate) -> str:
    """A share as it stands in a sentence: 54.1 % (52.8–55.5)."""
    return f"{percent(e.value, 1)} ({100 * e.low:.1f}–{100 * e.high:.1f})"


def mean_words(e: Estimate) -> str:
    """A number of points as it stands in a sentence, without its sign: 5.2 (3.8–6.6)."""
    low, high = sorted((abs(e.low), abs(e.high))) if e.low * e.high > 0 else (e.low, e.high)
    return f"{abs(e.value):.1f} ({number(low)}–{number(high)})"


def listed(words: Iterable[str], last: str = "and") -> str:
    """a, b and c."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def plural(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"
