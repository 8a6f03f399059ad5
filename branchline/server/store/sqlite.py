"""The store of one process: one SQLite file, and one thread that writes to it and commits for many at once.

Short questions are answered on the thread that asks: they take tens of microseconds, less than to wake another thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from branchline.server.store import statements
from branchline.server.store.contract import Known, Lease, OutcomeUnknown, StoreFailed
from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite_file import FolderLock, connect, is_of_the_disk, open_beside, open_file
from branchline.server.store.statements import Db, Row, Value, do_steps, steps_of
from branchline.server.store.writer import Job, Writer
from branchline.server.tables.rows import Change

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[Db], Any]

_READERS: Final = 2
_FOLD_SECONDS: Final = 2.0
_PAGES_OF_LOG: Final = 2_000  # of 4 kB; a longer one begins anew


class Connection:
    """A connection as the shared functions want it, which counts its statements."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.statements = 0

    def rows(self, sql: str, args: Sequence[Value] = ()) -> list[Row]:
        self.statements += 1
        return self.raw.execute(sql, args).fetchall()

    def run(self, sql: str, args: Sequence[Value] = ()) -> int:
        self.statements += 1
        return self.raw.execute(sql, args).rowcount

    def now(self) -> float:
        return time.time()

    def lock(self, what: str) -> None:
        """One writes at a time anyway."""

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.raw.execute(f"PRAGMA table_info({table})")]

    def stream(self, sql: str) -> Iterator[Row]:
        yield from self.raw.execute(sql)

    def fill(self, sql: str, rows: Iterable[Row]) -> None:
        self.raw.executemany(sql, rows)

    def filled(self, table: str) -> None:
        """SQLite numbers from the largest on by itself."""


