"""`branchline` on a store whose commits do not wait for the disk: `power_cuts.py --prove` must find what that loses."""

from __future__ import annotations

import functools
import sqlite3
import sys

from branchline.cli import main


class Careless(sqlite3.Connection):
    """Forgets about the disk once the service has set its store up."""

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        found = super().execute(sql, *args)  # type: ignore[arg-type]
        if "wal_autocheckpoint" in sql:
            super().execute("PRAGMA synchronous = OFF")
        return found


if __name__ == "__main__":
    sqlite3.connect = functools.partial(sqlite3.connect, factory=Careless)  # type: ignore[assignment]
    main(sys.argv[1:])
