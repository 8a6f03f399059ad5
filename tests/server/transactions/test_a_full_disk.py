"""The first finding of the attack on version 0.1, word for word, on a disk that is really full: HTTP said "nothing was
changed", but memory kept the change. Each test is named by what was broken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.server.service import Json, Person, Running, eventually
from tests.server.transactions.disk import Disk, small_disk
from tests.server.transactions.stage import hold_bots_back, wake

CLOCK = {"kind": "live", "pool": 600, "increment": 30}


class Hall:
    """A service on a small disk, with two people."""

    def __init__(self, running: Running, disk: Disk) -> None:
        self.running = running
        self._disk = disk
        self.ada, self.bo = running.person("Ada"), running.person("Bo")

    @contextmanager
    def full(self) -> Iterator[None]:
        self._disk.fill()
        try:
            yield
        finally:
            self._disk.free()

    def as_after_a_restart(self, table: str) -> Json:
        """What stands in the database alone."""
        held = self.running.service.tables.held

        def forget() -> None:
            held.live.pop(table).close()

        self.running.call(forget)
        seen: Json = self.ada.get(f"/tables/{table}")
        return seen


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with small_disk(tmp_path_factory.mktemp("disk")) as disk:
        if disk is None:
            pytest.skip("nobody may mount a disk here; test_every_write.py fills SQLite's file instead")
        with Running(disk.folder) as running:
            yield Hall(running, disk)


def cannot(person: Person, path: str, body: Json | None = None) -> None:
    """It is refused, with the promise that nothing was changed."""
    reply = person.http.post(path, json=body or {})
    assert (reply.status_code, reply.json()["code"]) == (503, "cannot_write")
    assert "nothing was changed" in reply.json()["reason"]


def names(table: Json) -> list[str]:
    return [seat["name"] for seat in table["seats"]]


def test_sit_the_chair_stays_free_and_the_seat_that_was_acknowledged_outlives_a_restart(hall: Hall) -> None:
    table = hall.ada.table("open")["id"]
    with hall.full():
        cannot(hall.bo, f"/tables/{table}/sit")
        cannot(hall.bo, f"/tables/{table}/sit")  # the retry does not answer 200
        assert names(hall.ada.get(f"/tables/{table}")) == ["Ada", ""]
    assert names(hall.bo.post(f"/tables/{table}/sit")) == ["Ada", "Bo"]
    assert names(hall.as_after_a_restart(table)) == ["Ada", "Bo"]


def test_start_the_game_has_not_begun_and_nobody_learns_the_deal(hall: Hall) -> None:
    table = hall.ada.table("conductor")["id"]
    with hall.full():
        cannot(hall.ada, f"/tables/{table}/start")
        cannot(hall.ada, f"/tables/{table}/start")  # the retry does not say "begun already"
        assert hall.ada.get(f"/tables/{table}")["state"] == "open"
        assert hall.ada.get(f"/tables/{table}/history") == []
    assert hall.ada.post(f"/tables/{table}/start")["state"] == "playing"
    assert hall.ada.get(f"/tables/{table}/history") != []


def test_leave_the_chair_stays_taken_the_table_open_and_the_host_the_host(hall: Hall) -> None:
    alone, table = hall.ada.table("open")["id"], hall.ada.table("open")["id"]
    hall.bo.post(f"/tables/{table}/sit")
    with hall.full():
        cannot(hall.ada, f"/tables/{alone}/leave")
        cannot(hall.ada, f"/tables/{table}/leave")
        cannot(hall.bo, f"/tables/{table}/leave")
        assert hall.ada.get(f"/tables/{alone}")["state"] == "open"
        seen = hall.ada.get(f"/tables/{table}")
        assert (names(seen), seen["host"]) == (["Ada", "Bo"], True)
    assert hall.ada.post(f"/tables/{alone}/leave")["state"] == "dropped"
    assert names(hall.ada.post(f"/tables/{table}/leave")) == ["", "Bo"]
    assert hall.bo.get(f"/tables/{table}")["host"]


def test_seats_no_bot_sits_down(hall: Hall) -> None:
    table, bot = hall.ada.table("open")["id"], {"chair": 1, "kind": "bot", "bot": "conductor"}
    with hall.full():
        cannot(hall.ada, f"/tables/{table}/seats", bot)
        assert hall.ada.get(f"/tables/{table}")["seats"][1]["kind"] == "open"
    assert hall.ada.post(f"/tables/{table}/seats", bot)["seats"][1]["bot"] == "conductor"


def test_clock_ten_moves_that_do_not_count_add_no_time(hall: Hall) -> None:
    table = hall.ada.table("open", clock=CLOCK)["id"]
    hall.bo.post(f"/tables/{table}/sit")
    hall.ada.post(f"/tables/{table}/start")
    with hall.ada.live(table) as me, hall.bo.live(table) as other:
        me.begin(), other.begin()
        before = hall.running.clocks(table)
        with hall.full():
            for _ in range(10):
                reply = me.move(me.offers[0])
                assert (reply["t"], reply["code"]) == ("refused", "move_unwritten")
            assert all(now <= then for now, then in zip(hall.running.clocks(table), before, strict=True))
            assert other.settled() == []
        assert me.move(me.offers[0])["t"] == "ack"


def test_say_the_stream_goes_on(hall: Hall) -> None:
    table = hall.ada.table("open")["id"]
    with hall.ada.live(table) as me:
        me.begin()
        with hall.full():
            me.send({"t": "say", "phrase": "hello"})
            (told,) = me.settled()
            assert (told["t"], told["code"]) == ("trouble", "cannot_write")
        me.send({"t": "say", "phrase": "hello"})
        assert me.wait("chat")["chat"]["phrase"] == "hello"


def test_rename_is_one_write_and_stands_everywhere_or_nowhere(hall: Hall) -> None:
    cy = hall.running.person("Cy")
    table = cy.table("open")["id"]
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 5 * 86400))
    change = {"name": "Cecil", "lang": "ro", "holiday": day}

    def known() -> tuple[Any, ...]:
        me = cy.get("/me")
        return me["name"], me["lang"], me["holiday"], names(cy.get(f"/tables/{table}"))[0]

    before = known()
    with hall.full():
        cannot(cy, "/me", change)
        assert known() == before
    cy.post("/me", change)
    eventually(lambda: known() == ("Cecil", "ro", day, "Cecil"))


def test_bots_go_on_when_there_is_room_though_nobody_opens_a_stream(hall: Hall) -> None:
    table, store = hall.ada.table("open")["id"], hall.running.service.store
    hall.bo.post(f"/tables/{table}/sit")
    hall.ada.post(f"/tables/{table}/start")
    hold_bots_back(hall.running, table)
    hall.bo.post(f"/tables/{table}/leave")
    with hall.full():
        wake(hall.running, table)
        eventually(lambda: store.trouble)
        assert hall.running.log(table) == []
    eventually(lambda: [entry.by for entry in hall.running.log(table)] == ["proxy"])
    assert not hall.running.live(table).readers
