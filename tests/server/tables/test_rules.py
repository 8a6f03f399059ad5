"""The rules of a table, without a service: what each command makes of each kind of table, refuses, writes and tells.

That nothing changes in place, and that all that is written reads back, is held at every step (scene.py).
"""

from __future__ import annotations

import json
import typing
from dataclasses import replace

import pytest

from branchline.server import wire
from branchline.server.tables import commands, talk
from branchline.server.tables.outcome import (
    Moved,
    MoveRefused,
    Outcome,
    Spoke,
    Stands,
    Voted,
)
from branchline.server.tables.state import Chair, Dropped, Over, Playing, Waiting
from branchline.server.wire.refusals import BadRequest, Conflict, Forbidden
from branchline.server.wire.sentences import code_of
from tests.server.tables.scene import (
    ADA,
    BO,
    CY,
    DAYS,
    EMPTY,
    KEPT,
    LIVE,
    PIP,
    Scene,
    dropped,
    over,
    played_out,
    playing,
    waiting,
)

START = commands.Start(user=ADA)


def news(outcome: Outcome) -> list[str]:
    return [type(piece).__name__ for piece in outcome.news]


def code(refused: BadRequest) -> str:
    return code_of(refused.reason)[0]


def people(scene: Scene) -> list[str | None]:
    return [chair.user for chair in scene.table.chairs]


# ---------------------------------------------------------------- every command at every table

EVERY: list[commands.Any] = [
    commands.Sit(user=CY),
    commands.Leave(user=ADA),
    commands.SetChair(user=ADA, chair=1, bot="random"),
    commands.ChooseColour(user=ADA, colour=4),
    commands.Remove(user=ADA, chair=1),
    START,
    commands.Move(user=ADA, cid="c", seq=1, lines=["pass"]),
    commands.Undo(user=ADA, cid="c", seq=1),
    commands.SetPlan(user=ADA, turns=[]),
    commands.BotMove(seat=1, seq=1, line="pass", fault=False),
    commands.End(result=b"[]"),
    commands.AskBack(user=ADA),
    commands.AskPause(user=ADA),
    commands.AskBot(user=ADA, seat=1),
    commands.Nudge(user=ADA, seat=1),
    commands.Answer(user=BO, kind="back", agree=True),
    commands.Resume(user=ADA),
    commands.Come(user=ADA),
    commands.TakeSeat(user=ADA),
    commands.Gone(seat=0),
    commands.TimeOut(),
    commands.Renamed(user=ADA, name="Ida"),
    commands.Say(user=ADA, phrase="hello"),
    commands.Report(user=ADA, seat=1, reason="chat"),
    commands.Rematch(user=ADA),
    commands.Close(),
]


def test_no_command_is_forgotten_here() -> None:
    assert {type(command) for command in EVERY} == set(typing.get_args(commands.Any))


@pytest.fixture(scope="module")
def finished() -> Scene:
    return over(ADA, BO)


@pytest.mark.parametrize("kind", ["waits", "plays", "plays with a clock", "is over", "was closed"])
def test_every_command_is_done_or_refused_at_every_table(kind: str, finished: Scene) -> None:
    for command in EVERY:
        scene = {
            "waits": lambda: waiting(ADA, BO),
            "plays": lambda: playing(ADA, BO),
            "plays with a clock": lambda: playing(ADA, BO, clock=LIVE),
            "is over": lambda: finished,
            "was closed": lambda: dropped(ADA, BO),
        }[kind]()
        try:
            outcome = scene.tried(command, name="Ada")
        except BadRequest as refused:
            assert refused.reason
            continue
        if outcome.change is None:
            assert outcome.table is scene.table or isinstance(command, commands.Renamed)
        if kind in ("is over", "was closed"):
            assert type(outcome.table) is type(scene.table), "what is over stays so"


