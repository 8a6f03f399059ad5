"""Several people on one device: one guest with several chairs, who speaks for one of them at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from branchline.server import wire
from branchline.server.tables import commands, making
from branchline.server.tables.outcome import Moved
from branchline.server.tables.state import Playing, on_one_device, seat_of, seats_of
from branchline.server.tables.telling import Audience, stands_texts, table_wire
from branchline.server.wire import DrawWish, NewTable, SeatRequest
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of
from branchline.server.wire.views import offers_of
from tests.server.tables.scene import ADA, BO, DAYS, KEPT, ROSTER, Scene, over

NOBODY = Audience(frozenset(), 0, frozenset(), 1000.0)


def here(name: str) -> SeatRequest:
    return SeatRequest("here", name=name)


def made(*seats: SeatRequest, **options: object) -> Playing:
    request = NewTable(map="usa", seats=list(seats), order="fixed", seed=1900, **options)  # type: ignore[arg-type]
    table = making.create(request, ADA, "Ada", KEPT, ROSTER, 1000.0).table
    assert isinstance(table, Playing)
    return table


@pytest.fixture
def scene() -> Scene:
    return Scene(made(here("Ana"), here("Ben"), SeatRequest("bot", "random"), browser_seed="ab" * 16))


def move(scene: Scene, seat: int, *lines: str, user: str = ADA) -> commands.Move:
    asked = scene.playing.course.asked[seat]
    chosen = list(lines) or offers_of(scene.game.view(seat))[:1]
    return commands.Move(user=user, own=seat, cid=f"{len(scene.log)}-{seat}", seq=asked, lines=chosen)


def begun(scene: Scene) -> Scene:
    while scene.game.phase != "turn":
        seat = scene.game.to_act[0]
        scene.do(scene.bot_move(seat) if scene.table.chairs[seat].bot else move(scene, seat))
    return scene


def test_the_game_begins_at_once_with_a_name_for_each(scene: Scene) -> None:
    assert [chair.name for chair in scene.table.chairs][:2] == ["Ana", "Ben"]
    assert [chair.user for chair in scene.table.chairs] == [ADA, ADA, None]
    assert [chair.seed for chair in scene.table.chairs][:2] == ["ab" * 16, None]
    assert on_one_device(scene.table.chairs) and seats_of(scene.table.chairs, ADA) == [0, 1]
    twins = made(here("Ana"), here("Ana"))
    assert len({chair.name for chair in twins.chairs}) == 2


def test_a_reader_looks_through_one_chair_and_only_when_it_is_named(scene: Scene) -> None:
    assert seat_of(scene.table, ADA) is None and seat_of(scene.table, ADA, 2) is None
    assert seat_of(scene.table, ADA, 1) == 1 and seat_of(scene.table, BO, 1) is None
    behind = table_wire(scene.table, ADA, NOBODY)
    assert behind.you is None and behind.here == [0, 1]
    assert table_wire(scene.table, ADA, NOBODY, wish=1).you == 1
    assert table_wire(scene.table, BO, NOBODY, wish=1).you is None and table_wire(scene.table, BO, NOBODY).here == []
    assert stands_texts(scene.table, seat_of(scene.table, ADA), NOBODY) == stands_texts(scene.table, None, NOBODY)


def test_each_chair_plays_for_itself_and_nobody_for_anothers(scene: Scene) -> None:
    assert code_of(scene.refused(replace_own(move(scene, 0), None)).reason)[0] == "not_seated"
    assert code_of(scene.refused(replace_own(move(scene, 0), 2)).reason)[0] == "not_seated"
    assert code_of(scene.refused(move(scene, 0, user=BO)).reason)[0] == "not_seated"
    begun(scene)
    assert {row.seat for row in scene.log} == {0, 1, 2}
    outcome = scene.do(move(scene, 0, "draw deck", "draw deck"))
    assert isinstance(outcome.news[0], Moved) and scene.game.to_act == (1,)
    assert scene.refused(move(scene, 0, "draw deck")) is not None


def replace_own(command: commands.Move, own: int | None) -> commands.Move:
    return commands.Move(user=command.user, own=own, cid=command.cid, seq=command.seq, lines=command.lines)


def test_a_turn_is_taken_back_without_a_vote(scene: Scene) -> None:
    begun(scene)
    before = len(scene.log)
    scene.do(move(scene, 0, "draw deck", "draw deck"))
    scene.do(move(scene, 1, "draw deck", "draw deck"))
    scene.do(commands.AskBack(user=ADA, own=1), turn=scene.last_turn(before + 2))
    assert scene.playing.back is None and scene.log[-1].line.startswith("back") and scene.game.to_act == (1,)


def test_what_is_said_has_the_name_of_the_chair(scene: Scene) -> None:
    outcome = scene.do(commands.Say(user=ADA, own=1, text="hello"), name="Ada")
    assert outcome.news[0].chat.name == "Ben" and outcome.news[0].chat.seat == 1  # type: ignore[union-attr]
    assert code_of(scene.refused(commands.Say(user=ADA, text="hello")).reason)[0] == "chat_chair"  # no spectator


def test_another_name_of_the_guest_changes_no_chair(scene: Scene) -> None:
    assert scene.ignored(commands.Renamed(user=ADA, name="Ida"))


def test_all_chairs_leave_and_come_back_together(scene: Scene) -> None:
    scene.do(commands.Leave(user=ADA))
    assert scene.playing.proxied == {0, 1}
    scene.do(commands.Come(user=ADA))
    assert scene.playing.proxied == frozenset()


def test_there_are_no_plans_around_one_device(scene: Scene) -> None:
    plan = commands.SetPlan(user=ADA, own=1, turns=[[DrawWish("blind")]])
    assert code_of(scene.refused(plan).reason)[0] == "plan_device"


def test_a_rematch_seats_the_same_people_a_chair_further() -> None:
    scene = over(ADA, BO)
    chairs = tuple(replace(chair, user=ADA) for chair in scene.table.chairs)
    scene.table = replace(scene.table, chairs=chairs)
    outcome = scene.tried(commands.Rematch(user=ADA), name="Ada")
    assert isinstance(outcome.made, Playing)
    assert [chair.name for chair in outcome.made.chairs] == ["Bo", "Ada"]
    assert [chair.user for chair in outcome.made.chairs] == [ADA, ADA]


@pytest.mark.parametrize(
    ("seats", "options", "code"),
    [
        ([here("Ana"), SeatRequest("bot", "random")], {}, "device_two"),
        ([here("Ana"), here("Ben"), SeatRequest("open")], {}, "device_only"),
        ([here("Ana"), here("Ben"), SeatRequest("me")], {}, "device_only"),
        ([here("Ana"), here("Ben")], {"listed": True, "seed": None}, "device_only"),
        ([here("Ana"), here("Ben")], {"clock": DAYS}, "device_clock"),
        ([here("Ana"), here("")], {}, "name_empty"),
        ([here("Ana"), here("x" * 99)], {}, "name_long"),
        ([here("Ana"), SeatRequest("here")], {}, "name_empty"),
        ([SeatRequest("me", name="Ana"), SeatRequest("bot", "random")], {}, ""),
    ],
)
def test_what_cannot_be_is_refused(seats: list[SeatRequest], options: dict[str, object], code: str) -> None:
    request = NewTable(**{"map": "usa", "seats": seats, "seed": 1900, **options})  # type: ignore[arg-type]
    with pytest.raises(BadRequest) as refused:
        making.create(request, ADA, "Ada", KEPT, ROSTER, 1000.0)
    assert code_of(refused.value.reason)[0] == code


def test_a_table_says_what_kind_of_seats_there_are(scene: Scene) -> None:
    told = table_wire(scene.table, ADA, NOBODY, wish=0)
    assert isinstance(told, wire.TableWire) and [seat.kind for seat in told.seats] == ["person", "person", "bot"]
    assert [seat.you for seat in told.seats] == [True, False, False]
