"""Both kinds of store, empty, for every test of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.store.kit import Target
from tests.servers import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Target]:
    """Where a store can be made: a folder, or the URL of a database."""
    if request.param == "sqlite":
        yield tmp_path / "data"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    url = postgres.fresh()
    yield url
    if postgres.running:
        postgres.drop(url)


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """The URL of an empty database."""
    url = postgres.fresh()
    yield url
    if postgres.running:
        postgres.drop(url)