def test_a_key_is_written_with_what_it_stands_for(finished: Scene) -> None:
    """What comes again with the same key is known by it."""
    back, _ = asked_back(ADA, BO)
    left = playing(ADA, BO)
    left.do(commands.Leave(user=BO))
    keyed: list[tuple[Scene, commands.Any]] = [
        (waiting(ADA, EMPTY), commands.Sit(user=BO, cid="key")),
        (waiting(ADA, BO), commands.Leave(user=BO, cid="key")),
        (waiting(ADA, EMPTY), commands.SetChair(user=ADA, chair=1, bot="random", cid="key")),
        (waiting(ADA, BO), commands.Remove(user=ADA, chair=1, cid="key")),
        (waiting(ADA, BO), commands.Start(user=ADA, cid="key")),
        (playing(ADA, BO), commands.Leave(user=BO, cid="key")),
        (left, commands.TakeSeat(user=BO, cid="key")),
        (back, commands.Answer(user=BO, kind="back", agree=False, cid="key")),
        (back, commands.Answer(user=BO, kind="back", agree=True, cid="key")),
        (playing(ADA, BO, clock=LIVE), commands.AskPause(user=ADA, cid="key")),
        (paused(ADA, BO), commands.Resume(user=ADA, cid="key")),
        (playing(ADA, BO), commands.Say(user=ADA, phrase="hello", cid="key")),
        (playing(ADA, BO), commands.Report(user=ADA, seat=1, reason="chat", cid="key")),
        (finished, commands.Rematch(user=ADA, cid="key")),
    ]
    for scene, command in keyed:
        change = scene.tried(command, name="Ada").change
        assert isinstance(command, commands.OfPerson)
        assert change is not None and change.receipt == f"{command.user}:key", command


# ---------------------------------------------------------------- sitting down


def test_who_sits_down_gets_the_first_empty_chair_and_gives_a_seed() -> None:
    scene, seed = waiting(ADA, EMPTY, EMPTY), "ab" * 16
    outcome = scene.do(commands.Sit(user=BO, browser_seed=seed), name="Bo")
    assert scene.table.chairs[1] == Chair(user=BO, name="Bo", seed=seed, colour=1)
    assert news(outcome) == ["TableChanged"]
    assert outcome.change is not None and outcome.change.chairs is not None


def test_a_wish_is_granted_if_the_chair_is_empty() -> None:
    scene = waiting(ADA, EMPTY, EMPTY)
    scene.do(commands.Sit(user=BO, wish=2), name="Bo")
    scene.do(commands.Sit(user=CY, wish=2), name="Cy")
    assert people(scene) == [ADA, CY, BO]


def test_sitting_twice_is_sitting_once() -> None:
    assert waiting(ADA, EMPTY).ignored(commands.Sit(user=ADA), name="Ada")


def test_two_of_one_name_are_told_apart() -> None:
    scene = waiting(ADA, EMPTY)
    scene.do(commands.Sit(user=BO), name="Ada")
    assert [chair.name for chair in scene.table.chairs] == ["Ada", "Ada 2"]


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (waiting(ADA, BO), "full"),
        (playing(ADA, BO), "begun"),
        (dropped(ADA, EMPTY), "closed"),
    ],
    ids=["full", "begun", "closed"],
)
def test_nobody_sits_down_where_there_is_no_place(scene: Scene, why: str) -> None:
    refused = scene.refused(commands.Sit(user=CY), name="Cy")
    assert (type(refused), code(refused)) == (Conflict, why)


def test_who_is_blocked_does_not_sit_at_a_table_of_the_lobby_but_among_friends() -> None:
    sit = commands.Sit(user=BO)
    assert code(waiting(ADA, EMPTY, listed=True).refused(sit, name="Bo", blocked=True)) == "blocked"
    scene = waiting(ADA, EMPTY)
    scene.do(sit, name="Bo", blocked=True)
    assert people(scene) == [ADA, BO]


def test_a_seed_that_is_none_is_refused() -> None:
    assert "browser_seed" in waiting(ADA, EMPTY).refused(commands.Sit(user=BO, browser_seed="x"), name="Bo").reason


# ---------------------------------------------------------------- getting up


def test_who_gets_up_leaves_an_empty_chair() -> None:
    scene = waiting(ADA, BO)
    assert news(scene.do(commands.Leave(user=BO))) == ["TableChanged"]
    assert people(scene) == [ADA, None]
    assert scene.table.owner == ADA


def test_a_host_who_gets_up_hands_the_table_over() -> None:
    scene = waiting(ADA, PIP, BO)
    scene.do(commands.Leave(user=ADA))
    assert scene.table.owner == BO


def test_the_last_person_closes_the_table() -> None:
    scene = waiting(ADA, PIP)
    scene.do(commands.Leave(user=ADA))
    assert isinstance(scene.table, Dropped)


def test_who_does_not_sit_there_cannot_get_up() -> None:
    for scene in (waiting(ADA, BO), playing(ADA, BO), dropped(ADA, BO)):
        assert code(scene.refused(commands.Leave(user=CY))) == "not_seated"


# ---------------------------------------------------------------- the host


