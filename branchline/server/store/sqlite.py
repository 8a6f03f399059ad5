"""The store: one SQLite file that the service writes to, in one thread that commits for many at once.

    store = Store(Path("data"))
    await store.write(("UPDATE users SET name = ? WHERE id = ?", ("Ada", user)))     # now it is durable
    rows = store.read("SELECT name FROM users WHERE id = ?", (user,))
    await store.close()

Times are seconds since 1970. What is JSON is text.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

Value: TypeAlias = str | int | float | bytes | None
Statement: TypeAlias = tuple[str, Sequence[Value]]

FILE: Final = "branchline.sqlite3"
LOCK_FILE: Final = "lock"

_APPLICATION: Final = 0x42524E43  # "BRNC", in the head of the file: ours and nobody else's
_MOST_AT_ONCE: Final = 500  # writes of one commit, so that the first need not wait long for the last
_READERS: Final = 2
_FOLD_SECONDS: Final = 2.0
_PAGES_OF_LOG: Final = 2_000  # of 4 kB; a longer one begins anew
_CHECK_UP_TO: Final = 256 << 20  # bytes; a larger file would keep the service from starting for seconds
_DISK_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)

# Each migration leads from its number to the next; one that has been released is never changed.
MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
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
)


class BadStore(Exception):
    """A folder that cannot be the service's store: which file, and why."""


class StoreFailed(Exception):
    """The disk, or the store on it, did not do what was asked: nothing of this write is to be relied on."""


