"""One service a store for all scenes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.transactions.stage import Stage, postgres_stage, sqlite_stage


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("stage")
    if request.param == "sqlite":
        with sqlite_stage(folder) as ready:
            yield ready
    else:
        with postgres_stage(folder, request.getfixturevalue("postgres_of_worker")) as ready:
            yield ready
