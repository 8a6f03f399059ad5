"""The store of many processes: a PostgreSQL database. It holds the truth, also about which process holds which table.

Tables are written by one thread of each process, many in one commit (`pipe.py`). All else runs in a few other threads,
each with a connection of its own. A connection that breaks is made anew by who needs it next.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import psycopg

from branchline.server.store import statements
from branchline.server.store.contract import Known, Lease, NotHolder, OutcomeUnknown, StoreFailed
from branchline.server.store.pipe import Lost, Pipe, Refused
from branchline.server.store.postgres_opening import PostgresDb, connected, prepare, where
from branchline.server.store.shared import SharedStore
from branchline.server.store.statements import Db, Step, steps_of
from branchline.server.store.writer import Job, Writer
from branchline.server.tables.rows import Change

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[PostgresDb], Any]
Steps = list[Step]

PATIENCE: Final = 10.0  # seconds: a database that is silent for longer is given up on
_HOURS: Final = 4 * 3600.0  # an operator may ask what takes long
_READERS: Final = 3
_CLOCK_SECONDS: Final = 60.0  # for so long the database's time is known without asking again; each beat tells it
_SOON: Final = 1.0  # seconds within which a broken connection is found to be so
_UNIQUE: Final = "23505"
_FAILING: Final = ("08", "25", "40", "53", "55", "57", "58", "P0", "XX")  # the server's troubles, not ours
_FORBIDDEN: Final = "42501"  # by whoever runs the database


class PostgresStore(SharedStore):
    """One database for all processes of a service."""

    def __init__(self, url: str, address: str = "", *, backups: Path | None = None, administer: bool = False) -> None:
        """Open a database, make its tables or bring them up to date; raises `BadStore`."""
        super().__init__(address)
        self.url = url
        self.backup = prepare(url, self.me, backups, administer=administer)
        self._administer = administer
        self._clock: tuple[float, float] | None = None  # the database's time, and when it was that by our clock
        self._pipe: Pipe | None = None
        self._local = threading.local()
        self._open: set[_Way] = set()
        self._closed = False
        self._failed = ""  # what was said to the last small change, "" if it succeeded
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="store-read")
        self._pulse = ThreadPoolExecutor(1, thread_name_prefix="store-beat")  # never waits for a long question
        self._writer: Writer[Steps] = Writer(self._do, "store-write")

    # ------------------------------------------------------------ for the service

    async def register(self) -> None:
        await super().register()
        await self._look(self._set_clock)

    async def now(self) -> float:
        if self._clock is None or time.monotonic() - self._clock[1] > _CLOCK_SECONDS:
            with contextlib.suppress(StoreFailed) if self._clock else contextlib.nullcontext():
                await self._look(self._set_clock)
        assert self._clock is not None
        there, here = self._clock
        return there + time.monotonic() - here

    def _set_clock(self, db: Db) -> None:
        self._clock = (db.now(), time.monotonic())

    async def beat(self, steady: float) -> None:
        beat = partial(statements.beat, me=self.me, address=self.address, steady=steady)
        at = await self._in_thread(self._pulse, partial(self._changed, beat))
        now = time.monotonic()
        self._clock, self._beat = (at, now), (steady, now)

    async def write(self, *changes: tuple[Lease | None, Change]) -> None:
        await self._writer.ask(steps_of(self.me, changes))

    async def _look(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        found: T = await self._in_thread(self._readers, partial(_called, find, args, named))
        return found

    _list = _look

    async def _study(self, find: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        work = partial(_called, find, args, named)
        found: T = await self._in_thread(self._readers, partial(_of_one_moment, work))
        return found

    async def _change(self, do: Callable[Concatenate[Db, P], T], *args: P.args, **named: P.kwargs) -> T:
        work = partial(_called, do, args, named)
        done: T = await self._in_thread(self._readers, partial(self._changed, work))
        return done

    async def size(self) -> int:
        return await self._look(_size)

    async def facts(self) -> dict[str, object]:
        settings = await self._look(_settings)
        return {"store": "postgresql", "where": where(self.url), **settings, **await super().facts()}

    async def close(self) -> None:
        """Finish what was asked for, and let other processes have the tables at once."""
        if self._closed:
            return
        with contextlib.suppress(StoreFailed):
            if not self._administer:
                await self._change(statements.bury, self.me)
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(None, self._end)

    def _end(self) -> None:
        self._writer.close()
        self._readers.shutdown()
        self._pulse.shutdown()
        for way in list(self._open):
            way.close()
        if self._pipe:
            self._pipe.close()

    # ------------------------------------------------------------ what is counted

    @property
    def trouble(self) -> str:
        return self._writer.trouble or self._failed

    # ------------------------------------------------------------ threads with a connection each

    async def _in_thread(self, pool: ThreadPoolExecutor, work: Work) -> Any:
        """Have it done in a thread; who waits too long ends the connection and is told so."""
        if self._closed:
            raise StoreFailed("the store is closed")
        loop, asked = asyncio.get_running_loop(), _Asked()
        end = loop.call_later(_HOURS if self._administer else PATIENCE, asked.give_up)
        try:
            return await loop.run_in_executor(pool, self._answered, work, asked)
        finally:
            end.cancel()

    def _answered(self, work: Work, asked: _Asked) -> Any:
        """Do it; a connection that turns out to be broken is made anew, once."""
        try:
            return self._try(work, asked)
        except psycopg.Error as error:
            if self._way_holds() or asked.given_up or not isinstance(_told(error), StoreFailed):
                raise _told(error) from error
        try:
            return self._try(work, asked)
        except psycopg.Error as error:
            raise _told(error) from error

    def _try(self, work: Work, asked: _Asked) -> Any:
        try:
            way = self._way()
            asked.begin(way)
            return work(way.db)
        finally:
            asked.way = None

    def _way(self) -> _Way:
        """This thread's connection."""
        if not self._way_holds():
            way: _Way | None = getattr(self._local, "way", None)
            if way is not None:
                self._open.discard(way)
                way.close()
            self._local.way = None
            self._local.way = _Way(PostgresDb(connected(self.url, self.me, patient=self._administer)))
            self._open.add(self._local.way)
        found: _Way = self._local.way
        return found

    def _way_holds(self) -> bool:
        way: _Way | None = getattr(self._local, "way", None)
        return way is not None and not way.db.raw.closed

    def _changed(self, work: Work, db: PostgresDb) -> Any:
        """Do it in a transaction; from the moment of its commit on, a silence leaves open what became of it."""
        try:
            done = _committed(work, db)
        except StoreFailed as error:
            self._failed = str(error)
            raise
        except psycopg.Error as error:
            self._failed = str(error) if isinstance(_told(error), StoreFailed) else ""
            raise
        self._failed = ""
        return done

    # ------------------------------------------------------------ in the writer's thread

    def _do(self, batch: list[Job[Steps]]) -> int:
        """One commit for the whole batch. Where one of it fails, none counts, and each is tried by itself."""
        if not self._tried(batch):
            for job in batch:
                self._tried([job])
        return sum(len(job.work) for job in batch if job.error is None)

    def _tried(self, batch: list[Job[Steps]]) -> bool:
        """Write a batch; False if it was refused for the sake of one of several."""
        fault = self._fault_of(batch)
        if isinstance(fault, _Undone) and len(batch) > 1:
            return False
        why = fault.why if isinstance(fault, _Undone) else fault
        for job in batch:
            job.error = type(why)(*why.args) if why is not None else None  # one for each: errors collect traces
        return True

    def _fault_of(self, batch: list[Job[Steps]]) -> Exception | None:
        """What was wrong, if anything. A connection that turns out to be broken is made anew, once."""
        began = time.monotonic()
        try:
            return self._written(batch)
        except Lost as error:
            self._drop_pipe()
            if time.monotonic() - began > _SOON:
                return StoreFailed(str(error))
        try:
            return self._written(batch)
        except Lost as error:
            self._drop_pipe()
            return StoreFailed(str(error))

    def _written(self, batch: list[Job[Steps]]) -> Exception | None:
        """All of it in one transaction, or none of it and why; raises `Lost` where that was before the commit."""
        pipe = self._pipe_now()
        pipe.send("BEGIN")
        for job in batch:
            for step in job.work:
                pipe.send(step.sql, step.args)
        try:
            touched = pipe.answers()
        except Refused as error:
            return self._undone(pipe, error)
        fenced = (step.fenced for job in batch for step in job.work)
        if any(held and rows != 1 for held, rows in zip(fenced, touched[1:], strict=True)):
            return self._undone(pipe, NotHolder("another process holds this table"))
        return self._commit(pipe)

    def _undone(self, pipe: Pipe, why: Refused | NotHolder) -> Exception:
        if isinstance(why, Refused) and why.fatal:
            raise Lost(str(why))
        pipe.send("ROLLBACK")
        pipe.answers()
        return _Undone(why if isinstance(why, NotHolder) else _of_code(why.code, str(why)))

    def _commit(self, pipe: Pipe) -> Exception | None:
        try:
            pipe.send("COMMIT")
            pipe.answers()
        except Lost as error:
            self._drop_pipe()
            return OutcomeUnknown(str(error))
        except Refused as error:
            if error.fatal:
                self._drop_pipe()
                return OutcomeUnknown(str(error))
            return StoreFailed(str(error))
        return None

    def _pipe_now(self) -> Pipe:
        if self._pipe is None:
            try:
                self._pipe = Pipe(connected(self.url, self.me), PATIENCE)
            except psycopg.Error as error:
                raise Lost(str(error).strip()) from error
        return self._pipe

    def _drop_pipe(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    # ------------------------------------------------------------ backups

    @contextlib.contextmanager
    def of_one_moment(self) -> Iterator[PostgresDb]:
        with connected(self.url, self.me, patient=True) as raw:
            raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield PostgresDb(raw)

    @contextlib.contextmanager
    def filling(self) -> Iterator[PostgresDb]:
        with connected(self.url, self.me, patient=True) as raw, raw.transaction():
            yield PostgresDb(raw)


class _Undone(Exception):
    """The database refused one of the statements, and all were undone."""

    def __init__(self, why: Exception) -> None:
        super().__init__(str(why))
        self.why = why


class _Way:
    """A thread's connection."""

    def __init__(self, db: PostgresDb) -> None:
        self.db = db

    def close(self) -> None:
        self.db.raw.close()

    def cut(self) -> None:
        """End the connection from another thread, so that whoever waits on it hears of it."""
        with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.db.raw.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)


