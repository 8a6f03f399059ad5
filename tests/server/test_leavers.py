"""Who plays when somebody is away: nobody, unless those who wait vote for a bot; the owner again as soon as they are
back, who is told what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from branchline.server.live.held import IDLE_SECONDS
from branchline.server.tables import clock
from branchline.server.tables.clock import Clock
from branchline.server.tables.state import Playing
from branchline.server.wire import ClockKind, ClockOption
from tests.server.service import (
    Json,
    Person,
    Running,
    Stream,
    eventually,
    full_disk,
    nobody_is_missed,
    seated,
    set_clock,
)

GRACE = 0.4


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that does not wait long for somebody who is away."""
    with Running(tmp_path_factory.mktemp("leavers"), grace=GRACE) as up:
        yield up


def until(stream: Stream, holds: Callable[[], object]) -> None:
    """Read on until something holds."""
    while not holds():
        stream.next()


def proxied(stream: Stream, seat: int) -> bool:
    found: bool = stream.table["seats"][seat]["proxied"]
    return found


def moves_by(person: Person, table: str, by: str) -> int:
    return sum(step["by"] == by for step in person.get(f"/tables/{table}/history"))


def log_of(running: Running, table: str) -> list[tuple[int | None, str]]:
    return [(entry.seat, entry.by) for entry in running.log(table)]


def missed(stream: Stream, seat: int) -> bool:
    found: bool = stream.table["seats"][seat]["missed"]
    return found


@pytest.mark.parametrize("clock", [{"kind": "none"}, {"kind": "live", "pool": 600, "increment": 0}], ids=str)
def test_nobody_is_replaced_for_being_away(quick: Running, clock: Json) -> None:
    """A locked telephone: the others see it, and wait."""
    with seated(quick, clock=clock) as (people, (me, other)):
        table = me.table["id"]
        assert me.move(me.offers[0])["t"] == "ack"
        other.socket.close()
        until(me, lambda: not me.table["seats"][1]["connected"])
        assert not missed(me, 1)
        until(me, lambda: missed(me, 1))
        assert me.table["seats"][1]["away"] >= GRACE
        nobody_is_missed(quick, table, 1)
        assert not proxied(me, 1)
        assert log_of(quick, table) == [(0, "player")]
        with people[1].live(table) as back:
            assert back.begin().offers
            until(me, lambda: not missed(me, 1))
            assert me.table["seats"][1]["away"] is None
            assert back.table["meanwhile"] is None


def test_who_waits_votes_for_a_bot_and_the_owner_takes_over_again(quick: Running) -> None:
    with seated(quick) as (people, (me, other)):
        table = me.table["id"]
        assert me.move(me.offers[0])["t"] == "ack"
        other.socket.close()
        until(me, lambda: not me.table["seats"][1]["connected"])
        me.send({"t": "bot", "seat": 1})
        assert me.wait("trouble", "vote")["code"] == "bot_early"
        until(me, lambda: missed(me, 1))
        me.send({"t": "bot", "seat": 1})
        until(me, lambda: proxied(me, 1) and me.offers)
        assert moves_by(people[0], table, "proxy") > 0
        assert me.move("draw deck", "draw deck")["t"] == "ack"  # seat 0 begins, then the bot has its turn
        until(me, lambda: me.offers)
        with people[1].live(table) as back:
            back.begin()
            until(me, lambda: not proxied(me, 1))
            assert not proxied(back, 1)
            told = back.table["meanwhile"]
            assert (told["why"], told["agreed"]) == ("vote", [0])
            done = [step for step in people[1].get(f"/tables/{table}/history") if step["by"] == "proxy"]
            assert done and all(step["seq"] > told["seq"] for step in done)
            assert me.table["meanwhile"] is None
            assert me.move("draw deck", "draw deck")["t"] == "ack"
            until(back, lambda: back.offers)
            played = len(log_of(quick, table))
            nobody_is_missed(quick, table, 1)
            assert len(log_of(quick, table)) == played  # nobody plays for who is there
            assert back.move("draw deck", "draw deck")["t"] == "ack"


