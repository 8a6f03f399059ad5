"""Several processes are one service: a table has one holder, anybody may come to any process, and whoever dies is
replaced without the loss of one acknowledged move."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from typing import Any

import psycopg

from tests.server.cluster.conftest import Cluster, come_back
from tests.server.service import Person, Stream, choose, eventually, new_cid, told


def two_at_a_table(cluster: Cluster, **options: Any) -> tuple[list[Person], list[Stream], str]:
    """Ada at the first process, which holds the table; Bo at the second."""
    ada, bo = cluster.person(0, "Ada"), cluster.person(1, "Bo")
    table = str(ada.table("open", **{"seed": 1900, **options})["id"])
    bo.post(f"/tables/{table}/sit")
    ada.post(f"/tables/{table}/start")
    streams = [ada.live(table, paced=True).begin(), bo.live(table, paced=True).begin()]
    for stream in streams:
        stream.may_miss = True
    return [ada, bo], streams, table


def mover_of(streams: list[Stream]) -> Stream:
    """Somebody who is asked, once they have been told so."""

    def asked() -> bool:
        for stream in streams:
            stream.settled()
        return any(stream.offers for stream in streams)

    eventually(asked)
    return next(stream for stream in streams if stream.offers)


def play_out(streams: list[Stream], rng: random.Random) -> None:
    """The game to its end; a stream at another process may hear of a move a little after its mover."""

    def asked_or_over() -> bool:
        for stream in streams:
            stream.settled()
        return any(stream.offers or stream.finale for stream in streams)

    while True:
        eventually(asked_or_over)
        mover = next((stream for stream in streams if stream.offers), None)
        if mover is None:
            return
        assert mover.move(choose(rng, mover.offers))["t"] == "ack"


def acknowledged(streams: list[Stream], rng: random.Random, moves: int) -> list[str]:
    """So many moves; their keys as the store has them."""
    keys = []
    for _ in range(moves):
        stream, cid = mover_of(streams), new_cid()
        assert stream.move(choose(rng, stream.offers), cid=cid)["t"] == "ack"
        keys.append(f"{stream.table['you']}:{cid}")
    return keys


def insist(stream: Stream, rng: random.Random) -> str:
    """Send a move until it counts, always with the same key; that key as the store has it."""
    cid = new_cid()
    message = {"t": "move", "seq": stream.update["asked"], "cid": cid, "lines": [choose(rng, stream.offers)]}

    def counts() -> bool:
        stream.send(message)
        return bool(stream.answered(cid)["t"] == "ack")

    eventually(counts)
    return f"{stream.table['you']}:{cid}"


def stored_keys(cluster: Cluster, table: str) -> list[str]:
    with psycopg.connect(cluster.database) as db:
        rows = db.execute("SELECT cid FROM log WHERE table_id = %s AND cid IS NOT NULL ORDER BY seq", (table,))
        return [cid for (cid,) in rows]


def test_anybody_plays_at_any_process(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster)
    watcher = cluster.person(2).live(table, paced=True).begin()
    keys = acknowledged(streams, random.Random(1), 12)
    assert stored_keys(cluster, table) == keys
    told(watcher, lambda: watcher.update["seq"] >= 10)
    assert watcher.table["seats"][0]["connected"] and watcher.table["seats"][1]["connected"]
    streams[1].send({"t": "say", "text": "hello from elsewhere"})
    assert streams[0].wait("chat")["chat"]["text"] == "hello from elsewhere"
    assert watcher.wait("chat")["chat"]["name"] == "Bo"
    people[1].post("/me", {"name": "Bogdan"})
    told(streams[0], lambda: streams[0].table["seats"][1]["name"] == "Bogdan")
    history = [cluster.at(people[0], number).get(f"/tables/{table}/history") for number in range(3)]
    assert history[0] == history[1] == history[2] and len(history[0]) > 5


def test_a_process_that_dies_is_replaced_and_nothing_is_lost(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster)
    rng = random.Random(2)
    keys = acknowledged(streams, rng, 8)
    began = time.monotonic()
    cluster.processes[0].kill()  # it held the table, and Ada's socket
    ada = come_back(cluster, people[0], 2, table)
    bo = streams[1]
    told(bo, lambda: bo.table["seats"][0]["connected"])  # Bo's socket went on, at the new holder
    assert time.monotonic() - began < 10
    keys += acknowledged([ada, bo], rng, 6)
    assert stored_keys(cluster, table) == keys


def test_a_plan_is_played_by_whoever_holds_the_table_then(cluster: Cluster) -> None:
    """Bo plans at a process that does not hold it; the one that does dies before Bo's turn."""
    people, streams, table = two_at_a_table(cluster, clock={"kind": "days", "days": 1})
    rng = random.Random(3)
    while not (streams[0].offers and streams[0].update["view"]["phase"] == "turn"):
        acknowledged(streams, rng, 1)
        streams[0].settled()
    turns = [[{"do": "draw", "first": "blind", "then": ["blind"]}]]
    assert people[1].post(f"/tables/{table}/plan", {"turns": turns})["plan"]["turns"]
    told(streams[1], lambda: bool(streams[1].table["plan"]))
    cluster.processes[0].kill()
    ada = come_back(cluster, people[0], 2, table)
    assert ada.table["plan"] is None
    assert ada.move("draw deck", "draw deck")["t"] == "ack"
    assert [step["by"] for step in ada.steps[-4:]] == ["player"] * 4
    told(streams[1], lambda: (streams[1].table["plan"]["result"] or {}).get("kind") == "played")
    assert [step["by"] for step in cluster.at(people[1], 2).get(f"/tables/{table}/history")[-2:]] == ["plan", "plan"]