def test_the_host_puts_bots_on_chairs_and_opens_them_again() -> None:
    scene = waiting(ADA, EMPTY, EMPTY)
    for chair in (1, 2):
        scene.do(commands.SetChair(user=ADA, chair=chair, bot="random"))
    assert [chair.bot for chair in scene.table.chairs] == [None, "random", "random"]
    assert len({chair.name for chair in scene.table.chairs}) == 3
    scene.do(commands.SetChair(user=ADA, chair=1, bot=None))
    assert scene.table.chairs[1].is_open


def test_the_host_removes_a_person_for_good() -> None:
    scene = waiting(ADA, BO, EMPTY)
    scene.do(commands.Remove(user=ADA, chair=1))
    assert people(scene) == [ADA, None, None]
    refused = scene.refused(commands.Sit(user=BO), name="Bo")
    assert (type(refused), code(refused)) == (Forbidden, "removed")
    scene.do(commands.Sit(user=CY), name="Cy")  # others can
    assert code(scene.refused(commands.Sit(user=BO), name="Bo")) == "removed"


HOSTS: list[commands.Any] = [
    commands.SetChair(user=BO, chair=1, bot=None),
    commands.Remove(user=BO, chair=0),
    commands.Start(user=BO),
]


@pytest.mark.parametrize("command", HOSTS, ids=lambda c: type(c).__name__)
def test_only_the_host_does_what_is_the_hosts(command: commands.Any) -> None:
    for scene in (waiting(ADA, BO), playing(ADA, BO)):
        refused = scene.refused(command)
        assert (type(refused), code(refused)) == (Forbidden, "host_only")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (commands.SetChair(user=ADA, chair=2, bot=None), ""),
        (commands.SetChair(user=ADA, chair=-1, bot=None), ""),
        (commands.SetChair(user=ADA, chair=1, bot="random"), "taken"),
        (commands.Remove(user=ADA, chair=0), "remove_whom"),
        (commands.Remove(user=ADA, chair=9), ""),
    ],
)
def test_the_host_cannot_do_everything(command: commands.Any, why: str) -> None:
    assert code(waiting(ADA, BO).refused(command)) == why


def test_a_bot_that_nobody_knows_does_not_sit_down() -> None:
    assert "no bot" in waiting(ADA, EMPTY).refused(commands.SetChair(user=ADA, chair=1, bot="genius")).reason


# ---------------------------------------------------------------- dealing


def test_the_host_deals_when_all_chairs_are_taken() -> None:
    scene = waiting(ADA, EMPTY, clock=LIVE)
    assert code(scene.refused(START)) == "empty_chair"
    scene.do(commands.Sit(user=BO), name="Bo")
    assert news(scene.do(START)) == ["TableChanged", "Stands"]
    assert scene.playing.clock is not None and scene.playing.clock.running == {0, 1}
    assert code(scene.refused(START)) == "begun_already"


def test_a_drawn_order_follows_from_the_seeds_of_all_and_is_written_down() -> None:
    orders = set()
    for n in range(16):
        scene = waiting(ADA, EMPTY, EMPTY, order="drawn", deal=None)
        for who in (BO, CY):
            scene.do(commands.Sit(user=who, browser_seed=f"{n:032x}"), name=who)
        scene.do(START)
        placed = scene.playing.dealt.placed
        assert [people(scene)[seat] for seat in placed] == [ADA, BO, CY]
        orders.add(placed)
    assert len(orders) > 3


def test_a_chosen_deal_is_the_same_each_time() -> None:
    assert playing(ADA, BO).game == playing(ADA, BO).game


# ---------------------------------------------------------------- moves


def test_a_move_counts_for_the_seat_of_who_sends_it() -> None:
    scene = playing(ADA, BO)
    outcome = scene.do(scene.move(BO, cid="mine"))
    assert outcome.change is not None
    assert [(row.seq, row.seat, row.by, row.cid) for row in outcome.change.log] == [(1, 1, "player", "1:mine")]
    assert news(outcome) == ["Moved"]


def test_who_sits_elsewhere_since_moves_for_the_new_seat() -> None:
    """A move that was on its way while the seats were drawn."""
    scene = playing(ADA, BO)
    move = scene.move(BO)
    turned = replace(scene.playing, chairs=scene.table.chairs[::-1])
    refused = Scene(turned).refused(move)
    assert isinstance(refused, MoveRefused)  # these tickets are the other's


