"""What is written, as SQL in the words that SQLite and PostgreSQL share; `?` stands for a value.

Functions that take a `Db` run inside a transaction that their caller begins and ends.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from branchline.server.store.contract import ALIVE_SECONDS, KeyRow, Lease, NotHolder
from branchline.server.tables.rows import ChairRow, Change, PlanRow, SnapshotRow, TableRow

Value: TypeAlias = str | int | float | bytes | None
Row: TypeAlias = tuple[Any, ...]

FORGOTTEN_SECONDS: Final = 90 * 86400.0


class Db(Protocol):
    """A connection to either database."""

    def rows(self, sql: str, args: Sequence[Value] = ()) -> list[Row]:
        """What a query finds."""

    def run(self, sql: str, args: Sequence[Value] = ()) -> int:
        """Do it, and how many rows it touched."""

    def now(self) -> float:
        """The store's time."""

    def lock(self, what: str) -> None:
        """Nobody else who locks the same goes on before this transaction ends."""


class Step(NamedTuple):
    """One statement of a write. Where `fenced`, it must touch a row, else another process holds the table.

    `quick` does the same for the usual case, and touches no row in others; PostgreSQL does not need it.
    """

    sql: str
    args: Sequence[Value]
    fenced: bool = False
    quick: str = ""


# ---------------------------------------------------------------- a change at a table

