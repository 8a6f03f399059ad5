"""A room from the store: the game is its log, played again from the last snapshot."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from branchline.server.clocks import Clock
from branchline.server.course import Course, Entry, Snapshot
from branchline.server.rooms import Room
from branchline.server.tables import Table

if TYPE_CHECKING:
    from branchline.server.service import Service


# Made when the service starts: a decoder looks at its type when it is made, which leaves a circle (collector.py).
_SNAPSHOT = msgspec.msgpack.Decoder(Snapshot)


def restored(
    service: Service,
    table: Table,
    rows: Iterable[tuple[Entry, float, str | None]],
    snapshot: tuple[bytes, int] | None,
    pause: str | None = None,
) -> Room:
    """The room of a game from its log; blocking, for a thread."""
    course: Course | None = None
    clock: Clock | None = None
    if table.state in ("playing", "over"):
        log = list(rows)
        course = _course(table, [entry for entry, _, _ in log], snapshot)
        clock = _clock(service, table, course, [(at, json.loads(left)) for _, at, left in log[-1:] if left], pause)
    room = Room(service, table, course, clock)
    room.presence.paused = pause is not None and table.state == "playing" and json.loads(pause)["paused"]
    return room


def _course(table: Table, log: list[Entry], snapshot: tuple[bytes, int] | None) -> Course:
    assert table.seed is not None
    if snapshot is not None:
        course = Course.restore(table.map, _SNAPSHOT.decode(snapshot[0]), snapshot[1])
    else:
        course = Course.begin(table.map, len(table.chairs), table.seed)
    for entry in log:
        if entry.seq > course.seq:
            course.replay(entry, log)
    return course


def _clock(
    service: Service, table: Table, course: Course, stands: list[tuple[float, list[float]]], pause: str | None
) -> Clock | None:
    """The clocks as they stood last, by the latest entry of the log or by a pause after it."""
    if table.options.clock.kind == "none":
        return None
    clock = Clock(table.options.clock, len(table.chairs), time.monotonic())
    told = json.loads(pause) if pause else None
    if told:
        stands = [*stands, (told["at"], told["left"])]
    if stands:
        at, left = max(stands, key=lambda stand: stand[0])
        gone = 0.0 if told and told["paused"] else service.alive_since(at)
        clock.set_left(max(0.0, n - gone) if s in course.game.to_act else n for s, n in enumerate(left))
    return clock