def test_the_lines_of_a_move_are_played_all_or_none() -> None:
    scene = playing(ADA, BO).keep_tickets()
    refused = scene.refused(scene.move(ADA, "draw deck", "draw 9"))
    assert isinstance(refused, MoveRefused)
    outcome = scene.do(scene.move(ADA, "draw deck", "draw deck", cid="both"))
    assert outcome.change is not None
    assert [row.cid for row in outcome.change.log] == [None, "0:both"]  # the key stands at the last


@pytest.mark.parametrize("lines", [[], ["draw deck"] * 5, ["fly"], ["claim nowhere red"], [""]])
def test_what_is_no_move_is_refused(lines: list[str]) -> None:
    scene = playing(ADA, BO).keep_tickets()
    asked = scene.playing.course.asked[0]
    refused = scene.refused(commands.Move(user=ADA, cid="c", seq=asked, lines=lines))
    assert isinstance(refused, MoveRefused)
    assert (refused.clause, refused.stale) == ("", False)


def test_a_refusal_by_the_rules_names_its_clause() -> None:
    scene = playing(ADA, BO).keep_tickets()
    refused = scene.refused(scene.move(BO, "draw deck"))
    assert isinstance(refused, MoveRefused) and refused.clause.startswith("C-")


def test_an_answer_to_a_question_that_is_past_is_stale() -> None:
    scene = playing(ADA, BO).keep_tickets()
    refused = scene.refused(commands.Move(user=ADA, cid="c", seq=0, lines=["draw deck"]))
    assert isinstance(refused, MoveRefused) and refused.stale


def test_who_has_no_seat_does_not_move_nor_where_no_game_is_played(finished: Scene) -> None:
    assert code(playing(ADA, BO).refused(commands.Move(user=CY, cid="c", seq=1, lines=["pass"]))) == "not_seated"
    for scene in (waiting(ADA, BO), finished, dropped(ADA, BO)):
        assert code(scene.refused(commands.Move(user=ADA, cid="c", seq=1, lines=["pass"]))) == "no_game"


def test_a_move_gives_its_increment_and_stops_the_clock_of_who_moved() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    scene.now += 100
    scene.do(scene.move(ADA))
    assert scene.left() == [510.0, 500.0]
    assert scene.playing.clock is not None and scene.playing.clock.running == {1}


def test_a_move_that_is_refused_leaves_the_clock_as_it_was() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    before = scene.playing.clock
    scene.now += 5
    for _ in range(10):
        scene.refused(scene.move(ADA, "fly"))
    assert scene.playing.clock is before
    assert scene.left() == [595.0, 595.0]


def test_from_time_to_time_the_whole_position_is_kept(finished: Scene) -> None:
    assert finished.snapshot is not None
    assert len(finished.log) - 40 < finished.snapshot.seq < len(finished.log)


# ---------------------------------------------------------------- silent choices


def silently_begun(scene: Scene) -> tuple[Scene, str]:
    """Ada has begun to claim a track and may still choose how to pay; nobody else has learned of it."""
    scene.keep_tickets()
    for n in range(40):
        claim = (
            next((line for line in scene.offers(ADA) if line.startswith("claim")), None)
            if 0 in scene.game.to_act
            else None
        )
        if claim is not None:
            trial = scene.playing.course.copy()
            if not trial.play(0, claim, "player").events:
                return scene, claim
        user = people(scene)[scene.game.to_act[0]]
        assert user is not None
        scene.do(scene.move(user, "draw deck", cid=f"draw {n}"))
    raise AssertionError("nothing to claim")


def test_a_silent_choice_is_told_to_nobody_else_and_moves_no_clock() -> None:
    scene, claim = silently_begun(playing(ADA, BO, clock=DAYS))
    updated, told = scene.table.updated, list(scene.playing.course.told)
    scene.now += 1000
    before = scene.left()
    outcome = scene.do(scene.move(ADA, claim))
    assert [n - was for n, was in zip(scene.playing.course.told, told, strict=True)] == [1, 0, 0]
    (moved,) = outcome.news
    assert isinstance(moved, Moved) and moved.before == tuple(told)
    assert (scene.table.updated, scene.left()) == (updated, before)


def test_a_silent_choice_ends_no_vote() -> None:
    scene, claim = silently_begun(playing(ADA, BO))
    scene.do(commands.AskBack(user=BO), turn=scene.last_turn(0))
    outcome = scene.do(scene.move(ADA, claim))
    assert scene.playing.back is not None
    assert news(outcome) == ["Moved"]