_FREE_COLUMNS: Final = (
    "map", "map_hash", "rules", "started", "ended", "commitment", "server_seed", "deal_key", "seed", "rematch_of",
    "rematch", "result", "to_act", "updated", "moment", "written_by",
)  # fmt: skip
_INDEXED: Final = ("state", "listed", "created", "owner", "options", "broken")  # which a move leaves as they are
_COLUMNS: Final = _FREE_COLUMNS + _INDEXED
_UPDATE: Final = f"UPDATE tables SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE id = ? AND lease = ?"
# SQLite writes every index anew of which a column is named after SET, also where its value stays.
_UPDATE_QUICKLY: Final = (
    f"UPDATE tables SET {', '.join(f'{name} = ?' for name in _FREE_COLUMNS)}"
    f" WHERE {' AND '.join(f'+{name} IS ?' for name in _INDEXED)} AND id = ? AND lease = ?"
)
_INSERT: Final = (
    f"INSERT INTO tables ({', '.join(_COLUMNS)}, id, lease, holder) VALUES ({'?, ' * len(_COLUMNS)}?, 1, ?)"
)
_SEAT: Final = "(?, ?, ?, ?, ?, ?, ?, ?)"
_SEATS: Final = "INSERT INTO seats (table_id, seat, user_id, bot, name, seed_hex, place, colour) VALUES "
_LOG: Final = "INSERT INTO log (table_id, seq, seat, line, by, cid, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
_SNAPSHOT: Final = (
    "INSERT INTO snapshots (table_id, body, seq, layout) VALUES (?, ?, ?, ?) ON CONFLICT (table_id)"
    " DO UPDATE SET body = excluded.body, seq = excluded.seq, layout = excluded.layout"
)
_CHAT: Final = "INSERT INTO chat (table_id, at, user_id, seat, phrase, text) VALUES (?, ?, ?, ?, ?, ?)"
_REPORT: Final = (
    "INSERT INTO reports (table_id, at, by_user, about_seat, about_user, reason, context) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
# The latest notice takes the place of those that wait for a person at a table. One that is on its way is left alone,
# and what was told already takes nobody's place. A turn may be told in other ways than a nudge: it waits beside it.
_NOTICE_BEFORE: Final = (
    "DELETE FROM notices WHERE table_id = ? AND user_id = ? AND done IS NULL AND taken IS NULL AND at <= ?"
    " AND (kind <> 'turn' OR ? <> 'nudge') AND NOT EXISTS (SELECT 1 FROM notices AS same WHERE same.table_id = ?"
    " AND same.user_id = ? AND same.kind = ? AND same.seq = ?)"
)
_NOTICE: Final = (
    "INSERT INTO notices (table_id, user_id, kind, seq, by_user, at, due) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_RECEIPT: Final = "INSERT INTO receipts (table_id, key, at) VALUES (?, ?, ?)"

_PLAN: Final = (
    "INSERT INTO plans (table_id, seat, user_id, body) VALUES (?, ?, ?, ?) ON CONFLICT (table_id, seat)"
    " DO UPDATE SET user_id = excluded.user_id, body = excluded.body"
)
_NO_PLAN: Final = "DELETE FROM plans WHERE table_id = ? AND seat = ?"


def steps_of(me: str, changes: Sequence[tuple[Lease | None, Change]]) -> list[Step]:
    """All statements of one write; `me` is the process that writes."""
    steps: list[Step] = []
    for lease, change in changes:
        steps.append(_table(me, lease, change))
        _around(change, steps)
    return steps


def _table(me: str, lease: Lease | None, change: Change) -> Step:
    row = change.table
    if change.new:
        return Step(_INSERT, (*_values(me, row), row.id, me))
    if lease is None or lease.table != row.id:
        raise ValueError(f"a change at table {row.id} under the lease {lease}")
    return Step(_UPDATE, (*_values(me, row), row.id, lease.number), True, _UPDATE_QUICKLY)


def _values(me: str, row: TableRow) -> tuple[Value, ...]:
    return (
        row.map, row.map_hash, row.rules, row.started, row.ended, row.commitment, row.server_seed, row.deal_key,
        row.seed, row.rematch_of, row.rematch, row.result, row.to_act, row.updated, row.moment,
        me if row.moment is not None else None,
        row.state, int(row.listed), row.created, row.owner, row.options, row.broken,
    )  # fmt: skip


def _around(change: Change, steps: list[Step]) -> None:
    """What is written beside the table's own row."""
    table = change.table.id
    if change.chairs is not None:
        steps.extend(_chairs(table, change.chairs, change.new))
    for entry in change.log:
        steps.append(Step(_LOG, (table, entry.seq, entry.seat, entry.line, entry.by, entry.cid, entry.at)))
    if change.snapshot is not None:
        steps.append(_snapshot(table, change.snapshot))
    if (said := change.chat) is not None:
        steps.append(Step(_CHAT, (table, said.at, said.user, said.seat, said.phrase, plain(said.text))))
    if (told := change.report) is not None:
        about = (told.about_seat, told.about_user, plain(told.reason), plain(told.context))
        steps.append(Step(_REPORT, (table, told.at, told.by_user, *about)))
    steps.extend(_plan(table, row) for row in change.plans)
    for notice in change.notices:
        key = (table, notice.user, notice.kind, notice.seq)
        steps.append(Step(_NOTICE_BEFORE, (table, notice.user, notice.at, notice.kind, *key)))
        steps.append(Step(_NOTICE, (*key, notice.by, notice.at, notice.at)))
    if change.receipt is not None:
        steps.append(Step(_RECEIPT, (table, change.receipt, time.time())))


def _chairs(table: str, chairs: Sequence[ChairRow], new: bool) -> list[Step]:
    steps = [] if new else [Step("DELETE FROM seats WHERE table_id = ?", (table,))]
    if chairs:
        values = [v for c in chairs for v in (table, c.seat, c.user, c.bot, c.name, c.seed, c.place, c.colour)]
        steps.append(Step(_SEATS + ", ".join([_SEAT] * len(chairs)), values))
    return steps


def _snapshot(table: str, kept: SnapshotRow) -> Step:
    return Step(_SNAPSHOT, (table, kept.body, kept.seq, kept.layout))


def _plan(table: str, row: PlanRow) -> Step:
    if row.body is None:
        return Step(_NO_PLAN, (table, row.seat))
    return Step(_PLAN, (table, row.seat, row.user, row.body))


def plain(text: str | None) -> str | None:
    """Text of strangers as both databases take it: PostgreSQL keeps no character of number 0."""
    return text.replace("\0", "\ufffd") if text is not None and "\0" in text else text


def marks(values: Sequence[Value]) -> tuple[str, list[Value]]:
    """A list for IN. The last value is repeated, up to a power of two: else each length were a statement of its own."""
    size = 1 << (len(values) - 1).bit_length()
    return f"({', '.join('?' * size)})", [*values, *[values[-1]] * (size - len(values))]


def do_steps(db: Db, steps: Sequence[Step]) -> None:
    """One after the other; raises `NotHolder`."""
    for sql, args, fenced, quick in steps:
        if quick and db.run(quick, args) == 1:
            continue
        if db.run(sql, args) != 1 and fenced:
            raise NotHolder("another process holds this table")


# ---------------------------------------------------------------- holding a table

_DEAD: Final = "NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = tables.holder AND until > ?)"
FREE: Final = f"(holder IS NULL OR holder = ? OR {_DEAD})"  # for me to take: values me, now


def take(db: Db, me: str, table: str) -> int | str | None:
    """The number of the lease; or the name of the living process that holds the table; None if there is none."""
    taken = db.rows(
        f"UPDATE tables SET lease = lease + 1, holder = ? WHERE id = ? AND {FREE} RETURNING lease",
        (me, table, me, db.now()),
    )
    if taken:
        return int(taken[0][0])
    held = db.rows("SELECT holder FROM tables WHERE id = ?", (table,))
    return str(held[0][0]) if held else None


def release(db: Db, lease: Lease) -> None:
    """The number grows here too: who has let go cannot write any more."""
    let_go = "UPDATE tables SET holder = NULL, lease = lease + 1 WHERE id = ? AND lease = ?"
    db.run(let_go, (lease.table, lease.number))


def beat(db: Db, me: str, address: str, steady: float) -> float:
    now = db.now()
    db.run(
        "INSERT INTO processes (id, address, seen_db, until, steady) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
        " SET seen_db = excluded.seen_db, until = excluded.until, steady = excluded.steady",
        (me, address, now, now + ALIVE_SECONDS, steady),
    )
    return now


def bury(db: Db, me: str) -> None:
    """This process lives no longer; its last steady time stays, for the clocks of what it wrote."""
    db.run("UPDATE processes SET until = 0 WHERE id = ?", (me,))


def register(db: Db, me: str, address: str) -> None:
    """Make a process known, and forget those long gone; the clocks of what they wrote last count no time since."""
    now = beat(db, me, address, 0.0)
    db.run("DELETE FROM processes WHERE seen_db < ?", (now - FORGOTTEN_SECONDS,))


def put_aside(db: Db, table: str, reason: str | None) -> None:
    db.run("UPDATE tables SET broken = ? WHERE id = ?", (plain(reason), table))


# ---------------------------------------------------------------- people and keys


def put_user(db: Db, user: str, name: str, lang: str | None, at: float, holiday: str | EllipsisType | None) -> None:
    db.run(
        "INSERT INTO users (id, name, created, seen, lang) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
        " SET name = excluded.name, seen = excluded.seen",
        (user, plain(name), at, at, lang or "en"),
    )
    if lang is not None:
        db.run("UPDATE users SET lang = ? WHERE id = ?", (lang, user))
    if not isinstance(holiday, EllipsisType):
        db.run("UPDATE users SET holiday = ? WHERE id = ?", (holiday, user))


def put_calls(db: Db, user: str, calls: str) -> None:
    db.run("UPDATE users SET calls = ? WHERE id = ?", (calls, user))


def put_block(db: Db, user: str, other: str, blocked: bool) -> None:
    if blocked:
        db.run("INSERT INTO blocks (user_id, other) VALUES (?, ?) ON CONFLICT DO NOTHING", (user, other))
    else:
        db.run("DELETE FROM blocks WHERE user_id = ? AND other = ?", (user, other))


def put_carry(db: Db, user: str, phrase: str, link: str, until: float) -> None:
    """The one before is good no more; those of others that are over go, too."""
    db.run("DELETE FROM carries WHERE until <= ?", (db.now(),))
    db.run(
        "INSERT INTO carries (user_id, by_words, by_link, until) VALUES (?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE"
        " SET by_words = excluded.by_words, by_link = excluded.by_link, until = excluded.until, used = NULL",
        (user, phrase, link, until),
    )


def use_carry(db: Db, digest: str, key: str) -> str | None:
    """Whose it was, to the first who asks: of two at the same moment one waits for the other and finds it used."""
    found = db.rows(
        "UPDATE carries SET used = ? WHERE (by_words = ? OR by_link = ?) AND until > ? AND (used IS NULL OR used = ?)"
        " RETURNING user_id",
        (key, digest, digest, db.now(), key),
    )
    return str(found[0][0]) if found else None


def add_key(db: Db, key: KeyRow, retire: bool, ends: float | None) -> None:
    if retire:
        _retire(db, key.purpose, key.created, ends)
    db.run(
        "INSERT INTO keys (purpose, id, secret, created, retired, ends) VALUES (?, ?, ?, ?, ?, ?)",
        (key.purpose, key.id, key.secret, key.created, key.retired, key.ends),
    )


def _retire(db: Db, purpose: str, at: float, ends: float | None) -> None:
    """No key of a purpose is used from now on; none lasts longer than it would have anyway."""
    db.run("UPDATE keys SET retired = ? WHERE purpose = ? AND retired IS NULL", (at, purpose))
    if ends is not None:
        db.run("UPDATE keys SET ends = ? WHERE purpose = ? AND (ends IS NULL OR ends > ?)", (ends, purpose, ends))
