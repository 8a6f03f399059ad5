"""Who is away: nobody is replaced by itself. Those who wait can vote for a bot; who comes back has the seat at once and
is told what happened."""

from __future__ import annotations

from typing import Any

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.outcome import Outcome, Voted
from branchline.server.tables.telling import Audience, table_wire
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of
from tests.server.tables.scene import ADA, BO, CY, DAYS, LIVE, PIP, Scene, over, playing, waiting

NOBODY = Audience(frozenset(), 0, frozenset(), 0.0)


def said(refused: BadRequest) -> tuple[str, int | None]:
    return code_of(refused.reason)


def news(outcome: Outcome) -> list[str]:
    return [type(piece).__name__ for piece in outcome.news]


def ask(user: str = ADA, seat: int = 1) -> commands.AskBot:
    return commands.AskBot(user=user, seat=seat)


def say(user: str, agree: bool) -> commands.Answer:
    return commands.Answer(user=user, kind="bot", agree=agree)


def facts(*here: str, away: float = 60.0) -> dict[str, Any]:
    """Bo, on the second seat, has been away for so long."""
    return {"here": frozenset(here), "away": {1: away}}


def meanwhile(scene: Scene, user: str) -> wire.Meanwhile | None:
    return table_wire(scene.table, user, NOBODY).meanwhile


# ---------------------------------------------------------------- voting


def test_who_waits_alone_decides_alone() -> None:
    scene = playing(ADA, BO)
    outcome = scene.do(ask(), **facts(ADA))
    assert news(outcome) == ["Voted", "TableChanged"]
    assert scene.playing.proxied == {1}
    assert scene.playing.bot is None


def test_all_who_are_there_must_agree() -> None:
    scene = playing(ADA, BO, CY)
    outcome = scene.do(ask(), **facts(ADA, CY))
    assert outcome.news == (Voted(wire.Vote("bot", 0, [], True, 1)),)
    assert not scene.playing.proxied
    outcome = scene.do(say(CY, True), **facts(ADA, CY))
    assert outcome.news[0] == Voted(wire.Vote("bot", 0, [2], False, 1))
    assert scene.playing.proxied == {1}


def test_to_ask_for_the_same_is_to_agree_and_to_ask_twice_is_nothing() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), **facts(ADA, CY))
    assert scene.ignored(ask(), **facts(ADA, CY))
    scene.do(ask(CY), **facts(ADA, CY))
    assert scene.playing.proxied == {1}


def test_bots_and_those_away_for_long_have_no_say() -> None:
    scene = playing(ADA, BO, CY, PIP)
    scene.do(ask(), here=frozenset({ADA}), away={1: 60.0, 2: 60.0})
    assert scene.playing.proxied == {1}


def test_who_left_a_moment_ago_is_waited_for_and_then_no_longer() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), here=frozenset({ADA}), away={1: 60.0, 2: 5.0})
    assert not scene.playing.proxied
    scene.do(commands.Gone(seat=2), here=frozenset({ADA}), away={1: 120.0, 2: 60.0})
    assert scene.playing.proxied == {1}


def test_a_no_ends_it_and_nobody_asks_again_at_once() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), **facts(ADA, CY))
    outcome = scene.do(say(CY, False), **facts(ADA, CY))
    assert outcome.news == (Voted(wire.Vote("bot", 0, [], False, 1)),)
    scene.now += 20
    assert said(scene.refused(ask(), **facts(ADA, CY, away=90.0))) == ("bot_early", 40)
    scene.now += 40
    assert news(scene.do(ask(), **facts(ADA, CY, away=130.0))) == ["Voted"]


def test_one_vote_at_a_time() -> None:
    scene = playing(ADA, BO, CY, PIP)
    away = {1: 90.0, 2: 0.0}
    scene.do(ask(), here=frozenset({ADA, CY}), away=away)
    assert said(scene.refused(ask(CY, seat=0), here=frozenset({CY}), away={0: 90.0, 1: 90.0}))[0] == "bot_asked"


def test_the_choice_that_was_waited_for_ends_the_vote() -> None:
    scene = playing(ADA, BO, CY).keep_tickets()
    scene.do(scene.move(ADA, "draw deck", "draw deck"))
    scene.do(ask(), **facts(ADA, CY))
    outcome = scene.do(scene.move(BO, "draw deck"))
    assert news(outcome) == ["Voted", "Moved"]
    assert scene.playing.bot is None


