"""A crowd at a table is told in bunches, and whoever comes in the middle misses nothing and hears nothing twice."""

from __future__ import annotations

import random
from pathlib import Path

from tests.server.service import Running, Stream, choose, seated, spectator

CROWD = 40  # more than are told at once (live/crowd.py)


def caught_up(watcher: Stream, seq: int) -> None:
    while watcher.update["seq"] < seq:
        watcher.wait("update")


def test_who_comes_between_two_moves_is_told_every_step_once(tmp_path: Path) -> None:
    with Running(tmp_path) as running, seated(running, watchers=CROWD) as (people, streams):
        players, watchers, rng = streams[:2], streams[2:], random.Random(3)
        table = players[0].table["id"]
        for n in range(30):
            mover = next(stream for stream in players if stream.offers)
            assert mover.move(choose(rng, mover.offers))["t"] == "ack"
            for other in players:
                other.settled()
            if n % 2:
                watchers.append(spectator(running.url, table).begin())
        told = people[0].get(f"/tables/{table}/history")
        for watcher in watchers:
            caught_up(watcher, told[-1]["seq"])  # a stream notices a gap by itself
            numbers = [step["seq"] for step in watcher.steps]
            assert numbers == list(range(numbers[0], told[-1]["seq"] + 1)) if numbers else True
        for watcher in watchers[CROWD:]:
            watcher.socket.close()


def test_a_crowd_that_comes_is_not_told_of_each_who_comes(tmp_path: Path) -> None:
    with Running(tmp_path) as running, seated(running, watchers=CROWD) as (_, streams):
        first = streams[2]
        first.settled()
        before = len(first.raw)
        late = [spectator(running.url, streams[0].table["id"]) for _ in range(CROWD)]
        while first.table["spectators"] < 2 * CROWD:
            first.wait("table")
        assert sum('"t":"table"' in text for text in first.raw[before:]) < CROWD
        for watcher in late:
            watcher.socket.close()
