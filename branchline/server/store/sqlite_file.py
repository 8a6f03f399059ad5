"""The file of an SQLite store: to lock its folder, to make it, to see whether it is sound, to bring it up to date."""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import ClassVar, Final

from branchline.server.store import schema
from branchline.server.store.contract import BadStore
from branchline.server.store.sqlite_log import check_log

FILE: Final = "branchline.sqlite3"
LOCK_FILE: Final = "lock"
SECRET_FILE: Final = "secret"  # the one key of version 0.1
OLDEST_SQLITE: Final = (3, 38, 0)

_APPLICATION: Final = 0x42524E43  # "BRNC", in the head of the file: ours and nobody else's
_CHECK_UP_TO: Final = 256 << 20  # bytes; a larger file would keep the service from starting for seconds
_FIRST_WITH_KEYS: Final = 5
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


def is_of_the_disk(error: Exception) -> bool:
    """Whether the disk failed, rather than who asked."""
    return isinstance(error, sqlite3.Error) and (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _DISK_CODES


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)


def open_file(folder: Path) -> tuple[Path, Path | None, sqlite3.Connection]:
    """The file of a folder, the backup made of it if any, and the connection that writes: sound and up to date."""
    path = folder / FILE
    try:
        _check_sqlite()
        _check_not_emptied(path)
        if not path.exists():
            _make(path)
        check_log(path)
        db = connect(path)
    except (OSError, sqlite3.Error) as error:
        raise BadStore(f"{path}: cannot be opened: {_reason(error)}") from error
    try:
        _check(db, path)
        _set_up(db, path)
        return path, _bring_up_to_date(db, path), db
    except (OSError, sqlite3.Error) as error:
        db.close()
        raise BadStore(f"{path}: {_reason(error)}") from error
    except BaseException:
        db.close()
        raise


def open_beside(folder: Path) -> tuple[Path, None, sqlite3.Connection]:
    """The same beside a service that may be running: nothing is made or brought up to date."""
    path = folder / FILE
    if not path.exists():
        raise BadStore(f"{folder}: there is no store in this folder")
    db = connect(path)
    try:
        _check(db, path)
        version, compatible = version_of(db)
        schema.check_version(str(path), version, compatible)
        if version < len(schema.MIGRATIONS):
            raise BadStore(f"{path}: of an older version ({version}); start the service once, it brings it up to date")
        db.execute("PRAGMA synchronous = FULL")
        return path, None, db
    except sqlite3.Error as error:
        db.close()
        raise BadStore(f"{path}: {_reason(error)}") from error
    except BaseException:
        db.close()
        raise


# ---------------------------------------------------------------- the lock


class FolderLock:
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
            raise BadStore(f"{folder}: cannot be used: {_reason(error)}") from error
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


# ---------------------------------------------------------------- making


def _make(path: Path) -> None:
    """A new file under another name first: so one of 0 bytes is never ours, whenever this is interrupted."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    os.close(os.open(new, os.O_RDWR | os.O_CREAT, 0o600))  # it holds secrets: for its owner only
    db = connect(new)
    try:
        db.execute("PRAGMA synchronous = FULL")
        for number in range(len(schema.MIGRATIONS)):
            _migrate(db, number, new.parent)
    finally:
        db.close()
    new.replace(path)
    _sync_folder(path.parent)


# ---------------------------------------------------------------- looking


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(str(n) for n in OLDEST_SQLITE)
        raise BadStore(f"SQLite {sqlite3.sqlite_version} is too old: {needed} is needed")


def _check_not_emptied(path: Path) -> None:
    """A file that is gone or empty while its log is still there was a store once: do not begin anew in its place."""
    log = path.with_name(f"{path.name}-wal")
    size = path.stat().st_size if path.exists() else -1
    if size <= 0 and log.exists() and log.stat().st_size:
        what = "is gone" if size < 0 else "has 0 bytes"
        raise BadStore(f"{path}: the file {what}, but its log {log.name} is there; {_PUT_BACK}")
    if size == 0:
        raise BadStore(f"{path}: the file has 0 bytes; {_PUT_BACK}")


_PUT_BACK: Final = "put back a backup of it, or move both away to begin with nothing"


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse another program's file, and one whose pages do not hold together."""
    application, things = _answer(db, "PRAGMA application_id"), _answer(db, "SELECT count(*) FROM sqlite_master")
    if things and application != _APPLICATION:
        raise BadStore(f"{path}: a database of another program")
    if path.stat().st_size <= _CHECK_UP_TO:
        verdict = _answer(db, "PRAGMA quick_check(1)")
        if verdict != "ok":
            raise BadStore(f"{path}: damaged: {verdict}; put back a backup of it")


