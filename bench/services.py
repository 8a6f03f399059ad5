"""Services to measure: one process with a file, or several with PostgreSQL, Redis and nginx, all on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import psycopg  # noqa: E402

from tests.processes import cpu_of, family, kill_all  # noqa: E402
from tests.servers import Nginx, Postgres, Redis, balanced, free_port  # noqa: E402

Key = tuple[str, str]  # of a move: its table, and the mover's key
MOVES = "SELECT table_id, coalesce(cid, '') FROM log WHERE by = 'player'"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said to players, compared with what is stored."""

    lost: int  # acknowledged, and not stored
    twice: int  # stored more than once, or without a key
    ghosts: int  # refused for good, and stored all the same


def verdict(stored: Counter[Key], acknowledged: Iterable[Key], refused: Iterable[Key]) -> Verdict:
    twice = sum(count - 1 for count in stored.values()) + sum(not cid for _, cid in stored)
    return Verdict(len(set(acknowledged) - stored.keys()), twice, len(set(refused) & stored.keys()))


class ServiceProcess:
    """`branchline serve`, of this version or of one in another folder."""

    def __init__(self, folder: Path, *options: str, root: Path = ROOT, program: tuple[str, ...] = ("-m", "branchline")):
        self.port = free_port()
        self.root = root
        self.environment: dict[str, str] = {}
        self._command = [sys.executable, *program, "serve", "--port", str(self.port), "--data", str(folder)]
        self._command += ["--log-level", "error", *options]
        self.process: subprocess.Popen[bytes] | None = None
        self._spent = 0.0

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(self.root), **self.environment}
        self.process = subprocess.Popen(self._command, cwd=self.root, env=environment)
        self.wait_until_up()

    def wait_until_up(self, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1).close()
                return
            time.sleep(0.05)
        raise RuntimeError("the service did not come up")

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def cpu(self) -> float:
        """CPU seconds of the process and its workers."""
        return self._spent + cpu_of(family(self.pid))

    def memory(self) -> float:
        """Megabytes of the process and its workers; what they share counts once."""
        return sum(_megabytes(pid) for pid in family(self.pid))

    def kill(self) -> None:
        self._spent += cpu_of(family(self.pid))
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def signal(self, sign: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(sign)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                kill_all(family(self.pid))


class Embedded:
    """One process and its file."""

    def __init__(self, root: Path = ROOT, program: tuple[str, ...] = ("-m", "branchline")) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="branchline-load-")
        self.folder = Path(self._folder.name)
        self.service = ServiceProcess(self.folder, root=root, program=program)
        self.port = self.service.port

    def __enter__(self) -> Self:
        self.service.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.service.stop()
        self._folder.cleanup()

    def parts(self) -> dict[str, float]:
        """CPU seconds so far, by part."""
        return {"service": self.service.cpu()}

    def memory(self) -> float:
        return self.service.memory()

    def stored(self) -> Counter[Key]:
        with contextlib.closing(sqlite3.connect(self.folder / "branchline.sqlite3")) as db:
            return Counter(db.execute(MOVES))


class Cluster:
    """Several processes behind nginx, on PostgreSQL and Redis."""

    def __init__(self, processes: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="branchline-load-")
        self.postgres, self.redis = Postgres(), Redis()
        self._count = processes
        self.services: list[ServiceProcess] = []

    def __enter__(self) -> Self:
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self.postgres)
        self._stack.enter_context(self.redis)
        for number in range(self._count):
            options = ("--database", self.postgres.url, "--bus", self.redis.url)
            service = ServiceProcess(Path(self._folder.name) / str(number), *options)
            service.start()
            self.services.append(service)
        self.nginx = self._stack.enter_context(Nginx(balanced(*(s.port for s in self.services))))
        self.port = self.nginx.port
        return self

    def __exit__(self, *error: object) -> None:
        for service in self.services:
            service.stop()
        self._stack.close()
        self._folder.cleanup()

    def parts(self) -> dict[str, float]:
        found = {f"service {n}": service.cpu() for n, service in enumerate(self.services, 1)}
        servers = {"postgres": self.postgres, "redis": self.redis, "nginx": self.nginx}
        return found | {name: server.cpu_seconds() for name, server in servers.items()}

    def memory(self) -> float:
        return sum(service.memory() for service in self.services)

    def stored(self) -> Counter[Key]:
        with psycopg.connect(self.postgres.url) as db:
            return Counter(db.execute(MOVES).fetchall())


def _megabytes(pid: int) -> float:
    """The memory of one process; of what it shares with others, its share (Pss)."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))
    return 0.0
