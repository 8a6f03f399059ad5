"""Three real processes of one service, on a real PostgreSQL and a real Redis."""

from __future__ import annotations

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
        self.processes = [self._new(number) for number in range(count)]

    def _new(self, number: int) -> Process:
        return Process(self._folder / str(number), *self._options)

    def make_whole(self) -> None:
        """Start whatever is down: of the processes several at once, for they take their time."""
        start(self.postgres, self.redis)
        self.mend()
        for process in self.processes:
            process.__enter__()

    def mend(self) -> None:
        """Let processes go on, or begin to start anew; nobody waits for them yet."""
        for number, process in enumerate(self.processes):
            if process.process.poll() is None:
                process.process.send_signal(signal.SIGCONT)
            else:
                self.processes[number] = self._new(number)

    def close(self) -> None:
        for process in self.processes:
            process.process.kill()
        for process in self.processes:
            process.__exit__()

    def person(self, at: int, name: str | None = None, token: str | None = None) -> Person:
        return Person(self.processes[at].url, name, token)

    def at(self, person: Person, process: int) -> Person:
        """The same person at another process."""
        return Person(self.processes[process].url, token=person.token)


def start(*servers: Postgres | Redis) -> None:
    """Those that a test before has killed."""
    for server in servers:
        if not server.running:
            server.start()


@pytest.fixture(scope="session")
def cluster_of_worker(
    tmp_path_factory: pytest.TempPathFactory, postgres_of_worker: Postgres, redis_of_worker: Redis
) -> Iterator[Cluster]:
    start(postgres_of_worker, redis_of_worker)
    up = Cluster(tmp_path_factory.mktemp("cluster"), postgres_of_worker, redis_of_worker)
    yield up
    up.close()


@pytest.fixture
def cluster(cluster_of_worker: Cluster) -> Iterator[Cluster]:
    """All of it runs, whatever the test before killed."""
    cluster_of_worker.make_whole()
    yield cluster_of_worker
    cluster_of_worker.mend()


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
