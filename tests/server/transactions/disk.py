"""A disk that can be filled, and emptied again."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

from branchline.server.store.sqlite_file import FILE
from tests.server.service import eventually

_BLOCK = bytes(4096)


class Disk:
    """A small file system in memory, with a folder for a service on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Not a page more: the log of the database is empty, so that every write needs room."""
        eventually(self._empties_log)
        with self._filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(_BLOCK)

    def free(self) -> None:
        self._filler.unlink()

    def _empties_log(self) -> bool:
        with contextlib.closing(sqlite3.connect(self.folder / FILE, timeout=5)) as db:
            busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int = 6) -> Iterator[Disk | None]:
    """A disk of this size; None where nobody may mount one."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        yield None
        return
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
