"""`branchline serve` as an operator starts it, for tests of what stands around it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Self

from tests.processes import dismiss, family, kill_all, watch
from tests.servers import free_port

ROOT = Path(__file__).parents[3]


class Serving:
    """A process of the service on a free port, started when entered."""

    def __init__(self, folder: Path, *options: str, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.options = options
        self.environment = environment or {}
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "branchline", "serve", "--port", str(self.port), "--data", str(self.folder)]
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = (self.folder.parent / f"serve-{self.port}.log").open("wb")
        environment = os.environ | {"PYTHONPATH": str(ROOT)} | self.environment
        with log:
            self._process = subprocess.Popen([*command, *self.options], stdout=log, stderr=log, env=environment)
        self._watcher = watch(self._process.pid)
        self._wait()
        return self

    def _wait(self) -> None:
        end = time.monotonic() + 90
        while not self.answers():
            assert self._process is not None
            log = (self.folder.parent / f"serve-{self.port}.log").read_text()
            assert self._process.poll() is None and time.monotonic() < end, f"serve did not start:\n{log[-3000:]}"
            time.sleep(0.05)

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> None:
        if self._process is None:
            return
        pids = family(self._process.pid)
        self._process.send_signal(sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(30)
        kill_all(pids)
        self._process.wait()
        self._process = None
        dismiss(self._watcher)
