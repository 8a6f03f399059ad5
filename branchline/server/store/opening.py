"""Opens the store that an operator names: a folder is SQLite, `postgresql://…` is PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

from branchline.server.store.contract import BadStore
from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite import SqliteStore


async def open_store(
    target: Path | str, *, address: str = "", administer: bool = False, backups: Path | None = None
) -> SharedStore:
    """The store of a folder or of a database; made if it is not there, brought up to date if it is older.

    `address` is where other processes and the operator find this one. `administer` opens it beside the service that
    runs on it. `backups` is a folder for the backup that is made of a database before it is changed. Raises `BadStore`.
    """
    store = await asyncio.to_thread(_opened, target, address, administer, backups)
    if not administer:
        try:
            await store.register()
        except BaseException:
            await store.close()
            raise
    return store


def _opened(target: Path | str, address: str, administer: bool, backups: Path | None) -> SharedStore:
    if not str(target).startswith(("postgresql://", "postgres://")):
        return SqliteStore(Path(target), address, administer=administer)
    try:
        from branchline.server.store.postgres import PostgresStore
    except ImportError as error:
        raise BadStore(f"PostgreSQL needs a package more: pip install 'branchline[cluster]' ({error})") from error
    return PostgresStore(str(target), address, backups=backups, administer=administer)
