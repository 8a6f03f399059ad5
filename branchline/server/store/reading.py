"""What is read: queries in the words that both databases share, and their rows as the service knows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from branchline.server.store.contract import KeyRow, LineRow, ReportLine, UserRow
from branchline.server.store.statements import FREE, Db, Row, marks
from branchline.server.tables.rows import ChairRow, ChatRow, LogRow, PlanRow, SnapshotRow, Stored, TableRow

OF_ONE_OWNER: Final = 3  # tables in the lobby
_AT_ONCE: Final = 512  # values of one query

# ---------------------------------------------------------------- one table

_TABLE: Final = (
    "SELECT id, map, map_hash, rules, options, state, created, started, ended, coalesce(owner, ''), listed, commitment,"
    " server_seed, deal_key, seed, rematch_of, rematch, result, to_act, updated, moment, broken,"
    " body, seq, layout, clock, written_by, (SELECT steady FROM processes WHERE processes.id = written_by)"
    " FROM tables LEFT JOIN snapshots ON table_id = id WHERE id = ?"
)
_CHAIRS: Final = (
    "SELECT seat, user_id, bot, seats.name, seed_hex, place, colour, users.name FROM seats"
    " LEFT JOIN users ON users.id = user_id WHERE table_id = ? ORDER BY seat"
)
_LOG: Final = "SELECT seq, seat, line, by, cid, at FROM log WHERE table_id = ? ORDER BY seq"
_PLANS: Final = "SELECT seat, user_id, body FROM plans WHERE table_id = ? ORDER BY seat"
_LAST_CLOCK: Final = "SELECT clock FROM log WHERE table_id = ? ORDER BY seq DESC LIMIT 1"


class Life(NamedTuple):
    """This process and its own steady time, which it knows better than the store does."""

    me: str
    steady: float | None


def stored(db: Db, table: str, life: Life) -> Stored | None:
    """A table with all that is needed to play on."""
    found = db.rows(_TABLE, (table,))
    if not found:
        return None
    row = table_row(found[0])
    body, seq, layout, pause, writer, steady = found[0][22:]
    chairs = db.rows(_CHAIRS, (table,))
    return Stored(
        table=row,
        chairs=tuple(ChairRow(*chair[:7]) for chair in chairs),
        log=tuple(log(db, table)),
        snapshot=SnapshotRow(bytes(body), seq, layout) if body is not None else None,
        names={chair[1]: chair[7] for chair in chairs if chair[7] is not None},
        gone=_gone(row.moment, life.steady if writer == life.me else steady),
        plans=tuple(PlanRow(*plan) for plan in db.rows(_PLANS, (table,))) if row.state == "playing" else (),
        old_clocks=(_last_clock(db, table), pause) if row.moment is None else (None, None),
    )


def table_row(row: Row) -> TableRow:
    values: Row = (*row[:10], bool(row[10]), *row[11:22])
    return TableRow(*values)


def log(db: Db, table: str) -> list[LogRow]:
    return [LogRow(*row) for row in db.rows(_LOG, (table,))]


def _last_clock(db: Db, table: str) -> str | None:
    found = db.rows(_LAST_CLOCK, (table,))
    return found[0][0] if found else None


def _gone(moment: str | None, steady: float | None) -> float:
    """How long its writer lived on after `moment`, by that process's own clock: a wall clock may be set back."""
    if moment is None or steady is None:
        return 0.0
    try:
        since = json.loads(moment).get("since")
        return max(0.0, steady - since) if since is not None else 0.0
    except (ValueError, TypeError, AttributeError):  # of nonsense: whoever wants to play on is told so
        return 0.0


def knows_move(db: Db, table: str, cid: str) -> bool:
    return bool(db.rows("SELECT 1 FROM log WHERE table_id = ? AND cid = ?", (table, cid)))


def knows_receipt(db: Db, table: str, key: str) -> bool:
    return bool(db.rows("SELECT 1 FROM receipts WHERE table_id = ? AND key = ?", (table, key)))


_CHAT: Final = (
    "SELECT chat.id, at, user_id, seat, phrase, text, coalesce(users.name, '') FROM chat"
    " LEFT JOIN users ON users.id = user_id WHERE table_id = ? AND seat IS {} ORDER BY chat.id DESC LIMIT ?"
)


def chat(db: Db, table: str, most: int) -> list[tuple[ChatRow, str]]:
    """Each kind has its own bound: spectators who talk push no player's line out."""
    rows = [row for seat in ("NULL", "NOT NULL") for row in db.rows(_CHAT.format(seat), (table, most))]
    return [(ChatRow(*row[1:6]), row[6]) for row in sorted(rows, key=itemgetter(0))]


# ---------------------------------------------------------------- lists

