"""The facts a network is told, by kind of token, and the words it has for choices: each by its name.

A checkpoint keeps the names, so a fact may be added or go, and their order may change. What a mechanic tells stands in
its facts.py: it takes its places here on import, behind those that every map has.
"""

from __future__ import annotations

import branchline.mechanics.composed  # noqa: F401  (every number is given by now)
from branchline.kernel.numbers import end

_TRACKS = (
    "mine",
    "next seat's",
    "second seat's",
    "third seat's",
    "fourth seat's",
    "free",
    "doubled",
    "cards lacking",
    "colour cards lacking",
    "planned",
    "points at stake",
    "points on offer",
    "pending",
    "open",
    "terrain to double",
    "others at its ends",
    "errand points",
)
_PLACES = (
    "own tracks",
    "others' tracks",
    "own station",
    "others' station",
    "festival cards waiting",
    "festival cards owned",
    "points at stake",
    "points on offer",
)
_TICKETS = ("here", "on offer", "points", "done", "spaces", "reachable", "added spaces", "long")
_CARDS = (
    "in hand",
    "in display",
    "discarded",
    "next seat's",
    "second seat's",
    "third seat's",
    "fourth seat's",
    "unseen",
    "needed",
    "short",
    "locomotive",
)
_SEATS = (
    "here",
    "trains",
    "half score",
    "behind",
    "cards",
    "cards unknown",
    "tickets",
    "stations left",
    "festival cards",
    "first terrain",
    "second terrain",
    "third terrain",
    "path at most",
)
_TERRAIN = ("here", "own", "most of others", "planned")
PHASES = end("phases")
_TABLE = (
    *(f"phase {n}" for n in range(PHASES)),
    "two players",
    "three players",
    "four players",
    "five players",
    "half deck",
    "discards",
    "tickets in deck",
    "turns left",
    "drafts begun",
    "draft step",
    "tickets to pick",
    "extra cards due",
    "pending length",
    "pending locomotives",
    "pending colour in hand",
    "planned spaces",
    "planned tracks",
    "gray spaces planned",
    "cards short",
    "trains over",
    "open tickets",
    "open points",
    "done tickets",
    "done points",
    "unreachable points",
    "hand",
    "idle turns",
    "longest path points",
    "globetrotter points",
    "last round at",
    "station points",
    "terrain in play",
    "festivals in play",
    "double tracks open",
    "waiting at first end",
    "owned of first end",
    "waiting at second end",
    "owned of second end",
    "stations each",
    "own trains low",
    "others' trains low",
)

ERRANDS_HELD, ERRANDS_OFFERED = 3, 2
ERRANDS = ERRANDS_HELD + ERRANDS_OFFERED  # those held stand first
_ERRANDS = ("here", "on offer", "points", "added spaces", "reachable", "at once")

# By kind of token: the name of each fact in the order of a row, and by what it is multiplied, so that it is of the size
# of 1.
NAMES: dict[str, list[str]] = {
    "tracks": list(_TRACKS),
    "places": list(_PLACES),
    "tickets": list(_TICKETS),
    "cards": list(_CARDS),
    "seats": list(_SEATS),
    "terrain": list(_TERRAIN),
    "table": list(_TABLE),
    "errands": list(_ERRANDS),
}
SCALES: dict[str, list[float]] = {
    "tracks": [1, 1, 1, 1, 1, 1, 1, 0.25, 0.25, 1, 0.05, 0.05, 1, 1, 0.25, 0.3, 0.1],
    "places": [0.5, 0.5, 1, 1, 0.5, 0.5, 0.05, 0.05],
    "tickets": [1, 1, 0.08, 1, 0.1, 1, 0.1, 1],
    "cards": [0.3, 0.5, 0.1, 0.3, 0.3, 0.3, 0.3, 0.1, 0.15, 0.3, 1],
    "seats": [1, 0.03, 0.03, 0.03, 0.1, 0.1, 0.25, 0.3, 0.1, 0.3, 0.3, 0.3, 0.03],
    "terrain": [1, 0.3, 0.3, 0.3],
    "table": [1] * (PHASES + 4)
    + [0.03, 0.03, 0.04, 0.5, 0.5, 0.3, 0.3, 0.5, 0.25, 0.3, 0.3, 0.05, 0.15, 0.1, 0.1, 0.05, 0.3, 0.04, 0.3, 0.03]
    + [0.05, 0.1, 0.1, 0.1, 0.1, 0.5, 0.25, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.3, 1, 1],
    "errands": [1, 1, 0.15, 0.1, 1, 1],
}

# Choices that mechanics bring, as bits of the word MISC.
PLAIN: dict[str, int] = {}  # by name: what no token speaks of
TAKES: dict[int, int] = {}  # to take the errand on offer with this number
SWAPS: dict[int, tuple[int, int]] = {}  # to take that one for another which is held


def fact(kind: str, name: str, scale: float) -> int:
    """One fact more of every token of a kind; its place in a row."""
    if name in NAMES[kind]:
        raise AssertionError(f"{kind} have the fact {name!r} already")
    NAMES[kind].append(name)
    SCALES[kind].append(scale)
    return len(NAMES[kind]) - 1


def plain_choice(name: str, bit: int) -> None:
    """A choice that no token speaks of: it gets an output of its own, by this name."""
    PLAIN[name] = bit


def taking_choices(first: int, count: int) -> None:
    """Bits from `first` on: to take the errand on offer with this number."""
    TAKES.update({first + i: i for i in range(count)})


def swapping_choices(first: int, offered: int, held: int) -> None:
    """Bits from `first` on, `held` for each errand on offer: to take it for one of those held."""
    SWAPS.update({first + held * i + n: (i, n) for i in range(offered) for n in range(held)})