def _answer(db: sqlite3.Connection, question: str) -> object:
    """The first value of an answer, which is read to its end."""
    return db.execute(question).fetchall()[0][0]


def _reason(error: OSError | sqlite3.Error) -> str:
    """What is wrong, in words: a full disk is no damage."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full: make room and start again; nothing is damaged"
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"damaged, or no store at all: {error}; put back a backup of it"
    return str(error)


def _set_up(db: sqlite3.Connection, path: Path) -> None:
    if _answer(db, "PRAGMA journal_mode = WAL") != "wal":
        raise BadStore(f"{path}: this file system cannot keep a write-ahead log; give a folder on a local disk")
    db.execute("PRAGMA synchronous = FULL")  # a commit has reached the disk when it returns
    db.execute("PRAGMA wal_autocheckpoint = 0")  # a thread beside the writer folds
    db.execute(f"PRAGMA journal_size_limit = {64 << 20}")
    _answer(db, "SELECT count(*) FROM sqlite_master")  # only with the next question does SQLite end a change of mode
    _answer(db, "PRAGMA wal_checkpoint(TRUNCATE)")  # begin with an empty log: what a power cut tore in it is no riddle


# ---------------------------------------------------------------- bringing up to date


def version_of(db: sqlite3.Connection) -> tuple[int, int]:
    """The version of a file, and the oldest program that works with it."""
    columns = [row[1] for row in db.execute("PRAGMA table_info(schema_version)")]
    if not columns:
        return 0, 0
    if "compatible" not in columns:
        (version,) = db.execute("SELECT version FROM schema_version").fetchone()
        return version, version
    version, compatible = db.execute("SELECT version, compatible FROM schema_version").fetchone()
    return version, compatible


def _bring_up_to_date(db: sqlite3.Connection, path: Path) -> Path | None:
    """Migrate an older file, after a copy of it was made; where that is."""
    version, compatible = version_of(db)
    schema.check_version(str(path), version, compatible)
    if version >= len(schema.MIGRATIONS):
        return None
    backup = _copied(db, path, version) if _holds_anything(db) else None
    for number in range(version, len(schema.MIGRATIONS)):
        _migrate(db, number, path.parent)
    _sync_folder(path.parent)
    return backup


def _holds_anything(db: sqlite3.Connection) -> bool:
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return any(db.execute(f"SELECT 1 FROM {t} LIMIT 1").fetchone() for t in ("users", "tables") if t in tables)


def _copied(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """A copy of the file beside it, whole and on the disk before anything is changed."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    copy = path.with_name(f"{path.stem}-version-{version}-{stamp}{path.suffix}")
    file = os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        other = connect(copy)
        db.backup(other)
        other.close()
        os.fsync(file)
    finally:
        os.close(file)
    logging.getLogger(__name__).info("a backup was made before bringing the store up to date: %s", copy)
    return copy


def _migrate(db: sqlite3.Connection, number: int, folder: Path) -> None:
    """From one version to the next, whole or not at all."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if number == 0:
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
            db.execute("INSERT INTO schema_version VALUES (1)")
        for statement in schema.MIGRATIONS[number]:
            db.execute(statement)
        if number + 1 == _FIRST_WITH_KEYS:
            _keep_secret(db, folder)
        _note_version(db, number + 1)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _keep_secret(db: sqlite3.Connection, folder: Path) -> None:
    """The one key of version 0.1 goes on signing cookies: so guests stay known."""
    file = folder / SECRET_FILE
    if file.exists() and file.stat().st_size:
        row = ("cookie", "1", file.read_bytes(), file.stat().st_mtime)
        db.execute("INSERT INTO keys (purpose, id, secret, created) VALUES (?, ?, ?, ?)", row)


def _note_version(db: sqlite3.Connection, version: int) -> None:
    db.execute("UPDATE schema_version SET version = ?", (version,))
    if version >= _FIRST_WITH_KEYS:
        db.execute("UPDATE schema_version SET compatible = ?", (schema.COMPATIBLE[version - 1],))


def _sync_folder(folder: Path) -> None:
    """Make the file's name as durable as what stands in it."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