def test_the_others_decide_together_and_who_has_gone_too_is_not_waited_for(quick: Running) -> None:
    with seated(quick, ("Ada", "Bo", "Cy")) as (_, (me, other, third)):
        other.socket.close()
        until(me, lambda: missed(me, 1))
        me.send({"t": "bot", "seat": 1})
        assert third.wait("vote") == {"t": "vote", "kind": "bot", "seat": 0, "agreed": [], "open": True, "about": 1}
        third.send({"t": "bot", "agree": False})
        while me.wait("vote")["open"]:
            continue
        assert not proxied(me, 1)
        me.send({"t": "bot", "seat": 1})
        assert me.wait("trouble")["code"] == "bot_early"  # not at once again
        eventually(lambda: _asks(me, third))
        third.socket.close()
        until(me, lambda: proxied(me, 1))


def _asks(me: Stream, third: Stream) -> bool:
    me.send({"t": "bot", "seat": 1})
    return bool(me.wait("trouble", "vote")["t"] == "vote")


def test_who_comes_back_while_the_others_vote_ends_it(quick: Running) -> None:
    with seated(quick, ("Ada", "Bo", "Cy")) as (people, (me, other, _)):
        other.socket.close()
        until(me, lambda: missed(me, 1))
        me.send({"t": "bot", "seat": 1})
        assert me.wait("vote")["open"]
        with people[1].live(me.table["id"]) as back:
            back.begin()
            while me.wait("vote")["open"]:
                continue
            assert not proxied(back, 1)


def test_a_nudge_is_seen_by_whom_all_wait_for(quick: Running) -> None:
    with seated(quick, watchers=1) as (people, (me, other, watcher)):
        table = me.table["id"]
        me.send({"t": "nudge", "seat": 1})
        assert me.wait("trouble")["code"] == "nudge_early"
        quick.later(31)
        me.send({"t": "nudge", "seat": 1})
        until(other, lambda: other.table["nudged"] == [0])
        until(me, lambda: me.table["seats"][1]["nudged"])
        for stream in (me, watcher):
            stream.settled()
            assert stream.table["nudged"] == []
        with people[1].live(table) as elsewhere:  # on another device, or later
            assert elsewhere.begin().table["nudged"] == [0]
        assert other.move(other.offers[0])["t"] == "ack"
        until(other, lambda: other.table["nudged"] == [])


def test_of_the_blocked_no_nudge_is_heard(quick: Running) -> None:
    with seated(quick) as (people, (me, other)):
        people[1].post(f"/tables/{me.table['id']}/block", {"seat": 0, "blocked": True})
        quick.later(31)
        me.send({"t": "nudge", "seat": 1})
        until(me, lambda: me.table["seats"][1]["nudged"])  # who is blocked is not told so
        other.settled()
        assert other.table["nudged"] == []


def test_alone_against_bots_nobody_plays_for_me(quick: Running) -> None:
    with seated(quick, ("Ada",), bots=["random"]) as (people, (me,)):
        table = me.table["id"]
        me.socket.close()
        eventually(lambda: (1, "bot") in log_of(quick, table))
        nobody_is_missed(quick, table, 0)
        assert {seat for seat, _ in log_of(quick, table)} == {1}
        with people[0].live(table) as back:
            assert back.begin().offers
            assert not proxied(back, 0)


def test_when_all_have_gone_the_game_waits(quick: Running) -> None:
    with seated(quick) as (people, (me, other)):
        table = me.table["id"]
        me.socket.close()
        other.socket.close()
        eventually(lambda: not quick.live(table).readers)
        nobody_is_missed(quick, table, 1)
        assert log_of(quick, table) == []
        with people[0].live(table) as back:  # now somebody waits for the other again, who was away all the time
            back.begin()
            until(back, lambda: missed(back, 1))


