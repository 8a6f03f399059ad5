"""Nudges: one from each who waits for a choice, few in an hour, none from the blocked."""

from __future__ import annotations

from branchline.server.tables import commands
from branchline.server.tables.nudges import AN_HOUR
from branchline.server.tables.telling import Audience, table_wire
from branchline.server.wire import ClockOption
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of
from tests.server.tables.scene import ADA, BO, CY, DAYS, LIVE, PIP, Scene, playing, waiting

NOBODY = Audience(frozenset(), 0, frozenset(), 0.0)


def nudge(user: str = ADA, seat: int = 1) -> commands.Nudge:
    return commands.Nudge(user=user, seat=seat)


def said(refused: BadRequest) -> tuple[str, int | None]:
    return code_of(refused.reason)


def bos_turn(*others: str, clock: ClockOption | None = None) -> Scene:
    scene = playing(ADA, BO, *others, **({"clock": clock} if clock else {})).keep_tickets()
    scene.do(scene.move(ADA, "draw deck", "draw deck"))
    return scene


def nudged(scene: Scene, user: str, *blocked: str) -> list[int]:
    return table_wire(scene.table, user, NOBODY, frozenset(blocked)).nudged


def test_who_waits_long_enough_nudges_once() -> None:
    scene = bos_turn(CY)
    assert said(scene.refused(nudge())) == ("nudge_early", 30)
    scene.now += 29.5
    assert said(scene.refused(nudge())) == ("nudge_early", 1)
    scene.now += 0.5
    scene.do(nudge())
    assert said(scene.refused(nudge()))[0] == "nudged"
    scene.do(nudge(CY))
    assert nudged(scene, BO) == [0, 2]
    assert nudged(scene, CY) == []
    seen = table_wire(scene.table, ADA, NOBODY)
    assert [seat.nudged for seat in seen.seats] == [False, True, False]


def test_in_a_game_of_days_after_an_hour() -> None:
    scene = bos_turn(clock=DAYS)
    scene.now += 60
    assert said(scene.refused(nudge())) == ("nudge_early", 3540)
    scene.now += 3540
    scene.do(nudge())


def test_in_a_game_of_days_who_is_away_is_called_back_if_they_want_to_be() -> None:
    wants = {BO: frozenset({"nudge"})}
    for clock, calls, told in ((DAYS, wants, [(BO, "nudge", ADA)]), (DAYS, {}, []), (None, wants, [])):
        scene = bos_turn(clock=clock)
        scene.now += 3600
        change = scene.do(nudge(), calls=calls).change
        assert change is not None
        assert [(row.user, row.kind, row.by) for row in change.notices] == told


def test_of_the_blocked_nothing_is_heard() -> None:
    scene = bos_turn(CY)
    scene.now += 30
    scene.do(nudge())
    scene.do(nudge(CY))
    assert nudged(scene, BO, CY) == [0]


def test_the_next_move_is_another_question() -> None:
    scene = bos_turn()
    scene.now += 30
    scene.do(nudge())
    outcome = scene.do(scene.move(BO, "draw deck"))
    assert [type(piece).__name__ for piece in outcome.news] == ["TableChanged", "Moved"]  # it is shown no longer
    assert nudged(scene, BO) == []
    scene.now += 30
    scene.do(nudge())
    assert nudged(scene, BO) == [0]


def test_few_in_an_hour() -> None:
    scene = bos_turn(CY)
    begun = scene.now
    for n in range(AN_HOUR):
        scene.now += 40
        scene.do(nudge())
        for user in (BO, CY, ADA):
            scene.do(scene.move(user, "draw deck", "draw deck", cid=f"{n} {user}"))
    scene.now += 30
    first = begun + 40
    assert said(scene.refused(nudge())) == ("nudge_often", int(first + 3600 - scene.now))
    scene.now = first + 3600
    scene.do(nudge())
    assert len(scene.playing.nudges) <= AN_HOUR


def test_only_a_person_who_is_waited_for() -> None:
    scene = bos_turn(PIP)
    scene.now += 30
    for user, seat in ((ADA, 0), (ADA, 2), (BO, 0)):
        assert said(scene.refused(nudge(user, seat)))[0] == "not_awaited"
    assert "0 to 2" in scene.refused(nudge(seat=7)).reason
    assert "spectator" in scene.refused(nudge(CY)).reason
    scene.do(commands.Leave(user=BO))
    assert said(scene.refused(nudge()))[0] == "not_awaited"  # a bot plays


def test_a_live_clock_presses_by_itself() -> None:
    scene = bos_turn(clock=LIVE)
    scene.now += 30
    assert said(scene.refused(nudge()))[0] == "nudge_clock"
    assert said(waiting(ADA, BO).refused(nudge()))[0] == "no_game"