_LINE: Final = (
    "SELECT id, map, state, options, listed, updated, to_act, result, broken, user_id, bot, name, colour FROM ("
    "SELECT chosen.*, seat, user_id, bot, colour,"
    " CASE WHEN state IN ('open', 'playing') AND count(*) OVER (PARTITION BY table_id, user_id) = 1"
    " THEN coalesce(users.name, seats.name)"  # who has several chairs shares a device: each chair has its own name
    " ELSE seats.name END AS name FROM ({}) AS chosen"
    " LEFT JOIN seats ON table_id = chosen.id LEFT JOIN users ON users.id = user_id) AS lines ORDER BY {}, id, seat"
)
_LOBBY: Final = _LINE.format(
    "SELECT * FROM (SELECT tables.*, row_number() OVER (PARTITION BY owner ORDER BY created DESC, id) AS nth"
    " FROM tables WHERE state = 'open' AND listed = 1 AND broken IS NULL AND EXISTS"
    " (SELECT 1 FROM seats WHERE table_id = tables.id AND user_id IS NULL AND bot IS NULL)) AS those"
    " WHERE nth <= ? ORDER BY created DESC, id LIMIT ?",
    "created DESC",
)
_GAMES: Final = _LINE.format(
    "SELECT * FROM tables WHERE id IN (SELECT table_id FROM seats WHERE user_id = ?) AND state <> 'dropped'"
    " ORDER BY updated DESC, id LIMIT ?",
    "updated DESC",
)


def lobby(db: Db, most: int) -> list[LineRow]:
    return _lines(db.rows(_LOBBY, (OF_ONE_OWNER, most)))


def games_of(db: Db, user: str, most: int) -> list[LineRow]:
    return _lines(db.rows(_GAMES, (user, most)))


def _lines(rows: Sequence[Row]) -> list[LineRow]:
    """One line a table, from a row a chair."""
    lines: list[LineRow] = []
    for _, chairs in groupby(rows, key=itemgetter(0)):
        of_table = list(chairs)
        first = of_table[0]
        seated = tuple((row[9], row[10], row[11], row[12]) for row in of_table if row[11] is not None)
        values: Row = (*first[:4], bool(first[4]), *first[5:9], seated)
        lines.append(LineRow(*values))
    return lines


def open_tables(db: Db, user: str, since: float) -> int:
    found = db.rows(
        "SELECT count(*) FROM tables WHERE owner = ? AND state IN ('open', 'playing')"
        " AND (state = 'open' OR updated >= ?)",
        (user, since),
    )
    return int(found[0][0])


def _ids(rows: Iterable[Row]) -> list[str]:
    return [row[0] for row in rows]


_MINE: Final = f"broken IS NULL AND {FREE}"


def held(db: Db, me: str) -> dict[str, int]:
    """The tables a process holds, with the number of each lease."""
    return dict(db.rows("SELECT id, lease FROM tables WHERE holder = ?", (me,)))


def pressing(db: Db, me: str) -> list[str]:
    sql = f"SELECT id FROM tables WHERE state = 'playing' AND clock_kind = 'live' AND {_MINE} ORDER BY updated DESC"
    return _ids(db.rows(sql, (me, db.now())))


def late(db: Db, me: str, now: float) -> list[str]:
    sql = (
        "SELECT id FROM tables WHERE state = 'playing' AND clock_kind = 'days' AND updated < ? - 86400 * clock_days"
        f" AND {_MINE} ORDER BY updated"
    )
    return _ids(db.rows(sql, (now, me, db.now())))


def overdue(db: Db, me: str, opened_before: float, touched_before: float) -> list[str]:
    sql = (
        "SELECT id FROM tables WHERE (state = 'open' AND created < ? OR state = 'playing'"
        f" AND coalesce(clock_kind, 'none') <> 'live' AND updated < ?) AND {_MINE} ORDER BY updated"
    )
    return _ids(db.rows(sql, (opened_before, touched_before, me, db.now())))


# ---------------------------------------------------------------- people and keys


def user(db: Db, user: str) -> UserRow | None:
    found = db.rows("SELECT id, name, created, seen, lang, holiday, banned, calls FROM users WHERE id = ?", (user,))
    if not found:
        return None
    blocks = frozenset(_ids(db.rows("SELECT other FROM blocks WHERE user_id = ?", (user,))))
    values: Row = (*found[0][:6], blocks, *found[0][6:])
    return UserRow(*values)


def names(db: Db, users: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for at in range(0, len(users), _AT_ONCE):
        among, some = marks(users[at : at + _AT_ONCE])
        found.update(db.rows(f"SELECT id, name FROM users WHERE id IN {among}", some))
    return found


def carried(db: Db, digest: str) -> str | None:
    """Whose phrase or link this is, while nobody has used it."""
    found = db.rows(
        "SELECT user_id FROM carries WHERE (by_words = ? OR by_link = ?) AND until > ? AND used IS NULL",
        (digest, digest, db.now()),
    )
    return str(found[0][0]) if found else None


def keys(db: Db) -> list[KeyRow]:
    rows = db.rows("SELECT id, purpose, secret, created, retired, ends FROM keys ORDER BY created, purpose, id")
    return [KeyRow(row[0], row[1], bytes(row[2]), *row[3:]) for row in rows]


# ---------------------------------------------------------------- for who runs it


def reports(db: Db, most: int, settled: bool) -> list[ReportLine]:
    rows = db.rows(
        "SELECT id, at, table_id, by_user, about_seat, about_user, reason, context, settled FROM reports"
        f"{'' if settled else ' WHERE settled = 0'} ORDER BY id DESC LIMIT ?",
        (most,),
    )
    lines: list[Row] = [(*row[:8], bool(row[8])) for row in rows]
    return [ReportLine(*line) for line in lines]


def broken(db: Db) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in db.rows("SELECT id, broken FROM tables WHERE broken IS NOT NULL ORDER BY id")]
