"""The service ends amid a game, well or badly, and goes on: no acknowledged move is lost, none comes twice."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from branchline.server.live.table import LiveTable
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.tables.loading import table_of
from branchline.server.tables.state import Over, Playing
from branchline.server.wire.refusals import Conflict
from branchline.server.wire.views import offers_of
from tests.server.service import Json, Person, Process, Running, Stream, choose, eventually, new_cid, seated, to_phase


def cids_of(folder: Path) -> list[str]:
    """The client ids in the log, in its order."""
    with sqlite3.connect(folder / "branchline.sqlite3") as db:
        return [cid.partition(":")[2] for (cid,) in db.execute("SELECT cid FROM log WHERE cid NOT NULL ORDER BY seq")]


def play(streams: list[Stream], rng: random.Random, moves: int) -> list[str]:
    """People play; the client ids of the moves, all acknowledged."""
    acknowledged = []
    for _ in range(moves):
        stream = next((s for s in streams if s.offers), None)
        if stream is None:
            break
        cid = new_cid()
        reply = stream.move(choose(rng, stream.offers), cid=cid)
        assert reply["t"] == "ack", reply
        acknowledged.append(cid)
        for other in streams:
            other.settled()
    return acknowledged


def test_a_service_that_is_killed_goes_on_where_it_stood(tmp_path: Path) -> None:
    rng = random.Random(1)
    acknowledged: list[str] = []
    with Process(tmp_path) as process, seated(process, seed=5) as (people, streams):
        table, port = streams[0].table["id"], process.port
        acknowledged += play(streams, rng, 20)
        sent, message = cut_off(process, streams, rng)
    for again in (True, False):
        with Process(tmp_path, port=port) as process:
            check_log(tmp_path, acknowledged, sent, len(message["lines"]))
            streams = [person.live(table, paced=True).begin() for person in people]
            resend(tmp_path, streams, message)
            acknowledged += [sent, *play(streams, rng, 6)]
            if again:
                sent, message = cut_off(process, streams, rng, tmp_path)
                continue
            finish(people, streams, table)


def cut_off(process: Process, streams: list[Stream], rng: random.Random, log: Path | None = None) -> tuple[str, Json]:
    """Send a move of two lines and kill the service at once, or as soon as it stands in a log."""
    to_phase(streams, rng)
    stream = next(s for s in streams if s.offers)
    cid = new_cid()
    message: Json = {"t": "move", "seq": stream.update["asked"], "cid": cid, "lines": ["draw deck", "draw deck"]}
    stream.send(message)
    if log is not None:
        eventually(lambda: cid in cids_of(log))
    process.kill()
    for one in streams:
        one.closed()
    return cid, {**message, "seat": stream.table["you"]}


def check_log(folder: Path, acknowledged: list[str], sent: str, lines: int) -> None:
    """All acknowledged moves once, in their order; the last one, of several lines, whole or not at all."""
    found = cids_of(folder)
    assert [cid for cid in found if cid in acknowledged] == acknowledged
    assert len(set(found)) == len(found)
    with sqlite3.connect(folder / "branchline.sqlite3") as db:
        entries = db.execute("SELECT seq, line FROM log ORDER BY seq").fetchall()
    assert [seq for seq, _ in entries] == list(range(1, len(entries) + 1))
    if sent in found:
        assert [line for _, line in entries[-lines:]] == ["draw deck"] * lines


def resend(folder: Path, streams: list[Stream], message: Json) -> None:
    """The client sends again what was not acknowledged, twice even, and it is played once."""
    seat, again = message["seat"], {key: value for key, value in message.items() if key != "seat"}
    stream = next(s for s in streams if s.table["you"] == seat)
    for _ in range(2):
        stream.send(again)
        assert stream.answered(str(again["cid"]))["t"] == "ack"
    assert cids_of(folder).count(str(again["cid"])) == 1
    for one in streams:
        one.settled()


def finish(people: list[Person], streams: list[Stream], table: str) -> None:
    """Both let a bot play on; the game comes to its end, and its file is right."""
    for person in people:
        person.post(f"/tables/{table}/leave")
    for stream in streams:
        if stream.finale is None:
            stream.wait("finale")
        assert stream.steps
    assert people[0].get(f"/tables/{table}")["state"] == "over"
    history = people[0].get(f"/tables/{table}/history")
    assert history[-len(streams[0].steps) :] == streams[0].steps


def test_asked_to_end_it_finishes_writing_and_ends_at_once(tmp_path: Path) -> None:
    with Process(tmp_path) as process:
        with seated(process) as (_, streams):
            table = streams[0].table["id"]
            acknowledged = play(streams, random.Random(2), 5)
            lines: list[str] = []
            reading = threading.Thread(target=read_lines, args=(process.url, table, lines))
            reading.start()
            eventually(lambda: lines)
            status, seconds = process.stop()
            assert status == 0, process.errors.read_text()
            assert seconds < 3
            assert [stream.closed() for stream in streams] == [1012, 1012]
            reading.join(5)
            assert not reading.is_alive()
            assert lines[-1] == "whole"
        assert process.errors.read_text() == ""
        assert not (tmp_path / "branchline.sqlite3-wal").exists()
        assert cids_of(tmp_path) == acknowledged


def read_lines(url: str, table: str, lines: list[str]) -> None:
    """The stream of a program; "whole" at the end says that it was ended, not torn off."""
    with httpx.stream("GET", f"{url}/api/tables/{table}/stream", timeout=20) as reply:
        lines.extend(reply.iter_lines())
    lines.append("whole")


@pytest.mark.parametrize("hours", [1, -1], ids=["an hour later", "set back by an hour"])
def test_clocks_stand_still_while_the_service_is_down_whatever_the_time_of_day_is_then(
    tmp_path: Path, hours: int
) -> None:
    clock = {"kind": "live", "pool": 120, "increment": 0}
    with Running(tmp_path) as up, seated(up, clock=clock) as (people, streams):
        me = to_phase(streams, random.Random(3))
        table, mine = me.table["id"], me.table["you"]
        up.later(10)
        me.send({"t": "resync"})
        me.settled()
        before = me.update["clock"]["left"]
    now = time.time
    with patch("time.time", lambda: now() + 3600 * hours), Running(tmp_path) as up:
        person = Person(up.url, token=people[mine].token)
        with person.live(table) as stream:
            after = stream.begin().update["clock"]["left"]
            assert stream.offers
            assert not stream.table["seats"][mine]["clock_out"]
    assert before[mine] <= 110
    assert before[mine] - 5 < after[mine] <= before[mine]
    assert after[1 - mine] == pytest.approx(before[1 - mine], abs=0.2)


# ---------------------------------------------------------------- a course from its log is the course as it was


def same(one: Course, two: Course) -> None:
    assert one.game == two.game
    assert (one.seq, one.told, one.asked) == (two.seq, two.told, two.asked)
    assert [(n, seat) for n, seat, _ in one.silent] == [(n, seat) for n, seat, _ in two.silent]
    assert all(a[2] == b[2] for a, b in zip(one.silent, two.silent, strict=True))


async def random_step(live: LiveTable, people: list[Person], rng: random.Random, met: set[str]) -> None:
    """A move, an undo if one can be had, or a turn taken back."""
    assert isinstance(live.table, Playing)
    course = live.table.course
    seat = rng.choice(course.game.to_act)
    me, other, asked = people[seat].id, people[1 - seat].id, course.asked[seat]
    if course.can_undo(seat) and rng.random() < 0.5:
        met.add("undo")
        await live.do(commands.Undo(user=me, cid=new_cid(), seq=asked))
    elif rng.random() < 0.03:
        with suppress(Conflict):
            await live.do(commands.AskBack(user=me))
            met.add("back")
            await live.do(commands.Answer(user=other, kind="back", agree=True))
    else:
        line = choose(rng, offers_of(course.game.view(seat)))
        await live.do(commands.Move(user=me, cid=new_cid(), seq=asked, lines=[line]))


@pytest.mark.parametrize("map", ["usa", "europe", "iberia", "africa", "carpathians"])
def test_a_game_read_from_its_log_is_the_game_that_was_played(running: Running, map: str) -> None:
    """With undone choices and turns taken back, from the beginning and from the last snapshot."""
    rng, met = random.Random(f"restore {map}"), set[str]()
    people = [running.person(), running.person()]
    table = people[0].table("open", map=map, seed=77)["id"]
    people[1].post(f"/tables/{table}/sit")
    people[0].post(f"/tables/{table}/start")
    live = running.live(table)
    unfinished = 0
    for n in range(160):
        playing = live.table
        if not isinstance(playing, Playing) or playing.course.game.is_over:
            break
        running.run(random_step(live, people, rng, met))
        course = running.course(table)
        if n % 8 == 0 or course.silent:
            stored = running.run(running.service.store.read(table))
            assert stored is not None
            for rows in (stored, replace(stored, snapshot=None)):
                again = table_of(rows, 0.0, 0.0)
                assert isinstance(again, Playing | Over)
                same(again.course, course)
            unfinished += bool(course.silent)
    stored = running.run(running.service.store.read(table))
    assert stored is not None and stored.snapshot is not None
    assert stored.snapshot.seq >= 32
    assert unfinished
    assert met == {"undo", "back"}


def test_workers_end_with_a_service_that_is_killed(tmp_path: Path) -> None:
    def workers(pid: int) -> list[int]:
        threads = Path(f"/proc/{pid}/task").glob("*/children")  # any thread may have started them
        return [int(child) for children in threads for child in children.read_text().split()]

    def runs(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    with Process(tmp_path) as process:
        eventually(lambda: len(workers(process.process.pid)) >= 2)  # a worker, and who counts its semaphores
        children = workers(process.process.pid)
        process.kill()
        eventually(lambda: not any(runs(child) for child in children))
