"""Numbers that never move. Games, records, positions and trained networks rest on which number a phase, a choice or an
event has, so a number once given is kept in mechanics/numbers.json, whatever is added later.

A module asks by name: `TURN = phase("turn")`. A name that is not in the file yet gets the next free number, and
`python -m branchline.mechanics` writes it down, in a new generation after the old ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parent.parent / "mechanics" / "numbers.json"
GENERATIONS: list[dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))["generations"]

CHOICES = 63  # bits of the first menu word

_given: dict[str, dict[str, tuple[int, int]]] = {}  # by kind and name: the first number, and how many
NEW: dict[str, dict[str, tuple[int, int]]] = {}  # those that are not in the file


def _pair(value: int | list[int]) -> tuple[int, int]:
    return (value, 1) if isinstance(value, int) else (value[0], value[1])


for _generation in GENERATIONS:
    for _kind, _names in _generation.items():
        if _kind != "position":
            _given.setdefault(_kind, {}).update({name: _pair(value) for name, value in _names.items()})


def end(kind: str) -> int:
    """The first number after all that were given of a kind."""
    return max((first + count for first, count in _given.get(kind, {}).values()), default=0)


def _number(kind: str, name: str, count: int = 1) -> int:
    known = _given.setdefault(kind, {})
    if name not in known:
        known[name] = NEW.setdefault(kind, {})[name] = (end(kind), count)
    first, room = known[name]
    if count > room:
        raise AssertionError(f"{kind} {name!r}: {room} numbers were given, {count} are asked for")
    return first


def phase(name: str) -> int:
    """A phase: which decision is awaited."""
    return _number("phases", name)


def word(name: str, count: int = 1) -> int:
    """The first of `count` words of the menu."""
    return _number("words", name, count)


def choice(name: str, count: int = 1) -> int:
    """The first of `count` bits of the menu word MISC."""
    first = _number("choices", name, count)
    if first + count > CHOICES:
        raise AssertionError(f"the choice {name!r} has no room in the word MISC: take a menu word of its own")
    return first


def card(name: str, count: int = 1) -> int:
    """The first of `count` kinds of cards that lie in the train deck and are no train cards."""
    return _number("cards", name, count)


def event(name: str) -> int:
    """An event that the kernel reports."""
    return _number("events", name)


def stream(name: str) -> int:
    """A stream of random numbers, for one purpose."""
    return _number("streams", name)


def imagined(name: str) -> int:
    """Which part of an imagined world is dealt; each has random numbers of its own."""
    return _number("imagined", name)


def tie(name: str) -> int:
    """A way to break a tie."""
    return _number("ties", name)


def fault(name: str) -> int:
    """What the audit can find wrong."""
    return _number("faults", name)
