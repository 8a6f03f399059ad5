"""One service for all tests of a process that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.service import Running
from tests.servers import Postgres


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("service")) as up:
        yield up


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def on_either_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """For what must be the same whatever keeps the games: a module takes this as its `running`."""
    folder = tmp_path_factory.mktemp("service")
    if request.param == "sqlite":
        with Running(folder) as up:
            yield up
        return
    postgres: Postgres = request.getfixturevalue("postgres_of_worker")
    if not postgres.running:
        postgres.start()
    url = postgres.fresh()
    with Running(folder, database=url) as up:
        yield up
    postgres.drop(url)
