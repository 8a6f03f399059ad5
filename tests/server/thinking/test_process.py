"""A process of the service's: it is as polite as it should be, and one that hangs or dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any

import pytest

from branchline.server.thinking.process import Process
from tests.server.thinking.helpers import LONG, ended, run


@asynccontextmanager
async def process(courtesy: int = 0) -> AsyncIterator[Process]:
    made = Process(courtesy=courtesy)
    try:
        yield made
    finally:
        made.end()


def die() -> None:
    os._exit(3)


def test_jobs_of_one_process_are_done_in_the_same_one() -> None:
    async def work() -> None:
        async with process() as one:
            first = await one.run(os.getpid, (), LONG)
            assert first != os.getpid()
            assert await one.run(os.getpid, (), LONG) == first

    run(work())


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there is no niceness here")
def test_a_process_steps_back_by_its_courtesy_and_so_do_threads_it_starts() -> None:
    async def work() -> None:
        here = os.getpriority(os.PRIO_PROCESS, 0)
        async with process(7) as one:
            assert await one.run(os.getpriority, (os.PRIO_PROCESS, 0), LONG) == min(19, here + 7)
            assert await one.run(priority_of_a_thread, (), LONG) == min(19, here + 7)
        assert os.getpriority(os.PRIO_PROCESS, 0) == here

    run(work())


def priority_of_a_thread() -> int:
    async def ask() -> int:
        return await asyncio.to_thread(os.getpriority, os.PRIO_PROCESS, 0)

    return asyncio.run(ask())


def test_one_that_hangs_is_killed_and_the_next_job_gets_another() -> None:
    async def work() -> None:
        async with process() as one:
            before = await one.run(os.getpid, (), LONG)
            with pytest.raises(TimeoutError):
                await one.run(time.sleep, (LONG,), 0.05)
            after = await one.run(os.getpid, (), LONG)
            assert after != before
            await ended(before)

    run(work())


@pytest.mark.parametrize("how", [die, sys.exit])
def test_one_that_dies_or_wants_to_is_told_of_and_the_next_job_is_done(how: Any) -> None:
    async def work() -> None:
        async with process() as one:
            with pytest.raises((BrokenProcessPool, RuntimeError)):
                await one.run(how, (), LONG)
            assert await one.run(abs, (-5,), LONG) == 5

    run(work())


def test_one_that_is_killed_from_outside_is_replaced() -> None:
    async def work() -> None:
        async with process() as one:
            os.kill(await one.run(os.getpid, (), LONG), signal.SIGKILL)
            with pytest.raises(BrokenProcessPool):
                await one.run(time.sleep, (LONG,), LONG)
            assert await one.run(abs, (-5,), LONG) == 5

    run(work())


def test_what_a_job_raises_is_raised_and_costs_no_process() -> None:
    async def work() -> None:
        async with process() as one:
            before = await one.run(os.getpid, (), LONG)
            with pytest.raises(ZeroDivisionError):
                await one.run(divmod, (1, 0), LONG)
            assert await one.run(os.getpid, (), LONG) == before

    run(work())


def test_the_private_part_of_an_executor_is_what_we_take_it_for() -> None:
    """`Process.end` kills by `_processes`: processes by their ids from the first job on, None after the end."""
    executor = ProcessPoolExecutor(1)
    pid = executor.submit(os.getpid).result()
    assert list(executor._processes) == [pid]
    assert executor._processes[pid].pid == pid
    executor.shutdown()
    assert executor._processes is None
