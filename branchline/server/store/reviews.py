"""Reviews of finished games: kept for who asks again, within a bound, and gone with the game.

Functions that take a `Db` run inside a transaction that their caller begins and ends.
"""

from __future__ import annotations

from typing import Final

from branchline.server.store.contract import ReviewRow
from branchline.server.store.statements import Db

LOCK: Final = "reviews"  # a review is not put down while its game is deleted

_PUT: Final = (
    "INSERT INTO reviews (table_id, made_by, at, summary, body) SELECT id, ?, ?, ?, ? FROM tables"
    " WHERE id = ? AND state = 'over' ON CONFLICT (table_id) DO UPDATE SET made_by = excluded.made_by,"
    " at = excluded.at, summary = excluded.summary, body = excluded.body"
)
_OLDEST_KEPT: Final = "SELECT at FROM reviews ORDER BY at DESC LIMIT 1 OFFSET ?"


def put(db: Db, row: ReviewRow, most: int) -> None:
    """Keep a review, and no more than so many: the oldest go. Of a game that is gone none is kept."""
    db.lock(LOCK)
    db.run(_PUT, (row.made_by, row.at, row.summary, row.body, row.table))
    oldest = db.rows(_OLDEST_KEPT, (most - 1,))
    if oldest:
        db.run("DELETE FROM reviews WHERE at < ?", (oldest[0][0],))


def find(db: Db, table: str, made_by: str) -> ReviewRow | None:
    """The review of a game, if it was made by this code and these weights."""
    found = db.rows("SELECT at, summary, body FROM reviews WHERE table_id = ? AND made_by = ?", (table, made_by))
    return ReviewRow(table, made_by, found[0][0], found[0][1], bytes(found[0][2])) if found else None
