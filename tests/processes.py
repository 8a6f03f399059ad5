"""A process and all it started: who they are, what CPU time they used, and their end.

Run as a program, this is a watcher: `processes.py PARENT PID` kills PID and all it started once PARENT is gone.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_GOOD_BYE = b"goodbye"


def family(pid: int) -> list[int]:
    """A process and all that it started, and those that they did."""
    children: dict[int, list[int]] = defaultdict(list)
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (stat := _stat(int(entry))):
            children[int(stat[1])].append(int(entry))
    found = [pid]
    for each in found:
        found += children[each]
    return found


def cpu_of(pids: Iterable[int]) -> float:
    """CPU seconds of these and of all children of theirs that have ended."""
    return _TICK * sum(int(field) for pid in pids for field in _stat(pid)[11:15])


def kill_all(pids: Iterable[int]) -> None:
    """Kill these and wait until they are gone; who has no parent left may take a moment."""
    waiting = list(pids)
    for pid in waiting:
        send(pid, signal.SIGKILL)
    while any(map(lives, waiting)):
        time.sleep(0.002)


def eventually(true: Callable[[], object], seconds: float = 30) -> None:
    """Wait for what another process does, and no longer than that."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.002)


def lives(pid: int) -> bool:
    """Whether there is such a process; one that ended and that nobody has asked about yet does not live."""
    return _stat(pid)[:1] not in ([], ["Z"])


def send(pid: int, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sign)


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name (the first is the state); none if there is no such process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(")")[2].split()


# ---------------------------------------------------------------- watchers


def watch(pid: int) -> subprocess.Popen[bytes]:
    """Let nothing of this process outlive ours, however ours ends; `dismiss` says that all is well."""
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(pid)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def dismiss(watcher: subprocess.Popen[bytes]) -> None:
    watcher.communicate(_GOOD_BYE)


def _watch_over(parent: int, pid: int) -> None:
    # The pipe says at once that the parent is gone; a copy of it in some fork of the parent would keep it open.
    while os.getppid() == parent and not select.select([sys.stdin], [], [], 1.0)[0]:
        pass
    if os.getppid() != parent or sys.stdin.buffer.read() != _GOOD_BYE:
        kill_all(family(pid))


if __name__ == "__main__":
    _watch_over(int(sys.argv[1]), int(sys.argv[2]))
