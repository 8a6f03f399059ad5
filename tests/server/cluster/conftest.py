"""Three real processes of one service, on a real PostgreSQL and a real Redis."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.service import Person, Process, Stream, eventually
from tests.servers import Postgres, Redis


class Cluster:
    """The processes; a person can come to any of them."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis, count: int = 3) -> None:
        self.postgres, self.redis = postgres, redis
        self._folder = folder
        self._options = ("--database", postgres.fresh(), "--bus", redis.url)
        self.database = self._options[1]
        self.processes = [Process(folder / str(number), *self._options) for number in range(count)]

    def __enter__(self) -> Cluster:
        for process in self.processes:
            process.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                process.process.send_signal(signal.SIGCONT)
            process.__exit__()

    def person(self, at: int, name: str | None = None, token: str | None = None) -> Person:
        return Person(self.processes[at].url, name, token)

    def at(self, person: Person, process: int) -> Person:
        """The same person at another process."""
        return Person(self.processes[process].url, token=person.token)

    def again(self, number: int) -> None:
        """Start a process that was killed."""
        self.processes[number] = Process(self._folder / str(number), *self._options)
        self.processes[number].__enter__()


@pytest.fixture
def cluster(tmp_path: Path, postgres: Postgres, redis: Redis) -> Iterator[Cluster]:
    with Cluster(tmp_path, postgres, redis) as up:
        yield up


def come_back(cluster: Cluster, person: Person, process: int, table: str) -> Stream:
    """A stream at another process, once that has the table or knows who has."""
    found: list[Stream] = []

    def joined() -> bool:
        try:
            found.append(cluster.at(person, process).live(table, paced=True).begin())
        except Exception:
            return False
        return True

    eventually(joined)
    return found[-1]
