"""Processes that work for the service. One that dies or hangs is replaced, and nobody else's work is lost with it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, TypeVar

T = TypeVar("T")

START_SECONDS = 300.0  # a process may have to compile the bots first


def follow_parent() -> None:
    """End with the service, however it ends: a worker would else wait for work for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def ready() -> None:
    """Does nothing, in a worker that is up."""


class Pool:
    """A few processes that do one job each at a time; who comes first is served first.

    `prepare` is run in each process before its first job and does not count as a job's time; nor does waiting.
    """

    def __init__(self, count: int = 1, prepare: Callable[[], None] = ready) -> None:
        self.count = count
        self.asked = 0  # jobs waiting or being done
        self._gate = asyncio.Semaphore(count)
        self._free = [_Process(prepare) for _ in range(count)]
        self._all = tuple(self._free)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, job: Callable[..., T], *args: Any, seconds: float) -> T:
        """The job's result. Raises what the job raised, TimeoutError if it hangs, BrokenProcessPool if it died."""
        # A process stays taken until its job is done, even if nobody waits for that any more.
        task = asyncio.create_task(self._in_turn(job, args, seconds))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(task)
        except Exception as error:
            _forget_trace(error)
            raise

    async def _in_turn(self, job: Callable[..., T], args: tuple[Any, ...], seconds: float) -> T:
        self.asked += 1
        try:
            async with self._gate:
                process = self._free.pop()
                try:
                    return await process.run(job, args, seconds)
                finally:
                    self._free.append(process)
        finally:
            self.asked -= 1

    async def warm(self) -> None:
        """Start all processes now."""
        await self.everywhere(ready)

    async def everywhere(self, job: Callable[[], None]) -> None:
        """Do a job in each process."""
        await asyncio.gather(*(self.run(job, seconds=START_SECONDS) for _ in range(self.count)))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for process in self._all:
            process.end()


def _forget_trace(error: BaseException | None) -> None:
    """Let go of where an error came from: the trace holds tasks that hold the error, and all would stay for ever."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


class _Process:
    """One process, started when it is needed."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, job: Callable[..., T], args: tuple[Any, ...], seconds: float) -> T:
        try:
            pool = self._pool or await self._start()
            return await asyncio.wait_for(asyncio.wrap_future(pool.submit(job, *args)), seconds)
        except (TimeoutError, BrokenProcessPool, asyncio.CancelledError):
            self.end()
            raise

    async def _start(self) -> ProcessPoolExecutor:
        try:
            # To start a process takes milliseconds: not on the event loop.
            pool, started = await asyncio.to_thread(self._spawn)
            await asyncio.wait_for(asyncio.wrap_future(started), START_SECONDS)
        except Exception:
            self.end()
            raise
        return pool

    def _spawn(self) -> tuple[ProcessPoolExecutor, Future[None]]:
        # Not "fork": a child of a process with threads and sockets would inherit them in an unknown state.
        context = multiprocessing.get_context("spawn")
        self._pool = pool = ProcessPoolExecutor(1, mp_context=context, initializer=follow_parent)
        return pool, pool.submit(self._prepare)

    def end(self) -> None:
        """Let go of a process that may hang."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