def test_a_silent_choice_ends_no_vote_for_a_bot_and_makes_no_room_for_a_nudge() -> None:
    scene, claim = silently_begun(playing(ADA, BO, CY))
    away = {"here": frozenset({BO, CY}), "away": {0: 90.0}}
    scene.do(commands.AskBot(user=BO, seat=0), **away)
    scene.now += 30
    scene.do(commands.Nudge(user=BO, seat=0))
    outcome = scene.do(scene.move(ADA, claim))
    assert news(outcome) == ["Moved"]
    assert scene.playing.bot is not None
    scene.now += 30
    assert code(scene.refused(commands.Nudge(user=BO, seat=0))) == "nudged"


def test_what_nobody_learned_of_is_undone_and_nothing_else() -> None:
    scene, claim = silently_begun(playing(ADA, BO))
    before = scene.game.position.to_bytes()

    def undo(cid: str) -> commands.Undo:
        return commands.Undo(user=ADA, cid=cid, seq=scene.playing.course.asked[0])

    assert code(scene.refused(undo("early"))) == "known"
    scene.do(scene.move(ADA, claim))
    outcome = scene.do(undo("mine"))
    assert scene.game.position.to_bytes() == before
    assert outcome.change is not None and outcome.change.log[0].cid == "0:mine"
    assert code(scene.refused(undo("again"))) == "known"


# ---------------------------------------------------------------- bots


def test_a_bots_move_is_written_as_a_bots() -> None:
    for fault, by in ((False, "bot"), (True, "standin")):
        scene = playing(ADA, PIP)
        outcome = scene.do(scene.bot_move(1, fault=fault))
        assert outcome.change is not None and [row.by for row in outcome.change.log] == [by]


def test_a_bot_plays_for_who_is_away_and_for_nobody_else() -> None:
    scene = playing(ADA, BO)
    refused = scene.refused(scene.bot_move(1))
    assert isinstance(refused, MoveRefused) and refused.stale
    scene.do(commands.Leave(user=BO))
    outcome = scene.do(scene.bot_move(1))
    assert outcome.change is not None and [row.by for row in outcome.change.log] == ["proxy"]


def test_what_a_bot_thought_of_a_position_that_is_past_does_not_count() -> None:
    scene = playing(ADA, PIP)
    late = scene.bot_move(1)
    scene.keep_tickets()
    scene.do(scene.move(ADA, "draw deck", "draw deck"))
    refused = scene.refused(late)
    assert isinstance(refused, MoveRefused) and refused.stale


# ---------------------------------------------------------------- the end


def test_a_game_that_is_over_gets_its_score_sheets() -> None:
    scene = played_out(ADA, BO, clock=LIVE)
    assert code(scene.refused(commands.Rematch(user=ADA))) == "not_over"  # not before they are there
    outcome = scene.do(commands.End(result=b"[7]"))
    assert news(outcome) == ["Ended", "TableChanged"]
    assert outcome.change is not None and outcome.change.chairs is not None  # the names as they were at the end
    assert isinstance(scene.table, Over)
    assert (scene.table.ended, scene.table.result) == (scene.now, b"[7]")
    assert scene.table.clock is not None and not scene.table.clock.running
    assert scene.ignored(commands.End(result=b"[8]"))


def test_a_game_that_goes_on_has_no_end() -> None:
    assert playing(ADA, BO).ignored(commands.End(result=b"[]"))


# ---------------------------------------------------------------- votes


def asked_back(*chairs: str) -> tuple[Scene, Outcome]:
    """Ada has drawn two cards and asks to take that back."""
    scene = playing(*chairs).keep_tickets()
    to = len(scene.log)
    scene.do(scene.move(ADA, "draw deck", "draw deck"))
    return scene, scene.do(commands.AskBack(user=ADA), turn=scene.last_turn(to))


def test_a_turn_is_taken_back_when_all_others_agree() -> None:
    scene, outcome = asked_back(ADA, BO, CY)
    assert outcome.news == (Voted(wire.Vote("back", 0, [], True)),)
    outcome = scene.do(commands.Answer(user=BO, kind="back", agree=True))
    assert outcome.news == (Voted(wire.Vote("back", 0, [1], True)),)
    outcome = scene.do(commands.Answer(user=CY, kind="back", agree=True))
    assert outcome.news == (Voted(wire.Vote("back", 0, [1, 2], False)), Stands(anew=True))
    assert outcome.change is not None and outcome.change.log[0].line == "back 3"
    assert scene.game.to_act == (0,)


