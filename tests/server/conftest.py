"""One service for all tests of a process that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.service import Running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("service")) as up:
        yield up
