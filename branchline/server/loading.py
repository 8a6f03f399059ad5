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


def restored(
    service: Service, table: Table, rows: Iterable[tuple[Entry, float, str | None]], snapshot: tuple[bytes, int] | None
) -> Room:
    """The room of a game from its log; blocking, for a thread."""
    course: Course | None = None
    clock: Clock | None = None
    if table.state in ("playing", "over"):
        course, clock = _course(service, table, list(rows), snapshot)
    return Room(service, table, course, clock)


def _course(
    service: Service, table: Table, rows: list[tuple[Entry, float, str | None]], snapshot: tuple[bytes, int] | None
) -> tuple[Course, Clock | None]:
    assert table.seed is not None
    if snapshot is not None:
        course = Course.restore(table.map, msgspec.msgpack.decode(snapshot[0], type=Snapshot), snapshot[1])
    else:
        course = Course.begin(table.map, len(table.chairs), table.seed)
    log = [entry for entry, _, _ in rows]
    for entry in log:
        if entry.seq > course.seq:
            course.replay(entry, log)
    if table.options.clock.kind == "none":
        return course, None
    clock = Clock(table.options.clock, len(table.chairs), time.monotonic())
    if rows and rows[-1][2]:
        gone = service.alive_since(rows[-1][1])
        left = json.loads(rows[-1][2])
        clock.set_left(max(0.0, n - gone) if s in course.game.to_act else n for s, n in enumerate(left))
    return course, clock