class Store:
    """The one file of a service. Reading is open to any thread; all writing goes through one.

    `commits`, `writes`, `statements` and `commit_seconds` count since the start. `trouble` is "" while the disk does
    its work, else what it said to the last commit. `on_commit(seconds, writes)` is called in the writer's thread.
    """

    def __init__(self, folder: Path) -> None:
        """Open or make the store of a folder, and bring its file up to date; raises `BadStore`."""
        self.path = folder / FILE
        self.commits = 0
        self.writes = 0
        self.statements = 0
        self.commit_seconds = 0.0
        self.last_commit_seconds = 0.0
        self.trouble = ""
        self.on_commit: Callable[[float, int], None] | None = None
        self._lock = _FolderLock(folder)
        try:
            self._db = _opened(self.path)
        except BaseException:
            self._lock.release()
            raise
        self._closed = False
        self._gate = threading.Lock()  # around `_closed` and what must not happen after it
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="store-read")
        self._long = False  # the log wants to begin anew
        self._writer = threading.Thread(target=self._work, name="store-write", daemon=True)
        self._writer.start()
        self._folding = threading.Event()  # set: no more
        self._folder_thread = threading.Thread(target=self._fold, name="store-fold", daemon=True)
        self._folder_thread.start()

    # ------------------------------------------------------------ for the service

    async def write(self, *statements: Statement) -> None:
        """Do these statements as one, all or none; returns once they are durable.

        Raises what SQLite says of them (`sqlite3.IntegrityError` and so on), or `StoreFailed` where the disk fails.
        """
        loop = asyncio.get_running_loop()
        write = _Write(statements, loop, loop.create_future())
        with self._gate:
            if self._closed:
                raise StoreFailed("the store is closed")
            self._queue.put(write)
        try:
            await write.done
        finally:
            del write  # an error's trace holds this frame, and the write the error

    def read(self, sql: str, args: Sequence[Value] = ()) -> list[sqlite3.Row]:
        """The rows of a query, as of the last commit."""
        try:
            return self._reader().execute(sql, args).fetchall()
        except sqlite3.Error as error:
            raise _told(error) from error

    async def read_async(self, sql: str, args: Sequence[Value] = ()) -> list[sqlite3.Row]:
        """`read` in another thread: for a query that takes long."""
        with self._gate:
            if self._closed:
                raise StoreFailed("the store is closed")
            reading = self._pool.submit(self.read, sql, args)
        return await asyncio.wrap_future(reading)

    async def close(self) -> None:
        """Finish what was asked for, fold the log into the file and let go of it."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._end)

    def _end(self) -> None:
        self._folding.set()
        self._folder_thread.join()
        self._pool.shutdown()
        self._writer.join()
        for reader in self._readers:
            reader.close()
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:  # what was committed is safe in the log; only the tidying failed
            self.trouble = str(error)
        self._db.close()
        self._lock.release()

    def _fold(self) -> None:
        """Fold the log into the file from time to time, beside the writer: a commit does not wait for it."""
        db = _connected(self.path)
        while not self._folding.wait(_FOLD_SECONDS):
            try:
                _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._long = pages > _PAGES_OF_LOG
            except sqlite3.Error:  # busy, or the disk: the log keeps everything, and the writer meets the disk itself
                continue
        db.close()

    def _reader(self) -> sqlite3.Connection:
        """This thread's connection for reading."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = _connected(self.path)
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA query_only = ON")
            with self._gate:
                if self._closed:
                    db.close()
                    raise StoreFailed("the store is closed")
                self._readers.append(db)
            self._local.db = db
        return db

    # ------------------------------------------------------------ in the writer's thread

    def _work(self) -> None:
        going = True
        while going:
            batch, going = self._next_batch()
            if batch:
                self._do(batch)
                _answer(batch)
                self._tell_watcher(batch)
                self._begin_log_anew()

    def _begin_log_anew(self) -> None:
        """Let a long log begin from its start: nearly all of it is folded in already, so this is short."""
        if not self._long:
            return
        self._long = False
        try:
            self._db.execute("PRAGMA wal_checkpoint(RESTART)")
        except sqlite3.Error as error:  # what was committed is safe in the log; the next commit meets the disk
            self.trouble = str(error)

    def _next_batch(self) -> tuple[list[_Write], bool]:
        """All that waits, once anything does; and whether more may come."""
        batch: list[_Write] = []
        write = self._queue.get()
        while write is not None:
            batch.append(write)
            if len(batch) == _MOST_AT_ONCE:
                return batch, True
            try:
                write = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _do(self, batch: list[_Write]) -> None:
        """One commit for the whole batch; each write gets its error, or None."""
        began = time.perf_counter()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for write in batch:
                self._try(write)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(batch, error)
            return
        self.trouble = ""
        self._count(batch, time.perf_counter() - began)

    def _try(self, write: _Write) -> None:
        """Do one write; a fault of its own undoes it alone, one of the disk ends the batch."""
        self._db.execute("SAVEPOINT one")
        try:
            for sql, args in write.statements:
                self._db.execute(sql, args)
        except Exception as error:
            if isinstance(error, sqlite3.Error) and _is_of_the_disk(error):
                raise
            write.error = error.with_traceback(None)  # the trace holds the write
            self._db.execute("ROLLBACK TO one")
        self._db.execute("RELEASE one")

    def _give_up(self, batch: list[_Write], error: sqlite3.Error) -> None:
        self.trouble = str(error)
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.Error as worse:
                self.trouble = str(worse)
        for write in batch:
            write.error = _told(error, always=True)

    def _count(self, batch: list[_Write], seconds: float) -> None:
        good = [write for write in batch if write.error is None]
        self.commits += 1
        self.writes += len(good)
        self.statements += sum(len(write.statements) for write in good)
        self.commit_seconds += seconds
        self.last_commit_seconds = seconds

    def _tell_watcher(self, batch: list[_Write]) -> None:
        """A watcher that fails is dropped: nobody may wait for ever because somebody counted wrong."""
        if self.on_commit is None or self.trouble:
            return
        try:
            self.on_commit(self.last_commit_seconds, len(batch))
        except Exception:
            logging.getLogger(__name__).exception("the watcher of commits failed and is no longer told")
            self.on_commit = None


