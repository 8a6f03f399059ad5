"""Nobody looks for garbage while the service runs, unless too much has piled up."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from branchline.server.operate import collector
from branchline.server.operate.collector import Collector


@pytest.fixture
def made() -> Iterator[Collector]:
    made = Collector()
    made.start()
    yield made
    made.close()
    gc.unfreeze()


def test_nobody_looks(made: Collector) -> None:
    assert not gc.isenabled()
    assert made.tidy() is None


def test_when_too_much_has_piled_up_somebody_looks_once(made: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MOST_OBJECTS", 1000)
    kept = [[] for _ in range(5000)]  # type: ignore[var-annotated]
    circle: list[object] = []
    circle.append(circle)
    del circle
    found = made.tidy()
    assert found is not None and found >= 1
    assert len(kept) == 5000 and made.tidy() is None


def test_when_the_service_ends_python_looks_again(made: Collector) -> None:
    made.close()
    assert gc.isenabled()
