"""Opening the store beside a running service, writing all of it to a file, and reading such a file into another.

A backup can be read into either kind of store, so it is also the way from SQLite to PostgreSQL and back.
"""

from __future__ import annotations

from pathlib import Path

from branchline.server.operate.admin import AdminFailed
from branchline.server.operate.deployment import note_backup
from branchline.server.store.backup import Contents, dump, load
from branchline.server.store.contract import Store
from branchline.server.store.opening import open_store


async def open_beside(folder: Path, database: str | None) -> Store:
    """The store of a service, which may be running; nothing is made where there is none."""
    return await open_store(database or folder, administer=True)


async def back_up(folder: Path, database: str | None, file: Path) -> str:
    """Write all that is kept to a file, while the service runs on."""
    store = await open_store(database or folder, administer=True)
    try:
        contents = await dump(store, file)
    except OSError as error:
        raise AdminFailed(f"{file} cannot be written: {error.strerror}") from None
    finally:
        await store.close()
    note_backup(folder)
    size = f"{file.stat().st_size / 1e6:.1f} MB"
    return f"{file}: {told(contents)}, {size}; it holds keys and all games, so keep it safe"


async def restore(folder: Path, database: str | None, file: Path) -> str:
    """Read a backup into a store in which there is nothing yet; a damaged one changes nothing."""
    contents = await load(file, database or folder)
    return f"{file}: {told(contents)} restored; guests, games and keys are as they were"


def told(contents: Contents) -> str:
    tables, people = contents.counts.get("tables", 0), contents.counts.get("users", 0)
    return f"{tables} tables, {people} people, {sum(contents.counts.values())} rows"