class _Asked:
    """A question on its way, which its asker may give up on."""

    def __init__(self) -> None:
        self.given_up = False
        self.way: _Way | None = None

    def begin(self, way: _Way) -> None:
        self.way = way
        if self.given_up:
            raise StoreFailed("the database is too busy")

    def give_up(self) -> None:
        self.given_up = True
        if self.way is not None:
            self.way.cut()


# ---------------------------------------------------------------- on a connection


def _called(do: Callable[..., T], args: Sequence[Any], named: dict[str, Any], db: PostgresDb) -> T:
    return do(db, *args, **named)


def _of_one_moment(find: Work, db: PostgresDb) -> Any:
    db.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        return find(db)
    finally:
        with contextlib.suppress(psycopg.Error):
            db.run("COMMIT")


def _committed(work: Work, db: PostgresDb) -> Any:
    db.run("BEGIN")
    try:
        done = work(db)
    except BaseException:
        with contextlib.suppress(psycopg.Error):
            db.run("ROLLBACK")
        raise
    try:
        db.run("COMMIT")
    except psycopg.OperationalError as error:
        raise OutcomeUnknown(str(error)) from error
    return done


def _size(db: Db) -> int:
    return int(db.rows("SELECT pg_database_size(current_database())")[0][0])


def _settings(db: Db) -> dict[str, object]:
    """What of the server and its settings decides whether a commit is safe, and whether others can read along."""
    names = ("server_version", "fsync", "full_page_writes", "synchronous_commit", "max_connections")
    settings: dict[str, object] = {f"postgres_{name}": _setting(db, name) for name in names}
    encrypted = db.rows("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    return {**settings, "postgres_ssl": "on" if encrypted and encrypted[0][0] else "off"}


def _setting(db: Db, name: str) -> str:
    return str(db.rows("SELECT current_setting(?)", (name,))[0][0])


def _told(error: psycopg.Error) -> Exception:
    """What a caller is told; an error without a code is the connection's, or ours."""
    lost = isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
    return _of_code(error.sqlstate or ("08000" if lost else ""), str(error).strip(), error)


def _of_code(code: str, said: str, error: psycopg.Error | None = None) -> Exception:
    """`Known`; `StoreFailed` for the server's troubles; else the error itself, for a fault of ours."""
    if code == _UNIQUE:
        return Known(f"it is there already: {said}")
    if code[:2] in _FAILING or code == _FORBIDDEN:
        return StoreFailed(said)
    return error or psycopg.errors.lookup(code)(said)