def test_one_no_ends_it() -> None:
    scene, _ = asked_back(ADA, BO, CY)
    outcome = scene.do(commands.Answer(user=CY, kind="back", agree=False))
    assert outcome.news == (Voted(wire.Vote("back", 0, [], False)),)
    assert scene.playing.back is None
    assert code(scene.refused(commands.Answer(user=BO, kind="back", agree=True))) == "nobody_asks"


def test_bots_agree_and_who_is_away_is_not_waited_for() -> None:
    scene, outcome = asked_back(ADA, PIP)
    assert news(outcome) == ["Voted", "Stands"]
    scene = playing(ADA, BO).keep_tickets()
    scene.do(commands.Leave(user=BO))
    assert news(scene.do(commands.AskBack(user=ADA), turn=scene.last_turn(0))) == ["Voted", "Stands"]


def test_nobody_answers_for_themselves_nor_asks_when_somebody_does() -> None:
    scene, _ = asked_back(ADA, BO)
    assert code(scene.refused(commands.Answer(user=ADA, kind="back", agree=True))) == "nobody_asks"
    assert code(scene.refused(commands.AskBack(user=BO), turn=scene.last_turn(0))) == "back_asked"


def test_the_next_move_ends_a_vote() -> None:
    scene, _ = asked_back(ADA, BO)
    outcome = scene.do(scene.move(BO, "draw deck"))
    assert news(outcome) == ["Voted", "Moved"]
    assert scene.playing.back is None


def test_where_nothing_was_moved_there_is_nothing_to_take_back() -> None:
    assert code(playing(ADA, BO).refused(commands.AskBack(user=ADA))) == "no_turn_back"


def test_nothing_is_taken_back_among_strangers_or_with_a_live_clock() -> None:
    for scene in (playing(ADA, BO, clock=LIVE), playing(ADA, BO, listed=True), waiting(ADA, BO)):
        assert code(scene.refused(commands.AskBack(user=ADA), turn=(0, None))) == "no_takebacks"


def test_a_spectator_has_no_vote() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    for command in (commands.AskPause(user=CY), commands.Resume(user=CY)):
        assert "spectator" in scene.refused(command).reason


# ---------------------------------------------------------------- pauses


def paused(*chairs: str) -> Scene:
    scene = playing(*chairs, clock=LIVE)
    scene.do(commands.AskPause(user=ADA))
    for user in chairs[1:]:
        if user != PIP:
            scene.do(commands.Answer(user=user, kind="pause", agree=True))
    return scene


def test_in_a_pause_no_clock_runs() -> None:
    scene = paused(ADA, BO, CY)
    assert scene.playing.paused
    before = scene.left()
    scene.now += 1000
    assert scene.left() == before
    outcome = scene.do(commands.Resume(user=CY))
    assert news(outcome) == ["TableChanged", "Stands"]
    scene.now += 10
    assert scene.left() == [left - 10 for left in before]


def test_a_persons_move_ends_the_pause_and_a_bots_does_not() -> None:
    scene = paused(ADA, PIP)
    assert news(scene.do(scene.bot_move(1))) == ["Moved"]
    assert scene.playing.paused
    assert news(scene.do(scene.move(ADA))) == ["TableChanged", "Moved"]
    assert not scene.playing.paused


def test_a_pause_is_asked_for_once() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    assert code(scene.refused(commands.Resume(user=ADA))) == "clocks_run"
    scene.do(commands.AskPause(user=ADA))
    assert code(scene.refused(commands.AskPause(user=BO))) == "pause_asked"
    assert code(paused(ADA, BO).refused(commands.AskPause(user=ADA))) == "paused"


def test_without_a_live_clock_there_is_no_pause() -> None:
    for scene in (playing(ADA, BO), playing(ADA, BO, clock=DAYS), waiting(ADA, BO, clock=LIVE)):
        assert code(scene.refused(commands.AskPause(user=ADA))) == "no_clock"


# ---------------------------------------------------------------- coming and going


def test_who_leaves_a_game_is_played_for_until_they_come_back() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    assert news(scene.do(commands.Leave(user=BO))) == ["TableChanged"]
    assert scene.playing.bot_of(1) == "conductor"
    assert scene.playing.clock is not None and scene.playing.clock.running == {0}
    assert news(scene.do(commands.Come(user=BO))) == ["TableChanged"]
    assert scene.playing.bot_of(1) is None
    assert scene.playing.clock.running == {0, 1}


