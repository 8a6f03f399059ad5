"""The shape of what is kept, and how an older shape becomes the present one.

Every shape has a number, its version. Beside it a store keeps the oldest version of the program that can still work
with it: so one may go back to an older program, as long as that is not too old.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from branchline.server.store.contract import BadStore

Migration: TypeAlias = tuple[str, ...]

# Each migration leads from its number to the next; one that has been released is never changed.
MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        """CREATE TABLE users (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL, seen REAL NOT NULL,
            lang TEXT NOT NULL DEFAULT 'en', muted TEXT NOT NULL DEFAULT '[]')""",
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, map TEXT NOT NULL, options TEXT NOT NULL DEFAULT '{}',
            state TEXT NOT NULL CHECK (state IN ('open', 'playing', 'over', 'dropped')),
            created REAL NOT NULL, started REAL, ended REAL, owner TEXT, listed INTEGER NOT NULL DEFAULT 0,
            commitment TEXT NOT NULL, server_seed BLOB NOT NULL, seed INTEGER, rematch_of TEXT, rematch TEXT,
            result TEXT, snapshot BLOB, snapshot_seq INTEGER, to_act TEXT NOT NULL DEFAULT '[]',
            updated REAL NOT NULL DEFAULT 0)""",
        """CREATE TABLE seats (
            table_id TEXT NOT NULL, seat INTEGER NOT NULL, user_id TEXT, bot TEXT, name TEXT NOT NULL DEFAULT '',
            seed_hex TEXT, seed_by TEXT CHECK (seed_by IN ('browser', 'server')), place INTEGER,
            PRIMARY KEY (table_id, seat))""",
        """CREATE TABLE log (
            table_id TEXT NOT NULL, seq INTEGER NOT NULL, seat INTEGER, line TEXT NOT NULL, cid TEXT, at REAL NOT NULL,
            by TEXT NOT NULL CHECK (by IN ('player', 'bot', 'proxy', 'clock')), clock TEXT,
            PRIMARY KEY (table_id, seq)) WITHOUT ROWID""",
        """CREATE TABLE chat (
            id INTEGER PRIMARY KEY, table_id TEXT NOT NULL, at REAL NOT NULL, user_id TEXT NOT NULL, seat INTEGER,
            phrase TEXT, text TEXT)""",
        """CREATE TABLE reports (
            id INTEGER PRIMARY KEY, table_id TEXT NOT NULL, at REAL NOT NULL, by_user TEXT NOT NULL,
            about_seat INTEGER, reason TEXT NOT NULL, context TEXT NOT NULL DEFAULT '{}')""",
        "CREATE INDEX seats_of_user ON seats (user_id) WHERE user_id IS NOT NULL",
        "CREATE INDEX tables_by_state ON tables (state, listed, created)",
        "CREATE UNIQUE INDEX log_of_client ON log (table_id, cid) WHERE cid IS NOT NULL",
        "CREATE INDEX chat_of_table ON chat (table_id, id)",
    ),
    ("ALTER TABLE tables ADD COLUMN clock TEXT",),  # as it stood when a pause began or ended
    ("ALTER TABLE users ADD COLUMN holiday TEXT",),  # its last day
    (  # moves made in place of a bot that failed
        """CREATE TABLE log_of_four (
            table_id TEXT NOT NULL, seq INTEGER NOT NULL, seat INTEGER, line TEXT NOT NULL, cid TEXT, at REAL NOT NULL,
            by TEXT NOT NULL CHECK (by IN ('player', 'bot', 'proxy', 'clock', 'standin')), clock TEXT,
            PRIMARY KEY (table_id, seq)) WITHOUT ROWID""",
        "INSERT INTO log_of_four (table_id, seq, seat, line, cid, at, by, clock)"
        " SELECT table_id, seq, seat, line, cid, at, by, clock FROM log",
        "DROP TABLE log",
        "ALTER TABLE log_of_four RENAME TO log",
        "CREATE UNIQUE INDEX log_of_client ON log (table_id, cid) WHERE cid IS NOT NULL",
    ),
    (  # leases, moments, positions apart from the rows that change with every move; 0.1 ends here
        "ALTER TABLE tables ADD COLUMN map_hash TEXT",
        "ALTER TABLE tables ADD COLUMN rules INTEGER",
        "ALTER TABLE tables ADD COLUMN deal_key TEXT",
        "ALTER TABLE tables ADD COLUMN moment TEXT",
        "ALTER TABLE tables ADD COLUMN written_by TEXT",  # the process by whose clock `moment` is dated
        "ALTER TABLE tables ADD COLUMN broken TEXT",
        "ALTER TABLE tables ADD COLUMN lease INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN holder TEXT",
        "ALTER TABLE tables ADD COLUMN clock_kind TEXT AS (json_extract(options, '$.clock.kind')) VIRTUAL",
        "ALTER TABLE tables ADD COLUMN clock_days REAL AS (json_extract(options, '$.clock.days')) VIRTUAL",
        "CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, body BLOB NOT NULL, seq INTEGER NOT NULL, layout TEXT)",
        "INSERT INTO snapshots (table_id, body, seq)"
        " SELECT id, snapshot, snapshot_seq FROM tables WHERE snapshot IS NOT NULL AND snapshot_seq IS NOT NULL",
        "ALTER TABLE tables DROP COLUMN snapshot",
        "ALTER TABLE tables DROP COLUMN snapshot_seq",
        "ALTER TABLE seats DROP COLUMN seed_by",
        """CREATE TABLE processes (
            id TEXT PRIMARY KEY, address TEXT NOT NULL, seen_db REAL NOT NULL, until REAL NOT NULL,
            steady REAL NOT NULL)""",
        """CREATE TABLE keys (
            purpose TEXT NOT NULL, id TEXT NOT NULL, secret BLOB NOT NULL, created REAL NOT NULL, retired REAL,
            ends REAL, PRIMARY KEY (purpose, id))""",
        """CREATE TABLE receipts (
            table_id TEXT NOT NULL, key TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (table_id, key)) WITHOUT ROWID""",
        "CREATE TABLE blocks (user_id TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (user_id, other)) WITHOUT ROWID",
        "INSERT INTO blocks (user_id, other)"
        " SELECT DISTINCT users.id, muted.value FROM users, json_each(users.muted) AS muted",
        "ALTER TABLE users DROP COLUMN muted",
        "ALTER TABLE users ADD COLUMN banned TEXT",
        "ALTER TABLE reports ADD COLUMN about_user TEXT",
        "ALTER TABLE reports ADD COLUMN settled INTEGER NOT NULL DEFAULT 0",
        "UPDATE reports SET about_user = (SELECT seats.user_id FROM seats"
        " WHERE seats.table_id = reports.table_id AND seats.seat = reports.about_seat)",
        "CREATE INDEX tables_of_owner ON tables (owner) WHERE state IN ('open', 'playing')",
        "CREATE INDEX tables_played ON tables (clock_kind) WHERE state = 'playing'",
        "CREATE INDEX tables_broken ON tables (id) WHERE broken IS NOT NULL",
        "CREATE INDEX tables_held ON tables (holder) WHERE holder IS NOT NULL",
        "CREATE INDEX reports_open ON reports (id) WHERE settled = 0",
        "ALTER TABLE schema_version ADD COLUMN compatible INTEGER NOT NULL DEFAULT 5",
    ),
    (  # colours of seats; plans, and the moves they make; people are called back, and go on elsewhere
        "ALTER TABLE seats ADD COLUMN colour INTEGER",
        """CREATE TABLE plans (
            table_id TEXT NOT NULL, seat INTEGER NOT NULL, user_id TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (table_id, seat)) WITHOUT ROWID""",
        "CREATE INDEX plans_of_user ON plans (user_id)",
        """CREATE TABLE log_of_six (
            table_id TEXT NOT NULL, seq INTEGER NOT NULL, seat INTEGER, line TEXT NOT NULL, cid TEXT, at REAL NOT NULL,
            by TEXT NOT NULL CHECK (by IN ('player', 'plan', 'bot', 'proxy', 'clock', 'standin')), clock TEXT,
            PRIMARY KEY (table_id, seq)) WITHOUT ROWID""",
        "INSERT INTO log_of_six (table_id, seq, seat, line, cid, at, by, clock)"
        " SELECT table_id, seq, seat, line, cid, at, by, clock FROM log",
        "DROP TABLE log",
        "ALTER TABLE log_of_six RENAME TO log",
        "CREATE UNIQUE INDEX log_of_client ON log (table_id, cid) WHERE cid IS NOT NULL",
        "ALTER TABLE users ADD COLUMN calls TEXT",  # which notices somebody wants, as JSON
        """CREATE TABLE devices (
            user_id TEXT NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
            vapid TEXT NOT NULL, name TEXT NOT NULL, created REAL NOT NULL, seen REAL NOT NULL,
            PRIMARY KEY (user_id, id)) WITHOUT ROWID""",
        """CREATE TABLE mails (
            user_id TEXT PRIMARY KEY, address TEXT NOT NULL, token TEXT, asked REAL NOT NULL, confirmed REAL)""",
        "CREATE TABLE mail_asked (address TEXT NOT NULL, user_id TEXT NOT NULL, at REAL NOT NULL)",  # hashed
        """CREATE TABLE notices (
            table_id TEXT NOT NULL, user_id TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL,
            by_user TEXT NOT NULL, at REAL NOT NULL, due REAL NOT NULL, tries INTEGER NOT NULL DEFAULT 0, taken REAL,
            only_to TEXT, done REAL, outcome TEXT, PRIMARY KEY (table_id, user_id, kind, seq)) WITHOUT ROWID""",
        "CREATE UNIQUE INDEX mails_by_token ON mails (token) WHERE token IS NOT NULL",
        "CREATE INDEX mails_asked ON mail_asked (address, at)",
        "CREATE INDEX notices_waiting ON notices (due) WHERE done IS NULL",
        "CREATE INDEX notices_of_user ON notices (user_id, done)",
        """CREATE TABLE carries (
            user_id TEXT PRIMARY KEY, by_words TEXT NOT NULL UNIQUE, by_link TEXT NOT NULL UNIQUE, until REAL NOT NULL,
            used TEXT)""",  # the key of the request that used it
    ),
    (  # addresses that want no question, and devices that take messages and say nothing
        "CREATE TABLE mail_refused (address TEXT PRIMARY KEY, until REAL NOT NULL)",  # hashed
        "ALTER TABLE mails ADD COLUMN digest TEXT",  # of the address, as it is counted
        "CREATE INDEX mails_by_digest ON mails (digest)",
        "ALTER TABLE devices ADD COLUMN silent INTEGER NOT NULL DEFAULT 0",
    ),
    (  # what reviews told of finished games
        """CREATE TABLE reviews (
            table_id TEXT PRIMARY KEY, made_by TEXT NOT NULL, at REAL NOT NULL, summary TEXT NOT NULL,
            body BLOB NOT NULL)""",
        "CREATE INDEX reviews_by_age ON reviews (at)",
    ),
)

