"""The course of one game: its log, played. The same code plays a move as it comes, a log after a restart, a history.

What a reader is told is counted for each reader apart: a choice that others may not know to have happened (which
payment, before a claim is complete) must not show in their numbers (I-05).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from branchline.events import AskedAnew, Event, Reader
from branchline.game import Game
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.server import wire
from branchline.server.wire.derived import TakenBack, event_wire
from branchline.server.wire.views import events_for

UNDO = "undo"  # "undo 37": to after entry 37; nobody else learned of what came after it
BACK = "back"  # "back 30": likewise, agreed by all, who had seen it

OWN = ("player", "plan")  # who chose for a seat: its owner, now or before


class Entry(NamedTuple):
    """One line of a game's log."""

    seq: int
    seat: int
    line: str
    by: str


class Done(NamedTuple):
    """An entry and what it did."""

    entry: Entry
    events: tuple[Event, ...]
    told: tuple[int, ...]  # by reader, after it


class Snapshot(msgspec.Struct, frozen=True):
    """A course at an entry from which nothing can be undone."""

    position: bytes
    told: list[int]
    asked: list[int]


class SeenPosition(msgspec.Struct, frozen=True):
    """A position as a seat may know it, under the number by which its reader knows it."""

    map: str
    reader: int
    seq: int
    position: bytes


@dataclass(slots=True)
class Course:
    """A game with the numbers its readers know it by. Readers are the seats, and last the spectators."""

    game: Game
    seq: int
    told: list[int]
    asked: list[int]  # by seat: the number the reader was at when the present question was put
    silent: list[tuple[int, int, Game]]  # (entry before, seat, game before) of choices nobody else learned of

    @classmethod
    def begin(cls, data: MapData, players: int, seed: int) -> Course:
        game = Game.new(data, players, seed=seed)
        return cls(game, 0, [1] * (players + 1), [1] * players, [])

    @classmethod
    def restore(cls, data: MapData, snapshot: Snapshot, seq: int) -> Course:
        game = Game.at(data, Position.from_bytes(snapshot.position))
        return cls(game, seq, snapshot.told.copy(), snapshot.asked.copy(), [])

    def snapshot(self) -> Snapshot | None:
        """The course to go on from, or None while something can be undone."""
        if self.silent:
            return None
        return Snapshot(self.game.position.to_bytes(), self.told.copy(), self.asked.copy())

    def copy(self) -> Course:
        return Course(self.game.copy(), self.seq, self.told.copy(), self.asked.copy(), self.silent.copy())

    def reader_number(self, reader: Reader) -> int:
        return self.told[-1 if reader is None else reader]

    def seen_by(self, seat: int) -> SeenPosition:
        game = self.game
        return SeenPosition(game.map.id, seat, self.reader_number(seat), game.view(seat).to_bytes())

    # ------------------------------------------------------------ playing

    def play(self, seat: int, line: str, by: str) -> Done:
        """Play a line; an illegal one raises and changes nothing."""
        awaited = set(self.game.to_act)
        before = self.game.copy()
        events = self.game.play(line, seat)
        if events:
            self.told = [n + 1 for n in self.told]
            self.silent.clear()
        else:
            self.told[seat] += 1
            self.silent.append((self.seq, seat, before))
        self.seq += 1
        self._put_questions(awaited - {seat})
        return Done(Entry(self.seq, seat, line, by), events, tuple(self.told))

    def _put_questions(self, asked_already: set[int]) -> None:
        for seat in self.game.to_act:
            if seat not in asked_already:
                self.asked[seat] = self.told[seat]

    def can_undo(self, seat: Reader) -> bool:
        return bool(self.silent) and self.silent[-1][1] == seat

    def undo(self, seat: int) -> Done:
        """Take back all the seat chose since others last learned something."""
        assert self.can_undo(seat)
        while self.can_undo(seat):
            to, _, self.game = self.silent.pop()
        self.seq += 1
        self.told[seat] += 1
        self.asked[seat] = self.told[seat]
        return Done(Entry(self.seq, seat, f"{UNDO} {to}", "player"), (), tuple(self.told))

    def back(self, seat: int, to: int, game: Game) -> Done:
        """Take back what all have seen: `game` stands after entry `to`."""
        self.game = game
        self.silent.clear()
        self.seq += 1
        self.told = [n + 1 for n in self.told]
        self.asked = self.told[:-1]
        return Done(Entry(self.seq, seat, f"{BACK} {to}", "player"), (), tuple(self.told))

    # ------------------------------------------------------------ playing a log

    def replay(self, entry: Entry, log: list[Entry]) -> Done:
        """Play an entry of the log; `log` is all of it, for entries that go back."""
        word, _, rest = entry.line.partition(" ")
        if word == UNDO:
            return self.undo(entry.seat)
        if word == BACK:
            to = int(rest)
            return self.back(entry.seat, to, game_after(self.game, log, to))
        return self.play(entry.seat, entry.line, entry.by)


def told_by(entry: Entry, reader: Reader) -> str:
    """Who chose, as a reader may know it: that somebody had a plan is theirs alone."""
    return "player" if entry.by == "plan" and entry.seat != reader else entry.by


def effective(log: Iterable[Entry], until: int | None = None) -> list[Entry]:
    """The entries that still count: what was undone or taken back is left out."""
    kept: list[Entry] = []
    for entry in log:
        if until is not None and entry.seq > until:
            break
        word, _, rest = entry.line.partition(" ")
        if word in (UNDO, BACK):
            to = int(rest)
            kept = [e for e in kept if e.seq <= to]
        else:
            kept.append(entry)
    return kept


def game_after(game: Game, log: list[Entry], to: int) -> Game:
    """The game as it stood after an entry: the deal and all that counted then, played again."""
    again = Game.new(game.map, game.players, seed=game.position.seed)
    for entry in effective(log, to):
        again.play(entry.line, entry.seat)
    return again


def before_last_turn(game: Game, log: list[Entry], seat: int) -> int | None:
    """The entry before the latest turn, or choice of tickets, that the seat made itself; None if there is none."""
    kept = effective(log)
    again = Game.new(game.map, game.players, seed=game.position.seed)
    begins = [True]  # by entry: whether everybody was asked anew before it
    for entry in kept:
        together, phase = again.all_choose, again.phase
        events = again.play(entry.line, entry.seat)
        asked_anew = any(isinstance(event, AskedAnew) for event in events)
        begins.append(asked_anew or (together and again.phase != phase))
    first = max((i for i, entry in enumerate(kept) if entry.seat == seat and entry.by in OWN), default=-1)
    if first < 0:
        return None
    while kept[first - 1].seat == seat and not begins[first]:
        first -= 1
    return kept[first].seq - 1


def history(data: MapData, players: int, seed: int, log: list[Entry], reader: Reader) -> list[wire.StepWire]:
    """All that a reader may know to have happened, in its own numbers; step 1 is the deal."""
    course = Course.begin(data, players, seed)
    steps = [(0, wire.StepWire(1, None, "deal", events_for(course.game.first_events, reader)))]
    at = -1 if reader is None else reader
    for entry in log:
        done = course.replay(entry, log)
        word, _, rest = entry.line.partition(" ")
        if word == BACK:
            steps = [(seq, step) for seq, step in steps if seq <= int(rest)]
            taken = event_wire(TakenBack(entry.seat))
            steps.append((entry.seq, wire.StepWire(done.told[at], entry.seat, entry.by, [taken])))
        elif done.events:
            told = events_for(done.events, reader)
            steps.append((entry.seq, wire.StepWire(done.told[at], entry.seat, told_by(entry, reader), told)))
    return [step for _, step in steps]