def test_the_choices_of_others_do_not() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), **facts(ADA, CY))
    scene.do(scene.move(ADA))
    assert scene.playing.bot is not None


def test_who_comes_back_ends_the_vote_about_them() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), **facts(ADA, CY))
    assert news(scene.do(commands.Come(user=BO))) == ["Voted", "TableChanged"]
    assert scene.playing.bot is None
    assert meanwhile(scene, BO) is None  # nothing happened


# ---------------------------------------------------------------- what cannot be


def test_only_for_a_person_who_is_waited_for() -> None:
    scene = playing(ADA, BO, PIP).keep_tickets()
    for seat in (0, 2, 1):  # oneself, a bot, and who does not have to choose
        assert said(scene.refused(ask(seat=seat), **facts(ADA)))[0] == "not_awaited"
    for seat in (-1, 3):
        assert "0 to 2" in scene.refused(ask(seat=seat), **facts(ADA)).reason


def test_only_for_who_is_away_and_not_at_once() -> None:
    scene = playing(ADA, BO)
    assert said(scene.refused(ask(), **facts(ADA, BO)))[0] == "bot_here"
    assert said(scene.refused(ask(), **facts(ADA, away=12.5))) == ("bot_early", 48)


def test_where_there_is_a_clock_the_clock_decides() -> None:
    for scene in (playing(ADA, BO, clock=LIVE), playing(ADA, BO, clock=DAYS), waiting(ADA, BO), over(ADA, BO)):
        for command in (ask(), say(ADA, True)):
            assert said(scene.refused(command, **facts(ADA)))[0] == "bot_clock"


def test_a_spectator_has_no_vote() -> None:
    scene = playing(ADA, BO)
    for command in (ask(CY), say(CY, True)):
        assert "spectator" in scene.refused(command, **facts(ADA, CY)).reason


def test_nobody_votes_about_themselves() -> None:
    scene = playing(ADA, BO, CY)
    assert said(scene.refused(say(CY, True)))[0] == "nobody_asks"
    scene.do(ask(), **facts(ADA, CY))
    for user in (ADA, BO):
        assert said(scene.refused(say(user, False)))[0] == "nobody_asks"


# ---------------------------------------------------------------- coming back


def test_who_comes_back_has_the_seat_and_is_told_of_the_vote() -> None:
    scene = playing(ADA, BO, CY)
    scene.do(ask(), **facts(ADA, CY))
    scene.do(say(CY, True), **facts(ADA, CY))
    told, at = scene.playing.course.told[1], scene.now
    scene.do(scene.bot_move(1))
    assert meanwhile(scene, BO) is None  # the page says then that a bot plays
    scene.now += 300
    scene.do(commands.Come(user=BO))
    assert scene.playing.bot_of(1) is None
    assert meanwhile(scene, BO) == wire.Meanwhile("vote", at, told, [0, 2])
    assert meanwhile(scene, ADA) is None


def test_who_left_or_ran_out_of_time_is_told_so() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    scene.do(commands.Leave(user=BO))
    scene.do(commands.Come(user=BO))
    assert meanwhile(scene, BO) == wire.Meanwhile("left", 1000.0, 1, [])
    scene.now += 601
    scene.do(commands.TimeOut())
    scene.do(commands.TakeSeat(user=BO))
    assert meanwhile(scene, BO) == wire.Meanwhile("clock", 1601.0, 1, [])


def test_a_take_back_does_not_wait_for_who_is_away_for_long() -> None:
    scene = playing(ADA, BO, CY).keep_tickets()
    to = len(scene.log)
    scene.do(scene.move(ADA, "draw deck", "draw deck"))
    back = commands.AskBack(user=ADA)
    assert news(scene.tried(back, turn=scene.last_turn(to), **facts(ADA, CY, away=59.0))) == ["Voted"]
    scene.do(back, turn=scene.last_turn(to), **facts(ADA, CY))
    assert news(scene.do(commands.Answer(user=CY, kind="back", agree=True), **facts(ADA, CY))) == ["Voted", "Stands"]
