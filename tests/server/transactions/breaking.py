"""Ways to break the real store of a running service: at each row it changes, and around each commit.

The database itself refuses (triggers that count the rows changed); what is lost is lost on the way to it: PostgreSQL
behind a proxy that reads its protocol, SQLite behind a thin wire at the writer's connection. Nothing of the store is
replaced, and a fault stays until it is taken away.
"""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

import psycopg

from branchline.server.store.contract import Store
from branchline.server.store.schema import KEPT
from branchline.server.store.sqlite import SqliteStore
from tests.server.transactions.proxy import Proxy

Kind = Literal["full disk", "refused", "lost before the commit", "commit never came", "answer to the commit lost"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
AT_ROWS: Final = ("full disk", "refused")  # broken at a row; the others at a transaction
UNCERTAIN: Final = ("commit never came", "answer to the commit lost")  # the service cannot know which

_WATCHED: Final = [table for table in KEPT if table != "processes"]
_EMPTIED: Final = [table for table in _WATCHED if table != "keys"]

Dump = dict[str, list[dict[str, Any]]]


class Breaker(ABC):
    """Breaks the writes of one service, counts them, and looks at all rows by another door."""

    @abstractmethod
    def begin(self, kind: Kind | None, at: int = 0) -> None:
        """From now on break the row, or every transaction from the one, of this number; count from 1."""

    def end(self) -> None:
        """No more faults."""
        self.begin(None)

    @abstractmethod
    def counts(self) -> tuple[int, int]:
        """Rows changed and transactions committed since `begin`."""

    @property
    @abstractmethod
    def strikes(self) -> int:
        """How often something broke, ever."""

    @abstractmethod
    def ask(self, sql: str) -> list[dict[str, Any]]:
        """Ask or change the database, past all faults."""

    def dump(self) -> Dump:
        """All that is kept."""
        return {table: sorted(self.ask(f"SELECT * FROM {table}"), key=repr) for table in KEPT}

    def empty(self) -> None:
        """Delete what a scene has left."""
        for table in _EMPTIED:
            self.ask(f"DELETE FROM {table}")

    @abstractmethod
    def close(self) -> None: ...


# ---------------------------------------------------------------- SQLite

_UNLIMITED: Final = 1_073_741_823
_SQLITE: Final = (
    "CREATE TABLE faults (done INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL)",
    "INSERT INTO faults VALUES (0, 0, '')",
    "CREATE TABLE filler (body BLOB)",
    *(
        f"""CREATE TRIGGER faults_{table}_{event} BEFORE {event} ON {table} BEGIN
            UPDATE faults SET done = done + 1;
            SELECT RAISE(ABORT, 'refused by a trigger') FROM faults WHERE kind = 'refused' AND done = at;
            INSERT INTO filler SELECT zeroblob(50000000) FROM faults WHERE kind = 'full disk' AND done = at;
        END"""
        for table in _WATCHED
        for event in ("INSERT", "UPDATE", "DELETE")
    ),
)


class SqliteBreaker(Breaker):
    """A disk is full where the file may not grow any more, and a trigger wants it to."""

    def __init__(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        self._wire = store._db.raw = _Wire(store._db.raw)  # type: ignore[assignment]
        self._side = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False, timeout=10)
        self._side.row_factory = sqlite3.Row
        for statement in _SQLITE:
            self._side.execute(statement)

    def begin(self, kind: Kind | None, at: int = 0) -> None:
        self._wire.begin(None, 0)
        self._side.execute("UPDATE faults SET done = 0, at = ?, kind = ?", (at, kind or ""))
        (pages,) = self._side.execute("PRAGMA page_count").fetchone()
        most = pages if kind == "full disk" else _UNLIMITED
        self._wire.raw.execute(f"PRAGMA max_page_count = {most}").fetchall()
        self._wire.begin(None if kind in AT_ROWS else kind, at)

    def counts(self) -> tuple[int, int]:
        (row,) = self.ask("SELECT done FROM faults")
        return row["done"], self._wire.transactions

    @property
    def strikes(self) -> int:
        return self._wire.strikes

    def ask(self, sql: str) -> list[dict[str, Any]]:
        return [dict(row) for row in self._side.execute(sql)]

    def close(self) -> None:
        self.end()
        self._side.close()


class _Wire:
    """Between the writer's thread and its connection."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.transactions = self.strikes = 0
        self._kind: Kind | None = None
        self._at = 0

    def begin(self, kind: Kind | None, at: int) -> None:
        self._kind, self._at, self.transactions = kind, at, 0

    def execute(self, sql: str, args: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self._execute(sql, args)
        except sqlite3.Error:
            self.strikes += 1
            raise

    def _execute(self, sql: str, args: Sequence[Any]) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            self.transactions += 1
            self._break("lost before the commit")
        if sql == "COMMIT":
            self._break("commit never came")
        done = self.raw.execute(sql, args)
        if sql == "COMMIT":
            self._break("answer to the commit lost")
        return done

    def _break(self, kind: Kind) -> None:
        if kind == self._kind and self.transactions >= self._at:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


# ---------------------------------------------------------------- PostgreSQL

_POSTGRES: Final = (
    "CREATE TABLE faults (done INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL)",
    "INSERT INTO faults VALUES (0, 0, '')",
    """CREATE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE now faults%ROWTYPE;
    BEGIN
        UPDATE faults SET done = done + 1 RETURNING * INTO now;
        IF now.done = now.at AND now.kind = 'full disk' THEN
            RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';
        ELSIF now.done = now.at AND now.kind = 'refused' THEN
            RAISE EXCEPTION 'refused by a trigger';
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
    END $$""",
    *(
        f"CREATE TRIGGER faults BEFORE INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION strike()"
        for table in _WATCHED
    ),
)


class PostgresBreaker(Breaker):
    """A database behind a proxy."""

    def __init__(self, url: str, proxy: Proxy) -> None:
        self._proxy = proxy
        self._side = psycopg.connect(url, autocommit=True, row_factory=psycopg.rows.dict_row)
        self._lock = threading.Lock()
        for statement in _POSTGRES:
            self._side.execute(statement.encode())

    def begin(self, kind: Kind | None, at: int = 0) -> None:
        self._proxy.begin(None, 0)
        self._side.execute("UPDATE faults SET done = 0, at = %s, kind = %s", (at, kind or ""))
        self._proxy.begin(None if kind in AT_ROWS else kind, at)

    def counts(self) -> tuple[int, int]:
        (row,) = self.ask("SELECT done FROM faults")
        return row["done"], self._proxy.transactions

    @property
    def strikes(self) -> int:
        return self._proxy.strikes

    def ask(self, sql: str) -> list[dict[str, Any]]:
        with self._lock:
            cursor = self._side.execute(sql.encode())
            return list(cursor.fetchall()) if cursor.description else []

    def close(self) -> None:
        self.end()
        self._side.close()
