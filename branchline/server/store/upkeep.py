"""What an operator does with what is kept: keep somebody out, hand out or erase all about a person, clear up, count.

Functions that take a `Db` run inside a transaction that their caller begins and ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final

from branchline.server.store.schema import MIGRATIONS
from branchline.server.store.statements import Db, Row, Value, plain

NOBODY: Final = "?"  # stands where the name or the id of an erased person stood
PURGED_AT_ONCE: Final = 50  # tables of one transaction, so that nobody's move waits long for it


def settle(db: Db, report: int) -> bool:
    return db.run("UPDATE reports SET settled = 1 WHERE id = ?", (report,)) == 1


def ban(db: Db, user: str, reason: str | None) -> bool:
    return db.run("UPDATE users SET banned = ? WHERE id = ?", (plain(reason), user)) == 1


# ---------------------------------------------------------------- all about a person

_EXPORTED: Final = {
    "person": ("users", "id, name, created, seen, lang, holiday, banned", "id = ?"),
    "blocked": ("blocks", "other", "user_id = ?"),
    "tables": ("tables", "id, map, state, created, started, ended, listed, result", "owner = ?"),
    "seats": ("seats", "table_id, seat, name, seed_hex, place", "user_id = ?"),
    "chat": ("chat", "table_id, at, seat, phrase, text", "user_id = ?"),
    "reports_made": ("reports", "id, table_id, at, about_seat, reason, context, settled", "by_user = ?"),
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


def erase(db: Db, user: str) -> bool:
    """Their games stay, with a person on their chair whom nobody can be; tables that wait lose them."""
    known = _leave_open_tables(db, user)
    known |= _leave_games(db, user)
    known |= _forget_words(db, user)
    db.run("DELETE FROM receipts WHERE substr(key, 1, ?) = ?", (len(user) + 1, f"{user}:"))
    db.run("DELETE FROM blocks WHERE user_id = ? OR other = ?", (user, user))
    return bool(db.run("DELETE FROM users WHERE id = ?", (user,))) or known


def _leave_open_tables(db: Db, user: str) -> bool:
    """Whoever holds such a table in memory has to read it again: its lease is another one now."""
    mine = "SELECT table_id FROM seats WHERE user_id = ?"
    touched = db.run(
        "UPDATE tables SET holder = NULL, lease = lease + 1, state = CASE owner WHEN ? THEN 'dropped' ELSE state END"
        f" WHERE state = 'open' AND (owner = ? OR id IN ({mine}))",
        (user, user, user),
    )
    db.run(
        "UPDATE seats SET user_id = NULL, name = '', seed_hex = NULL, place = NULL WHERE user_id = ?"
        " AND table_id IN (SELECT id FROM tables WHERE state IN ('open', 'dropped') AND started IS NULL)",
        (user,),
    )
    return bool(touched)


def _leave_games(db: Db, user: str) -> bool:
    """At each game under another id, so that the games of an erased person cannot be found by each other."""
    rows = db.rows(
        "SELECT id FROM tables WHERE owner = ? OR id IN (SELECT table_id FROM seats WHERE user_id = ?) ORDER BY id",
        (user, user),
    )
    for (table,) in rows:
        nobody = f"{NOBODY}{secrets.token_hex(8)}"
        seat = "UPDATE seats SET user_id = ?, name = ? WHERE table_id = ? AND user_id = ?"
        db.run(seat, (nobody, NOBODY, table, user))
        db.run(
            "UPDATE tables SET owner = CASE owner WHEN ? THEN ? ELSE owner END, holder = NULL, lease = lease + 1"
            " WHERE id = ?",
            (user, nobody, table),
        )
    return bool(rows)


def _forget_words(db: Db, user: str) -> bool:
    """What they said goes, from reports about others too, where it was kept as the context."""
    said = db.run("DELETE FROM chat WHERE user_id = ?", (user,))
    about = db.run("UPDATE reports SET about_user = NULL, context = '{}' WHERE about_user = ?", (user,))
    by = db.run("UPDATE reports SET by_user = ?, context = '{}' WHERE by_user = ?", (NOBODY, user))
    return bool(said or about or by)


# ---------------------------------------------------------------- clearing up

_IS_OLD: Final = "(state = 'dropped' AND updated < ? OR state = 'over' AND coalesce(ended, updated) < ?)"
_OF_A_TABLE: Final = ("log", "seats", "snapshots", "chat", "receipts")


def purge_some(db: Db, ended_before: float) -> dict[str, int]:
    """Delete a few old tables, with all that belongs to them; nothing when none is left. Reports stay."""
    few = f"SELECT id FROM tables WHERE {_IS_OLD} ORDER BY id LIMIT ?"
    old = db.rows(few, (ended_before, ended_before, PURGED_AT_ONCE))
    deleted: dict[str, int] = {}
    if old:
        ids: Sequence[Value] = [row[0] for row in old]
        among = f"({', '.join('?' * len(ids))})"
        for table in _OF_A_TABLE:
            deleted[table] = db.run(f"DELETE FROM {table} WHERE table_id IN {among}", ids)
        deleted["tables"] = db.run(f"DELETE FROM tables WHERE id IN {among}", ids)
    return deleted


def purgeable(db: Db, ended_before: float) -> dict[str, int]:
    """How much `purge_some` would delete in all."""
    old = f"SELECT id FROM tables WHERE {_IS_OLD}"
    when = (ended_before, ended_before)
    found = {table: _count(db, f"{table} WHERE table_id IN ({old})", when) for table in _OF_A_TABLE}
    found["tables"] = _count(db, f"tables WHERE {_IS_OLD}", when)
    return found if found["tables"] else {}


def counts(db: Db) -> dict[str, object]:
    """How much there is of everything; both databases count quickly enough for a question an operator asks."""
    found: dict[str, object] = {name: _count(db, name) for name in ("users", "log", "chat", "keys")}
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
