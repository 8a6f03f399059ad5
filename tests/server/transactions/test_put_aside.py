"""A game that cannot be played on is put aside with its reason and is in nobody's way (the third finding)."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from branchline.server.store.sqlite_file import FILE
from branchline.server.tables.keeping import LAYOUT, SNAPSHOT_EVERY
from branchline.server.tables.state import Playing
from tests.server.service import Person, Running, Stream, eventually, play_on, seated
from tests.server.transactions.breaking import KINDS, Kind, SqliteBreaker
from tests.server.transactions.comparing import value_of
from tests.server.transactions.laying import lay, whole_game
from tests.server.transactions.stage import Stage

Break = tuple[str, str]  # how a row is spoiled ("@" is the table), and what is said of it

SPOILED: dict[str, Break] = {
    "a bad row": ("UPDATE log SET line = 'claim atlantis' WHERE table_id = '@' AND seq = 3", "cannot be read"),
    "an entry out of turn": ("UPDATE log SET seat = 1 - seat WHERE table_id = '@' AND seq = 9", "cannot be read"),
    "a map that is gone": ("UPDATE tables SET map = 'atlantis' WHERE id = '@'", 'the map "atlantis" is gone'),
    "another map of this name": ("UPDATE tables SET map_hash = 'other' WHERE id = '@'", "is not the one"),
    "other rules": ("UPDATE tables SET rules = 99 WHERE id = '@'", "under version 99 of the rules"),
    "no deal": ("UPDATE tables SET seed = NULL WHERE id = '@'", "its deal was not written down"),
    "no numbers": ("UPDATE tables SET to_act = 'x', moment = '{' WHERE id = '@'", "cannot be read"),
    "a moment of nonsense": ("UPDATE tables SET moment = '{' WHERE id = '@'", "cannot be read"),
    "options of nonsense": (
        "UPDATE tables SET options = '{\"clock\": {}, \"order\": 5}' WHERE id = '@'",
        "cannot be read",
    ),
}
CLOCK = 'UPDATE tables SET options = replace(options, \'"kind":"none"\', \'"kind":"{}"\') WHERE id = \'@\''


def closing_of(stream: Stream) -> tuple[int, str]:
    """The code and the words with which the service ends a stream."""
    try:
        while True:
            stream.next()
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return end.rcvd.code, end.rcvd.reason


def is_aside(person: Person, url: str, table: str, why: str) -> None:
    """Its players are told, wherever they look."""
    reply = person.http.get(f"/tables/{table}")
    assert (reply.status_code, reply.json()["code"]) == (409, "put_aside")
    assert why in reply.json()["reason"]
    assert person.http.get(f"/tables/{table}/history").status_code == 409
    assert person.http.post(f"/tables/{table}/moves", json={"seq": 1, "cid": "x", "lines": ["pass"]}).status_code == 409
    (line,) = [line for line in person.get("/me/tables") if line["id"] == table]
    assert why in line["aside"] and not line["your_turn"]
    code, words = closing_of(Stream(url, table, person.token))
    assert code == 4409 and "put aside" in words


@pytest.mark.parametrize("how", SPOILED)
def test_a_game_that_cannot_be_played_on_says_why_and_nothing_else_is_harmed(stage: Stage, how: str) -> None:
    sql, why = SPOILED[how]
    table, other = lay(stage, whole_game()[:20]), stage.table()
    stage.breaker.ask(sql.replace("@", table))
    try:
        is_aside(stage.ada, stage.running.url, table, why)
        assert table in [broken for broken, _ in stage.running.run(stage.service.store.broken())]
        assert stage.bo.post(f"/tables/{other}/sit")["seats"][1]["name"] == "Bo"
        assert table not in stage.service.tables.held.live
    finally:
        stage.strike(None)


@pytest.mark.parametrize("clock", ["live", "days"])
def test_no_sweep_ends_at_a_broken_game(stage: Stage, clock: str) -> None:
    """Among games with live clocks it kept the service from starting, among games with days it ended every sweep."""
    tables = sorted(lay(stage, whole_game()[:20]) for _ in range(3))
    for table in tables:
        stage.breaker.ask(CLOCK.format(clock).replace("@", table))
    stage.breaker.ask(SPOILED["a bad row"][0].replace("@", tables[1]))
    try:
        held = stage.service.tables.held
        stage.running.run(held.wake_pressing())
        stage.let_pass(40 * 86400)
        stage.running.run(held.sweep(0.0, stage.service.steady.now() - 30 * 86400))
        assert held.live.keys() == {tables[0], tables[2]}
        assert [broken for broken, _ in stage.running.run(stage.service.store.broken())] == [tables[1]]
    finally:
        stage.strike(None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_that_fails_meanwhile_harms_no_game_whole_or_broken(stage: Stage, kind: Kind) -> None:
    """To take a table, to note that it is broken and to let go of it are writes, too."""
    whole, broken = lay(stage, whole_game()[:20]), lay(stage, whole_game()[:20])
    stage.breaker.ask(SPOILED["a bad row"][0].replace("@", broken))
    try:
        for table, writes in ((whole, 1), (broken, 3)):
            for at in range(1, writes + 1):
                stage.breaker.begin(kind, at)
                reply = stage.ada.http.get(f"/tables/{table}")
                noted = (
                    kind == "answer to the commit lost" and at == 3
                )  # by the request before, though it was told else
                assert reply.status_code == (409 if noted else 503), reply.text
                assert table not in stage.service.tables.held.live
            stage.breaker.end()
        assert stage.ada.get(f"/tables/{whole}")["state"] == "playing"
        is_aside(stage.ada, stage.running.url, broken, "cannot be read")
    finally:
        stage.strike(None)


@pytest.mark.parametrize("layout", ["NULL", "'of another time'"])
def test_a_position_of_another_layout_is_ignored_and_the_log_replayed(stage: Stage, layout: str) -> None:
    table = lay(stage, whole_game()[:30])
    readers = stage.readers(table, stage.ada, stage.bo)
    try:
        seq = 30
        while not stage.breaker.ask("SELECT seq FROM snapshots"):
            entry = whole_game()[seq]
            assert readers[entry.seat].move(entry.line)["t"] == "ack"
            [reader.settled() for reader in readers]
            seq += 1
        assert seq >= SNAPSHOT_EVERY
        before = course_of(stage, table)
        stage.breaker.ask(f"UPDATE snapshots SET layout = {layout}, body = {_nonsense(stage)}")
        stage.running.call(lambda: stage.service.tables.held.live.pop(table).close())
        assert course_of(stage, table) == before
        stage.breaker.ask(f"UPDATE snapshots SET layout = '{LAYOUT}'")  # its body is still nonsense
        stage.running.call(lambda: stage.service.tables.held.live.pop(table).close())
        is_aside(stage.ada, stage.running.url, table, "cannot be read")
    finally:
        for reader in readers:
            reader.socket.close()
        stage.strike(None)


def _nonsense(stage: Stage) -> str:
    return "CAST('nonsense' AS BLOB)" if isinstance(stage.breaker, SqliteBreaker) else "'nonsense'"


def course_of(stage: Stage, table: str) -> Any:
    live = stage.live(table).table
    assert isinstance(live, Playing)
    return value_of(live.course)


def test_the_service_starts_beside_broken_games_and_all_others_are_played_on(tmp_path: Path) -> None:
    clock = {"kind": "live", "pool": 600, "increment": 5}
    with Running(tmp_path) as up:
        tables, people = [], []
        for _ in range(4):
            with seated(up, clock=clock) as (pair, streams):
                tables.append(streams[0].table["id"])
                people.append(pair[0])
                play_on(streams, random.Random(4), lambda: len(streams[0].steps) > 12)
    breaks = [SPOILED[how] for how in ("a bad row", "a map that is gone", "another map of this name")]
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        for table, (sql, _) in zip(tables, breaks, strict=False):
            assert db.execute(sql.replace("@", table)).rowcount == 1
    with Running(tmp_path) as up:
        eventually(lambda: tables[3] in up.service.tables.held.live)
        for table, (_, why), person in zip(tables, breaks, people, strict=False):
            is_aside(Person(up.url, token=person.token), up.url, table, why)
        with Person(up.url, token=people[3].token).live(tables[3]) as stream:
            assert stream.begin().table["state"] == "playing"
        assert Person(up.url, "Cy").table("open")["state"] == "open"
