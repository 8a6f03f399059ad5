"""The puzzle of the day: the same for everybody, and a function of nothing but the date and the puzzles there are.

Each day has the puzzle that was shown least so far, of those that were there by then; which of several, a digest
decides. A new one counts as if it had been there from the start. So all are shown before one comes again, and puzzles
that are added change no day before they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from hashlib import blake2b
from heapq import heappop, heappush
from typing import Final

from branchline.puzzles.model import Puzzle
from branchline.puzzles.reading import shipped

FIRST: Final = date(2026, 11, 20)
MOST_DAYS: Final = 100 * 366


def of_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle | None:
    """The puzzle of a day, of the shipped ones if no others are given; None where there was none yet, or in a hundred
    years."""
    number = (day - FIRST).days
    if not 0 <= number < MOST_DAYS:
        return None
    known = {one.id: one for one in (shipped() if puzzles is None else puzzles)}
    id = _shown(tuple(sorted((one.since, one.id) for one in known.values())), number // 366)[number]
    return known.get(id)


@lru_cache(maxsize=8)
def _shown(puzzles: tuple[tuple[date, str], ...], years: int) -> tuple[str, ...]:
    """The ids of all days of so many years and one, "" where there was none yet."""
    shown = _days(puzzles)
    return tuple(next(shown) for _ in range(366 * (years + 1)))


def _days(puzzles: Sequence[tuple[date, str]]) -> Iterator[str]:
    """The ids, day by day, for ever; `puzzles` by the day on which they were added."""
    day, new = FIRST, list(reversed(puzzles))
    waiting: list[tuple[int, bytes, str]] = []  # how often shown, in what order, which
    while True:
        times = waiting[0][0] if waiting else 0
        while new and new[-1][0] <= day:
            heappush(waiting, _place(times, new.pop()[1]))
        if waiting:
            times, _, id = heappop(waiting)
            heappush(waiting, _place(times + 1, id))
        yield id if waiting else ""
        day += timedelta(days=1)


def _place(times: int, id: str) -> tuple[int, bytes, str]:
    return times, blake2b(f"{times} {id}".encode(), digest_size=8, person=b"daily").digest(), id
