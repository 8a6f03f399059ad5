"""Ways to a PostgreSQL database, and its tables: made, or brought up to date, by one process while others wait."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict

from branchline.server.store import schema
from branchline.server.store.backup import write_backup
from branchline.server.store.contract import BadStore
from branchline.server.store.statements import Row, Value

Raw = psycopg.Connection[Any]

OLDEST_POSTGRES: Final = 13
_STEP_SECONDS: Final = 8  # for one statement; less than a caller's patience
LOCK_SECONDS = 2.0  # for a row that another transaction has; a group of writes may have to wait for it twice
_IDLE_SECONDS: Final = 5  # a process that was stopped within a transaction keeps its rows from others no longer
_ONE_AT_A_TIME: Final = 0x42524E43  # the number of the lock under which tables are made
_SOCKET: Final = {
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8_000,
    "client_encoding": "utf8",
}


def connected(url: str, name: str, *, patient: bool = False) -> Raw:
    """A new connection; `patient`: for what may take long, such as a backup."""
    raw: Raw = psycopg.connect(url, autocommit=True, application_name=f"branchline {name}", **cast(Any, _SOCKET))
    if not patient:
        raw.execute(_settings().encode())
    raw.prepare_threshold = 0
    return raw


def _settings() -> str:
    """No wait is endless, and a commit has reached the disk when it is answered, whatever the server's own settings."""
    return (
        f"SET statement_timeout = '{_STEP_SECONDS}s'; SET lock_timeout = '{LOCK_SECONDS * 1000:.0f}ms';"
        f" SET idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s';"
        " SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;"
        " SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )


class PostgresDb:
    """A connection as the shared functions want it."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self._cursor = raw.cursor(binary=True)
        self._texts: dict[str, bytes] = {}

    def rows(self, sql: str, args: Sequence[Value] = ()) -> list[Row]:
        return self._cursor.execute(self._text(sql), args).fetchall()

    def run(self, sql: str, args: Sequence[Value] = ()) -> int:
        return self._cursor.execute(self._text(sql), args).rowcount

    def now(self) -> float:
        return float(self.rows("SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)")[0][0])

    def lock(self, what: str) -> None:
        self.rows("SELECT pg_advisory_xact_lock(hashtextextended(CAST(? AS TEXT), 0))", (what,))

    def columns(self, table: str) -> list[str]:
        found = self.rows(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
            " AND table_name = ? AND is_generated = 'NEVER' ORDER BY ordinal_position",
            (table,),
        )
        return [row[0] for row in found]

    def stream(self, sql: str) -> Iterator[Row]:
        """The rows of a long query, a few at a time; inside a transaction."""
        with self.raw.cursor("stream", binary=True) as cursor:
            cursor.itersize = 2_000
            yield from cursor.execute(self._text(sql))

    def fill(self, sql: str, rows: Iterable[Row]) -> None:
        self._cursor.executemany(self._text(sql), rows)

    def filled(self, table: str) -> None:
        if table in ("chat", "reports"):
            numbers = f"pg_get_serial_sequence('{table}', 'id')"
            self.rows(f"SELECT setval({numbers}, coalesce(max(id), 0) + 1, false) FROM {table}")

    def _text(self, sql: str) -> bytes:
        text = self._texts.get(sql)
        if text is None:
            text = self._texts[sql] = sql.replace("%", "%%").replace("?", "%s").encode()
        return text


def where(url: str) -> str:
    """A database as one may show it: without its password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        return "the database"
    host, port, name = (parts.get(part) for part in ("host", "port", "dbname"))
    return f"postgresql://{host or 'localhost'}{f':{port}' if port else ''}/{name or ''}"


# ---------------------------------------------------------------- tables


def prepare(url: str, me: str, backups: Path | None, *, administer: bool) -> Path | None:
    """See to it that the database has our tables in their present shape; where its backup is, if one was made."""
    try:
        with connected(url, me, patient=True) as raw:
            _check_server(raw, where(url))
            with raw.transaction():
                raw.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_AT_A_TIME,))
                return _bring_up_to_date(PostgresDb(raw), where(url), backups, administer)
    except psycopg.Error as error:
        raise BadStore(f"{where(url)}: {str(error).strip()}") from error


def _check_server(raw: Raw, place: str) -> None:
    if raw.info.server_version < OLDEST_POSTGRES * 10_000:
        raise BadStore(f"{place}: PostgreSQL {raw.info.server_version // 10_000}; {OLDEST_POSTGRES} or newer is needed")
    encoding = raw.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise BadStore(f"{place}: its encoding is {encoding}; make the database with ENCODING 'UTF8'")


def _bring_up_to_date(db: PostgresDb, place: str, backups: Path | None, administer: bool) -> Path | None:
    version, compatible = version_of(db)
    schema.check_version(place, version, compatible)
    if version >= len(schema.MIGRATIONS):
        return None
    if administer:
        raise BadStore(f"{place}: holds no store of the present version; start the service once, it makes it")
    if version == 0:
        _make(db, place)
        return None
    backup = _backed_up(db, place, backups, version) if _holds_anything(db) else None
    for number in range(version, len(schema.MIGRATIONS)):
        _do(db, schema.POSTGRES_LATER[number - schema.POSTGRES_FIRST], number + 1)
    return backup


def version_of(db: PostgresDb) -> tuple[int, int]:
    """The version of a database, and the oldest program that works with it."""
    if db.rows("SELECT to_regclass('schema_version')")[0][0] is None:
        return 0, 0
    version, compatible = db.rows("SELECT version, compatible FROM schema_version")[0]
    return version, compatible


def _make(db: PostgresDb, place: str) -> None:
    if any(db.columns(table) for table in schema.KEPT):
        raise BadStore(f"{place}: a database of another program")
    db.run("CREATE TABLE schema_version (version INTEGER NOT NULL, compatible INTEGER NOT NULL)")
    db.run("INSERT INTO schema_version (version, compatible) VALUES (0, 0)")
    _do(db, schema.POSTGRES_SCHEMA, schema.POSTGRES_FIRST)
    for number in range(schema.POSTGRES_FIRST, len(schema.MIGRATIONS)):
        _do(db, schema.POSTGRES_LATER[number - schema.POSTGRES_FIRST], number + 1)


def _do(db: PostgresDb, migration: schema.Migration, version: int) -> None:
    for statement in migration:
        db.run(statement)
    db.run("UPDATE schema_version SET version = ?, compatible = ?", (version, schema.COMPATIBLE[version - 1]))


def _holds_anything(db: PostgresDb) -> bool:
    return any(db.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in ("users", "tables"))


def _backed_up(db: PostgresDb, place: str, backups: Path | None, version: int) -> Path:
    if backups is None:
        raise BadStore(f"{place}: of an older version ({version}); give a folder for the backup made before a change")
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = backups / f"branchline-version-{version}-{stamp}.backup"
    try:
        backups.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_backup(db, path)
    except OSError as error:
        raise BadStore(f"{path}: the backup cannot be written: {error.strerror}") from error
    logging.getLogger(__name__).info("a backup was made before bringing the store up to date: %s", path)
    return path
