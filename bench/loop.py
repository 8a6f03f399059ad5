"""The service with every callback of its event loop timed: `python bench/load.py --loop` starts it so.

Plain asyncio, for its callbacks can be timed one by one. Time is the thread's CPU time: a machine that gives the core
to somebody else is no fault of the callback. What happens before the first request and after the last is not counted.

Even so a shared machine makes a step last several times as long now and then: a callback that loses its core in the
midst finds it cold again. So of every long one it is told whether that happened (an involuntary switch). And a control
is timed in between: a step that is always the same (arithmetic, fresh memory, messages through a pair of sockets) and
takes about 0.1 ms. What the control shows too is the machine's, not the service's.
"""

from __future__ import annotations

import asyncio.events
import resource
import socket
import sys
import time
from collections import defaultdict, deque
from typing import Any

import uvicorn

from branchline.cli import main

LONG = 1e-3
ID = 22  # letters of a table's id

CONTROL_EVERY = 4  # callbacks
MESSAGE = bytes(2000)

_here, _there = socket.socketpair()
_kept: deque[list[list[int]]] = deque(maxlen=20_000)
callbacks = 0
spent = control_spent = 0.0
control: list[float] = []
long_ones: defaultdict[str, list[float]] = defaultdict(list)
_run: Any = asyncio.events.Handle._run
_init: Any = uvicorn.Config.__init__
_OUTSIDE = ("Server.serve", "LifespanOn.main", "Service._warm")


def _timed(handle: Any) -> None:
    global callbacks, spent
    request, switches = _request(handle._callback), _switches()
    began = time.thread_time()
    _run(handle)
    took = time.thread_time() - began
    callbacks += 1
    spent += took
    if took > LONG:
        lost = " (lost its core)" if _switches() > switches else ""
        long_ones[f"{_name(handle._callback)} {request}".strip() + lost].append(took)
    if callbacks % CONTROL_EVERY == 0:
        _time_control()


def _switches() -> int:
    """How often this thread has lost its core."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw


def _request(callback: Any) -> str:
    """The request a callback works on, the table's id left out; it can only be asked for before the last step."""
    task = getattr(callback, "__self__", None)
    frame = getattr(task.get_coro(), "cr_frame", None) if isinstance(task, asyncio.Task) else None
    if frame is None or frame.f_code.co_name != "run_asgi":
        return ""
    scope = frame.f_locals["self"].scope
    path = "/".join(part if len(part) != ID else "…" for part in scope["path"].split("/"))
    return f"{scope.get('method', 'socket')} {path}"


def _time_control() -> None:
    global control_spent
    began = time.thread_time()
    total = 0
    for i in range(500):
        total += i & 7
    _kept.append([[i] for i in range(50)])
    for _ in range(8):
        _here.send(MESSAGE)
        _there.recv(len(MESSAGE))
    took = time.thread_time() - began
    control_spent += took
    if took > LONG:
        control.append(took)


def _name(callback: Any) -> str:
    """What a callback belongs to: the coroutine of a task, or the function."""
    task = getattr(callback, "__self__", None)
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    return f"{getattr(coroutine or callback, '__qualname__', callback)} {_rests_at(coroutine)}".strip()


def _rests_at(coroutine: Any) -> str:
    """Where in our own code a task came to rest: the long step is the one before it."""
    place = ""
    while coroutine is not None and (frame := getattr(coroutine, "cr_frame", None)) is not None:
        if "/branchline/" in frame.f_code.co_filename and frame.f_code.co_name != "breath":
            place = f"(up to {frame.f_code.co_qualname}:{frame.f_lineno})"
        coroutine = coroutine.cr_await
    return place


def _with_plain_loop(config: Any, *args: Any, **words: Any) -> None:
    _init(config, *args, **words | {"loop": "asyncio"})


def _tell() -> None:
    counted = {name: times for name, times in long_ones.items() if name.split()[0] not in _OUTSIDE}
    number = sum(map(len, counted.values()))
    longest = max((t for times in counted.values() for t in times), default=0.0)
    lost = sum(len(times) for name, times in counted.items() if name.endswith("core)"))
    print(f"event loop: {number} of {callbacks} callbacks took over 1 ms (CPU time), at most {1e3 * longest:.1f} ms;")
    print(f"  {lost} of them lost their core in the midst")
    print(f"  in {spent:.1f} s of work: {number / spent:.2f} a second")
    steps, worst = callbacks // CONTROL_EVERY, 1e3 * max(control, default=0.0)
    print(f"control: {len(control)} of {steps} steps of {1e3 * control_spent / steps:.2f} ms, at most {worst:.1f} ms")
    print(f"  in {control_spent:.1f} s of work: {len(control) / control_spent:.2f} a second")
    for name, times in sorted(counted.items(), key=lambda item: -len(item[1])):
        print(f"  {name}: {len(times)}, up to {1e3 * max(times):.1f} ms", flush=True)


if __name__ == "__main__":
    asyncio.events.Handle._run = _timed  # type: ignore[method-assign, assignment]
    uvicorn.Config.__init__ = _with_plain_loop  # type: ignore[method-assign, assignment]
    try:
        main(sys.argv[1:])
    finally:
        _tell()