def test_who_was_not_away_just_comes() -> None:
    for scene in (playing(ADA, BO), waiting(ADA, BO)):
        for user in (ADA, CY):
            assert scene.ignored(commands.Come(user=user))


def test_who_is_away_is_missed_while_somebody_waits_and_replaced_by_nobody() -> None:
    for scene in (playing(ADA, BO), playing(ADA, BO, clock=LIVE), paused(ADA, BO), playing(ADA, BO, clock=DAYS)):
        assert scene.ignored(commands.Gone(seat=1), here=frozenset())
        assert scene.ignored(commands.Gone(seat=1), here=frozenset({BO}))
        assert scene.ignored(commands.Gone(seat=1), here=frozenset({ADA, BO}))
        assert scene.ignored(commands.Gone(seat=1), here=frozenset({CY}))  # who only looks on
        before = scene.table
        outcome = scene.do(commands.Gone(seat=1), here=frozenset({ADA}), away={1: 3600.0})
        assert (news(outcome), outcome.change) == (["TableChanged"], None)
        assert scene.table is before


def test_whose_time_is_out_is_played_for_and_must_ask_for_the_seat() -> None:
    scene = playing(ADA, BO, clock=LIVE)
    scene.do(scene.move(ADA))
    scene.now += 599
    assert scene.ignored(commands.TimeOut())
    scene.now += 1
    assert news(scene.do(commands.TimeOut())) == ["TableChanged"]
    assert scene.playing.proxied == scene.playing.clock_out == {1}
    assert scene.ignored(commands.Come(user=BO))  # to be there is not enough
    assert news(scene.do(commands.TakeSeat(user=BO))) == ["TableChanged", "Stands"]
    assert scene.playing.proxied == scene.playing.clock_out == frozenset()
    assert scene.left()[1] == 30.0


def test_a_holiday_gives_the_time_until_its_end() -> None:
    scene = playing(ADA, BO, clock=DAYS)
    scene.do(scene.move(ADA))
    scene.now += 2 * 86400
    scene.do(commands.TimeOut(), holidays={1: 5000.0})
    assert scene.playing.clock_out == frozenset()
    assert scene.left()[1] == 5000.0


def test_a_seat_that_is_ones_own_need_not_be_taken_back() -> None:
    scene = playing(ADA, BO)
    assert scene.ignored(commands.TakeSeat(user=ADA))
    assert code(scene.refused(commands.TakeSeat(user=CY))) == "not_seated"


def test_a_name_is_shown_and_not_written_at_the_table(finished: Scene) -> None:
    scene = playing(ADA, BO)
    outcome = scene.do(commands.Renamed(user=ADA, name="Bo"))
    assert outcome.change is None
    assert [chair.name for chair in scene.table.chairs] == ["Bo 2", "Bo"]
    assert scene.ignored(commands.Renamed(user=CY, name="Zoe"))
    assert finished.ignored(commands.Renamed(user=ADA, name="Ida"))  # what is over keeps the names it had


@pytest.mark.parametrize("scene", [waiting(ADA, EMPTY), playing(ADA, BO, clock=DAYS)], ids=["waits", "plays"])
def test_what_nobody_came_back_to_is_closed(scene: Scene) -> None:
    begun = isinstance(scene.table, Playing)
    assert news(scene.do(commands.Close())) == ["TableChanged"]
    assert isinstance(scene.table, Dropped)
    assert (scene.table.dealt is not None) == begun
    assert scene.ignored(commands.Close())


# ---------------------------------------------------------------- talk and reports


def test_what_is_said_is_written_and_told_and_changes_nothing() -> None:
    for scene in (waiting(ADA, BO), playing(ADA, BO), dropped(ADA, BO)):
        before = scene.table
        outcome = scene.do(commands.Say(user=BO, text="  Hello,\n you  "), name="Bo")
        assert scene.table is before
        (spoke,) = outcome.news
        assert isinstance(spoke, Spoke)
        assert (spoke.user, spoke.chat.seat, spoke.chat.name, spoke.chat.text) == (BO, 1, "Bo", "Hello, you")
        assert outcome.change is not None and outcome.change.chat is not None
        assert outcome.change.chat.text == "Hello, you"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"phrase": "hurry"}, "chat_phrase"),
        ({"phrase": "hello", "text": "a"}, "chat_one"),
        ({}, "chat_one"),
        ({"text": "\u200b"}, "chat_empty"),
        ({"text": "x" * 201}, "chat_long"),
    ],
)
def test_not_everything_can_be_said(said: dict[str, typing.Any], why: str) -> None:
    assert code(playing(ADA, BO).refused(commands.Say(user=ADA, **said), name="Ada")) == why


