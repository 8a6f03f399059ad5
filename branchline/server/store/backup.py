"""Backups: all that is kept, in one file that goes back into either kind of store.

The file is compressed text, a line of JSON for the head, for each table and for each of its rows; the last line counts
the rows and holds a checksum, so that a file that was cut or damaged is known before anything is changed.

    await dump(store, Path("monday.backup"))
    await load(Path("monday.backup"), "postgresql://…")
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast

from branchline.server.store import schema
from branchline.server.store.contract import BadStore
from branchline.server.store.statements import Db, Row

_FORMAT: Final = 1
_AT_ONCE: Final = 2_000  # rows put back with one call
_LONGEST: Final = 64 << 20  # bytes of a line: no row of ours comes near


class BadBackup(BadStore):
    """A file that cannot be put back, or a store into which it cannot: which, and why."""


class Whole(Db, Protocol):
    """A connection from which everything is read, or to which everything is written."""

    def columns(self, table: str) -> list[str]:
        """The columns of a table, but for those that follow from others."""

    def stream(self, sql: str) -> Iterator[Row]: ...

    def fill(self, sql: str, rows: Iterable[Row]) -> None:
        """The same statement for each of many rows."""

    def filled(self, table: str) -> None:
        """All rows of a table are put back: number new ones from there on."""


class Kept(Protocol):
    """What of a store is needed here."""

    def of_one_moment(self) -> AbstractContextManager[Whole]: ...

    def filling(self) -> AbstractContextManager[Whole]: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds: its version of the schema, and how many rows of each table."""

    schema: int
    counts: dict[str, int]


# ---------------------------------------------------------------- writing


async def dump(store: Kept, path: Path) -> Contents:
    """Write all that a store keeps, as it stands at one moment, into a new file; others may go on writing."""
    return await asyncio.to_thread(_dump, store, path)


def _dump(store: Kept, path: Path) -> Contents:
    with store.of_one_moment() as db:
        return write_backup(db, path)


