"""A service with maps of its operator's: offered, played, remembered, replayed; a bad file stops the start."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.maps import load_map, shipped_maps
from branchline.record import read_game, verify
from tests.server.service import Person, Process, eventually, play_on

MAPS = Path(__file__).parents[1] / "data" / "maps"
BOX = {"schema": "branchline-correction/1", "corrects": "iberia", "tickets": {"almeria-cadiz": {"points": 7}}}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("own")
    (folder / "box.json").write_text(json.dumps(BOX), encoding="utf-8")
    arguments = ("--map", str(MAPS / "tiny.json"), "--map", str(folder / "box.json"))
    with Process(folder / "data", *arguments) as process:
        yield process


def test_it_is_offered_with_its_facts(own: Process) -> None:
    ada = own.person("Ada")
    assert ada.get("/maps") == [*shipped_maps(), "tiny", "iberia_corrected"]
    facts = ada.get("/maps/tiny")
    assert (facts["name"], facts["drawn_as"]) == ("The Little Isle", "")
    assert facts["mechanics"] == list(load_map(MAPS / "tiny.json").mechanics)
    assert ada.get("/maps/iberia_corrected")["drawn_as"] == "iberia"
    assert ada.get("/maps/usa")["drawn_as"] == "usa"


def finished(person: Person, map: str) -> str:
    """A table whose game is over: some moves against a bot, the rest left to another."""
    table: str = person.table("random", map=map, start=True)["id"]
    with person.live(table) as stream:
        stream.begin()
        moves = itertools.count()
        play_on([stream], random.Random(5), lambda: next(moves) >= 6)
    person.post(f"/tables/{table}/leave")
    eventually(lambda: person.get(f"/tables/{table}")["state"] == "over")
    return table


def test_a_game_is_played_against_a_bot_and_its_record_holds(own: Process) -> None:
    ada = own.person("Ada")
    table = finished(ada, "tiny")
    text = json.dumps(ada.get(f"/tables/{table}/record"))
    record = read_game(text, map=load_map(MAPS / "tiny.json"))
    assert verify(record) is None
    assert ada.get(f"/tables/{table}/scores") and ada.get(f"/tables/{table}/replay")
    reply = ada.http.post("/replay", content=text.encode())
    assert (reply.status_code, reply.json()["verdict"], reply.json()["map"]) == (200, "", "tiny")


def test_a_corrected_map_is_played_with_its_tickets(own: Process) -> None:
    ada = own.person("Ada")
    table = ada.table("random", map="iberia_corrected", start=True)["id"]
    with ada.live(table) as stream:
        stream.begin()
        assert stream.update["view"]["phase"] == "draft"


def refused(*arguments: str, **environment: str) -> str:
    command = [sys.executable, "-m", "branchline", "serve", "--port", "0", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment}
    )
    assert done.returncode == 2, done.stderr
    return done.stderr.strip()


def test_a_bad_file_stops_the_start_in_words(tmp_path: Path) -> None:
    bad = json.loads((MAPS / "tiny.json").read_text(encoding="utf-8"))
    bad["tracks"][0]["b"] = "nowhere"
    (tmp_path / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    told = refused("--data", str(tmp_path / "data"), "--map", str(tmp_path))
    assert told.startswith('branchline serve: --map: bad.json tracks[0].b: no place "nowhere"')
    assert refused("--data", str(tmp_path / "data"), BRANCHLINE_MAPS=str(tmp_path / "bad.json")) == told


def test_an_id_of_ours_is_refused(tmp_path: Path) -> None:
    mine = json.loads((MAPS / "tiny.json").read_text(encoding="utf-8")) | {"id": "usa"}
    (tmp_path / "mine.json").write_text(json.dumps(mine), encoding="utf-8")
    told = refused("--data", str(tmp_path / "data"), "--map", str(tmp_path / "mine.json"))
    assert told == 'branchline serve: --map: mine.json id: a map "usa" is shipped: give this one an id of its own'