# The oldest program that works with the shape after each migration. Until the fifth only the newest did.
COMPATIBLE: Final = (1, 2, 3, 4, 5, 5, 5, 5)

# PostgreSQL began with the fifth shape; migrations from there on lead it the same way.
POSTGRES_FIRST: Final = 5
POSTGRES_SCHEMA: Final[Migration] = (
    """CREATE TABLE users (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, seen DOUBLE PRECISION NOT NULL,
        lang TEXT NOT NULL DEFAULT 'en', holiday TEXT, banned TEXT)""",
    """CREATE TABLE tables (
        id TEXT PRIMARY KEY, map TEXT NOT NULL, options TEXT NOT NULL DEFAULT '{}',
        state TEXT NOT NULL CHECK (state IN ('open', 'playing', 'over', 'dropped')),
        created DOUBLE PRECISION NOT NULL, started DOUBLE PRECISION, ended DOUBLE PRECISION, owner TEXT,
        listed INTEGER NOT NULL DEFAULT 0, commitment TEXT NOT NULL, server_seed BYTEA NOT NULL, seed BIGINT,
        rematch_of TEXT, rematch TEXT, result TEXT, to_act TEXT NOT NULL DEFAULT '[]',
        updated DOUBLE PRECISION NOT NULL DEFAULT 0, clock TEXT, map_hash TEXT, rules INTEGER, deal_key TEXT,
        moment TEXT, written_by TEXT, broken TEXT, lease BIGINT NOT NULL DEFAULT 0, holder TEXT,
        clock_kind TEXT GENERATED ALWAYS AS (options::json -> 'clock' ->> 'kind') STORED,
        clock_days DOUBLE PRECISION
            GENERATED ALWAYS AS (CAST(options::json -> 'clock' ->> 'days' AS DOUBLE PRECISION)) STORED)
        WITH (fillfactor = 70)""",  # room for the next version of a row beside it: no index changes with a move
    """CREATE TABLE seats (
        table_id TEXT NOT NULL, seat INTEGER NOT NULL, user_id TEXT, bot TEXT, name TEXT NOT NULL DEFAULT '',
        seed_hex TEXT, place INTEGER, PRIMARY KEY (table_id, seat))""",
    """CREATE TABLE log (
        table_id TEXT NOT NULL, seq BIGINT NOT NULL, seat INTEGER, line TEXT NOT NULL, cid TEXT,
        at DOUBLE PRECISION NOT NULL,
        by TEXT NOT NULL CHECK (by IN ('player', 'bot', 'proxy', 'clock', 'standin')), clock TEXT,
        PRIMARY KEY (table_id, seq))""",
    """CREATE TABLE chat (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, table_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
        user_id TEXT NOT NULL, seat INTEGER, phrase TEXT, text TEXT)""",
    """CREATE TABLE reports (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, table_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
        by_user TEXT NOT NULL, about_seat INTEGER, reason TEXT NOT NULL, context TEXT NOT NULL DEFAULT '{}',
        about_user TEXT, settled INTEGER NOT NULL DEFAULT 0)""",
    "CREATE TABLE snapshots (table_id TEXT PRIMARY KEY, body BYTEA NOT NULL, seq BIGINT NOT NULL, layout TEXT)",
    """CREATE TABLE processes (
        id TEXT PRIMARY KEY, address TEXT NOT NULL, seen_db DOUBLE PRECISION NOT NULL, until DOUBLE PRECISION NOT NULL,
        steady DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE keys (
        purpose TEXT NOT NULL, id TEXT NOT NULL, secret BYTEA NOT NULL, created DOUBLE PRECISION NOT NULL,
        retired DOUBLE PRECISION, ends DOUBLE PRECISION, PRIMARY KEY (purpose, id))""",
    """CREATE TABLE receipts (
        table_id TEXT NOT NULL, key TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (table_id, key))""",
    "CREATE TABLE blocks (user_id TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (user_id, other))",
    "CREATE INDEX seats_of_user ON seats (user_id) WHERE user_id IS NOT NULL",
    "CREATE INDEX tables_by_state ON tables (state, listed, created)",
    "CREATE UNIQUE INDEX log_of_client ON log (table_id, cid) WHERE cid IS NOT NULL",
    "CREATE INDEX chat_of_table ON chat (table_id, id)",
    "CREATE INDEX tables_of_owner ON tables (owner) WHERE state IN ('open', 'playing')",
    "CREATE INDEX tables_played ON tables (clock_kind) WHERE state = 'playing'",
    "CREATE INDEX tables_broken ON tables (id) WHERE broken IS NOT NULL",
    "CREATE INDEX tables_held ON tables (holder) WHERE holder IS NOT NULL",
    "CREATE INDEX reports_open ON reports (id) WHERE settled = 0",
)

