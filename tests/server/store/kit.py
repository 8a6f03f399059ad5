"""Tables and people for the tests of the stores, and ways to open, look into and disturb a store from outside."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg

from branchline.server.store.opening import open_store
from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite_file import FILE
from branchline.server.tables.rows import ChairRow, Change, LogRow, TableRow

Target = Path | str
Work = Callable[[SharedStore], Coroutine[Any, Any, None]]

LIVE = '{"order":"drawn","clock":{"kind":"live","pool":600,"increment":10,"days":1.0},"fixed_deal":false}'
DAYS = '{"order":"drawn","clock":{"kind":"days","pool":600,"increment":10,"days":2.0},"fixed_deal":false}'
NO_CLOCK = '{"order":"drawn","clock":{"kind":"none","pool":600,"increment":10,"days":1.0},"fixed_deal":false}'


def row(table: str = "t", **changed: Any) -> TableRow:
    """A table that waits."""
    plain = TableRow(
        id=table,
        map="usa",
        map_hash="hash of the map",
        rules=3,
        options=NO_CLOCK,
        state="open",
        created=1000.0,
        started=None,
        ended=None,
        owner="ada",
        listed=True,
        commitment="promised",
        server_seed=b"\x00seed\xff",
        deal_key="k1",
        seed=None,
        rematch_of=None,
        rematch=None,
        result=None,
        to_act="[]",
        updated=1000.0,
        moment=None,
    )
    return replace(plain, **changed)


def chairs(*users: str | None) -> tuple[ChairRow, ...]:
    """People by name, None for an empty chair."""
    return tuple(ChairRow(seat, user, None, (user or "").title(), None, None) for seat, user in enumerate(users))


def entry(seq: int, cid: str | None = None, by: str = "player") -> LogRow:
    return LogRow(seq, seq % 2, f"draw deck {seq}", by, cid, 1000.0 + seq)


def new(table: str = "t", *users: str | None, **changed: Any) -> tuple[None, Change]:
    """The write of a new table."""
    return None, Change(row(table, **changed), new=True, chairs=chairs(*(users or ("ada", None))))


def using(target: Target, work: Work, **options: Any) -> None:
    """Open a store, work with it, close it."""

    async def run() -> None:
        store = await open_store(target, **options)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


async def beside(target: Target) -> SharedStore:
    """Another process of the same service; SQLite has only the operator's."""
    other = await open_store(target, address="beside", administer=isinstance(target, Path))
    await other.beat(0.0)
    return other


def ask(target: Target, sql: str, args: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Ask or change the database by another door; `?` stands for a value."""
    if isinstance(target, Path):
        db = sqlite3.connect(target / FILE)
        with db:
            found = db.execute(sql, args).fetchall()
        db.close()
        return found
    with psycopg.connect(target) as connection:
        cursor = connection.execute(sql.replace("?", "%s").encode(), args)
        return cursor.fetchall() if cursor.description else []
