"""A game file to look at: played again as it is, with what is wrong in it, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from branchline.server.thinking import jobs
from branchline.server.transport.security import LARGE_BODY
from tests.server.service import Json, Person, Running
from tests.server.test_tables import finished


@pytest.fixture(scope="module")
def played(running: Running) -> tuple[Json, Json]:
    """A game's file, and the replay of its table."""
    ada = running.person("Ada")
    table = finished(running, ada, seed=11)
    return ada.get(f"/tables/{table}/record"), {
        "steps": ada.get(f"/tables/{table}/replay"),
        "scores": ada.get(f"/tables/{table}/scores"),
    }


def look(person: Person, file: object) -> tuple[int, Json]:
    reply = person.http.post("/replay", content=file if isinstance(file, bytes) else json.dumps(file).encode())
    return reply.status_code, reply.json()


def test_a_file_shows_what_the_table_showed(running: Running, played: tuple[Json, Json]) -> None:
    file, table = played
    status, told = look(running.person(), file)
    assert (status, told["verdict"], told["map"]) == (200, "", "usa")
    assert [player["name"] for player in told["players"]] == [player["name"] for player in file["players"]]
    assert told["scores"] == table["scores"]
    assert [(s["line"], s["events"], s["view"]) for s in told["steps"]] == [
        (s["line"], s["events"], s["view"]) for s in table["steps"]
    ]


def test_what_is_wrong_in_a_file_is_told_and_the_rest_is_shown(running: Running, played: tuple[Json, Json]) -> None:
    file, table = played
    ada = running.person()
    result = {**file["result"], "scores": [score + 1 for score in file["result"]["scores"]]}
    status, told = look(ada, {**file, "result": result})
    assert (status, "result.scores" in told["verdict"], len(told["steps"])) == (200, True, len(table["steps"]))
    status, told = look(ada, {**file, "moves": [*file["moves"][:40], *file["moves"][41:]]})
    assert status == 200
    assert told["verdict"].startswith("move ")
    assert 40 < len(told["steps"]) < len(table["steps"])
    status, told = look(ada, {**{k: v for k, v in file.items() if k != "result"}, "moves": file["moves"][:7]})
    assert (status, told["verdict"], told["scores"], len(told["steps"])) == (200, "", [], 8)


def test_what_is_no_file_of_ours_is_refused_in_words(running: Running, played: tuple[Json, Json]) -> None:
    file, _ = played
    wrong: list[tuple[object, str]] = [
        (b"", "the file"),
        (b"\xff\x00", "the file"),
        (b"[" * 30_000, "the file"),
        ({**file, "map": {**file["map"], "id": "mars"}}, "mars"),
        ({**file, "map": {**file["map"], "hash": "0" * 64}}, "hash"),
    ]
    for body, reason in wrong:
        status, told = look(running.person(), body)
        assert status == 400
        assert reason in told["reason"]
    assert look(running.person(), b" " * (LARGE_BODY + 1))[0] == 413
    assert look(running.person(), b" " * LARGE_BODY)[0] == 400
    stranger = running.person()
    stranger.http.headers["authorization"] = "Bearer no"
    assert look(stranger, file)[0] == 401


def test_a_file_is_not_for_ever(played: tuple[Json, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_MOVES", 20)
    body, wrong = jobs.replay_file(json.dumps(played[0]).encode())
    assert body == b""
    assert "20 can be shown" in wrong


def test_who_sends_many_files_is_told_to_wait(tmp_path: Path) -> None:
    with Running(tmp_path, limited=True) as limited:
        ada = limited.person()
        assert [look(ada, b"")[0] for _ in range(6)] == [400] * 5 + [429]
