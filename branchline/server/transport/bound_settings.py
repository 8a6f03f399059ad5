"""How much one person and one address get of the service: all bounds in one table, for an operator to change.

A guest costs nothing, so what is bound for each person is bound for each address as well (of IPv6 by /64). Those of an
address are wide enough for a school: forty pupils behind one address come in at once, open tables, play and talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and then so many a minute."""

    at_once: int
    a_minute: float


@dataclass(frozen=True, slots=True)
class HowOften:
    """How often something may be done; None is without bound."""

    person: Rate | None
    address: Rate | None
    why: str
    in_all: Rate | None = None


@dataclass(frozen=True, slots=True)
class HowMany:
    """How much may be held at the same time; None is without bound."""

    person: int | None
    address: int | None
    in_all: int | None
    why: str


@dataclass(frozen=True, slots=True)
class BoundSettings:
    """The bounds, each with its reason. `--bound KIND.WHO=NUMBERS` sets one (`read_settings`)."""

    requests: HowOften = HowOften(Rate(100, 1200), Rate(1000, 12_000), "a page asks a dozen things when it opens")
    guests: HowOften = HowOften(None, Rate(100, 20), "two for each pupil; whoever has many guests has many shares")
    tables: HowOften = HowOften(Rate(15, 6), Rate(120, 30), "a game takes minutes; each table is kept for days")
    listed: HowOften = HowOften(Rate(5, 1), Rate(50, 2), "a table that waits in the lobby is not pushed out of sight")
    sits: HowOften = HowOften(Rate(20, 10), Rate(120, 60), "nobody sits down at every stranger's table")
    chat: HowOften = HowOften(Rate(5, 30), Rate(200, 1200), "talk goes to all at a table, and is kept")
    reports: HowOften = HowOften(Rate(5, 1), Rate(20, 4), "a person reads them")
    devices: HowOften = HowOften(Rate(10, 2), Rate(100, 20), "each is sent messages; a person has a few")
    mails: HowOften = HowOften(Rate(3, 1), Rate(10, 1), "the address somebody gives may be somebody else's")
    questions: HowOften = HowOften(
        None, Rate(40, 0.03), "so many strangers may be asked in a day; one guest asks five", Rate(500, 0.3)
    )
    replays: HowOften = HowOften(Rate(20, 60), Rate(120, 300), "a game is played again for each that is not kept ready")
    files: HowOften = HowOften(Rate(5, 6), Rate(40, 30), "a game file of a stranger takes seconds of a processor")
    reviews: HowOften = HowOften(Rate(6, 0.5), Rate(60, 4), "to review a game takes a minute of two processors")
    carries: HowOften = HowOften(Rate(6, 2), Rate(80, 20), "whoever moves to another device does it once")
    phrases: HowOften = HowOften(
        Rate(20, 5), Rate(100, 20), "five words are not to be guessed; a class types them, and errs", Rate(1000, 300)
    )
    streams: HowMany = HowMany(30, 400, None, "a few windows of each pupil, and those that broke off and came back")
    watchers: HowMany = HowMany(30, 400, 20_000, "who looks on without a seat, at all tables together")
    at_table: HowMany = HowMany(10, 100, 2000, "who looks on at one table: a class, a club; each hears every move")


def without_bounds() -> BoundSettings:
    """Everything as often and as much as one likes: for tests and measurements from one address."""
    found: Any = {
        field.name: HowMany(None, None, None, "")
        if isinstance(getattr(BoundSettings(), field.name), HowMany)
        else HowOften(None, None, "")
        for field in fields(BoundSettings)
    }
    return BoundSettings(**found)


_RATE: Final = re.compile(r"(\d{1,9})/(\d{1,9}(?:\.\d{1,4})?)")
_COUNT: Final = re.compile(r"\d{1,9}")
_NONE: Final = "none"


def read_settings(texts: Iterable[str], settings: BoundSettings | None = None) -> BoundSettings:
    """The settings with changes from the command line, like `tables.address=500/60` or `streams.person=none`.

    A rate is `AT_ONCE/A_MINUTE`, other bounds are one number; `all=none` lifts them all. Raises `ValueError`, which
    says what would be right.
    """
    found = settings or BoundSettings()
    for text in texts:
        found = without_bounds() if text == "all=none" else _with(found, text)
    return found


def _with(settings: BoundSettings, text: str) -> BoundSettings:
    place, _, value = text.partition("=")
    kind, _, who = place.partition(".")
    kinds = [field.name for field in fields(BoundSettings)]
    if kind not in kinds:
        raise ValueError(f'--bound {text[:60]}: no kind "{kind[:30]}"; there are {", ".join(kinds)}')
    bound: HowOften | HowMany = getattr(settings, kind)
    whose = [field.name for field in fields(bound) if field.name != "why"]
    if who not in whose:
        raise ValueError(f"--bound {text[:60]}: write {' or '.join(f'{kind}.{name}' for name in whose)}")
    try:
        number = _rate(value) if isinstance(bound, HowOften) else _count(value)
    except ValueError as error:
        raise ValueError(f"--bound {text[:60]}: {error}") from None
    changed: Any = {who: number}
    whole: Any = {kind: replace(bound, **changed)}
    return replace(settings, **whole)


def _rate(text: str) -> Rate | None:
    if text == _NONE:
        return None
    found = _RATE.fullmatch(text)
    if found is None or not int(found[1]) or not float(found[2]):
        raise ValueError("so many at once and so many a minute are written 20/60, no bound is none")
    return Rate(int(found[1]), float(found[2]))


def _count(text: str) -> int | None:
    if text == _NONE:
        return None
    if not _COUNT.fullmatch(text):
        raise ValueError("how many is a whole number, no bound is none")
    return int(text)
