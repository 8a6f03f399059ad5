"""A few processes for one kind of work. One that dies or hangs is replaced, and nobody else's work is lost with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from branchline.server.thinking.askers import OURSELVES, Asker
from branchline.server.thinking.process import START_SECONDS, Process, ready
from branchline.server.thinking.turns import Bounds, Place, Turns

T = TypeVar("T")


class Pool:
    """Processes that do one job each at a time; who asks takes turns with the others who do (`Turns`)."""

    def __init__(
        self,
        count: int = 1,
        *,
        prepare: Callable[[], None] = ready,
        courtesy: int = 0,
        bounds: Bounds | None = None,
    ) -> None:
        self.count = count
        self.turns = Turns(count, bounds)
        self._all = tuple(Process(prepare, courtesy) for _ in range(count))
        self._free = list(self._all)
        self._called: set[asyncio.Future[None]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, asker: Asker, job: Callable[..., T], *args: Any, seconds: float) -> T:
        """The job's result; waiting for a turn does not count as its time.

        Raises TooBusy instead of waiting, what the job raised, TimeoutError if it hangs, BrokenProcessPool if it died.
        """
        place = await self._wait_for_turn(asker)
        # A process stays taken until its job is done, even if nobody waits for that any more.
        task = asyncio.create_task(self._work(place, job, args, seconds))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(look_at)
        try:
            return await asyncio.shield(task)
        except Exception as error:
            _forget_trace(error)
            raise

    async def _wait_for_turn(self, asker: Asker) -> Place:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = self.turns.join(asker, partial(_call, called))
        self._called.add(called)
        try:
            await called
        except asyncio.CancelledError:
            self.turns.leave(place)
            raise
        finally:
            self._called.discard(called)
        return place

    async def _work(self, place: Place, job: Callable[..., T], args: tuple[Any, ...], seconds: float) -> T:
        process = self._free.pop()
        try:
            return await process.run(job, args, seconds)
        finally:
            self._free.append(process)
            self.turns.leave(place)

    async def warm(self) -> None:
        """Start all processes now."""
        await self.everywhere(ready)

    async def everywhere(self, job: Callable[[], None]) -> None:
        """Do a job in each process."""
        await asyncio.gather(*(self.run(OURSELVES, job, seconds=START_SECONDS) for _ in range(self.count)))

    def close(self) -> None:
        for waiter in (*self._called, *self._tasks):
            waiter.cancel()
        for process in self._all:
            process.end()


def _call(called: asyncio.Future[None]) -> None:
    if not called.done():  # who waited may have gone in this very moment
        called.set_result(None)


def look_at(task: asyncio.Task[Any]) -> None:
    """Take note of an error that nobody waits for, or asyncio complains of it."""
    if not task.cancelled():
        task.exception()


def _forget_trace(error: BaseException | None) -> None:
    """Let go of where an error came from: the trace holds tasks that hold the error, and all would stay for ever."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