class SqliteStore(SharedStore):
    """The one file of a service. All writing goes through one thread."""

    def __init__(self, folder: Path, address: str = "", *, administer: bool = False) -> None:
        """Open or make the store of a folder, and bring its file up to date; raises `BadStore`.

        `administer`: beside the service that runs on it, or none.
        """
        super().__init__(address)
        self._lock = None if administer else FolderLock(folder)
        try:
            self.path, self.backup, raw = open_beside(folder) if administer else open_file(folder)
        except BaseException:
            if self._lock:
                self._lock.release()
            raise
        self._db = Connection(raw)
        self._closed = False
        self._gate = threading.Lock()  # around `_closed` and what must not happen after it
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(_READERS, thread_name_prefix="store-read")
        self._long = False  # the log wants to begin anew
        if not administer:
            self._db.run("UPDATE processes SET until = 0")  # the folder's lock is ours: whoever had it is gone
        self._writer: Writer[Work] = Writer(self._do, "store-write")
        self._folding = threading.Event()  # set: no more
        self._folder_thread = threading.Thread(target=self._fold, name="store-fold", daemon=True)
        if not administer:
            self._folder_thread.start()

    # ------------------------------------------------------------ for the service

    async def now(self) -> float:
        return time.time()

    async def write(self, *changes: tuple[Lease | None, Change]) -> None:
        steps = steps_of(self.me, changes)
        await self._writer.ask(lambda db: do_steps(db, steps))

    async def _change(self, do: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        done: T = await self._writer.ask(partial(_called, do, args, named))
        return done

    async def _look(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        try:
            return find(self._reader(), *args, **named)
        except sqlite3.Error as error:
            raise _told(error) from error

    async def _study(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        with self._gate:
            self._check_open()
            reading = self._pool.submit(self._of_one_moment, partial(_called, find, args, named))
        found: T = await asyncio.wrap_future(reading)
        return found

    _list = _study

    async def size(self) -> int:
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    async def facts(self) -> dict[str, object]:
        return {"store": "sqlite", "where": str(self.path), **await super().facts()}

    async def close(self) -> None:
        """Finish what was asked for, fold the log into the file and let go of it."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
        await asyncio.get_running_loop().run_in_executor(None, self._end)

    # ------------------------------------------------------------ reading

    def _of_one_moment(self, find: Work) -> Any:
        """Several questions about one and the same moment, on a reader's thread."""
        db = self._reader()
        try:
            db.run("BEGIN")
            try:
                return find(db)
            finally:
                db.run("COMMIT")
        except sqlite3.Error as error:
            raise _told(error) from error

    def _reader(self) -> Connection:
        """This thread's connection for reading."""
        db: Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = self._new_reader()
        return db

    def _new_reader(self) -> Connection:
        raw = connect(self.path)
        raw.execute("PRAGMA query_only = ON")
        with self._gate:
            if self._closed:
                raw.close()
            self._check_open()
            self._readers.append(raw)
        return Connection(raw)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreFailed("the store is closed")

    # ------------------------------------------------------------ in the writer's thread

    def _do(self, batch: list[Job[Work]]) -> int:
        """One commit for the whole batch; each job gets its result or its error."""
        before = self._db.statements
        try:
            self._db.raw.execute("BEGIN IMMEDIATE")
            if not self._all_done(batch):
                self._db.raw.execute("ROLLBACK")
                self._db.raw.execute("BEGIN IMMEDIATE")
                for job in batch:
                    self._try(job)
        except sqlite3.Error as error:
            self._give_up(batch, StoreFailed(str(error)))
        else:
            self._commit(batch)
        self._begin_log_anew()
        return self._db.statements - before

    def _all_done(self, batch: list[Job[Work]]) -> bool:
        """Do all without a net, as nearly always succeeds; False if one failed, and none is to count."""
        try:
            for job in batch:
                job.result = job.work(self._db)
        except Exception as error:
            if is_of_the_disk(error):
                raise
            return False
        return True

    def _try(self, job: Job[Work]) -> None:
        """Do one job; a fault of its own undoes it alone, one of the disk ends the batch."""
        raw = self._db.raw
        raw.execute("SAVEPOINT one")
        try:
            job.result = job.work(self._db)
        except Exception as error:
            if is_of_the_disk(error):
                raise
            job.error = _known(error).with_traceback(None)  # the trace holds the job
            raw.execute("ROLLBACK TO one")
        raw.execute("RELEASE one")

    def _commit(self, batch: list[Job[Work]]) -> None:
        try:
            self._db.raw.execute("COMMIT")
        except sqlite3.Error as error:
            full = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL  # found before anything counted
            self._give_up(batch, StoreFailed(str(error)) if full else OutcomeUnknown(str(error)))

    def _give_up(self, batch: list[Job[Work]], told: StoreFailed) -> None:
        with contextlib.suppress(sqlite3.Error):
            if self._db.raw.in_transaction:
                self._db.raw.execute("ROLLBACK")
        for job in batch:
            job.error = type(told)(str(told))  # one for each: an error that is raised collects the traces of all

    def _begin_log_anew(self) -> None:
        """Let a long log begin from its start: nearly all of it is folded in already, so this is short."""
        if self._long:
            self._long = False
            with contextlib.suppress(sqlite3.Error):  # the log keeps everything, and the next commit meets the disk
                self._db.raw.execute("PRAGMA wal_checkpoint(RESTART)")

    # ------------------------------------------------------------ folding and closing

    def _fold(self) -> None:
        """Fold the log into the file from time to time, beside the writer: a commit does not wait for it."""
        db = connect(self.path)
        while not self._folding.wait(_FOLD_SECONDS):
            try:
                _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._long = pages > _PAGES_OF_LOG
            except sqlite3.Error:  # busy, or the disk: the log keeps everything, and the writer meets the disk itself
                continue
        db.close()

    def _end(self) -> None:
        self._folding.set()
        if self._folder_thread.is_alive():
            self._folder_thread.join()
        self._pool.shutdown()
        self._writer.close()
        for reader in self._readers:
            reader.close()
        with contextlib.suppress(sqlite3.Error):  # what was committed is safe in the log; only the tidying failed
            if self._lock:
                statements.bury(self._db, self.me)
                self._db.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.raw.close()
        if self._lock:
            self._lock.release()

    # ------------------------------------------------------------ backups

    @contextlib.contextmanager
    def of_one_moment(self) -> Iterator[Connection]:
        raw = connect(self.path)
        try:
            raw.execute("PRAGMA query_only = ON")
            raw.execute("BEGIN")
            yield Connection(raw)
        finally:
            raw.close()

    @contextlib.contextmanager
    def filling(self) -> Iterator[Connection]:
        raw = connect(self.path)
        try:
            raw.execute("PRAGMA synchronous = FULL")
            raw.execute("BEGIN IMMEDIATE")
            yield Connection(raw)
            raw.execute("COMMIT")
        finally:
            raw.close()


def _called(do: Callable[..., T], args: Sequence[Any], named: dict[str, Any], db: Db) -> T:
    return do(db, *args, **named)


def _known(error: Exception) -> Exception:
    """What a caller is told of a fault of its own."""
    code = getattr(error, "sqlite_errorcode", 0)
    there = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)
    if code == sqlite3.SQLITE_CONSTRAINT_TRIGGER:  # an operator's, for we have none
        return StoreFailed(str(error))
    return Known(f"it is there already: {error}") if code in there else error


def _told(error: sqlite3.Error) -> Exception:
    """`StoreFailed` for the disk's faults, the error itself for ours."""
    return StoreFailed(str(error)) if is_of_the_disk(error) else error
