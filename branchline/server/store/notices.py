"""Notices: what waits to be told, to whom, and where they can be told it. What the sender asks of the store.

Functions that take a `Db` run inside a transaction that their caller begins and ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.server.store.contract import DeviceRow, MailAsked, MailRow, Notice, NoticeFacts
from branchline.server.store.statements import Db, Row, marks, plain

_KEY: Final = "table_id = ? AND user_id = ? AND kind = ? AND seq = ?"

# ---------------------------------------------------------------- the outbox

_WAITS: Final = "done IS NULL AND taken IS NULL AND due <= ?"
# PostgreSQL looks at the outer conditions again where another process was quicker: each row has one taker.
_TAKE: Final = (
    f"UPDATE notices SET taken = ?, tries = tries + 1 WHERE {_WAITS} AND (table_id, user_id, kind, seq) IN"
    " (SELECT table_id, user_id, kind, seq FROM (SELECT table_id, user_id, kind, seq, due,"
    " row_number() OVER (PARTITION BY user_id ORDER BY due, at, seq) AS place"
    f" FROM notices WHERE {_WAITS} AND user_id NOT IN %s) AS waiting WHERE place = 1 ORDER BY due LIMIT ?)"
    " RETURNING table_id, user_id, kind, seq, by_user, at, tries, only_to"
)


def are_due(db: Db, due: float, busy: Sequence[str]) -> bool:
    among, users = marks(["", *busy])
    return bool(db.rows(f"SELECT 1 FROM notices WHERE {_WAITS} AND user_id NOT IN {among} LIMIT 1", (due, *users)))


def take(db: Db, due: float, now: float, most: int, busy: Sequence[str]) -> list[Notice]:
    """Notices that are due, for this process alone to send: of each person one, and none of who is `busy`."""
    among, users = marks(["", *busy])
    rows = db.rows(_TAKE % among, (now, due, due, *users, most))
    return [_notice(row) for row in sorted(rows, key=lambda row: row[5])]


def _notice(row: Row) -> Notice:
    only = tuple(row[7].split()) if row[7] is not None else None
    values: Row = (*row[:7], only)
    return Notice(*values)


def settle(db: Db, notice: Notice, outcome: str, at: float) -> None:
    """That is what came of it; it is not told again."""
    db.run(f"UPDATE notices SET done = ?, outcome = ? WHERE {_KEY}", (at, outcome, *_key(notice)))


def put_off(db: Db, notice: Notice, due: float, only: tuple[str, ...] | None, tries: int) -> None:
    """It waits again: for all its places, or for those alone that could not be reached. A later one takes its place."""
    newer = (
        "SELECT 1 FROM notices WHERE table_id = ? AND user_id = ? AND done IS NULL AND taken IS NULL AND at >= ?"
        " AND (kind <> 'nudge' OR ? <> 'turn')"
    )
    if db.rows(newer, (notice.table, notice.user, notice.at, notice.kind)):
        settle(db, notice, "replaced", db.now())
        return
    told = " ".join(only) if only is not None else None
    db.run(
        f"UPDATE notices SET taken = NULL, due = ?, only_to = ?, tries = ? WHERE {_KEY}",
        (due, told, tries, *_key(notice)),
    )


def _key(notice: Notice) -> tuple[str, str, str, int]:
    return notice.table, notice.user, notice.kind, notice.seq


def forget_waiting(db: Db, table: str, user: str) -> None:
    """Somebody looks at the table: nothing that waits there has to be told any more."""
    sql = "DELETE FROM notices WHERE table_id = ? AND user_id = ? AND done IS NULL AND taken IS NULL"
    db.run(sql, (table, user))


def waits(db: Db, table: str, user: str) -> bool:
    sql = "SELECT 1 FROM notices WHERE table_id = ? AND user_id = ? AND done IS NULL AND taken IS NULL LIMIT 1"
    return bool(db.rows(sql, (table, user)))


def tidy(db: Db, done_before: float, taken_before: float, asked_before: float) -> int:
    """Forget what was told long ago. Of what a dead process had taken nobody knows whether it was sent: how many."""
    db.run("DELETE FROM notices WHERE done < ?", (done_before,))
    db.run("DELETE FROM mail_asked WHERE at < ?", (asked_before,))
    db.run("DELETE FROM mail_refused WHERE until < ?", (asked_before,))
    lost = "UPDATE notices SET done = taken, outcome = 'lost' WHERE done IS NULL AND taken < ?"
    return db.run(lost, (taken_before,))


# ---------------------------------------------------------------- what a notice is about

_PERSON: Final = "SELECT name, lang, calls, banned FROM users WHERE id = ?"
_TABLE: Final = "SELECT map, state, to_act FROM tables WHERE id = ?"
_SEATED: Final = (
    "SELECT seat, user_id, coalesce(users.name, seats.name) FROM seats LEFT JOIN users ON users.id = user_id"
    " WHERE table_id = ? AND (user_id IS NOT NULL OR bot IS NOT NULL) ORDER BY seat"
)
# Who sits down at a table uses nothing of what a person is told of their games. What is on its way counts as well:
# another process may be sending it.
_TOLD: Final = (
    "SELECT count(*) FROM notices WHERE user_id = ? AND kind {} 'friend'"
    " AND NOT (table_id = ? AND kind = ? AND seq = ?)"
    " AND (done > ? AND outcome = 'sent' OR done IS NULL AND taken IS NOT NULL)"
)
_NUDGED: Final = (
    "SELECT 1 FROM notices WHERE table_id = ? AND user_id = ? AND kind = 'nudge' AND at >= ?"
    " AND (done IS NULL OR outcome = 'sent')"
)


def facts(db: Db, notice: Notice, told_since: float) -> NoticeFacts | None:
    """All that decides whether and how somebody is told; None if they or the table are gone."""
    person = db.rows(_PERSON, (notice.user,))
    table = db.rows(_TABLE, (notice.table,))
    if not person or not table:
        return None
    named = db.rows(_PERSON, (notice.by,)) if notice.by else []
    return NoticeFacts(
        lang=person[0][1],
        calls=person[0][2],
        banned=person[0][3] is not None,
        map=table[0][0],
        state=table[0][1],
        to_act=table[0][2],
        seats=tuple((row[0], row[1], row[2]) for row in db.rows(_SEATED, (notice.table,))),
        by=named[0][0] if named else "",
        devices=tuple(devices(db, notice.user)),
        mail=mail(db, notice.user),
        told=_told(db, notice, told_since),
        nudged=notice.kind == "turn" and bool(db.rows(_NUDGED, (notice.table, notice.user, notice.at))),
    )


def _told(db: Db, notice: Notice, since: float) -> int:
    sql = _TOLD.format("=" if notice.kind == "friend" else "<>")
    return int(db.rows(sql, (notice.user, notice.table, notice.kind, notice.seq, since))[0][0])


# ---------------------------------------------------------------- devices


def devices(db: Db, user: str) -> list[DeviceRow]:
    rows = db.rows(
        "SELECT user_id, id, endpoint, p256dh, auth, vapid, name, created, seen, silent FROM devices WHERE user_id = ?"
        " ORDER BY created, id",
        (user,),
    )
    return [DeviceRow(*row) for row in rows]


def put_device(db: Db, device: DeviceRow, most: int) -> bool:
    """Add a device, or know it anew; False if the person has too many."""
    db.lock(f"devices of {device.user}")
    others = db.rows("SELECT count(*) FROM devices WHERE user_id = ? AND id <> ?", (device.user, device.id))
    if int(others[0][0]) >= most:
        return False
    values = (device.endpoint, device.p256dh, device.auth, device.vapid, plain(device.name))
    db.run(
        "INSERT INTO devices (user_id, id, endpoint, p256dh, auth, vapid, name, created, seen)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, id) DO UPDATE SET p256dh = excluded.p256dh,"
        " auth = excluded.auth, vapid = excluded.vapid, name = excluded.name, seen = excluded.seen, silent = 0",
        (device.user, device.id, *values, device.created, device.seen),
    )
    return True


def drop_device(db: Db, user: str, device: str) -> bool:
    return db.run("DELETE FROM devices WHERE user_id = ? AND id = ?", (user, device)) == 1


def silent_device(db: Db, user: str, device: str, most: int) -> None:
    """It took a message and said nothing; after so many in a row it is forgotten."""
    if not db.run("DELETE FROM devices WHERE user_id = ? AND id = ? AND silent >= ?", (user, device, most - 1)):
        db.run("UPDATE devices SET silent = silent + 1 WHERE user_id = ? AND id = ?", (user, device))


def heard_device(db: Db, user: str, device: str) -> None:
    """It answers again."""
    db.run("UPDATE devices SET silent = 0 WHERE user_id = ? AND id = ?", (user, device))


# ---------------------------------------------------------------- mail


def mail(db: Db, user: str) -> MailRow | None:
    rows = db.rows("SELECT user_id, address, asked, confirmed FROM mails WHERE user_id = ?", (user,))
    return MailRow(*rows[0]) if rows else None


def ask_mail(db: Db, row: MailRow, token: str, digest: str, since: float, of_address: int, of_person: int) -> MailAsked:
    """An address waits to be confirmed; nothing is changed where one was asked for too often of late, or wants none."""
    db.lock(f"mail of {row.user}")
    db.lock(f"mail to {digest}")
    if db.rows("SELECT 1 FROM mail_refused WHERE address = ? AND until > ?", (digest, row.asked)):
        return "refused"
    asked = db.rows("SELECT count(*) FROM mail_asked WHERE address = ? AND at > ?", (digest, since))
    by_user = db.rows("SELECT count(*) FROM mail_asked WHERE user_id = ? AND at > ?", (row.user, since))
    if int(asked[0][0]) >= of_address or int(by_user[0][0]) >= of_person:
        return "too often"
    db.run("INSERT INTO mail_asked (address, user_id, at) VALUES (?, ?, ?)", (digest, row.user, row.asked))
    db.run(
        "INSERT INTO mails (user_id, address, digest, token, asked, confirmed) VALUES (?, ?, ?, ?, ?, NULL)"
        " ON CONFLICT (user_id) DO UPDATE SET address = excluded.address, digest = excluded.digest,"
        " token = excluded.token, asked = excluded.asked, confirmed = NULL",
        (row.user, row.address, digest, token, row.asked),
    )
    return "asked"


def refuse_mail(db: Db, digest: str, until: float) -> None:
    """Whose address it is wants none: nobody can have it asked again before then, and whoever had it has it no more."""
    db.lock(f"mail to {digest}")
    db.run(
        "INSERT INTO mail_refused (address, until) VALUES (?, ?) ON CONFLICT (address)"
        " DO UPDATE SET until = excluded.until",
        (digest, until),
    )
    db.run("DELETE FROM mails WHERE digest = ?", (digest,))


def allow_mail(db: Db, digest: str) -> bool:
    """An address can be asked again; whether it had refused."""
    return db.run("DELETE FROM mail_refused WHERE address = ?", (digest,)) == 1


def asked_mail(db: Db, token: str, since: float) -> MailRow | None:
    """The address that a token confirms, if it was asked for of late and is not confirmed yet."""
    sql = "SELECT user_id, address, asked, confirmed FROM mails WHERE token = ? AND asked > ?"
    rows = db.rows(sql, (token, since))
    return MailRow(*rows[0]) if rows else None


def confirm_mail(db: Db, token: str, since: float, at: float) -> bool:
    """The token is used; it confirms nothing a second time."""
    return db.run("UPDATE mails SET confirmed = ?, token = NULL WHERE token = ? AND asked > ?", (at, token, since)) == 1


def drop_mail(db: Db, user: str, address: str | None) -> bool:
    """No more mail; an `address` must still be theirs."""
    where, args = ("", ()) if address is None else (" AND address = ?", (address,))
    return db.run(f"DELETE FROM mails WHERE user_id = ?{where}", (user, *args)) == 1
