"""What nobody asks for goes on by itself once the store is back: no reader has to come, nobody has to ask again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from branchline.server.live.table import LiveTable
from branchline.server.tables.state import Over, Playing
from tests.server.service import eventually
from tests.server.transactions import scenes
from tests.server.transactions.breaking import Kind
from tests.server.transactions.laying import lay, whole_game
from tests.server.transactions.stage import Scene, Stage, wake

broken = pytest.mark.parametrize("kind", ["full disk", "lost before the commit", "answer to the commit lost"])


def goes_on(stage: Stage, scene: Scene, kind: Kind, begin: Callable[[], None], done: Callable[[], bool]) -> None:
    """It is tried while the store fails, and happens when it does not fail any more; memory is the database then."""
    try:
        stage.breaker.begin(kind, 1)
        struck = stage.breaker.strikes
        begin()
        eventually(lambda: stage.breaker.strikes >= struck + 2)
        assert not done()
        stage.breaker.end()
        eventually(done)
        stage.calm()
        stage.memory_is_database()
    finally:
        stage.strike(scene)


def playing(live: LiveTable) -> Playing:
    assert isinstance(live.table, Playing)
    return live.table


@broken
def test_bots_play_on(stage: Stage, kind: Kind) -> None:
    scene = scenes.bot_move(stage)
    live = stage.live(scene.table)
    goes_on(stage, scene, kind, lambda: wake(stage.running, scene.table), lambda: playing(live).course.seq == 1)


@broken
def test_a_game_that_is_over_is_scored(stage: Stage, kind: Kind) -> None:
    table = lay(stage, whole_game()[:-1])
    readers = stage.readers(table, stage.ada, stage.bo)
    stage.hold_bots_back(table)
    last, live = whole_game()[-1], stage.live(table)
    assert readers[last.seat].move(last.line)["t"] == "ack"
    scene = Scene(ask=_nothing, readers=readers)
    goes_on(stage, scene, kind, lambda: wake(stage.running, table), lambda: isinstance(live.table, Over))
    assert all(reader.finale is None or reader.finale["scores"] for reader in readers)


@broken
def test_a_clock_that_is_out_is_out(stage: Stage, kind: Kind) -> None:
    table = stage.game(clock=scenes.LIVE)
    scene = Scene(ask=_nothing, readers=stage.readers(table, stage.ada, stage.bo))
    stage.hold_bots_back(table)
    live = stage.live(table)
    stage.let_pass(599.9)
    goes_on(
        stage, scene, kind, lambda: stage.running.call(live.go_on), lambda: playing(live).clock_out == frozenset({0, 1})
    )


@broken
def test_a_vote_does_not_wait_for_who_is_away(stage: Stage, kind: Kind) -> None:
    table = stage.game()
    scene = Scene(ask=_nothing, readers=stage.readers(table, stage.ada))
    assert scene.readers[0].move(scene.readers[0].offers[0])["t"] == "ack"
    scene.readers[0].send({"t": "takeback"})
    scene.readers[0].wait("vote")
    live = stage.live(table)
    assert playing(live).back is not None

    def miss() -> None:
        live.attendance.close()
        live.around = replace(live.around, grace=0.01)
        live.go_on()

    goes_on(stage, scene, kind, lambda: stage.running.call(miss), lambda: playing(live).back is None)


def test_a_table_in_doubt_is_read_again_though_nobody_asks(stage: Stage) -> None:
    scene = scenes.sit(stage)
    try:
        stage.breaker.begin("answer to the commit lost", 1)
        assert scene.ask().code == "uncertain"
        struck = stage.breaker.strikes
        eventually(lambda: stage.breaker.strikes > struck)  # it tries to read
        assert [reader.told() for reader in scene.readers] == [[], [], []]
        stage.breaker.end()
        for reader in scene.readers:
            assert reader.wait("table")["table"]["seats"][1]["name"] == "Bo"
        stage.memory_is_database()
    finally:
        stage.strike(scene)


@pytest.mark.parametrize("scene_of", [scenes.change_a_person, scenes.block], ids=["renamed", "blocked"])
def test_a_person_in_doubt_is_shown_as_written_though_nobody_asks(stage: Stage, scene_of: scenes.Maker) -> None:
    scene = scene_of(stage)
    try:
        stage.breaker.begin("answer to the commit lost", 1)
        assert scene.ask().code == "uncertain"
        stage.breaker.end()

        def shown() -> bool:
            scene.readers[0].settled()
            other: dict[str, Any] = scene.readers[0].table["seats"][1]
            return bool(other["name"] == "Bea" or other["blocked"])

        eventually(shown)
    finally:
        stage.strike(scene)


def _nothing() -> Any:
    raise AssertionError("nobody asks")
