"""Pools of processes: turns, bounds, and that no kind of work waits for another."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from branchline.server.thinking.askers import OURSELVES, Asker, TooBusy
from branchline.server.thinking.pool import Pool
from branchline.server.thinking.turns import Bounds
from tests.server.thinking.helpers import LONG, ended, left, run

ADA, BO = Asker("ada", "198.51.100.1"), Asker("bo", "198.51.100.2")


@asynccontextmanager
async def pool(count: int = 1, **options: Any) -> AsyncIterator[Pool]:
    made = Pool(count, **options)
    try:
        yield made
    finally:
        made.close()


def wait_for(file: Path) -> str:
    """A job that ends when a test lets it."""
    while not file.exists():
        time.sleep(0.005)
    return file.name


def crash() -> None:
    raise LookupError("a fault of the job")


async def started(pool: Pool, working: int) -> None:
    while pool.turns.working < working:
        await asyncio.sleep(0)


# ---------------------------------------------------------------- turns and bounds


def test_another_comes_next_however_much_one_has_asked_for(tmp_path: Path) -> None:
    async def work() -> None:
        done: list[str] = []

        async def ask(one: Pool, asker: Asker, name: str) -> None:
            await one.run(asker, abs, 1, seconds=LONG)
            done.append(name)

        async with pool() as one:
            first = asyncio.create_task(one.run(ADA, wait_for, tmp_path / "go", seconds=LONG))
            await started(one, 1)
            flood = [asyncio.create_task(ask(one, ADA, f"a{n}")) for n in range(20)]
            await asyncio.sleep(0)
            other = asyncio.create_task(ask(one, BO, "b"))
            await asyncio.sleep(0)
            (tmp_path / "go").touch()
            await asyncio.gather(first, other, *flood)
            assert done.index("b") == 1

    run(work())


def test_what_is_too_much_is_refused_at_once_and_costs_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(bounds=Bounds(of_person=2)) as few:
            asked = [asyncio.create_task(few.run(ADA, wait_for, tmp_path / "go", seconds=LONG)) for _ in range(2)]
            await started(few, 1)
            with pytest.raises(TooBusy):
                await few.run(ADA, abs, 1, seconds=LONG)
            assert (few.turns.working, few.turns.waiting) == (1, 1)
            (tmp_path / "go").touch()
            assert await asyncio.gather(*asked) == ["go", "go"]
            assert await few.run(ADA, abs, -1, seconds=LONG) == 1

    run(work())


def test_two_kinds_of_work_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool() as slow, pool() as quick:
            stuck = [asyncio.create_task(slow.run(ADA, wait_for, tmp_path / "go", seconds=LONG)) for _ in range(8)]
            await started(slow, 1)
            assert await quick.run(ADA, abs, -3, seconds=LONG) == 3
            assert slow.turns.working == 1 and not any(task.done() for task in stuck)
            (tmp_path / "go").touch()
            await asyncio.gather(*stuck)

    run(work())


def test_all_processes_of_a_pool_work_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(2) as two:
            stuck = asyncio.create_task(two.run(ADA, wait_for, tmp_path / "go", seconds=LONG))
            await started(two, 1)
            assert await two.run(ADA, abs, -3, seconds=LONG) == 3
            (tmp_path / "go").touch()
            await stuck

    run(work())


# ---------------------------------------------------------------- what goes wrong


def test_a_job_nobody_waits_for_keeps_its_process_until_it_is_done(tmp_path: Path) -> None:
    """Else the next job would wait in the process, and that would count as its own time."""

    async def work() -> None:
        async with pool() as one:
            given_up = asyncio.create_task(one.run(ADA, wait_for, tmp_path / "go", seconds=LONG))
            await started(one, 1)
            given_up.cancel()
            with suppress(asyncio.CancelledError):
                await given_up
            following = asyncio.create_task(one.run(BO, abs, -1, seconds=LONG))
            await asyncio.sleep(0.05)
            assert (one.turns.working, one.turns.waiting) == (1, 1)
            (tmp_path / "go").touch()
            assert await following == 1

    run(work())


def test_who_gives_up_while_waiting_leaves_the_line(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool() as one:
            first = asyncio.create_task(one.run(ADA, wait_for, tmp_path / "go", seconds=LONG))
            await started(one, 1)
            waiting = asyncio.create_task(one.run(BO, wait_for, tmp_path / "never", seconds=LONG))
            await asyncio.sleep(0)
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            assert one.turns.waiting == 0
            (tmp_path / "go").touch()
            await first

    run(work())


def test_one_job_that_hangs_costs_nobody_else_theirs() -> None:
    async def work() -> None:
        async with pool() as one:
            await one.warm()
            hanging = asyncio.create_task(one.run(ADA, time.sleep, LONG, seconds=0.05))
            others = [asyncio.create_task(one.run(asker, abs, -n, seconds=LONG)) for n, asker in enumerate((ADA, BO))]
            with pytest.raises(TimeoutError):
                await hanging
            assert await asyncio.gather(*others) == [0, 1]

    run(work())


def test_when_a_pool_closes_nobody_waits_for_ever(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool() as one:
            asked = [asyncio.create_task(one.run(ADA, wait_for, tmp_path / "never", seconds=LONG)) for _ in range(3)]
            await started(one, 1)
            one.close()
            ended = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(end) for end in ended] == [asyncio.CancelledError] * 3

    run(work())


# ---------------------------------------------------------------- what is left


def test_no_job_leaves_things_that_only_hold_each_other() -> None:
    """The service runs without a garbage collector."""

    async def every_way(one: Pool) -> None:
        await one.run(ADA, abs, 1, seconds=LONG)
        with suppress(LookupError):
            await one.run(ADA, crash, seconds=LONG)
        with suppress(TooBusy):
            await asyncio.gather(*(one.run(BO, abs, 1, seconds=LONG) for _ in range(4)))
        given_up = asyncio.create_task(one.run(ADA, abs, 1, seconds=LONG))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])

    async def work() -> None:
        async with pool(bounds=Bounds(of_person=3)) as one:
            await every_way(one)  # what is made once stays
            await one.run(OURSELVES, abs, 1, seconds=LONG)
            gc.collect()
            gc.disable()
            try:
                for _ in range(3):
                    await every_way(one)
                await one.run(OURSELVES, abs, 1, seconds=LONG)
                assert left() == []
            finally:
                gc.enable()

    run(work())


def test_a_pools_processes_end_with_the_one_who_started_them() -> None:
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    parent = context.Process(target=start_and_wait, args=(theirs,))
    parent.start()
    child = mine.recv()
    parent.kill()
    parent.join()
    run(ended(child))


def start_and_wait(told: Connection) -> None:
    async def work() -> None:
        async with pool() as one:
            told.send(await one.run(OURSELVES, os.getpid, seconds=LONG))
            await asyncio.sleep(LONG)

    asyncio.run(work())
