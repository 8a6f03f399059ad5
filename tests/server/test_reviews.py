"""Reviews of finished games: asked for, made piece by piece, kept with the game, and nothing of them before its end."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from branchline.maps import load_map
from branchline.maps.loader import SHELF
from branchline.record import read_game, verify
from branchline.review import review
from branchline.server import wire
from branchline.server.store.contract import StoreFailed
from tests.server.service import Json, Person, Process, Running, eventually, play_on

TINY = Path(__file__).parents[1] / "data" / "maps" / "tiny.json"
MOST_SECONDS = 240.0


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with Process(tmp_path_factory.mktemp("reviews"), "--map", str(TINY)) as process:
        yield process


def begun(ada: Person) -> str:
    table: str = ada.table("random", map="tiny", start=True)["id"]
    return table


def finished(ada: Person) -> str:
    """A game on a small map that is over: some moves against a bot, the rest left to another."""
    table = begun(ada)
    with ada.live(table, paced=True) as stream:
        stream.begin()
        moves = itertools.count()
        play_on([stream], random.Random(5), lambda: next(moves) >= 6)
    ada.post(f"/tables/{table}/leave")
    eventually(lambda: ada.get(f"/tables/{table}")["state"] == "over", MOST_SECONDS)
    return table


def steps_until_made(ada: Person, table: str) -> list[Json]:
    """What was told on the way."""
    end = time.monotonic() + MOST_SECONDS
    seen: list[Json] = [ada.post(f"/tables/{table}/review")]
    while seen[-1]["state"] == "working":
        assert time.monotonic() < end
        time.sleep(0.1)
        seen.append(ada.get(f"/tables/{table}/review"))
    return seen


def test_a_review_is_made_piece_by_piece_and_is_the_same_as_the_command_makes(up: Process) -> None:
    ada, bo = up.person("Ada"), up.person("Bo")
    table = finished(ada)
    assert ada.get(f"/tables/{table}/review") == {"state": "none", "done": 0, "of": 0, "curve": []}
    assert ada.http.get(f"/tables/{table}/review/told").status_code == 404
    seen = steps_until_made(ada, table)
    assert seen[-1]["state"] == "done"
    on_the_way = seen[:-1]
    assert [step["done"] for step in on_the_way] == sorted(step["done"] for step in on_the_way)
    assert all(step["done"] <= step["of"] for step in on_the_way)
    told = ada.get(f"/tables/{table}/review/told")
    msgspec.convert(told, wire.ReviewWire, strict=True)
    text = json.dumps(ada.get(f"/tables/{table}/record"))
    made = review(read_game(text, map=load_map(TINY))).to_json()
    names = [player.pop("name") for player in told["players"]], [player.pop("name") for player in made["players"]]
    assert names == (["0", "1"], ["Ada", names[1][1]])  # names are a person's: they are not kept with the review
    assert told == json.loads(json.dumps(made))
    # whoever has the link may look, and asking again makes nothing anew
    assert bo.post(f"/tables/{table}/review") == {"state": "done", "done": 0, "of": 0, "curve": []}
    assert bo.get(f"/tables/{table}/review/told")["moves"] == told["moves"]


def test_a_game_that_goes_on_has_no_review(up: Process) -> None:
    ada = up.person("Ada")
    table = begun(ada)
    for reader in (ada, up.person("Bo")):
        assert reader.refused(f"/tables/{table}/review")[0] == 409
        for path in ("review", "review/told"):
            reply = reader.http.get(f"/tables/{table}/{path}")
            assert (reply.status_code, reply.json()["code"]) == (409, "hidden_cards")


def test_a_table_that_is_not_there_has_none(up: Process) -> None:
    assert up.person("Ada").refused("/tables/nowhere/review")[0] == 404


def test_a_review_that_could_not_be_kept_is_told_and_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SHELF, str(TINY))
    with Running(tmp_path) as running:
        ada = running.person("Ada")
        table = finished(ada)
        store = running.service.store
        with patch.object(store, "put_review", side_effect=StoreFailed("the disk is full")):
            assert steps_until_made(ada, table)[-1]["state"] == "failed"
            assert ada.http.get(f"/tables/{table}/review/told").status_code == 404
        assert steps_until_made(ada, table)[-1]["state"] == "done"
        assert ada.get(f"/tables/{table}/review/told")["moves"]


# ---------------------------------------------------------------- trying again


def again(ada: Person, table: str, moves: int, **changes: Any) -> Json:
    """Ask for a table at which a finished game is played on."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    asked = {"map": "tiny", "seats": seats, "order": "fixed", "start": True, **changes}
    return {**asked, "from_here": {"table": table, "moves": moves}}


def test_a_finished_game_is_played_on_from_a_move_with_the_same_cards(up: Process) -> None:
    ada = up.person("Ada")
    table = finished(ada)
    was = ada.get(f"/tables/{table}/record")
    moves = len(was["moves"]) // 2
    made = ada.post("/tables", again(ada, table, moves))
    assert (made["state"], made["fixed_deal"], made["you"]) == ("playing", True, 0)
    ada.post(f"/tables/{made['id']}/leave")
    eventually(lambda: ada.get(f"/tables/{made['id']}")["state"] == "over", MOST_SECONDS)
    record = ada.get(f"/tables/{made['id']}/record")
    assert record["moves"][:moves] == was["moves"][:moves] and record["deal"] == was["deal"]
    assert verify(read_game(json.dumps(record), map=load_map(TINY))) is None


def test_what_cannot_be_played_on_is_refused_with_its_reason(up: Process) -> None:
    ada = up.person("Ada")
    table, going = finished(ada), begun(ada)
    many = len(ada.get(f"/tables/{table}/record")["moves"])
    both = [{"kind": "me"}, {"kind": "open"}]
    for asked, status, part in (
        (again(ada, "nowhere", 0), 404, "no such table"),
        (again(ada, going, 0), 409, "not over"),
        (again(ada, table, many), 400, f"that game has {many} moves"),
        (again(ada, table, -1), 400, "moves"),
        (again(ada, table, 1, map="usa"), 400, "played on tiny by 2"),
        (again(ada, table, 1, seats=both), 400, "all others are bots'"),
        (again(ada, table, 1, listed=True), 400, "not listed"),
        (again(ada, table, 1, seed=5), 400, "no other deal"),
    ):
        refused = ada.refused("/tables", asked)
        assert refused[0] == status and part in refused[1], refused
