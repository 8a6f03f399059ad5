"""A pause of the clocks: asked for by one, agreed to by all other people, ended by anybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.service import Json, Running, Stream, nobody_is_missed, seated

LIVE: Json = {"kind": "live", "pool": 100, "increment": 0}
GRACE = 0.3


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("pauses"), grace=GRACE) as up:
        yield up


def left(stream: Stream) -> list[float]:
    """What the clocks say now."""
    stream.send({"t": "resync"})
    stream.settled()
    found: list[float] = stream.update["clock"]["left"]
    return found


def pause(asks: Stream, *others: Stream) -> None:
    asks.send({"t": "pause"})
    for other in others:
        assert other.wait("vote")["kind"] == "pause"
        other.send({"t": "pause", "agree": True})
    for stream in (asks, *others):
        while not stream.table["paused"]:
            stream.next()
        stream.settled()


def test_when_all_agree_the_clocks_stand_still_until_somebody_goes_on(quick: Running) -> None:
    with seated(quick, ("Ada", "Bo", "Cy"), clock=LIVE) as (_, (me, one, two)):
        me.send({"t": "pause"})
        assert one.wait("vote") == {"t": "vote", "kind": "pause", "seat": 0, "agreed": [], "open": True, "about": None}
        one.send({"t": "pause", "agree": True})
        while two.wait("vote")["agreed"] != [1]:
            continue
        assert not two.table["paused"]
        two.send({"t": "pause", "agree": True})
        while not me.table["paused"]:
            me.next()
        me.settled()
        assert me.update["clock"]["running"] == []
        before = left(me)
        quick.later(3)
        assert left(me) == before
        two.send({"t": "pause", "resume": True})
        while me.table["paused"]:
            me.next()
        me.settled()
        assert me.update["clock"]["running"] == [0, 1, 2]
        quick.later(3)
        assert left(me)[0] < before[0] - 2


def test_who_refuses_keeps_the_clocks_running(quick: Running) -> None:
    with seated(quick, clock=LIVE) as (_, (me, other)):
        me.send({"t": "pause"})
        other.wait("vote")
        other.send({"t": "pause", "agree": False})
        while me.wait("vote")["open"]:
            continue
        me.settled()
        assert not me.table["paused"]
        assert me.update["clock"]["running"] == [0, 1]


def test_a_move_ends_the_pause_and_a_vote_for_one(quick: Running) -> None:
    with seated(quick, clock=LIVE) as (_, (me, other)):
        pause(me, other)
        assert me.move(me.offers[0])["t"] == "ack"
        assert not me.table["paused"]
        assert me.update["clock"]["running"] == [1]
        me.send({"t": "pause"})
        other.wait("vote")
        assert other.move(other.offers[0])["t"] == "ack"
        while me.wait("vote")["open"]:
            continue
        other.send({"t": "pause", "agree": True})
        assert other.wait("trouble")["reason"] == "nobody asks for that"


def test_bots_agree_and_do_not_end_a_pause(quick: Running) -> None:
    with seated(quick, ("Ada",), bots=["random"], clock=LIVE) as (_, (me,)):
        pause(me)
        while not any(step["by"] == "bot" for step in me.steps) and me.update["view"]["to_act"] != [0]:
            me.next()
        me.settled()
        assert me.table["paused"]
        assert me.update["clock"]["running"] == []


def test_in_a_pause_and_after_it_nobody_is_replaced_for_being_away(quick: Running) -> None:
    with seated(quick, clock=LIVE) as (_, (me, other)):
        pause(me, other)
        other.socket.close()
        while me.table["seats"][1]["connected"]:
            me.next()
        nobody_is_missed(quick, me.table["id"], 1)
        me.send({"t": "pause", "resume": True})
        while me.table["paused"]:
            me.next()
        nobody_is_missed(quick, me.table["id"], 1)
        me.settled()
        assert not me.table["seats"][1]["proxied"]  # the clock decides


@pytest.mark.parametrize("clock", [{"kind": "none"}, {"kind": "days", "days": 1}], ids=["no clock", "days"])
def test_without_a_live_clock_there_is_no_pause(quick: Running, clock: Json) -> None:
    with seated(quick, clock=clock) as (_, (me, _)):
        me.send({"t": "pause"})
        assert "no clock to pause" in me.wait("trouble", "vote")["reason"]


def test_what_makes_no_sense_is_told(quick: Running) -> None:
    with seated(quick, clock=LIVE) as (_, (me, other)):
        me.send({"t": "pause", "resume": True})
        assert me.wait("trouble")["reason"] == "the clocks are running"
        me.send({"t": "pause"})
        other.wait("vote")
        other.send({"t": "pause"})
        assert "already" in other.wait("trouble")["reason"]
        other.send({"t": "pause", "agree": True})
        while not me.table["paused"]:
            me.next()
        me.send({"t": "pause"})
        assert me.wait("trouble")["reason"] == "the clocks stand still already"


@pytest.mark.parametrize("resumed", [False, True])
def test_a_pause_outlives_the_service_and_costs_nobody_time(tmp_path: Path, resumed: bool) -> None:
    with Running(tmp_path) as up, seated(up, clock=LIVE) as (people, (me, other)):
        assert me.move(me.offers[0])["t"] == "ack"
        other.settled()
        pause(me, other)
        before = left(me)
        up.later(3)
        if resumed:
            me.send({"t": "pause", "resume": True})
            while me.table["paused"]:
                me.next()
        table, token = me.table["id"], people[0].token
    with Running(tmp_path) as up, Stream(up.url, table, token) as back:
        back.begin()
        assert back.table["paused"] is not resumed
        assert back.update["clock"]["left"] == pytest.approx(before, abs=1.0)
