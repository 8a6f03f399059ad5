"""Reviews of finished games: asked for, made piece by piece, kept with the game, and nothing of them before its end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from branchline.record import read_game
from branchline.review import FULL, review
from branchline.server import wire
from tests.server.service import Person, Running, over_with_bots, started

MINUTES = 240.0


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("reviews")) as running:
        yield running


def made(person: Person, table: str) -> wire.ReviewWire:
    """Ask for the review of a game, and wait for it."""
    end = time.monotonic() + MINUTES
    seen: list[dict[str, Any]] = [person.post(f"/tables/{table}/review", {})]
    while seen[-1]["state"] == "working":
        assert time.monotonic() < end
        time.sleep(0.2)
        seen.append(person.get(f"/tables/{table}/review"))
    assert seen[-1]["state"] == "done"
    pieces = [step["done"] for step in seen[:-1]]
    assert pieces == sorted(pieces) and any(step["curve"] for step in seen[:-1])
    return msgspec.json.decode(person.raw(f"/tables/{table}/review/told"), type=wire.ReviewWire)