def write_backup(db: Whole, path: Path) -> Contents:
    """The file appears under its name once it is whole and on the disk; it holds secrets: for its owner only."""
    if path.exists():
        raise BadBackup(f"{path}: there is a file of this name already")
    new = path.with_name(f"{path.name}.new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(file, "wb") as raw:
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
                contents = _write_all(db, _Lines(packed))
            raw.flush()
            os.fsync(raw.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return contents


class _Lines:
    """Lines on their way into a file, with the checksum of all so far."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._sum = hashlib.sha256()

    def add(self, value: object) -> None:
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_bytes_as_json).encode() + b"\n"
        self._sum.update(line)
        self._file.write(line)

    @property
    def checksum(self) -> str:
        return self._sum.hexdigest()


def _bytes_as_json(value: object) -> dict[str, str]:
    if isinstance(value, (bytes, memoryview)):
        return {"b": b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} in a backup")


def _write_all(db: Whole, lines: _Lines) -> Contents:
    (version,) = db.rows("SELECT version FROM schema_version")[0]
    lines.add({"branchline": "backup", "format": _FORMAT, "schema": version})
    counts = {table: _write_table(db, table, lines) for table in schema.KEPT if db.columns(table)}
    lines.add({"end": counts, "sha256": lines.checksum})
    return Contents(version, counts)


def _write_table(db: Whole, table: str, lines: _Lines) -> int:
    columns = db.columns(table)
    lines.add({"table": table, "columns": columns})
    count = 0
    for row in db.stream(f"SELECT {', '.join(columns)} FROM {table}"):
        lines.add(list(row))
        count += 1
    return count


# ---------------------------------------------------------------- looking


def contents(path: Path) -> Contents:
    """Read a whole file through; raises `BadBackup`."""
    try:
        with gzip.open(path, "rb") as file:
            return _checked(path, cast(BinaryIO, file))
    except (OSError, EOFError, zlib.error) as error:
        raise BadBackup(f"{path}: {_fault(error)}") from error


def _fault(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the file was cut off; take another backup"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"damaged, or no backup at all: {error}; take another backup"


def _checked(path: Path, file: BinaryIO) -> Contents:
    version = _version(path, file.readline(_LONGEST))
    file.seek(0)
    counts: dict[str, int] = {}
    total, table = hashlib.sha256(), ""
    for line in iter(lambda: file.readline(_LONGEST), b""):
        if line.startswith(b'{"end":'):
            return _ended(path, line, file, total.hexdigest(), Contents(version, counts))
        if line.startswith(b'{"table":'):
            table = _value(path, line)["table"]
            counts[table] = 0
        elif table:
            counts[table] += 1
        total.update(line)
    raise BadBackup(f"{path}: the file was cut off; take another backup")


def _version(path: Path, line: bytes) -> int:
    head = _value(path, line)
    if not isinstance(head, dict) or head.get("branchline") != "backup":
        raise BadBackup(f"{path}: no backup of Branchline")
    if head.get("format") != _FORMAT or not isinstance(head.get("schema"), int):
        raise BadBackup(f"{path}: a backup of another kind ({head.get('format')}); this program reads {_FORMAT}")
    if head["schema"] > len(schema.MIGRATIONS):
        ours = len(schema.MIGRATIONS)
        raise BadBackup(
            f"{path}: of version {head['schema']}; this program reads up to version {ours}: take a newer one"
        )
    return int(head["schema"])


def _ended(path: Path, line: bytes, file: BinaryIO, checksum: str, found: Contents) -> Contents:
    end = _value(path, line)
    if end.get("sha256") != checksum or end.get("end") != found.counts or file.read(1):
        raise BadBackup(f"{path}: damaged: its checksum is not that of its lines; take another backup")
    return found


def _value(path: Path, line: bytes) -> Any:
    try:
        return json.loads(line, object_hook=_bytes_from_json)
    except ValueError as error:
        raise BadBackup(f"{path}: damaged, or no backup at all: {error}") from error


def _bytes_from_json(value: dict[str, Any]) -> Any:
    return b64decode(value["b"]) if value.keys() == {"b"} else value


# ---------------------------------------------------------------- putting back


async def load(path: Path, target: Path | str) -> Contents:
    """Put a backup back into an empty store, of either kind; all of it or nothing. Raises `BadStore`."""
    from branchline.server.store.opening import open_store  # opening a store may itself make a backup

    found = await asyncio.to_thread(contents, path)
    store = await open_store(target)
    try:
        await asyncio.to_thread(_load, path, store)
    finally:
        await store.close()
    return found


def _load(path: Path, store: Kept) -> None:
    with store.filling() as db, gzip.open(path, "rb") as file:
        full = [table for table in schema.KEPT if table != "processes" and db.rows(f"SELECT 1 FROM {table} LIMIT 1")]
        if full:
            raise BadBackup(f"the store is not empty (it has {', '.join(full)}): a backup goes into an empty one")
        for table, columns, rows in _tables(path, cast(BinaryIO, file)):
            _fill(db, path, table, columns, rows)
        db.run("UPDATE tables SET holder = NULL")
        db.run("UPDATE processes SET until = 0 WHERE id IN (SELECT written_by FROM tables)")


def _tables(path: Path, file: BinaryIO) -> Iterator[tuple[str, list[str], Iterator[Row]]]:
    """Each table with its rows, which must be taken before the next."""
    line = file.readline()
    while line:
        head = _value(path, line)
        rows = _Rows(path, file)
        if "table" in head:
            yield head["table"], head["columns"], iter(rows)
            line = rows.next_head
        else:
            line = file.readline()


class _Rows:
    """The rows up to the next head."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self.next_head = b""

    def __iter__(self) -> Iterator[Row]:
        for line in iter(self._file.readline, b""):
            if line.startswith(b"{"):
                self.next_head = line
                return
            yield tuple(_value(self._path, line))


def _fill(db: Whole, path: Path, table: str, columns: list[str], rows: Iterator[Row]) -> None:
    unknown = set(columns) - set(db.columns(table)) if table in schema.KEPT else {table}
    if unknown:
        raise BadBackup(f"{path}: holds {', '.join(sorted(unknown))} of {table}, which this program does not know")
    marks = ", ".join("?" * len(columns))
    db.fill(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
    db.filled(table)
