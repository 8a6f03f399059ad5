"""Holidays: a guest who is away does not run out of days for a move."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence

MOST_DAYS: Final = 30
_LAST_ZONE: Final = timedelta(hours=12)  # a day ends last twelve hours west of Greenwich


class BadHoliday(BadRequest):
    """A day until which nobody can be away."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def end_of(day: str) -> float:
    """When a day is over everywhere, in seconds since 1970."""
    midnight = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), UTC)
    return (midnight + _LAST_ZONE).timestamp()


def checked_day(text: str, now: float) -> str:
    """The last day of a holiday as it is kept; raises `BadHoliday`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadHoliday(Sentence("holiday_written", "a day is written YYYY-MM-DD")) from None
    if day > datetime.fromtimestamp(now, UTC).date() + timedelta(days=MOST_DAYS):
        raise BadHoliday(Sentence("holiday_far", f"a holiday ends within {MOST_DAYS} days", MOST_DAYS))
    if end_of(day.isoformat()) <= now:
        raise BadHoliday(Sentence("holiday_over", "this day is over"))
    return day.isoformat()
