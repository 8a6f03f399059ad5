"""Nothing the service does leaves things that only hold each other: nobody looks for those (collector.py)."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import random
import re
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from branchline.server.store.contract import Known, Lease, NotHolder
from branchline.server.store.sqlite import SqliteStore
from branchline.server.tables.rows import Change
from tests.server.service import ROOT, Person, Process, Stream, choose, eventually, to_phase
from tests.server.store.kit import row
from tests.server.test_bots_at_tables import FAULTY
from tests.server.watched import FOUND, garbage

FAULTS = ("Crasher", "Dier", "Hanger", "Talker")


def test_what_is_over_is_gone(tmp_path: Path) -> None:
    bots = tmp_path / "faulty.py"
    bots.write_text(FAULTY, encoding="utf-8")
    offered = [part for name in FAULTS for part in ("--bot", f"{bots}:{name}")]
    program = [str(ROOT / "tests" / "server" / "watched.py")]
    with Process(tmp_path / "data", "--bot-seconds", "0.1", "--grace", "0.1", *offered, program=program) as up:
        for doing in DOINGS:
            doing(up)  # what is made once stays
        found_after(up)
        for doing in DOINGS:
            doing(up)
            assert found_after(up) == {}, doing.__name__


def test_a_write_that_fails_is_gone(tmp_path: Path) -> None:
    async def fail() -> list[str]:
        store, again = SqliteStore(tmp_path), Change(row("once"), new=True)
        await store.write((None, again))
        gc.collect()
        gc.disable()
        for _ in range(3):
            with contextlib.suppress(Known):
                await store.write((None, again))
                raise AssertionError("that must fail")
            with contextlib.suppress(NotHolder):
                await store.write((Lease("once", 7), Change(row("once"))))
                raise AssertionError("that must fail")
        await store.beat(1.0)  # the writer has let go of the last batch
        found = [kind for kind in garbage() if any(word in kind for word in ("Job", "Error", "Known", "NotHolder"))]
        gc.enable()
        await store.close()
        return found

    assert asyncio.run(fail()) == []


def found_after(up: Process) -> dict[str, int]:
    """What only holds itself, by type, once all tables are gone."""
    eventually(lambda: re.search(r"^branchline_rooms 0\.0$", httpx.get(f"{up.url}/metrics").text, re.MULTILINE))
    found = up.folder / FOUND
    found.unlink(missing_ok=True)
    up.process.send_signal(signal.SIGUSR1)
    eventually(found.exists)
    counts: dict[str, int] = json.loads(found.read_text(encoding="utf-8"))
    return counts


# ---------------------------------------------------------------- what people do


def game_of(up: Process, *bots: str, **options: Any) -> tuple[list[Person], list[Stream]]:
    """Two people at a table, with bots; the game has begun."""
    people = [up.person("Ada"), up.person("Bo")]
    table = people[0].table("open", *bots, **{"seed": 1900, **options})["id"]
    people[1].post(f"/tables/{table}/sit")
    people[0].post(f"/tables/{table}/start")
    return people, [person.live(table).begin() for person in people]


def close(streams: list[Stream]) -> None:
    for stream in streams:
        stream.socket.close()


def a_whole_game(up: Process) -> None:
    """One plays with a bot, another looks on; they ask for everything afterwards, and for another game."""
    me, rng = up.person("Ada"), random.Random(1)
    table = me.table("porter", seed=1900, start=True)["id"]
    with me.live(table) as stream, up.person("Bo").live(table):
        stream.begin()
        while stream.finale is None:
            if stream.offers:
                assert stream.move(choose(rng, stream.offers))["t"] == "ack"
            else:
                stream.next()
        for part in ("", "/history", "/scores", "/replay", "/record", "/fair", "/qr.svg"):
            assert me.http.get(f"/tables/{table}{part}").status_code == 200
        assert me.post("/replay", me.get(f"/tables/{table}/record"))["steps"]
        assert me.post(f"/tables/{table}/rematch")["id"] != table


def what_is_refused(up: Process) -> None:
    people, streams = game_of(up)
    me = to_phase(streams, random.Random(2))
    other = streams[1] if me is streams[0] else streams[0]
    for line in ("fly to the moon", "locos 1", "claim nowhere red", ""):
        assert me.move(line)["t"] == "refused"
    assert other.move("draw deck")["t"] == "refused"
    assert me.move("draw deck", seq=0)["stale"]
    for text in ("", "{", "[]", '{"t": "what"}', '{"t": "move"}', "x" * 5000):
        me.send(text)
        assert me.wait("trouble")["reason"]
    facts = people[0].get("/maps/usa")
    for track in facts["tracks"][:20]:
        assert me.ask(track["id"])["t"] == "answer"
    me.send({"t": "advise"})
    me.wait("advice")
    me.send({"t": "advise"})  # nobody waits for the answer
    for path in ("/tables/nowhere", f"/tables/{'x' * 22}", "/maps/atlantis", "/nothing"):
        assert people[0].http.get(path).status_code == 404
    for path, body in (("/tables", {"map": 1}), ("/replay", {}), ("/me", {"name": "\x00"}), ("/tables", [])):
        assert people[0].http.post(path, json=body).status_code >= 400
    close(streams)


def streams_that_break(up: Process) -> None:
    """One says too much, one is torn, one reads lines and is quiet."""
    people, streams = game_of(up)
    streams[0].send("x" * 20000)
    assert streams[0].closed() == 1009
    raw = streams[1].socket.socket
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()
    with people[0].http.stream("GET", f"/tables/{streams[0].table['id']}/stream") as lines:
        quiet = 0
        for line in lines.iter_lines():
            quiet += not line
            if quiet == 5:
                break
    close(streams)


def second_thoughts(up: Process) -> None:
    """Taken back before anybody knew, and with everybody's consent; talk; a pause; who leaves is played for."""
    people, streams = game_of(up, map="europe", clock={"kind": "live", "pool": 600, "increment": 0})
    me = to_phase(streams, random.Random(3))
    other = streams[1] if me is streams[0] else streams[0]
    me.send({"t": "say", "phrase": "good_luck"})
    me.send({"t": "pause", "agree": None})
    other.wait("vote")
    other.send({"t": "pause", "agree": True})
    other.settled()
    me.send({"t": "pause", "resume": True})
    me.settled()
    people[0].post(f"/tables/{me.table['id']}/leave")
    people[0].post(f"/tables/{me.table['id']}/back")
    for person in people:
        person.post(f"/tables/{me.table['id']}/leave")
    close(streams)
    people, streams = game_of(up)
    me = to_phase(streams, random.Random(9))
    other = streams[1] if me is streams[0] else streams[0]
    assert me.move("draw deck", "draw deck")["t"] == "ack"
    me.send({"t": "takeback", "agree": None})
    other.wait("vote")
    other.send({"t": "takeback", "agree": True})
    while not me.restarted:
        me.next()
    me.socket.close()
    seat = me.table["you"]
    while not other.table["seats"][seat]["missed"]:
        other.wait("table")
    other.send({"t": "nudge", "seat": seat})
    other.send({"t": "bot", "seat": seat})
    while not other.table["seats"][seat]["proxied"]:
        other.next()
    close(streams)


def bots_that_fail(up: Process) -> None:
    me = up.person("Ada")
    table = me.table(*FAULTS, seed=1900, start=True)["id"]
    with me.live(table) as stream:
        stream.begin()
        assert stream.move(stream.offers[0])["t"] == "ack"
        while not {step["by"] for step in stream.steps} >= {"standin"} or not stream.offers:
            stream.wait("update")


DOINGS: tuple[Callable[[Process], None], ...] = (
    a_whole_game,
    what_is_refused,
    streams_that_break,
    second_thoughts,
    bots_that_fail,
)
