"""What a typed line comes to: something to do, to ask, to say, or a command to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from branchline.actions import Action
from branchline.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Do:
    """Decisions to make one after the other; a step of text is read only when its turn comes."""

    steps: tuple[Action | str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Several readings: the player chooses by number."""

    question: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Nothing to do: a sentence for the player."""

    text: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """A rule forbids it, and no action of the engine says so more exactly."""

    clause: str
    why: Refusal


@dataclass(frozen=True, slots=True)
class Run:
    """A command that changes nothing in the game, or takes something back."""

    command: str
    rest: str


Reading: TypeAlias = Do | Ask | Say | Refuse | Run


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu: what is typed to choose it, what it says, what it does."""

    key: str
    text: str
    reading: Reading


def numbered(options: list[tuple[str, Reading]]) -> tuple[Option, ...]:
    return tuple(Option(str(n), text, reading) for n, (text, reading) in enumerate(options, 1))
