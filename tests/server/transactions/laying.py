"""Games laid on the table in the middle: their logs are played once, and written down as if people had played them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from branchline.server import wire
from branchline.server.tables import making
from branchline.server.tables.course import Course, Entry
from branchline.server.tables.keeping import change_of
from branchline.server.tables.rows import LogRow
from branchline.server.tables.state import Chair, Over, Playing, Waiting
from branchline.server.thinking import jobs
from branchline.server.wire.facts import map_of
from branchline.server.wire.views import offers_of
from tests.server.transactions.stage import Stage

SEED = 1900


@cache
def whole_game() -> tuple[Entry, ...]:
    """A game of two to its end."""
    course, rng = _begun(), random.Random(5)
    log: list[Entry] = []
    while not course.game.is_over:
        seat = course.game.to_act[0]
        lines = _offers(course, seat)
        claims = [line for line in lines if line.startswith("claim")]
        log.append(course.play(seat, rng.choice(claims or lines), "player").entry)
    return tuple(log)


@cache
def before_a_claim() -> tuple[tuple[Entry, ...], str]:
    """A game up to a claim whose payment has to be chosen, and that claim's line."""
    course, rng = _begun(), random.Random(7)
    log: list[Entry] = []
    while True:
        seat = course.game.to_act[0]
        lines = _offers(course, seat)
        for line in lines:
            if line.startswith("claim") and not course.copy().play(seat, line, "player").events:
                return tuple(log), line
        draws = [line for line in lines if line.startswith("draw")]
        log.append(course.play(seat, rng.choice(draws or lines), "player").entry)


def _begun() -> Course:
    return Course.begin(map_of("usa"), 2, SEED)


def _offers(course: Course, seat: int) -> list[str]:
    return offers_of(course.game.view(seat))


def lay(stage: Stage, log: Sequence[Entry], *, over: bool = False) -> str:
    """A game of Ada and Bo as it stands after this log."""

    async def write() -> str:
        now = stage.service.steady.now()
        table = await asyncio.to_thread(_played, stage, log, over, now)
        rows = [LogRow(e.seq, e.seat, e.line, e.by, f"{e.seat}:laid-{e.seq}", now) for e in log]
        await stage.service.store.write((None, change_of(None, table, now, log=rows)))
        return table.agreed.id

    return stage.running.run(write())


def _played(stage: Stage, log: Sequence[Entry], over: bool, now: float) -> Playing | Over:
    ada, bo = stage.ada.id, stage.bo.id
    kept = stage.service.promises.kept(stage.service.promises.new(ada).ticket, ada)
    assert kept is not None
    seats = [wire.SeatRequest("me"), wire.SeatRequest("open")]
    request = wire.NewTable(map="usa", seats=seats, order="fixed", seed=SEED)
    waiting = making.new_table(request, ada, "Ada", kept, stage.service.roster, now)
    assert isinstance(waiting, Waiting)
    playing = making.dealt(replace(waiting, chairs=(waiting.chairs[0], Chair(user=bo, name="Bo", colour=1))), now)
    for entry in log:
        playing.course.play(entry.seat, entry.line, entry.by)
    if not over:
        return playing
    course = playing.course
    result = jobs.finale("usa", course.game.position.to_bytes())
    return Over(playing.agreed, ada, playing.chairs, now, playing.dealt, course, now, result)
