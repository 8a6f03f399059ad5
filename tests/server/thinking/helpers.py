"""What the tests of processes share."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

LONG = 60.0  # seconds that nothing here takes, on the slowest machine


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def ended(pid: int) -> None:
    """Wait until a process is no more."""
    deadline = time.monotonic() + LONG
    while _is_running(pid):
        assert time.monotonic() < deadline, "the process goes on"
        await asyncio.sleep(0.01)


def _is_running(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


def left() -> list[str]:
    """What only a garbage collector finds, by its kind."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    found = [type(thing).__qualname__ for thing in gc.garbage]
    gc.garbage.clear()
    return found
