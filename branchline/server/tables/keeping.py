"""From a table to its rows: what is written down of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

import msgspec

from branchline.mechanics.composed import Position
from branchline.server.tables.commands import OfPerson
from branchline.server.tables.course import Course, Done
from branchline.server.tables.moment import write_clocks, write_moment
from branchline.server.tables.rows import ChairRow, Change, ChatRow, LogRow, PlanRow, ReportRow, SnapshotRow, TableRow
from branchline.server.tables.state import Chairs, Dropped, Options, Over, Plan, Playing, Table, Waiting
from branchline.version import RULES_VERSION

SNAPSHOT_EVERY = 32
LAYOUT = sha256(repr((Position.SIZE, Position.FIELDS)).encode()).hexdigest()[:16]  # of a stored position


def change_of(
    before: Table | None,
    after: Table,
    now: float,
    *,
    log: Sequence[LogRow] = (),
    chat: ChatRow | None = None,
    report: ReportRow | None = None,
    asked: OfPerson | None = None,
) -> Change:
    """What to write so that `after` stands in the store where `before` stood."""
    moved_chairs = before is None or before.chairs is not after.chairs
    return Change(
        table=row_of(after, now),
        new=before is None,
        chairs=chair_rows(after) if moved_chairs or isinstance(after, Over | Dropped) else None,
        log=tuple(log),
        snapshot=_snapshot(before, after),
        chat=chat,
        report=report,
        receipt=receipt_of(asked) if asked else None,
    )


def plan_rows(chairs: Chairs, before: Sequence[Plan], after: Sequence[Plan]) -> tuple[PlanRow, ...]:
    """The plans that are others now, and those that are no more."""
    now = {plan.seat: plan for plan in after}
    gone = [PlanRow(plan.seat, chairs[plan.seat].user or "", None) for plan in before if plan.seat not in now]
    new = [PlanRow(plan.seat, chairs[plan.seat].user or "", write_plan(plan)) for plan in after if plan not in before]
    return (*gone, *new)


def write_plan(plan: Plan) -> str:
    return msgspec.json.encode(plan).decode()


def receipt_of(command: OfPerson) -> str | None:
    """The key by which a person's command is known when it comes again, if they gave one."""
    return f"{command.user}:{command.cid}" if command.cid else None


def row_of(table: Table, now: float) -> TableRow:
    agreed = table.agreed
    dealt = None if isinstance(table, Waiting) else table.dealt
    return TableRow(
        id=agreed.id,
        map=agreed.map.id,
        map_hash=agreed.map.hash,
        rules=RULES_VERSION,
        options=_options(agreed.options),
        state=table.state,
        created=agreed.created,
        started=dealt.started if dealt else None,
        ended=table.ended if isinstance(table, Over) else None,
        owner=table.owner,
        listed=agreed.listed,
        commitment=agreed.commitment,
        server_seed=agreed.server_seed,
        deal_key=agreed.deal_key,
        seed=dealt.seed if dealt else table.chosen_seed if isinstance(table, Waiting) else None,
        rematch_of=agreed.rematch_of,
        rematch=table.rematch if isinstance(table, Over) else None,
        result=table.result.decode() if isinstance(table, Over) else None,
        to_act=json.dumps(list(table.course.game.to_act)) if isinstance(table, Playing) else "[]",
        updated=table.updated,
        moment=_moment(table, now),
    )


def chair_rows(table: Table) -> tuple[ChairRow, ...]:
    """The chairs as they stand now; `place` keeps the order of sitting down."""
    placed = table.dealt.placed if isinstance(table, Playing | Over | Dropped) and table.dealt else ()
    sat = {seat: place for place, seat in enumerate(placed)}
    return tuple(
        ChairRow(seat, chair.user, chair.bot, chair.name, chair.seed, sat.get(seat), chair.colour)
        for seat, chair in enumerate(table.chairs)
    )


def log_rows(dones: Sequence[Done], cid: str | None, now: float) -> list[LogRow]:
    """The lines of one move; its key stands at the last."""
    rows = [LogRow(e.seq, e.seat, e.line, e.by, None, now) for e in (done.entry for done in dones)]
    last = rows[-1]
    return [*rows[:-1], LogRow(last.seq, last.seat, last.line, last.by, cid, last.at)]


def snapshot_due(course: Course, kept_at: int) -> bool:
    """Whether to write the whole position down: from time to time, and never while something can be undone."""
    return course.seq - kept_at >= SNAPSHOT_EVERY and not course.silent


def _snapshot(before: Table | None, after: Table) -> SnapshotRow | None:
    if not isinstance(after, Playing) or not isinstance(before, Playing) or before.kept_at == after.kept_at:
        return None
    found = after.course.snapshot()
    return SnapshotRow(msgspec.msgpack.encode(found), after.course.seq, LAYOUT) if found else None


def _moment(table: Table, now: float) -> str | None:
    if isinstance(table, Playing):
        return write_moment(table, now)
    if isinstance(table, Over) and table.clock is not None:
        return write_clocks(table.clock)
    if isinstance(table, Waiting) and (table.removed or table.expected):
        return json.dumps({"since": 0.0, "removed": sorted(table.removed), "expected": sorted(table.expected)})
    return None


@lru_cache(maxsize=256)
def _options(options: Options) -> str:
    return msgspec.json.encode(options).decode()