def test_a_move_sent_to_a_dying_process_counts_once(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster)
    rng = random.Random(3)
    keys = acknowledged(streams, rng, 5)
    mover = mover_of(streams)
    seat, cid = mover.table["you"], new_cid()
    message = {"t": "move", "seq": mover.update["asked"], "cid": cid, "lines": [choose(rng, mover.offers)]}
    mover.send(message)
    cluster.processes[0].kill()
    back = come_back(cluster, people[seat], 2, table)
    back.send(message)
    assert back.answered(cid)["t"] == "ack"
    back.send(message)
    assert back.answered(cid)["t"] == "ack"
    assert stored_keys(cluster, table) == [*keys, f"{seat}:{cid}"]


def test_a_process_that_slept_writes_nothing_after_it_was_replaced(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster)
    rng = random.Random(4)
    keys = acknowledged(streams, rng, 6)
    cluster.processes[0].process.send_signal(signal.SIGSTOP)
    ada = come_back(cluster, people[0], 2, table)
    bo = come_back(cluster, people[1], 1, table)
    late = streams[0]  # at the sleeper, which thinks that it still holds the table
    while ada.update["asked"] == late.update["asked"]:
        keys += acknowledged([ada, bo], rng, 1)
    stale = {"t": "move", "seq": late.update["asked"], "cid": "late", "lines": ["draw deck"]}
    late.send(stale)
    cluster.processes[0].process.send_signal(signal.SIGCONT)
    assert late.answered("late")["t"] == "refused"
    told(late, lambda: late.update["seq"] == ada.update["seq"])  # and is told how it stands
    keys += acknowledged([ada, bo], rng, 2)
    assert stored_keys(cluster, table) == keys


def in_time(stream: Stream, holds: Callable[[], object]) -> None:
    """Wait until a stream has been told something that follows from a silence of seconds, on a busy machine of many."""
    eventually(lambda: stream.settled() is not None and holds(), 60)


def test_a_process_that_slept_with_a_players_socket_catches_up(cluster: Cluster) -> None:
    """It held no table: its player is missed, plays on elsewhere, and both streams are told the same at last."""
    people, (ada, late), table = two_at_a_table(cluster)
    rng = random.Random(12)
    keys = acknowledged([ada, late], rng, 4)
    cluster.processes[1].process.send_signal(signal.SIGSTOP)
    in_time(ada, lambda: not ada.table["seats"][1]["connected"])
    bo = come_back(cluster, people[1], 2, table)
    bo.may_miss = True
    keys += acknowledged([ada, bo], rng, 6)
    cluster.processes[1].process.send_signal(signal.SIGCONT)
    bo.settled()
    in_time(late, lambda: late.update["seq"] == bo.update["seq"])
    for stream in (bo, late):
        assert ada.table["seats"][1]["connected"]
        stream.socket.close()
    in_time(ada, lambda: not ada.table["seats"][1]["connected"])
    assert stored_keys(cluster, table) == keys


def test_redis_may_lose_everything(cluster: Cluster) -> None:
    _, streams, table = two_at_a_table(cluster)
    rng = random.Random(5)
    keys = acknowledged(streams, rng, 5)
    cluster.redis.kill()
    cluster.redis.start()
    for _ in range(6):
        keys.append(insist(mover_of(streams), rng))
    assert stored_keys(cluster, table) == keys


def test_the_database_may_go_away_and_come_back(cluster: Cluster) -> None:
    _, streams, table = two_at_a_table(cluster)
    rng = random.Random(6)
    keys = acknowledged(streams, rng, 5)
    cluster.postgres.kill()
    mover = mover_of(streams)
    reply = mover.move(choose(rng, mover.offers))
    assert reply["t"] == "refused" and reply["code"] in ("move_unwritten", "cannot_write", "uncertain")
    cluster.postgres.start()
    keys.append(insist(mover, rng))
    assert stored_keys(cluster, table) == keys


def test_clocks_survive_a_take_over(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster, clock={"kind": "live", "pool": 600, "increment": 0})
    acknowledged(streams, random.Random(7), 4)
    before = streams[0].update["clock"]["left"]
    cluster.processes[0].kill()
    ada = come_back(cluster, people[0], 2, table)
    after = ada.update["clock"]["left"]
    for was, now in zip(before, after, strict=True):
        assert now <= was + 0.2  # nobody gains time
        assert now > was - 15  # nor loses what nobody played


def test_a_game_nobody_looks_at_is_taken_over_where_a_clock_presses(cluster: Cluster) -> None:
    _, streams, table = two_at_a_table(cluster, clock={"kind": "live", "pool": 30, "increment": 0})
    for stream in streams:
        stream.socket.close()
    cluster.processes[0].kill()

    def taken() -> bool:
        with psycopg.connect(cluster.database) as db:
            row = db.execute("SELECT lease FROM tables WHERE id = %s", (table,)).fetchone()
        return row is not None and row[0] > 1

    eventually(taken)


def test_a_whole_game_over_three_processes(cluster: Cluster) -> None:
    people, streams, table = two_at_a_table(cluster)
    play_out(streams, random.Random(8))
    told(streams[1], lambda: streams[1].finale is not None)
    third = cluster.at(people[0], 2)
    assert third.get(f"/tables/{table}/scores") == streams[1].finale["scores"]  # type: ignore[index]
    again = third.post(f"/tables/{table}/rematch")
    assert cluster.at(people[1], 1).post(f"/tables/{table}/rematch")["id"] == again["id"]
