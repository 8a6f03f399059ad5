"""The kinds of work of a service: apart from each other, and each as polite as it should be."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from branchline.server.tables.roster import Roster
from branchline.server.thinking.askers import OURSELVES
from branchline.server.thinking.pool import Pool
from branchline.server.thinking.thinking import Load, Thinking
from tests.server.thinking.helpers import LONG, run


def pools(thinking: Thinking) -> dict[str, Pool]:
    return {
        "quick": thinking._quick,
        "slow": thinking._slow,
        "telling": thinking._telling,
        "files": thinking._files,
    }


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there is no niceness here")
def test_the_event_loop_comes_first_then_quick_bots_then_the_rest() -> None:
    async def work() -> dict[str, int]:
        thinking = Thinking(Roster())
        try:
            ask = {
                kind: pool.run(OURSELVES, os.getpriority, os.PRIO_PROCESS, 0, seconds=LONG)
                for kind, pool in pools(thinking).items()
                if kind != "slow"  # it compiles first, and is as polite as what tells
            }
            return dict(zip(ask, await asyncio.gather(*ask.values()), strict=True))
        finally:
            thinking.close()

    nice = run(work())
    assert os.getpriority(os.PRIO_PROCESS, 0) < nice["quick"] < nice["telling"] < nice["files"]
    assert Thinking(Roster())._slow._all[0]._courtesy == Thinking(Roster())._telling._all[0]._courtesy


def test_how_much_waits_is_told_by_kind() -> None:
    async def work() -> tuple[dict[str, Load], dict[str, Load]]:
        thinking = Thinking(Roster())
        before = thinking.load()
        for pool in pools(thinking).values():
            for _ in range(3):
                pool.turns.join(OURSELVES, lambda: None)
        return before, thinking.load()

    before, after = run(work())
    assert before == dict.fromkeys(("quick", "slow", "own", "telling", "files", "reviews"), Load(0, 0))
    assert after == {**before, **dict.fromkeys(("quick", "slow", "telling", "files"), Load(2, 1))}


def test_what_runs_in_a_process_knows_neither_the_web_framework_nor_the_store() -> None:
    program = (
        "import sys, branchline.server.thinking.jobs\n"
        "heavy = ('fastapi', 'starlette', 'uvicorn', 'sqlite3', 'psycopg', 'redis', 'numba', 'numpy', 'asyncio')\n"
        "ours = ('store', 'people', 'bus', 'live', 'transport', 'operate')\n"
        "print([name for name in sys.modules if name.partition('.')[0] in heavy\n"
        "       or name.startswith(tuple(f'branchline.server.{part}' for part in ours))])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