def test_who_leaves_is_played_for_at_once_until_they_are_back(quick: Running) -> None:
    with seated(quick, clock={"kind": "live", "pool": 600, "increment": 0}) as (people, (me, other)):
        table = me.table["id"]
        people[1].post(f"/tables/{table}/leave")
        until(me, lambda: proxied(me, 1))
        playing = quick.live(table).table
        assert isinstance(playing, Playing) and playing.clock is not None
        assert 1 not in playing.clock.running
        eventually(lambda: (1, "proxy") in log_of(quick, table))
        assert people[1].post(f"/tables/{table}/back")["seats"][1]["proxied"] is False
        until(me, lambda: not proxied(me, 1))
        other.settled()
        assert not proxied(other, 1)


def test_a_spectator_cannot_leave_nor_come_back(quick: Running) -> None:
    with seated(quick) as (_, (me, _)):
        stranger = quick.person()
        for what in ("leave", "back"):
            assert stranger.refused(f"/tables/{me.table['id']}/{what}") == (409, "you do not sit at this table")


# ---------------------------------------------------------------- clocks


def test_when_the_clock_is_out_a_bot_plays_until_the_owner_asks_for_the_seat(quick: Running) -> None:
    with seated(quick, clock={"kind": "live", "pool": 30, "increment": 0}) as (people, (me, other)):
        table = me.table["id"]
        set_clock(quick, table, 1, 0.1)
        until(me, lambda: me.table["seats"][1]["clock_out"])
        assert proxied(me, 1)
        eventually(lambda: (1, "proxy") in log_of(quick, table))
        other.socket.close()
        with people[1].live(table) as back:  # to be there is not enough: the time was up
            back.begin()
            assert proxied(back, 1)
            seats = people[1].post(f"/tables/{table}/back")["seats"]
            assert (seats[1]["proxied"], seats[1]["clock_out"]) == (False, False)
            while back.settled():
                continue
            assert back.update["clock"]["left"][1] >= clock.GRACE - 1


def test_only_the_clocks_of_who_has_to_choose_run(quick: Running) -> None:
    with seated(quick, clock={"kind": "live", "pool": 100, "increment": 5}) as (_, (me, other)):
        assert me.update["clock"]["running"] == [0, 1]
        assert me.move(me.offers[0])["t"] == "ack"
        assert me.update["clock"]["running"] == [1]
        assert me.update["clock"]["left"][0] > 100  # the increment
        other.settled()
        assert other.update["clock"]["running"] == [1]


def test_in_a_game_of_days_nobody_is_replaced_early_and_the_days_begin_anew_with_each_move(
    quick: Running,
) -> None:
    with seated(quick, clock={"kind": "days", "days": 0.25}) as (_, (me, other)):
        table = me.table["id"]
        other.socket.close()
        until(me, lambda: not me.table["seats"][1]["connected"])
        nobody_is_missed(quick, table, 1)
        assert not proxied(me, 1)
        set_clock(quick, table, 1, 0.1)
        until(me, lambda: me.table["seats"][1]["clock_out"])
        eventually(lambda: (1, "proxy") in log_of(quick, table))
        me.settled()
        while "draw deck" not in me.offers:
            assert me.move(me.offers[0])["t"] == "ack"
            me.settled()
        assert me.move("draw deck")["t"] == "ack"
        assert me.update["clock"]["left"][0] == pytest.approx(0.25 * 86400, abs=5)


def test_a_game_of_days_that_nobody_looks_at_is_woken_when_the_time_is_up(quick: Running) -> None:
    with seated(quick, clock={"kind": "days", "days": 0.25}) as (_, streams):
        table = streams[0].table["id"]
        assert streams[0].move(streams[0].offers[0])["t"] == "ack"
    quick.let_go(table)
    quick.later(0.3 * 86400)
    quick.run(quick.service.tables.held.sweep(0.0, 0.0))
    eventually(lambda: (1, "proxy") in log_of(quick, table))


