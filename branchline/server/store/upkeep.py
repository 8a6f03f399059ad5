"""What an operator does with what is kept: keep somebody out, hand out or erase all about a person, clear up, count.

Functions that take a `Db` run inside a transaction that their caller begins and ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from branchline.server.store import reviews
from branchline.server.store.schema import MIGRATIONS
from branchline.server.store.statements import Db, Row, Value, marks, plain

NOBODY: Final = "?"  # stands where the name or the id of an erased person stood
PURGED_AT_ONCE: Final = 50  # tables of one transaction, so that nobody's move waits long for it
FOUND_AT_ONCE: Final = 10_000


def settle(db: Db, report: int) -> bool:
    return db.run("UPDATE reports SET settled = 1 WHERE id = ?", (report,)) == 1


def ban(db: Db, user: str, reason: str | None) -> bool:
    return db.run("UPDATE users SET banned = ? WHERE id = ?", (plain(reason), user)) == 1


# ---------------------------------------------------------------- all about a person

_EXPORTED: Final = {
    "person": ("users", "id, name, created, seen, lang, holiday, banned, calls", "id = ?"),
    "blocked": ("blocks", "other", "user_id = ?"),
    "tables": ("tables", "id, map, state, created, started, ended, listed, result", "owner = ?"),
    "seats": ("seats", "table_id, seat, name, seed_hex, place, colour", "user_id = ?"),
    "plans": ("plans", "table_id, seat, body", "user_id = ?"),
    "carries": ("carries", "until", "user_id = ?"),
    "chat": ("chat", "table_id, at, seat, phrase, text", "user_id = ?"),
    "reports_made": ("reports", "id, table_id, at, about_seat, reason, context, settled", "by_user = ?"),
    "devices": ("devices", "id, name, endpoint, created, seen", "user_id = ?"),
    "mail": ("mails", "address, asked, confirmed", "user_id = ?"),
    "mail_asked": ("mail_asked", "at", "user_id = ?"),
    "notices": ("notices", "at, table_id, kind, due, done, outcome", "user_id = ?"),
    "reviews": ("reviews", "table_id, at, summary", "table_id IN (SELECT table_id FROM seats WHERE user_id = ?)"),
    "reports_about": ("reports", "table_id, at, about_seat, reason", "about_user = ?"),
}
_MOVES: Final = (
    "SELECT log.table_id, log.seq, log.seat, log.line, log.by, log.at FROM log JOIN seats"
    " ON seats.table_id = log.table_id AND seats.seat = log.seat WHERE seats.user_id = ? ORDER BY 1, 2"
)


def export(db: Db, user: str) -> dict[str, object]:
    """By kind; who said something about this person is not theirs to know."""
    found: dict[str, object] = {}
    for kind, (table, columns, where) in _EXPORTED.items():
        rows = db.rows(f"SELECT {columns} FROM {table} WHERE {where} ORDER BY 1", (user,))
        found[kind] = [_named(columns, row) for row in rows]
    found["moves"] = [_named("table_id, seq, seat, line, by, at", row) for row in db.rows(_MOVES, (user,))]
    return found


def _named(columns: str, row: Row) -> dict[str, Any]:
    return dict(zip(columns.split(", "), row, strict=True))


class Scattered(NamedTuple):
    """Where a person is found by looking through everything: that takes long, so nothing is locked meanwhile."""

    tables: list[str]
    chat: list[int]
    receipts: list[tuple[str, str]]


def scattered(db: Db, user: str) -> Scattered:
    at = "SELECT id FROM tables WHERE owner = ? OR id IN (SELECT table_id FROM seats WHERE user_id = ?) ORDER BY id"
    key = "SELECT table_id, key FROM receipts WHERE substr(key, 1, ?) = ?"
    return Scattered(
        tables=[row[0] for row in db.rows(at, (user, user))],
        chat=[row[0] for row in db.rows("SELECT id FROM chat WHERE user_id = ?", (user,))],
        receipts=[(row[0], row[1]) for row in db.rows(key, (len(user) + 1, f"{user}:"))],
    )


_OF_A_PERSON: Final = ("devices", "mails", "mail_asked", "notices", "carries")


def erase(db: Db, user: str, found: Scattered) -> bool:
    """Their games stay, with a person on their chair whom nobody can be; tables that wait lose them."""
    db.lock(reviews.LOCK)
    for line in found.chat:
        db.run("DELETE FROM chat WHERE id = ?", (line,))
    for place in found.receipts:
        db.run("DELETE FROM receipts WHERE table_id = ? AND key = ?", place)
    for table in found.tables:
        _leave(db, user, table)
    reported = _forget_reports(db, user)
    db.run("DELETE FROM plans WHERE user_id = ?", (user,))
    db.run("DELETE FROM blocks WHERE user_id = ? OR other = ?", (user, user))
    for kept in _OF_A_PERSON:
        db.run(f"DELETE FROM {kept} WHERE user_id = ?", (user,))
    db.run("DELETE FROM notices WHERE by_user = ?", (user,))
    known = db.run("DELETE FROM users WHERE id = ?", (user,))
    return bool(known or reported or any(found))


def _leave(db: Db, user: str, table: str) -> None:
    """Whoever holds the table in memory has to read it again, for its lease is another one now.

    At each table it is another nobody, so that the games of an erased person cannot be found by each other.
    """
    nobody = f"{NOBODY}{secrets.token_hex(8)}"
    emptied = "UPDATE seats SET user_id = NULL, name = '', seed_hex = NULL, place = NULL"
    waits = "(SELECT 1 FROM tables WHERE id = table_id AND state = 'open')"
    db.run(f"{emptied} WHERE table_id = ? AND user_id = ? AND EXISTS {waits}", (table, user))
    seat = "UPDATE seats SET user_id = ?, name = ? WHERE table_id = ? AND user_id = ?"
    db.run(seat, (nobody, NOBODY, table, user))
    db.run("DELETE FROM reviews WHERE table_id = ?", (table,))
    dropped = "UPDATE tables SET state = 'dropped' WHERE id = ? AND owner = ? AND state = 'open'"
    db.run(dropped, (table, user))
    owner = "CASE owner WHEN ? THEN ? ELSE owner END"
    db.run(f"UPDATE tables SET owner = {owner}, holder = NULL, lease = lease + 1 WHERE id = ?", (user, nobody, table))


def _forget_reports(db: Db, user: str) -> bool:
    """What was reported stays reported; whose words and names it was about goes."""
    about = db.run("UPDATE reports SET about_user = NULL, context = '{}' WHERE about_user = ?", (user,))
    by = db.run("UPDATE reports SET by_user = ?, context = '{}' WHERE by_user = ?", (NOBODY, user))
    return bool(about or by)


# ---------------------------------------------------------------- clearing up

_IS_OLD: Final = "(state = 'dropped' AND updated < ? OR state = 'over' AND coalesce(ended, updated) < ?)"
_OF_A_TABLE: Final = ("log", "seats", "snapshots", "chat", "receipts", "plans", "notices", "reviews")


def old_tables(db: Db, ended_before: float) -> list[str]:
    """Some of the tables to delete, none if none is left. They are over for good: nothing has to be locked to look."""
    sql = f"SELECT id FROM tables WHERE {_IS_OLD} ORDER BY id LIMIT ?"
    return [row[0] for row in db.rows(sql, (ended_before, ended_before, FOUND_AT_ONCE))]


def purge(db: Db, tables: Sequence[str]) -> dict[str, int]:
    """Delete tables with all that belongs to them. Reports stay."""
    db.lock(reviews.LOCK)
    among, ids = marks(tables)
    deleted = {name: db.run(f"DELETE FROM {name} WHERE table_id IN {among}", ids) for name in _OF_A_TABLE}
    deleted["tables"] = db.run(f"DELETE FROM tables WHERE id IN {among}", ids)
    return deleted


def purgeable(db: Db, ended_before: float) -> dict[str, int]:
    """How much would be deleted in all."""
    old = f"SELECT id FROM tables WHERE {_IS_OLD}"
    when = (ended_before, ended_before)
    found = {table: _count(db, f"{table} WHERE table_id IN ({old})", when) for table in _OF_A_TABLE}
    found["tables"] = _count(db, f"tables WHERE {_IS_OLD}", when)
    return found if found["tables"] else {}


def counts(db: Db) -> dict[str, object]:
    """How much there is; of what could be hundreds of millions nobody asks."""
    found: dict[str, object] = {name: _count(db, name) for name in ("users", "keys")}
    found["tables"] = dict(db.rows("SELECT state, count(*) FROM tables GROUP BY state ORDER BY state"))
    found["broken"] = _count(db, "tables WHERE broken IS NOT NULL")
    found["banned"] = _count(db, "users WHERE banned IS NOT NULL")
    found["reports"] = _count(db, "reports WHERE settled = 0")
    found["processes"] = _processes(db)
    version, compatible = db.rows("SELECT version, compatible FROM schema_version")[0]
    return {**found, "schema": version, "compatible": compatible, "program": len(MIGRATIONS)}


def _count(db: Db, what: str, args: Sequence[Value] = ()) -> int:
    return int(db.rows(f"SELECT count(*) FROM {what}", args)[0][0])


def _processes(db: Db) -> list[dict[str, object]]:
    now = db.now()
    rows = db.rows("SELECT id, address, seen_db FROM processes WHERE until > ? ORDER BY id", (now,))
    return [{"id": row[0], "address": row[1], "seen": round(now - row[2], 1)} for row in rows]
