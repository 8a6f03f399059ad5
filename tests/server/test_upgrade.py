"""A data folder of version 0.1 with games in it, made by that version, is opened and played on.

tests/data/service-0.1 holds such a folder and what its players saw last: games with a live clock, with clocks that
stand still, with days for a move, without a clock, one that is over, and a table that waits in the lobby.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.service import Person, Running, choose, play_on

OLD = Path(__file__).parents[1] / "data" / "service-0.1"
FACTS: dict[str, Any] = json.loads((OLD / "facts.json").read_text(encoding="utf-8"))


def lay_out(folder: Path) -> Path:
    """The folder as version 0.1 left it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "branchline.sqlite3").write_bytes(gzip.decompress((OLD / "branchline.sqlite3.gz").read_bytes()))
    shutil.copy(OLD / "secret", folder / "secret")
    (folder / "alive").touch()
    return folder


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(lay_out(tmp_path_factory.mktemp("old"))) as up:
        yield up


def person(up: Running, name: str) -> Person:
    """Somebody with the token that version 0.1 gave."""
    return Person(up.url, token=FACTS["people"][name])


def as_told_then(now: Any, then: Any) -> Any:
    """What is told now, without what version 0.1 did not tell yet."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: as_told_then(value, then[key]) for key, value in now.items() if key in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [as_told_then(one, other) for one, other in zip(now, then, strict=True)]
    return now


@pytest.mark.parametrize("kind", ["live", "paused", "days", "plain", "over"])
def test_everybody_finds_the_game_as_it_stood(upgraded: Running, kind: str) -> None:
    seen, ada = FACTS["seen"][kind], person(upgraded, "Ada")
    with ada.live(FACTS["tables"][kind]).begin() as stream:
        assert as_told_then(stream.update["view"], seen["view"]) == seen["view"]
        assert stream.update["offers"] == seen["offers"]
        assert stream.update["asked"] == seen["asked"]
        assert len(ada.get(f"/tables/{stream.table['id']}/history")) == seen["history"]
        if seen["clock"] is not None:
            for left, then in zip(stream.update["clock"]["left"], seen["clock"]["left"], strict=True):
                assert then - 30 < left < then + 5.1  # what passed since the last move is nobody's loss
        assert stream.table["paused"] == (kind == "paused")


@pytest.mark.parametrize(("kind", "names"), [("live", "Ada Bo"), ("days", "Ada Bo Cy"), ("plain", "Ada Bo")])
def test_it_is_played_on_to_its_end(upgraded: Running, kind: str, names: str) -> None:
    people = [person(upgraded, name) for name in names.split()]
    table = FACTS["tables"][kind]
    streams = [one.live(table).begin() for one in people]
    rng = random.Random(kind)
    left = iter(range(60))
    moves = play_on(streams, rng, until=lambda: next(left, None) is None)
    assert moves == 60 or streams[0].update["view"]["phase"] == "over"
    for stream in streams:
        stream.socket.close()


def test_a_pause_goes_on_until_somebody_plays(upgraded: Running) -> None:
    people = [person(upgraded, name) for name in ("Ada", "Bo")]
    streams = [one.live(FACTS["tables"]["paused"]).begin() for one in people]
    mover = next(stream for stream in streams if stream.offers)
    assert mover.move(choose(random.Random(1), mover.offers))["t"] == "ack"
    mover.settled()
    assert not mover.table["paused"]


def test_what_was_said_blocked_and_proven_is_still_there(upgraded: Running) -> None:
    ada, bo = person(upgraded, "Ada"), person(upgraded, "Bo")
    stream = ada.live(FACTS["tables"]["plain"])
    assert [line["text"] for line in stream.next()["chat"]] == ["see you tomorrow"]
    assert [one["name"] for one in bo.get("/me/blocks")] == ["Ada"]
    over = FACTS["tables"]["over"]
    assert bo.get(f"/tables/{over}")["seats"][0]["blocked"]
    assert bo.get(f"/tables/{over}/record")["players"][0]["name"] == "Ada"
    assert ada.get(f"/tables/{over}/fair")["commitment"]


def test_who_waits_in_the_lobby_still_waits(upgraded: Running) -> None:
    cy = person(upgraded, "Cy")
    assert FACTS["tables"]["waiting"] in [line["id"] for line in cy.get("/tables")]
    assert cy.post(f"/tables/{FACTS['tables']['waiting']}/sit")["you"] == 1


def test_the_folder_as_it_was_is_kept_beside(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    with Running(folder):
        pass
    copies = [path for path in folder.rglob("*") if path.is_file() and path.name != "branchline.sqlite3"]
    kept = [path for path in copies if "branchline" in path.name and path.stat().st_size > 50_000]
    assert len(kept) == 1, copies
    with sqlite3.connect(kept[0]) as db:
        assert db.execute("SELECT version FROM schema_version").fetchone()[0] == 4
