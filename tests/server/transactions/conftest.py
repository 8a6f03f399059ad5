"""One service a store for all scenes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.transactions.stage import Stage, postgres_stage, sqlite_stage
from tests.servers import Postgres


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("stage")
    if request.param == "sqlite":
        with sqlite_stage(folder) as ready:
            yield ready
    else:
        with Postgres() as its_own, postgres_stage(folder, its_own) as ready:  # other tests kill the worker's
            yield ready