class _Write:
    """One caller's statements, and the future it waits for."""

    __slots__ = ("done", "error", "loop", "statements")

    def __init__(
        self, statements: tuple[Statement, ...], loop: asyncio.AbstractEventLoop, done: asyncio.Future[None]
    ) -> None:
        self.statements = statements
        self.loop = loop
        self.done = done
        self.error: Exception | None = None


def _answer(batch: Iterable[_Write]) -> None:
    """Tell all who wait, with one call into each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[_Write]] = {}
    for write in batch:
        loops.setdefault(write.loop, []).append(write)
    for loop, writes in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve, writes)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _resolve(writes: Iterable[_Write]) -> None:
    for write in writes:
        if write.done.done():  # given up by who waited
            continue
        if write.error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(write.error)


def _is_of_the_disk(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _DISK_CODES


def _told(error: sqlite3.Error, always: bool = False) -> Exception:
    """What the caller is told: `StoreFailed` for the disk's faults, the error itself for the caller's own."""
    return StoreFailed(str(error)) if always or _is_of_the_disk(error) else error


# --- opening ------------------------------------------------------------------------------------------------


class _FolderLock:
    """The claim of this process, and of one store in it, to a folder.

    The system's lock belongs to the process alone: children do not inherit it, and it ends with the process.
    """

    _held: ClassVar[set[Path]] = set()

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder = folder.resolve()
            if self.folder in self._held:
                raise BadStore(f"{folder}: this process uses this folder already")
            self._file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadStore(f"{folder}: cannot be used: {error.strerror}") from error
        try:
            _take(self._file)
        except OSError as error:
            os.close(self._file)
            raise BadStore(f"{folder}: another process uses this folder; stop it, or give another folder") from error
        self._held.add(self.folder)

    def release(self) -> None:
        self._held.discard(self.folder)
        os.close(self._file)


def _take(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _opened(path: Path) -> sqlite3.Connection:
    """The connection that writes, to a file that is sound and up to date."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds secrets: for its owner only
        db = _connected(path)
    except (OSError, sqlite3.Error) as error:
        raise BadStore(f"{path}: cannot be opened: {error}") from error
    try:
        _check(db, path)
        _set_up(db, path)
        _migrate(db, path)
        return db
    except sqlite3.Error as error:
        db.close()
        raise BadStore(f"{path}: damaged, or no store at all: {error}") from error
    except BaseException:
        db.close()
        raise


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse another program's file, and one whose pages do not hold together."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (things,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if things and application != _APPLICATION:
        raise BadStore(f"{path}: a database of another program")
    if path.stat().st_size <= _CHECK_UP_TO:
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise BadStore(f"{path}: damaged: {verdict}; put a copy of it back")


def _set_up(db: sqlite3.Connection, path: Path) -> None:
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise BadStore(f"{path}: this file system cannot keep a write-ahead log; give a folder on a local disk")
    db.execute("PRAGMA synchronous = FULL")  # a commit has reached the disk when it returns
    db.execute("PRAGMA wal_autocheckpoint = 0")  # a thread beside the writer folds
    db.execute(f"PRAGMA journal_size_limit = {64 << 20}")


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    version = _version(db)
    if version > len(MIGRATIONS):
        known = f"version {version}; this one reads up to version {len(MIGRATIONS)}"
        raise BadStore(f"{path}: written by a newer Branchline, {known}")
    for number, migration in enumerate(MIGRATIONS[version:], version):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in migration:
                db.execute(statement)
            _note_version(db, number + 1)
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise
    _sync_folder(path.parent)


def _version(db: sqlite3.Connection) -> int:
    known = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'schema_version'").fetchone()[0]
    return int(db.execute("SELECT version FROM schema_version").fetchone()[0]) if known else 0


def _note_version(db: sqlite3.Connection, version: int) -> None:
    if version == 1:
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        db.execute("INSERT INTO schema_version VALUES (1)")
    db.execute("UPDATE schema_version SET version = ?", (version,))


def _sync_folder(folder: Path) -> None:
    """Make the file's name as durable as what stands in it."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
