"""Whether SQLite's write-ahead log still holds all that was committed to it.

SQLite reads a log up to the first page that is damaged, and says nothing about what stands behind it: commits that
were acknowledged would be gone without a word. Two witnesses tell of them. The index beside the log (`-shm`) counts the
pages that were committed, and is written after they have reached the disk. And a power cut can tear only the last
commit of a log, because the next is begun when the one before is safe: so if two commits stand behind the place up to
which SQLite reads, that place was damaged later. (The formats: sqlite.org/walformat.html.)
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from branchline.server.store.contract import BadStore

_LOG_HEAD: Final = 32
_PAGE_HEAD: Final = 24
_INDEX_HEAD: Final = 48
_MAGIC: Final = (0x377F0682, 0x377F0683)


class _Index(NamedTuple):
    """What the index says: the committed pages of the log, and which log it means."""

    pages: int
    salt: bytes


def check_log(path: Path) -> None:
    """Refuse a store whose log has lost commits; nothing is changed. Nobody else may be using it."""
    log, index = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
    if not log.exists() or log.stat().st_size <= _LOG_HEAD:
        return
    as_found = index.read_bytes() if index.exists() else b""
    _let_sqlite_read(path)
    before, after = _index(as_found), _index(index.read_bytes() if index.exists() else b"")
    if after is not None and _has_lost(log, before, after):
        index.write_bytes(as_found)  # the witness stays: the next start shall see it too
        raise BadStore(
            f"{path}: its log {log.name} is damaged: commits that were acknowledged cannot be read; put back a backup,"
            f" or move {log.name} and {index.name} away to go on with what the file itself holds"
        )


def _let_sqlite_read(path: Path) -> None:
    """SQLite writes into the index how far it can read. A reader leaves the log as it is when it goes."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        db.close()


def _has_lost(log: Path, before: _Index | None, after: _Index) -> bool:
    with log.open("rb") as file:
        head = file.read(_LOG_HEAD)
        magic, size = struct.unpack(">I", head[:4])[0], struct.unpack(">I", head[8:12])[0]
        salt = head[16:24]
        if magic in _MAGIC and before is not None and before.salt == salt and before.pages > after.pages:
            return True
        sound = magic in _MAGIC and 512 <= size <= 65536
        return _has_two_commits(log, after.pages if sound else 0, size if sound else 4096, salt if sound else None)


def _has_two_commits(log: Path, behind: int, size: int, salt: bytes | None) -> bool:
    """Whether something follows a commit, behind so many pages; without a salt that of the first page counts."""
    committed = False
    for ends_commit, its_salt in _page_heads(log, behind, size):
        salt = its_salt if salt is None else salt
        if its_salt != salt:
            return False
        if committed:
            return True
        committed = ends_commit
    return False


def _page_heads(log: Path, behind: int, size: int) -> Iterator[tuple[bool, bytes]]:
    with log.open("rb") as file:
        at = _LOG_HEAD + behind * (_PAGE_HEAD + size)
        file.seek(at)
        while len(head := file.read(_PAGE_HEAD)) == _PAGE_HEAD:
            yield head[4:8] != b"\0\0\0\0", head[8:16]
            at += _PAGE_HEAD + size
            file.seek(at)


def _index(text: bytes) -> _Index | None:
    """The index of a log, if it is whole: its head is written twice, and has a checksum."""
    first, second = text[:_INDEX_HEAD], text[_INDEX_HEAD : 2 * _INDEX_HEAD]
    if len(second) < _INDEX_HEAD or first != second or not first[12] or _checksum(first[:40]) != first[40:]:
        return None
    return _Index(struct.unpack("=I", first[16:20])[0], first[32:40])


def _checksum(words: bytes) -> bytes:
    one = two = 0
    for a, b in struct.iter_unpack("=II", words):
        one = (one + a + two) & 0xFFFFFFFF
        two = (two + b + one) & 0xFFFFFFFF
    return struct.pack("=II", one, two)
