"""Game files: what a mechanic may bring to them, and the base game's part of the score sheet in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from branchline.codec import Names
from branchline.kernel.scratch import scratch
from branchline.kernel.state import EVENT
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View


class SheetReader(Protocol):
    """What the reader of a file offers to a part that reads its own: each refuses what is wrong, with its path."""

    def score(self, raw: object, path: str) -> int: ...
    def scores(self, raw: object, path: str, what: str, known: Mapping[str, int]) -> dict[str, int]: ...
    def named(self, raw: object, path: str, what: str, known: Iterable[str]) -> dict[str, Any]: ...
    def known(self, name: str, path: str, what: str, known: Iterable[str]) -> None: ...
    def text(self, raw: object, path: str) -> str: ...


@dataclass(frozen=True)
class SheetPart:
    """One field of `SheetLine`: its clause, how it follows from a score, and how it is read from a file."""

    key: str
    clause: str
    of: Callable[[PlayerScore], Any]
    read: Callable[[SheetReader, Any, str, Names], Any] = lambda reader, raw, path, names: reader.score(raw, path)


@dataclass(frozen=True)
class DealtDeck:
    """A deck as it came out, by its key of `Deal`: the first after the set-up, and what a move has shuffled."""

    first: Callable[[MapData, Position], list[int]]
    shuffled: Callable[[Position, Position], list[list[int]]]
    card: Callable[[Names], list[str]]


Line: TypeAlias = tuple[int | None, str]  # points, where there are any, and words


@dataclass(frozen=True)
class RecordPart:
    """What a mechanic says about files and games in words.

    `from_deck`: by kind of the kernel's notes, the train card that came out of the deck. `position`, `player`, `sums`:
    what stands in the JSON of a position, of a player there and of a score.
    """

    sheet: tuple[SheetPart, ...] = ()
    decks: Mapping[str, DealtDeck] = field(default_factory=dict)
    from_deck: Mapping[int, Callable[[list[int]], int | None]] = field(default_factory=dict)
    sheet_words: Callable[[PlayerScore, MapData], Iterator[Line]] = lambda score, data: iter(())
    table_words: Callable[[View], Iterator[str]] = lambda view: iter(())
    player_words: Callable[[PlayerView], Iterator[str]] = lambda player: iter(())
    position: Callable[[View], dict[str, Any]] = lambda view: {}
    player: Callable[[PlayerView], dict[str, Any]] = lambda player: {}
    sums: Callable[[PlayerScore], dict[str, Any]] = lambda score: {}


def notes() -> Iterator[list[int]]:
    """The kernel's notes of the last move."""
    w = scratch()
    for i in range(w.event_n):
        yield w.event[i * EVENT : (i + 1) * EVENT]


def from_top(deck: list[int], n: int) -> list[int]:
    return deck[:n][::-1]


def number_of(count: int, thing: str) -> str:
    """So many of a thing."""
    return f"{count} {thing}" if abs(count) == 1 else f"{count} {thing}s"


# ---------------------------------------------------------------- the base game


@dataclass(frozen=True)
class SheetLine:
    """How one player's score came about; the numbers add up to the score."""

    tracks: int
    tickets: Mapping[str, int]  # points with their sign
    longest_path: int = 0
    longest_path_bonus: int = 0
    globetrotter_bonus: int = 0


# What a line begins with, and what comes after the mechanics.
FIRST = (
    SheetPart("tracks", "C-35", lambda score: score.tracks),
    SheetPart(
        "tickets",
        "C-32",
        lambda score: {ticket.ticket: ticket.points for ticket in score.tickets},
        lambda reader, raw, path, names: reader.scores(raw, path, "ticket", names.ticket),
    ),
)
LAST = (
    SheetPart("longest_path", "C-36", lambda score: score.longest_path),
    SheetPart("longest_path_bonus", "C-36", lambda score: score.longest_path_bonus),
    SheetPart("globetrotter_bonus", "AFR-19", lambda score: score.globetrotter_bonus),
)
