"""One process that works for the service: started when it is needed, killed when its job hangs, and started anew."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.connection import wait
from typing import Any, TypeVar

T = TypeVar("T")

START_SECONDS = 300.0  # a process may have to compile the bots first


def ready() -> None:
    """Does nothing, in a process that is up."""


class Process:
    """A process that does one job at a time, and steps back behind others by its `courtesy`.

    `prepare` is run in it before the first job, and does not count as that job's time.
    """

    def __init__(self, prepare: Callable[[], None] = ready, courtesy: int = 0) -> None:
        self._prepare = prepare
        self._courtesy = courtesy
        self._executor: ProcessPoolExecutor | None = None

    async def run(self, job: Callable[..., T], args: tuple[Any, ...], seconds: float) -> T:
        """The job's result. Raises what the job raised, TimeoutError if it hangs, BrokenProcessPool if it died."""
        try:
            executor = self._executor or await self._start()
            return await asyncio.wait_for(asyncio.wrap_future(executor.submit(_do, job, *args)), seconds)
        except (TimeoutError, BrokenProcessPool, asyncio.CancelledError):
            self.end()
            raise

    async def _start(self) -> ProcessPoolExecutor:
        try:
            # To start a process takes milliseconds: not on the event loop.
            executor, started = await asyncio.to_thread(self._spawn)
            await asyncio.wait_for(asyncio.wrap_future(started), START_SECONDS)
        except Exception:
            self.end()
            raise
        return executor

    def _spawn(self) -> tuple[ProcessPoolExecutor, Future[None]]:
        # Not "fork": a child of a process with threads and sockets would inherit them in an unknown state.
        context = multiprocessing.get_context("spawn")
        begin = partial(_begin, self._courtesy)
        self._executor = executor = ProcessPoolExecutor(1, mp_context=context, initializer=begin)
        return executor, executor.submit(_do, self._prepare)

    def end(self) -> None:
        """Let go of a process that may hang."""
        executor, self._executor = self._executor, None
        if executor is not None:
            _kill(executor)
            executor.shutdown(wait=False, cancel_futures=True)


def _kill(executor: ProcessPoolExecutor) -> None:
    """End an executor's process at once, whatever it does.

    Before Python 3.14 (`kill_workers`) nothing public does that. `_processes` holds them by their ids, from the first
    `submit` on, and is None after `shutdown`; tests/server/thinking/test_process.py fails where that is no longer so.
    """
    for process in list((executor._processes or {}).values()):
        process.kill()


def _do(job: Callable[..., T], *args: Any) -> T:
    try:
        return job(*args)
    except SystemExit as leaving:  # raised again in the service it would end the service
        raise RuntimeError(f"a job wanted to leave: {leaving.code}") from None


def _begin(courtesy: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who ends the service from a terminal ends it, and that ends this
    if courtesy and hasattr(os, "nice"):
        os.nice(courtesy)
    _follow_parent()


def _follow_parent() -> None:
    """End with the service, however it ends: a process would else wait for work for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
