"""Reviews of finished games, made piece by piece: each piece is a job, so that progress shows and nobody waits long.

A review is made once for all who ask, and kept by the store with the game. Work is counted, never timed, so the same
game gets the same review, whichever process makes it and however busy it is.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from branchline.server.store.contract import ReviewRow, Store
from branchline.server.thinking import review_jobs
from branchline.server.thinking.askers import Asker, TooBusy
from branchline.server.thinking.finished import Zipped
from branchline.server.thinking.pool import Pool, look_at

PART_SECONDS: Final = 120.0
MOST_KEPT: Final = 10_000  # reviews in the store
MOST_UNDER_WAY: Final = 50  # games
REMEMBERED: Final = 500  # that failed, and why

if TYPE_CHECKING:
    from branchline.review.model import Judged

T = TypeVar("T")

ReadGame = Callable[[], Awaitable[str]]


@dataclass(slots=True)
class Progress:
    """How far a review is."""

    of: int = 0  # pieces; 0 while not even the beginning is there
    done: int = 0
    beginning: bytes = b""  # what could be told at once, as JSON
    failed: str = ""


@dataclass(slots=True)
class _Making:
    progress: Progress
    task: asyncio.Task[None] = field(init=False)


class Reviewing:
    """The reviews of a service."""

    def __init__(self, pool: Pool, store: Store) -> None:
        self._pool, self._store = pool, store
        self._made_by = ""
        self._making: dict[str, _Making] = {}
        self._failed: dict[str, str] = {}

    async def kept(self, table: str) -> Zipped | None:
        """The review of a game, if there is one."""
        row = await self._store.review(table, await self._maker())
        return Zipped(row.body) if row is not None else None

    def progress(self, table: str) -> Progress | None:
        """How far the review of a game is; None if nobody asked for it here."""
        making = self._making.get(table)
        if making is not None:
            return making.progress
        failed = self._failed.get(table)
        return Progress(failed=failed) if failed is not None else None

    def ask(self, table: str, asker: Asker, read: ReadGame) -> Progress:
        """Have a game reviewed; raises `TooBusy` where too many are."""
        making = self._making.get(table)
        if making is None:
            if len(self._making) >= MOST_UNDER_WAY:
                raise TooBusy(30.0)
            self._failed.pop(table, None)
            making = self._making[table] = _Making(Progress())
            making.task = asyncio.create_task(self._make(table, asker, read, making.progress))
            making.task.add_done_callback(look_at)
        return making.progress

    async def _maker(self) -> str:
        """Which code and which weights make reviews; reading the weights takes milliseconds, once."""
        if not self._made_by:
            self._made_by = await asyncio.to_thread(review_jobs.made_by)
        return self._made_by

    def close(self) -> None:
        for making in self._making.values():
            making.task.cancel()

    async def _make(self, table: str, asker: Asker, read: ReadGame, progress: Progress) -> None:
        try:
            body, summary = await self._review(asker, await read(), progress)
            row = ReviewRow(table, await self._maker(), time.time(), summary, body)
            await self._store.put_review(row, MOST_KEPT)
        except Exception as error:
            self._failed[table] = type(error).__name__
            while len(self._failed) > REMEMBERED:
                del self._failed[next(iter(self._failed))]
            raise
        finally:
            del self._making[table]

    async def _review(self, asker: Asker, text: str, progress: Progress) -> tuple[bytes, str]:
        progress.beginning, pieces = await self._do(asker, review_jobs.begin_review, text)
        progress.of = len(pieces)
        room = asyncio.Semaphore(self._pool.count)  # one review does not fill the line

        async def do(piece: range) -> list[Judged]:
            async with room:
                found = await self._do(asker, review_jobs.review_piece, text, piece)
            progress.done += 1
            return found

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(do(piece)) for piece in pieces]
        return await self._do(asker, review_jobs.end_review, text, [task.result() for task in tasks])

    async def _do(self, asker: Asker, job: Callable[..., T], *args: Any) -> T:
        """One job; where many wait, this one waits longer: the review was promised."""
        while True:
            try:
                return await self._pool.run(asker, job, *args, seconds=PART_SECONDS)
            except TooBusy as busy:
                await asyncio.sleep(busy.retry_after)
