"""What a face is made of: the base game's (base/face.py) and that of each mechanic (mechanics/<name>/face.py).

A face says what a program or a person reads and writes of the kernel's small numbers: actions with their codes and
their lines of text, events, phases. The wholes are put together by `python -m branchline.mechanics`; codec.py and
notation.py ask them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from branchline.maps.model import MapData

if TYPE_CHECKING:
    from branchline.events import Event
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names

A = TypeVar("A")


@dataclass(frozen=True)
class Move(Generic[A]):
    """One class of actions: its line of text, its codes in the kernel's menu, and the way between.

    In `line` small words stand for themselves and words in capitals for the fields, in order: NUMBER, TRACK, CITY,
    TICKET, COLOUR, and "TICKET …" for several. `form` tells somebody who wrote it wrong, where the line does not.
    `action` makes the action of the n-th code; `number` says which code an action has, counted from the first, or -1.
    `fixed`: a code means the same in every position of a map.
    """

    kind: type[A]
    line: str
    codes: range
    action: Callable[[int, Position, Names, int], A]
    number: Callable[[A, Position, Names, int], int]
    fixed: bool = True
    form: str = ""


def bare(action: A, line: str, code: int) -> Move[A]:
    """An action without a field."""
    return Move(type(action), line, range(code, code + 1), lambda *_: action, lambda *_: 0)


class Notes:
    """The kernel's notes of one move, as they are told: a note may wait for a later one that tells of both."""

    def __init__(self, data: MapData, names: Names) -> None:
        self.data, self.names = data, names
        self.waiting: dict[int, list[str]] = defaultdict(list)  # by kind of note

    def hold(self, kind: int, what: str) -> None:
        """Keep it until a later note tells of it."""
        self.waiting[kind].append(what)

    def held(self, kind: int) -> tuple[str, ...]:
        return tuple(self.waiting[kind])

    def taken(self, kind: int) -> tuple[str, ...]:
        """What was held, which is told herewith."""
        return tuple(self.waiting.pop(kind, ()))


# The event of a note with its four numbers, or None where it waits.
Teller: TypeAlias = "Callable[[Notes, int, int, int, int], Event | None]"


@dataclass(frozen=True)
class Deck:
    """A deck that a deal may write by hand, under a key of `Deal`, and how it is shuffled again under another.

    `rig` is the field of Board that takes it, `rig`_n the one that counts; `most` cards. `numbers`: the kernel's
    numbers of the names that may stand in it. `dealt`: how many of its cards each player gets, and how many are turned
    up after that.
    """

    key: str
    card: str  # what one is called
    rig: str
    most: int
    numbers: Callable[[MapData, Names], Mapping[str, int]]
    dealt: Callable[[MapData], tuple[int, int]]
    reshuffles: str = ""
    clause: str = ""  # of shuffling it again


@dataclass(frozen=True)
class Face:
    """What one part of the game, the base or a mechanic, says to the world.

    `simultaneous`: its phases in which all choose at once (C-07). `train_cards`: what it mixes into the train deck.
    `chance`: its events in which chance speaks, and what that is called where luck is told. `alike`: by class of
    actions what tells two of them apart where it is not the action itself, given the action and a view.
    """

    moves: tuple[Move[Any], ...] = ()
    events: Mapping[int, Teller] = field(default_factory=dict)
    phases: Mapping[int, str] = field(default_factory=dict)
    simultaneous: tuple[int, ...] = ()
    decks: tuple[Deck, ...] = ()
    train_cards: Callable[[MapData, Names], Mapping[str, int]] = lambda data, names: {}
    chance: Mapping[type, str] = field(default_factory=dict)
    alike: Mapping[type, Callable[[Any, Any], Hashable]] = field(default_factory=dict)
