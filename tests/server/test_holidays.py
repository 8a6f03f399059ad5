"""Holidays: in a game of days nobody runs out of time who has said that they are away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from branchline.server.people.holidays import end_of
from tests.server.service import Person, Running, eventually, seated, set_clock

DAYS = {"kind": "days", "days": 0.25}


def day(ahead: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=ahead)).isoformat()


def moves_for(running: Running, table: str, seat: int) -> list[str]:
    return [entry.by for entry in running.log(table) if entry.seat == seat]


def test_a_guest_says_until_when_and_takes_it_back(running: Running) -> None:
    me = running.person("Ada")
    assert me.get("/me")["holiday"] is None
    assert me.post("/me", {"holiday": day(3)})["holiday"] == day(3)
    assert me.post("/me", {"name": "Ida", "lang": None})["holiday"] == day(3)  # left out: it stays
    assert me.get("/me")["holiday"] == day(3)
    assert me.post("/me", {"holiday": None})["holiday"] is None
    assert me.get("/me")["name"] == "Ida"


@pytest.mark.parametrize("bad", [day(32), day(-3), "tomorrow", "", "2026-02-31"])
def test_not_every_day_will_do(running: Running, bad: str) -> None:
    me = running.person("Ada")
    status, reason = me.refused("/me", {"holiday": bad, "name": "Eve"})
    assert (status, reason.partition(":")[0]) == (400, "holiday")
    assert me.get("/me")["name"] == "Ada"


def test_the_clock_of_who_is_away_waits_and_the_table_says_so(running: Running) -> None:
    with seated(running, clock=DAYS) as (people, (me, _)):
        table = me.table["id"]
        people[1].post("/me", {"holiday": day(2)})
        while not me.table["seats"][1]["holiday"]:
            me.next()
        assert not me.table["seats"][0]["holiday"]
        set_clock(running, table, 1, 0.1)
        eventually(lambda: running.clocks(table)[1] > 86400)
        assert running.clocks(table)[1] == pytest.approx(end_of(day(2)) - running.service.steady.now(), abs=5)
        me.settled()
        assert (me.table["seats"][1]["clock_out"], me.table["seats"][1]["proxied"]) == (False, False)
        assert moves_for(running, table, 1) == []
        people[1].post("/me", {"holiday": None})
        while me.table["seats"][1]["holiday"]:
            me.next()
        set_clock(running, table, 1, 0.1)
        while not me.table["seats"][1]["clock_out"]:
            me.next()


def test_a_late_game_that_is_read_from_the_store_waits_too(tmp_path: Path) -> None:
    with Running(tmp_path) as up:
        with seated(up, clock=DAYS) as (people, streams):
            table = streams[0].table["id"]
            assert streams[0].move(streams[0].offers[0])["t"] == "ack"
            people[1].post("/me", {"holiday": day(2)})
        up.let_go(table)
        up.later(0.3 * 86400)
        up.run(up.service.tables.held.sweep(0.0, 0.0))
        eventually(lambda: up.clocks(table)[1] > 86400)
        assert moves_for(up, table, 1) == []


def test_a_live_clock_knows_no_holiday(running: Running) -> None:
    with seated(running, clock={"kind": "live", "pool": 30, "increment": 0}) as (people, (me, _)):
        away: Person = people[1]
        away.post("/me", {"holiday": day(2)})
        assert not me.table["seats"][1]["holiday"]
        set_clock(running, me.table["id"], 1, 0.1)
        while not me.table["seats"][1]["clock_out"]:
            me.next()