def test_a_table_is_let_go_when_nobody_has_asked_for_it_for_a_while(quick: Running) -> None:
    with seated(quick) as (_, streams):
        table = streams[0].table["id"]
    live, held = quick.live(table), quick.service.tables.held
    eventually(lambda: not live.readers)

    def age() -> None:
        live.touched -= 2 * IDLE_SECONDS

    quick.call(age)
    assert quick.live(table) is live  # who asks for it now is about to do something there
    quick.run(held.sweep(0.0, 0.0))
    assert table in held.live
    quick.call(age)
    quick.run(held.sweep(0.0, 0.0))
    assert table not in held.live
    assert quick.live(table) is not live


def test_a_move_that_does_not_count_gives_nobody_time(quick: Running) -> None:
    """Refused by the rules, or by a disk that is full: the clock goes on as if nothing had been asked."""
    with seated(quick, clock={"kind": "live", "pool": 100, "increment": 30}) as (_, (me, _)):
        table, line = me.table["id"], me.offers[0]
        assert me.move("fly to the moon")["t"] == "refused"
        with full_disk(quick) as tried:
            for _ in range(10):
                assert me.move(line)["code"] == "move_unwritten"
        assert len(tried) == 10
        assert all(left < 100 for left in quick.clocks(table))
        assert me.move(line)["t"] == "ack"
        assert 120 < quick.clocks(table)[0] < 130


def test_what_the_network_took_of_a_turn_is_given_back_within_limits() -> None:
    def left(lag: float, used: float, turn_over: bool = True, kind: ClockKind = "live") -> float:
        new = Clock.begin(ClockOption(kind=kind, pool=30, increment=0, days=1), 2, now=0.0)
        runs = new.run([0], 0.0).run([0, 1], used / 2)  # somebody came: what was used before counts too
        return runs.moved(0, used, turn_over, lag).left(used)[0]

    assert left(0.2, used=10) == pytest.approx(20.2)
    assert left(9.0, used=10) == pytest.approx(20.5)
    assert left(float("inf"), used=10) == pytest.approx(20.5)
    assert left(-3.0, used=10) == pytest.approx(20.0)
    assert left(0.4, used=0.1) == pytest.approx(30.0)
    assert left(0.4, used=10, turn_over=False) == pytest.approx(20.0)
    assert left(0.4, used=10, kind="days") == pytest.approx(86400)


def test_a_move_says_how_long_it_was_on_its_way(quick: Running) -> None:
    with seated(quick, clock={"kind": "live", "pool": 100, "increment": 0}) as (_, streams):
        quick.later(1)  # nobody gets more back than the turn took
        for stream, lag in zip(streams, ({"lag": 0.4}, {}), strict=True):
            line, asked = stream.offers[0], stream.update["asked"]
            stream.send({"t": "move", "seq": asked, "cid": "m", "lines": [line], **lag})
            assert stream.answered("m")["t"] == "ack"
        told = streams[1].update["clock"]["left"]
        assert told[0] - told[1] == pytest.approx(0.4, abs=0.3)


def test_a_clock_counts_for_who_it_runs_and_never_below_zero() -> None:
    runs = Clock.begin(ClockOption(kind="live", pool=30, increment=5), 2, now=100.0).run([1], 100.0)
    assert runs.left(110.0) == [30.0, 20.0]
    assert runs.next_out(110.0) == 20.0
    moved = runs.moved(1, 110.0, turn_over=True)
    assert moved.left(110.0) == [30.0, 25.0]
    assert moved.out(134.9) == []
    assert moved.out(135.0) == [1]
    stopped = moved.run([], 140.0)
    assert stopped.left(500.0) == [30.0, 0.0]
    told = stopped.forgive(1, 500.0).wire(500.0)
    assert (told.left, told.running, told.now) == ([30.0, 30.0], [], 500.0)
    assert runs.left(110.0) == [30.0, 20.0]  # a clock is a value: what was made of it changed nothing
