"""The service with every callback of its event loop timed: `python bench/load.py --loop` starts it so.

Plain asyncio, for its callbacks can be timed one by one. Time is the thread's CPU time: a machine that gives the core
to somebody else is no fault of the callback. What happens before the first request and after the last is not counted.
"""

from __future__ import annotations

import asyncio.events
import sys
import time
from collections import defaultdict
from typing import Any

import uvicorn

from branchline.cli import main

LONG = 1e-3

callbacks = 0
long_ones: defaultdict[str, list[float]] = defaultdict(list)
_run: Any = asyncio.events.Handle._run
_init: Any = uvicorn.Config.__init__
_OUTSIDE = ("Server.serve", "LifespanOn.main", "Service._warm")


def _timed(handle: Any) -> None:
    global callbacks
    began = time.thread_time()
    _run(handle)
    took = time.thread_time() - began
    callbacks += 1
    if took > LONG:
        long_ones[_name(handle._callback)].append(took)


def _name(callback: Any) -> str:
    """What a callback belongs to: the coroutine of a task, or the function."""
    task = getattr(callback, "__self__", None)
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    return str(getattr(coroutine or callback, "__qualname__", callback))


def _with_plain_loop(config: Any, *args: Any, **words: Any) -> None:
    _init(config, *args, **words | {"loop": "asyncio"})


def _tell() -> None:
    counted = {name: times for name, times in long_ones.items() if name not in _OUTSIDE}
    number = sum(map(len, counted.values()))
    longest = max((t for times in counted.values() for t in times), default=0.0)
    print(f"event loop: {number} of {callbacks} callbacks took over 1 ms (CPU time), at most {1e3 * longest:.1f} ms")
    for name, times in sorted(counted.items(), key=lambda item: -len(item[1])):
        print(f"  {name}: {len(times)}, up to {1e3 * max(times):.1f} ms", flush=True)


if __name__ == "__main__":
    asyncio.events.Handle._run = _timed  # type: ignore[method-assign]
    uvicorn.Config.__init__ = _with_plain_loop  # type: ignore[method-assign]
    try:
        main(sys.argv[1:])
    finally:
        _tell()
