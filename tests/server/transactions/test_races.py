"""Who asks is found out under the table's lock: nobody moves or is named for another while the host starts, and the
same request sent many times at once counts once (the second and the seventh finding)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from branchline.record import read_game
from branchline.server.tables import commands
from branchline.server.tables.state import Over
from tests.server.service import Person, Running, Stream, eventually
from tests.server.transactions.laying import SEED, whole_game
from tests.server.transactions.stage import Stage

GAMES = 26


def at_once(*work: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(work)) as all_together:
        return [done.result() for done in [all_together.submit(one) for one in work]]


def test_nobody_moves_for_another_while_the_host_starts(stage: Stage) -> None:
    """Chairs are drawn and shuffled at the start. Both players send the first lines of both seats all the while."""
    lines = [next(entry.line for entry in whole_game() if entry.seat == seat) for seat in (0, 1)]
    seats, moves = Counter[int](), 0
    for game in range(GAMES):
        table = stage.full(order="drawn")
        with stage.ada.live(table) as ada, stage.bo.live(table) as bo:
            ada.begin(), bo.begin()
            start = lambda: stage.ada.post(f"/tables/{table}/start")  # noqa: B023, E731
            started, *_ = at_once(start, *(lambda who=who: _insist(who, lines) for who in (ada, bo)))
        seat_of = {seat["name"]: number for number, seat in enumerate(started["seats"])}
        seats[seat_of["Bo"]] += 1
        for entry in stage.running.log(table):
            name, _, number = (entry.cid or "").partition(":")[2].partition("-")
            moves += 1
            assert seat_of[name] == entry.seat, f"game {game}: {name}'s move {number} counted for seat {entry.seat}"
        stage.strike(None)
    assert seats[0] and seats[1] and moves >= GAMES


def _insist(stream: Stream, lines: list[str]) -> None:
    """Send the lines of both seats until the game has begun, and a moment longer."""
    name = next(seat["name"] for seat in stream.table["seats"] if seat["you"])
    for number in range(40):
        for line in lines:
            stream.send({"t": "move", "seq": 1, "cid": f"{name}-{number}-{line[:20]}", "lines": [line]})
        stream.settled()
        if stream.table["state"] == "playing":
            return


def test_nobody_is_named_for_another_while_the_host_starts(stage: Stage) -> None:
    for game in range(GAMES):
        table, name = stage.full(order="drawn"), f"Bo {game}"
        stage.ada.live(table).begin().socket.close()
        at_once(
            lambda: stage.ada.post(f"/tables/{table}/start"),  # noqa: B023
            lambda: stage.bo.post("/me", {"name": name}),  # noqa: B023
        )
        eventually(lambda: _names(stage, table) == {stage.ada.id: "Ada", stage.bo.id: name})  # noqa: B023
        stage.strike(None)


def _names(stage: Stage, table: str) -> dict[str | None, str]:
    return {chair.user: chair.name for chair in stage.live(table).table.chairs}


# ---------------------------------------------------------------- the same twice at once


def test_one_promise_used_by_two_requests_at_once_makes_one_table(stage: Stage) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    for _ in range(20):
        promise = stage.ada.get("/promise")
        body = {"map": "usa", "seats": seats, "promise": promise["ticket"], "browser_seed": "ab" * 16}
        replies = at_once(*[lambda: stage.ada.http.post("/tables", json=body)] * 3)  # noqa: B023
        assert sorted(reply.status_code for reply in replies) == [200, 409, 409]
        assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"promise_used"}
        assert len(stage.breaker.ask("SELECT id FROM tables")) == 1
        stage.strike(None)


@pytest.mark.parametrize("promised", [True, False], ids=["with a promise", "without one"])
def test_the_same_request_sent_at_once_makes_one_table_and_gets_one_answer(stage: Stage, promised: bool) -> None:
    body: dict[str, Any] = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "open"}]}
    for number in range(10):
        if promised:
            body["promise"] = stage.ada.get("/promise")["ticket"]
        key = {"idempotency-key": f"again {number}"}
        replies = at_once(*[lambda: stage.ada.http.post("/tables", json=body, headers=key)] * 3)  # noqa: B023
        assert [reply.status_code for reply in replies] == [200] * 3
        assert len({reply.json()["id"] for reply in replies}) == 1
        assert len(stage.breaker.ask("SELECT id FROM tables")) == 1
        stage.strike(None)


# ---------------------------------------------------------------- what was a 500


def test_two_guests_of_the_same_longest_name_have_a_record(stage: Stage) -> None:
    name = "x\u0332\u0330" * 20  # accents that stand alone: 60 characters
    for person in (stage.ada, stage.bo):
        person.post("/me", {"name": name})
    table = stage.game()
    try:
        live = stage.live(table)
        stage.running.run(_play(stage, table))
        eventually(lambda: isinstance(live.table, Over))
        reply = stage.ada.http.get(f"/tables/{table}/record")
        assert reply.status_code == 200, reply.text
        names = [player["name"] for player in reply.json()["players"]]
        assert len(set(names)) == 2 and all(1 <= len(one) <= 60 for one in names)
        assert read_game(reply.text).players[0].name == names[0]
    finally:
        stage.strike(None)


async def _play(stage: Stage, table: str) -> None:
    """Ada and Bo play a whole game."""
    live, users = await stage.service.tables.held.find(table), (stage.ada.id, stage.bo.id)
    for entry in whole_game():
        asked = live.table.course.asked[entry.seat]  # type: ignore[union-attr]
        cid = f"m{entry.seq}"
        await live.do(commands.Move(user=users[entry.seat], cid=cid, seq=asked, lines=[entry.line]))


def test_an_address_that_cannot_be_decoded_is_no_error_of_ours(stage: Stage) -> None:
    for path in ("/t/%E0%A4%A", "/t/%00", "/api/tables/%E0%A4%A", "/api/tables/%00"):
        assert httpx.get(f"{stage.running.url}{path}").status_code < 500, path


# ---------------------------------------------------------------- the wall clock


def test_a_wall_clock_stepped_back_by_an_hour_and_a_restart_give_no_clock_time(tmp_path: Path) -> None:
    """The sixth finding: a live clock went from 597 to 4,194 s."""
    clock, now = {"kind": "live", "pool": 600, "increment": 5}, time.time
    with Running(tmp_path) as up:
        ada, bo = up.person("Ada"), up.person("Bo")
        table = ada.table("open", clock=clock, seed=SEED)["id"]
        bo.post(f"/tables/{table}/sit")
        ada.post(f"/tables/{table}/start")
        up.later(100)
        with patch("time.time", lambda: now() - 3600):
            before = up.clocks(table)
            with bo.live(table) as stream:
                stream.begin()
                assert stream.move(stream.offers[0])["t"] == "ack"
            assert all(left <= 600 for left in up.clocks(table))
    with patch("time.time", lambda: now() - 3600), Running(tmp_path) as up:
        after = up.clocks(table)
        with Person(up.url, token=bo.token).live(table) as stream:
            assert stream.begin().table["state"] == "playing"
    assert 490 <= before[0] <= 500
    assert before[0] - 10 < after[0] <= before[0] and after[1] < before[1] + 5.1
