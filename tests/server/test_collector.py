"""The collector waits until nobody plays, but not for ever."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest

from branchline.server import collector
from branchline.server.collector import Collector


@pytest.fixture
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Collector, list[float]]]:
    """A collector and the clock it reads."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    made = Collector()
    yield made, now
    made.close()
    gc.unfreeze()


def test_it_waits_for_a_quiet_moment(tidy: tuple[Collector, list[float]]) -> None:
    made, now = tidy
    assert not gc.isenabled()
    now[0] += collector.PAUSE_SECONDS + 1
    made.stir()
    assert not made.is_due()
    now[0] += collector.QUIET_SECONDS + 1
    assert made.is_due()
    made.tidy()
    assert not made.is_due()


def test_dead_cycles_are_found(tidy: tuple[Collector, list[float]]) -> None:
    made, now = tidy
    cycle: list[object] = []
    cycle.append(cycle)
    number = id(cycle)
    del cycle
    now[0] += collector.PAUSE_SECONDS + collector.QUIET_SECONDS + 1
    assert any(id(thing) == number for thing in gc.get_objects())
    made.tidy()
    assert not any(id(thing) == number and thing == [thing] for thing in gc.get_objects() if type(thing) is list)


def test_it_does_not_wait_while_memory_fills(
    tidy: tuple[Collector, list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = tidy
    made.stir()
    monkeypatch.setattr(collector, "MOST_OBJECTS", 1000)
    kept = [[] for _ in range(5000)]  # type: ignore[var-annotated]
    assert made.is_due()
    made.tidy()
    assert len(kept) == 5000 and not made.is_due()
