"""Several people on one device over the real wire: a view for one chair at a time, after a power cut too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.service import Json, Person, Process, Running, Stream, new_cid

SEATS: list[Json] = [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Ben"}]


@pytest.fixture(scope="module")
def running(on_either_store: Running) -> Running:
    return on_either_store


def device(person: Person, **options: object) -> str:
    body = {"map": "usa", "seats": SEATS, "order": "fixed", "seed": 1900, **options}
    table: str = person.post("/tables", body)["id"]
    return table


def through(person: Person, table: str, seat: int | None) -> Stream:
    """The device's stream, with the curtain lifted for a chair, or drawn."""
    return Stream(person.url, table, person.token, seat=seat).begin()


def test_a_view_is_sent_for_one_chair_at_a_time(running: Running) -> None:
    person = running.person("Ada")
    table = device(person)
    with through(person, table, None) as curtain, through(person, table, 0) as ana:
        assert curtain.table["you"] is None and curtain.table["here"] == [0, 1] and curtain.table["spectators"] == 0
        assert curtain.offers == [] and ana.offers and ana.table["you"] == 0
        hidden = "".join(curtain.raw)
        mine = ana.update["view"]["players"][0]
        assert mine["hand"] and not any(f'"{ticket}"' in hidden for ticket in ana.update["view"]["offered"])
        assert ana.update["view"]["players"][1]["hand"] == {} == curtain.update["view"]["players"][0]["hand"]
        assert ana.move(ana.offers[0])["t"] == "ack"
        assert curtain.move("draw deck")["t"] == "trouble", "nobody moves from behind the curtain"
        with through(person, table, 1) as ben:
            assert ben.offers and ben.update["view"]["players"][0]["tickets"] == []
            body = {"seq": ben.update["asked"], "cid": new_cid(), "lines": ben.offers[:1], "seat": 1}
            assert person.post(f"/tables/{table}/moves", body)["ok"]
    with through(person, table, 5) as stranger, through(running.person(), table, 0) as other:
        assert stranger.table["you"] is None and other.table["you"] is None and other.table["here"] == []
        assert other.table["spectators"] == 1
    histories = [json.dumps(person.get(f"/tables/{table}/history?seat={seat}")) for seat in (0, 1)]
    assert histories[0] != histories[1] != json.dumps(person.get(f"/tables/{table}/history"))


def test_it_is_listed_with_the_names_around_the_device_and_read_back_with_them(running: Running) -> None:
    person = running.person("Ada")
    table = device(person)
    line = next(line for line in person.get("/me/tables") if line["id"] == table)
    assert line["names"] == ["Ana", "Ben"] and line["your_turn"]
    assert line["here"] and line["you"] is None
    running.let_go(table)
    assert [seat["name"] for seat in person.get(f"/tables/{table}")["seats"]] == ["Ana", "Ben"]


def test_a_power_cut_between_two_people_loses_nothing(tmp_path: Path) -> None:
    with Process(tmp_path) as process:
        person, port = process.person("Ada"), process.port
        table = device(person)
        for seat in (0, 1):
            with through(person, table, seat) as stream:
                assert stream.move(stream.offers[0])["t"] == "ack"
        process.kill()
    with Process(tmp_path, port=port), through(person, table, 0) as ana:
        assert ana.table["here"] == [0, 1] and ana.offers
        assert [seat["name"] for seat in ana.table["seats"]] == ["Ana", "Ben"]
