"""The colours of seats: no two alike, chosen while the table waits, kept through the deal and into the next game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.colours import coloured
from branchline.server.tables.loading import table_of
from branchline.server.tables.making import new_table
from branchline.server.tables.state import Table, Waiting
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of
from tests.server.tables.scene import ADA, BO, CY, EMPTY, KEPT, PIP, ROSTER, over, playing, waiting


def colours(table: Table) -> list[int]:
    return [chair.colour for chair in table.chairs]


def choose(user: str, colour: int) -> commands.ChooseColour:
    return commands.ChooseColour(user=user, colour=colour)


@pytest.mark.parametrize(
    ("wished", "given"),
    [
        ([None, None, None], [0, 1, 2]),
        ([3, None, None, None], [3, 1, 2, 0]),
        ([1, None, None], [1, 0, 2]),
        ([None, None, 0], [1, 2, 0]),
        ([4, 3, 2, 1, 0], [4, 3, 2, 1, 0]),
    ],
)
def test_who_wishes_for_nothing_gets_the_next(wished: list[int | None], given: list[int]) -> None:
    assert coloured(wished) == given


def test_a_colour_nobody_has_is_taken() -> None:
    scene = waiting(ADA, BO, EMPTY)
    scene.do(choose(BO, 4))
    assert colours(scene.table) == [0, 4, 2]


def test_a_bot_or_an_empty_chair_gives_its_colour_up_for_the_old_one() -> None:
    scene = waiting(ADA, PIP, EMPTY)
    scene.do(choose(ADA, 1))
    assert colours(scene.table) == [1, 0, 2]
    scene.do(choose(ADA, 2))
    assert colours(scene.table) == [2, 0, 1]


def test_what_another_person_has_is_refused_with_a_reason() -> None:
    refused = waiting(ADA, BO).refused(choose(BO, 0))
    assert code_of(refused.reason)[0] == "colour_taken"


def test_the_same_again_changes_nothing() -> None:
    assert waiting(ADA, BO).ignored(choose(BO, 1))


@pytest.mark.parametrize("colour", [-1, 5, 10**12])
def test_there_are_five(colour: int) -> None:
    assert "0 to 4" in waiting(ADA, BO).refused(choose(BO, colour)).reason


def test_only_who_sits_and_only_before_the_game() -> None:
    assert code_of(waiting(ADA, BO).refused(choose(CY, 3)).reason)[0] == "not_seated"
    assert code_of(playing(ADA, BO).refused(choose(BO, 3)).reason)[0] == "colour_begun"


def test_the_deal_moves_people_with_their_colours() -> None:
    scene = waiting(ADA, BO, PIP, order="drawn", listed=True)
    scene.do(choose(ADA, 3))
    had = {chair.name: chair.colour for chair in scene.table.chairs}
    scene.do(commands.Start(user=ADA))
    assert {chair.name: chair.colour for chair in scene.table.chairs} == had


def test_whoever_comes_or_goes_the_chair_keeps_its_colour() -> None:
    scene = waiting(ADA, BO, EMPTY)
    scene.do(choose(BO, 4))
    scene.do(commands.Leave(user=BO))
    scene.do(commands.Sit(user=CY), name="Cy")
    assert colours(scene.table) == [0, 4, 2]


def test_the_next_game_keeps_everybodys_colour() -> None:
    scene = over(ADA, BO, PIP)
    painted = tuple(replace(chair, colour=(seat + 2) % 5) for seat, chair in enumerate(scene.table.chairs))
    scene.table = replace(scene.table, chairs=painted)
    had = {chair.bot or chair.user: chair.colour for chair in painted}
    again = scene.tried(commands.Rematch(user=ADA), name="Ada").made
    assert again is not None
    assert {chair.bot or chair.user or BO: chair.colour for chair in again.chairs} == had


def test_a_new_table_has_the_colours_asked_for() -> None:
    seats = (wire.SeatRequest("me", colour=2), wire.SeatRequest("open"), wire.SeatRequest("open"))
    assert colours(_made(*seats)) == [2, 1, 0]


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ([wire.SeatRequest("me", colour=2), wire.SeatRequest("open", colour=2)], "colour_twice"),
        ([wire.SeatRequest("me", colour=5), wire.SeatRequest("open")], ""),
        ([wire.SeatRequest("me", colour=-1), wire.SeatRequest("open")], ""),
    ],
)
def test_a_new_table_with_colours_that_cannot_be_is_refused(seats: list[wire.SeatRequest], told: str) -> None:
    with pytest.raises(BadRequest) as refused:
        _made(*seats)
    assert code_of(refused.value.reason)[0] == told


def _made(*seats: wire.SeatRequest) -> Waiting:
    return new_table(wire.NewTable("usa", list(seats)), ADA, "Ada", KEPT, ROSTER, 1.0)


def test_rows_without_colours_have_those_of_their_seats() -> None:
    scene = playing(ADA, BO, PIP)
    stored = scene.stored()
    old = replace(stored, chairs=tuple(replace(row, colour=None) for row in stored.chairs))
    assert colours(table_of(old, scene.now, 0.0)) == [0, 1, 2]
