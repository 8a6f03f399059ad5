"""The puzzle of the day: the same for everybody, all before one comes again, and adding changes no day before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from branchline.puzzles import Puzzle, shipped
from branchline.puzzles.daily import FIRST, of_day

DAYS = [FIRST + timedelta(days=n) for n in range(60)]


def several(many: int, since: date, name: str) -> list[Puzzle]:
    return [replace(shipped()[0], id=f"usa-{name}{n}", since=since) for n in range(many)]


def ids(puzzles: list[Puzzle], days: list[date] = DAYS) -> list[str]:
    return [found.id if (found := of_day(day, puzzles)) else "" for day in days]


def test_a_day_has_one_puzzle_whatever_the_order_they_stand_in() -> None:
    old = several(7, FIRST, "a")
    assert ids(old) == ids(old[::-1]) == ids([*old[3:], *old[:3]])
    assert of_day(FIRST) in shipped()


def test_all_are_shown_before_one_comes_again() -> None:
    old = several(12, FIRST, "a")
    for first in (0, 12, 24):
        assert sorted(ids(old)[first : first + 12]) == sorted(one.id for one in old)
    assert ids(old)[:12] != ids(old)[12:24]  # in another order


def test_what_is_added_changes_no_day_before_and_is_shown_like_the_others() -> None:
    old, day = several(7, FIRST, "a"), DAYS[30]
    new = several(5, day, "b")
    before, after = ids(old), ids([*old, *new])
    assert after[:30] == before[:30]
    left = set(before[28:35]) - set(before[28:30])  # of the round that is under way
    assert set(after[30:40]) == left | {one.id for one in new}
    assert set(Counter(after[40:52]).values()) == {1}


def test_there_is_none_before_the_first_day_and_none_without_puzzles() -> None:
    assert of_day(FIRST - timedelta(days=1)) is None
    assert of_day(FIRST, []) is None
    assert of_day(FIRST, several(2, FIRST + timedelta(days=1), "a")) is None
    assert of_day(date.max) is None


@pytest.mark.parametrize("year", [2027, 2036, 2080])
def test_later_years_have_their_puzzles_too(year: int) -> None:
    assert of_day(date(year, 3, 1)) in shipped()