# One for each of MIGRATIONS from the fifth shape on.
POSTGRES_LATER: Final[tuple[Migration, ...]] = (
    (  # colours of seats; plans, and the moves they make; people are called back, and go on elsewhere
        "ALTER TABLE seats ADD COLUMN colour INTEGER",
        """CREATE TABLE plans (
            table_id TEXT NOT NULL, seat INTEGER NOT NULL, user_id TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (table_id, seat))""",
        "CREATE INDEX plans_of_user ON plans (user_id)",
        "ALTER TABLE log DROP CONSTRAINT log_by_check",
        "ALTER TABLE log ADD CONSTRAINT log_by_check"
        " CHECK (by IN ('player', 'plan', 'bot', 'proxy', 'clock', 'standin'))",
        "ALTER TABLE users ADD COLUMN calls TEXT",
        """CREATE TABLE devices (
            user_id TEXT NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
            vapid TEXT NOT NULL, name TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,
            seen DOUBLE PRECISION NOT NULL, PRIMARY KEY (user_id, id))""",
        """CREATE TABLE mails (
            user_id TEXT PRIMARY KEY, address TEXT NOT NULL, token TEXT, asked DOUBLE PRECISION NOT NULL,
            confirmed DOUBLE PRECISION)""",
        "CREATE TABLE mail_asked (address TEXT NOT NULL, user_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL)",
        """CREATE TABLE notices (
            table_id TEXT NOT NULL, user_id TEXT NOT NULL, kind TEXT NOT NULL, seq BIGINT NOT NULL,
            by_user TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, due DOUBLE PRECISION NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0, taken DOUBLE PRECISION, only_to TEXT, done DOUBLE PRECISION,
            outcome TEXT, PRIMARY KEY (table_id, user_id, kind, seq))""",
        "CREATE UNIQUE INDEX mails_by_token ON mails (token) WHERE token IS NOT NULL",
        "CREATE INDEX mails_asked ON mail_asked (address, at)",
        "CREATE INDEX notices_waiting ON notices (due) WHERE done IS NULL",
        "CREATE INDEX notices_of_user ON notices (user_id, done)",
        """CREATE TABLE carries (
            user_id TEXT PRIMARY KEY, by_words TEXT NOT NULL UNIQUE, by_link TEXT NOT NULL UNIQUE,
            until DOUBLE PRECISION NOT NULL, used TEXT)""",
    ),
    (  # addresses that want no question, and devices that take messages and say nothing
        "CREATE TABLE mail_refused (address TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL)",
        "ALTER TABLE mails ADD COLUMN digest TEXT",
        "CREATE INDEX mails_by_digest ON mails (digest)",
        "ALTER TABLE devices ADD COLUMN silent INTEGER NOT NULL DEFAULT 0",
    ),
    (  # what reviews told of finished games
        """CREATE TABLE reviews (
            table_id TEXT PRIMARY KEY, made_by TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, summary TEXT NOT NULL,
            body BYTEA NOT NULL)""",
        "CREATE INDEX reviews_by_age ON reviews (at)",
    ),
)

# All that a backup holds, in the order in which it is written and put back.
KEPT: Final = (
    "users", "blocks", "keys", "processes", "tables", "seats", "snapshots", "log", "chat", "reports", "receipts",
    "plans", "devices", "mails", "mail_asked", "mail_refused", "notices", "carries", "reviews",
)  # fmt: skip


def check_version(where: str, version: int, compatible: int) -> None:
    """Refuse a store of a newer shape that this program does not understand."""
    ours = len(MIGRATIONS)
    if version > ours and compatible > ours:
        known = f"version {version}, for programs of version {compatible} or newer; this one is version {ours}"
        raise BadStore(f"{where}: written by a newer Branchline: {known}. Install that one, or put back a backup")