@pytest.mark.parametrize("user", [ADA, CY], ids=["a player", "a spectator"])
def test_strangers_have_phrases_only(user: str) -> None:
    assert code(playing(ADA, BO, listed=True).refused(commands.Say(user=user, text="hi"))) == "chat_phrases"


def said_aside(scene: Scene, user: str) -> bool:
    outcome = scene.do(commands.Say(user=user, phrase="hello"), name="Somebody")
    (spoke,) = outcome.news
    assert isinstance(spoke, Spoke) and outcome.change is not None and outcome.change.chat is not None
    assert spoke.chat.seat == outcome.change.chat.seat == (scene.seat(user) if user != CY else None)
    assert spoke.aside == talk.is_aside(scene.table, spoke.chat)  # who comes later is told as those who were there
    return spoke.aside


def test_spectators_talk_among_themselves_until_the_game_is_over() -> None:
    for scene in (waiting(ADA, BO), playing(ADA, BO), played_out(ADA, BO), dropped(ADA, BO)):
        assert (said_aside(scene, CY), said_aside(scene, BO)) == (True, False)
    scene = over(ADA, BO)
    scene.now += 1
    assert (said_aside(scene, CY), said_aside(scene, BO)) == (False, False)


def test_what_spectators_said_during_the_game_stays_theirs() -> None:
    scene = played_out(ADA, BO)
    early, late = (wire.ChatWire(at, None, "Cy", "hello", None) for at in (scene.now, scene.now + 2))
    by_a_player = wire.ChatWire(scene.now, 0, "Ada", "hello", None)
    scene.now += 1
    scene.do(commands.End(result=b'[{"place":1,"total":7}]'))
    assert [talk.is_aside(scene.table, chat) for chat in (early, late, by_a_player)] == [True, False, False]


def test_a_report_is_written_with_what_was_said_and_told_to_nobody() -> None:
    said = [wire.ChatWire(float(n), 1, "Bo", None, f"line {n}") for n in range(30)]
    said += [wire.ChatWire(40.0, None, "Cy", None, "look away")] * 50  # spectators push nothing out
    outcome = playing(ADA, BO).do(commands.Report(user=CY, seat=1, reason="chat", text="rude"), talk=tuple(said))
    assert outcome.news == ()
    assert outcome.change is not None and outcome.change.report is not None
    row = outcome.change.report
    assert (row.by_user, row.about_seat, row.about_user, row.reason) == (CY, 1, BO, "chat")
    context = json.loads(row.context)
    assert (context["text"], len(context["chat"]), context["chat"][-1]["text"]) == ("rude", 20, "line 29")


def test_a_report_is_about_a_seat_and_not_too_long() -> None:
    scene = playing(ADA, BO)
    assert "seat" in scene.refused(commands.Report(user=ADA, seat=2, reason="chat")).reason
    assert code(scene.refused(commands.Report(user=ADA, seat=1, reason="chat", text="x" * 501))) == "report_long"


# ---------------------------------------------------------------- the next game


def test_a_rematch_is_another_table_with_the_seats_turned_by_one() -> None:
    scene = over(ADA, BO, PIP)
    outcome = scene.do(commands.Rematch(user=BO), name="Bo")
    again = outcome.made
    assert isinstance(again, Waiting)
    assert (again.owner, [(chair.user, chair.bot) for chair in again.chairs]) == (
        BO,
        [(BO, None), (None, "random"), (ADA, None)],
    )
    assert again.expected == {2}  # Ada's chair is kept for her
    assert again.agreed.rematch_of == scene.table.agreed.id
    assert isinstance(scene.table, Over) and scene.table.rematch == again.agreed.id == KEPT.table
    assert outcome.made_change is not None and outcome.made_change.new
    assert news(outcome) == ["TableChanged"]
    assert scene.ignored(commands.Rematch(user=ADA), name="Ada")  # who comes second finds it there


def test_against_bots_the_next_game_begins_at_once() -> None:
    outcome = over(ADA, PIP).do(commands.Rematch(user=ADA), name="Ada")
    assert isinstance(outcome.made, Playing)


def test_only_who_played_asks_for_a_rematch_and_only_at_the_end(finished: Scene) -> None:
    assert code(finished.refused(commands.Rematch(user=CY))) == "rematch_played"
    assert code(playing(ADA, BO).refused(commands.Rematch(user=ADA))) == "not_over"
