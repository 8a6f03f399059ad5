"""Plans over the real wire: played when the turn comes, after a power cut too, and known to nobody else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.server.service import Json, Process, Running, Stream, seated, set_clock, to_phase
from tests.server.test_two_worlds_wire import asked_again

BLIND: Json = {"do": "draw", "first": "blind", "then": ["blind"]}
DAYS: Json = {"kind": "days", "days": 1}


@pytest.fixture(scope="module")
def running(on_either_store: Running) -> Running:
    return on_either_store


def apart(streams: list[Stream]) -> tuple[Stream, Stream]:
    """Who has to begin a turn, and who waits."""
    mover = to_phase(streams[:2], random.Random(4))
    return mover, next(stream for stream in streams[:2] if stream is not mover)


def test_a_plan_survives_a_power_cut_and_is_played_once(tmp_path: Path) -> None:
    with Process(tmp_path) as process, seated(process, seed=5, clock=DAYS) as (people, streams):
        mover, waits = apart(streams)
        table, owner = mover.table["id"], people[waits.table["you"]]
        owner.post(f"/tables/{table}/plan", {"turns": [[BLIND], [BLIND]]})
        process.kill()
        port = process.port
    with Process(tmp_path, port=port):
        again = people[mover.table["you"]].live(table, paced=True).begin()
        assert again.table["plan"] is None
        reply = again.move("draw deck", "draw deck")
        assert reply["t"] == "ack", reply
        assert again.update["view"]["to_act"] == [mover.table["you"]]
        plan = owner.get(f"/tables/{table}")["plan"]
        assert plan["result"]["kind"] == "played" and plan["turns"] == [[BLIND]]
        history = owner.get(f"/tables/{table}/history")
        assert [step["by"] for step in history[-4:]] == ["player", "player", "plan", "plan"]


def test_a_written_plan_changes_nothing_that_others_can_ask_for(running: Running) -> None:
    """Streams, what they say when asked again, lists, histories, the table itself: all as before, but for the time."""
    with seated(running, ("Ada", "Bo", "Cy"), watchers=1, clock=DAYS) as (people, streams):
        mover = to_phase(streams[:3], random.Random(13))
        waits = next(stream for stream in streams[:3] if stream is not mover)
        table, owner = mover.table["id"], people[waits.table["you"]]
        others = [stream for stream in streams if stream is not waits]
        for stream in streams:
            stream.settled()
        set_clock(running, table, mover.table["you"], 9000.0)

        def asked() -> object:
            lists = [p.get("/me/tables") for p in people if p is not owner]
            tables = [p.get(f"/tables/{table}") for p in people if p is not owner]
            histories = [p.get(f"/tables/{table}/history") for p in people if p is not owner]
            return asked_again(others), lists, tables, histories

        before = asked()
        assert owner.post(f"/tables/{table}/plan", {"turns": [[BLIND]]})["plan"] == {"turns": [[BLIND]], "result": None}
        assert [stream.settled() for stream in others] == [[], [], []]
        assert asked() == before
        assert [message["t"] for message in waits.settled()] == ["table"]
        assert owner.post(f"/tables/{table}/plan", {"turns": []})["plan"] is None
        assert [stream.settled() for stream in others] == [[], [], []]
        assert asked() == before


def test_what_is_no_plan_is_refused_and_changes_nothing(running: Running) -> None:
    with seated(running, clock=DAYS) as (people, streams):
        mover, waits = apart(streams)
        path, owner = f"/tables/{mover.table['id']}/plan", people[waits.table["you"]]
        for body in (
            {},
            {"turns": "all"},
            {"turns": [[{"do": "fly"}]]},
            {"turns": [[{**BLIND, "more": 1}]]},
            {"turns": [[{"do": "claim", "track": "nowhere", "colour": "red"}]]},
            {"turns": [[BLIND]] * 400},
            {"turns": [[{"do": "draw", "first": "blind", "then": ["x" * 10_000]}]]},
        ):
            status, _ = owner.refused(path, body)
            assert status == 400
        assert people[mover.table["you"]].refused(path, {"turns": [[BLIND]]})[0] == 409
        assert running.person().refused(path, {"turns": [[BLIND]]})[0] == 409
        assert owner.get(f"/tables/{mover.table['id']}")["plan"] is None
