"""A thread that writes for everybody: it takes all that waits and does it as one, so that one commit serves many."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar

from branchline.server.store.contract import StoreFailed

W = TypeVar("W")

MOST_AT_ONCE: Final = 500  # jobs of one commit, so that the first need not wait long for the last


class Job(Generic[W]):
    """What one caller wants done, and the future it waits for."""

    __slots__ = ("done", "error", "loop", "result", "work")

    def __init__(self, work: W, loop: asyncio.AbstractEventLoop, done: asyncio.Future[Any]) -> None:
        self.work = work
        self.loop = loop
        self.done = done
        self.result: Any = None
        self.error: Exception | None = None


class Writer(Generic[W]):
    """Counts since the start. `do` does a batch, gives each job its result or its error, and says how many statements
    it took. `trouble` is "" while that succeeds, else what was said to the last batch. `on_commit(seconds, writes)` is
    called in the writer's thread."""

    def __init__(self, do: Callable[[list[Job[W]]], int], name: str) -> None:
        self.commits = 0
        self.writes = 0
        self.statements = 0
        self.commit_seconds = 0.0
        self.last_commit_seconds = 0.0
        self.trouble = ""
        self.on_commit: Callable[[float, int], None] | None = None
        self._do = do
        self._closed = False
        self._gate = threading.Lock()  # around `_closed` and what must not happen after it
        self._queue: queue.SimpleQueue[Job[W] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def ask(self, work: W) -> Any:
        """Have it done; returns once that is durable, with its result, or raises what it met."""
        loop = asyncio.get_running_loop()
        job = Job(work, loop, loop.create_future())
        with self._gate:
            if self._closed:
                raise StoreFailed("the store is closed")
            self._queue.put(job)
        try:
            return await job.done
        finally:
            del job  # an error's trace holds this frame, and the job the error

    def close(self) -> None:
        """Take nothing more, finish what was asked for."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    # ------------------------------------------------------------ in the thread

    def _work(self) -> None:
        going = True
        while going:
            batch, going = self._next_batch()
            if batch:
                self._commit(batch)
            batch.clear()  # while this waits for more, nothing done is kept

    def _next_batch(self) -> tuple[list[Job[W]], bool]:
        """All that waits, once anything does; and whether more may come."""
        batch: list[Job[W]] = []
        job = self._queue.get()
        while job is not None:
            batch.append(job)
            if len(batch) == MOST_AT_ONCE:
                return batch, True
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _commit(self, batch: list[Job[W]]) -> None:
        began = time.perf_counter()
        try:
            statements = self._do(batch)
        except Exception as error:  # nobody may wait for ever because we were wrong
            logging.getLogger(__name__).exception("the writer failed")
            for job in batch:
                job.error = job.error or StoreFailed(f"the writer failed: {error}")
            statements = 0
        self._count(batch, statements, time.perf_counter() - began)
        _answer(batch)
        self._tell_watcher(len(batch))

    def _count(self, batch: list[Job[W]], statements: int, seconds: float) -> None:
        failed = [job.error for job in batch if isinstance(job.error, StoreFailed)]
        self.trouble = str(failed[-1]) if failed else ""
        if len(failed) == len(batch):
            return
        self.commits += 1
        self.writes += sum(job.error is None for job in batch)
        self.statements += statements
        self.commit_seconds += seconds
        self.last_commit_seconds = seconds

    def _tell_watcher(self, writes: int) -> None:
        """A watcher that fails is dropped: nobody may wait for ever because somebody counted wrong."""
        if self.on_commit is None or self.trouble:
            return
        try:
            self.on_commit(self.last_commit_seconds, writes)
        except Exception:
            logging.getLogger(__name__).exception("the watcher of commits failed and is no longer told")
            self.on_commit = None


def _answer(batch: Iterable[Job[W]]) -> None:
    """Tell all who wait, with one call into each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[Job[W]]] = {}
    for job in batch:
        loops.setdefault(job.loop, []).append(job)
    for loop, jobs in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve, jobs)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _resolve(jobs: Iterable[Job[W]]) -> None:
    for job in jobs:
        if job.done.done():  # given up by who waited
            continue
        if job.error is None:
            job.done.set_result(job.result)
        else:
            job.done.set_exception(job.error)
