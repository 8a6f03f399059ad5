"""The golden games replay line for line and end as they ended when they were recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from branchline import Action, Pass
from branchline.deal import Deal
from branchline.events import Event, Passed
from branchline.record import Record, load_game, read_game, replay, result_of, verify, write_game
from tests.golden.regenerate import FOLDER, events_digest, file_name, golden_game, golden_games

FILES = sorted(path.name for path in FOLDER.glob("*.json"))


@cache
def golden(file: str) -> Record:
    return load_game(FOLDER / file)


def test_every_map_and_number_of_players_has_its_golden_games() -> None:
    assert sorted(file_name(*game) for game in golden_games()) == FILES


@pytest.mark.parametrize("file", FILES)
def test_a_golden_game_replays_line_for_line(file: str) -> None:
    lines = json.loads((FOLDER / file).read_text(encoding="utf-8"))["moves"]
    record = golden(file)
    steps = replay(record)
    next(steps)
    for line, step in zip(lines, steps, strict=True):
        assert f"{step.seat} {step.line}" == line
    assert record.result is not None
    assert record.result.sheet
    assert step.game.is_over
    assert result_of(step.game) == record.result
    assert verify(record) is None
    assert events_digest(record) == record.meta["events"], "the moves are legal, but other things happened"


@pytest.mark.parametrize("file", FILES)
def test_a_golden_game_is_written_as_it_stands(file: str) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert write_game(read_game(text)) == text


def test_a_planned_game_needs_no_seed() -> None:
    for file in FILES:
        if "planned" in file:
            record = golden(file)
            assert not record.deal.is_seed_only
            other = Deal(**{name: getattr(record.deal, name) for name in Deal.deck_keys()}, seed=77)
            assert verify(Record(record.map, record.players, other, record.moves, record.result)) is None


def everything_that_happened() -> Iterator[tuple[Action | None, tuple[Event, ...]]]:
    for file in FILES:
        for step in replay(golden(file)):
            yield step.action, step.events


def test_the_golden_games_show_every_action_and_every_event() -> None:
    """But for passing, which takes a table without a single card to draw."""
    actions, events = set(), set()
    for action, seen in everything_that_happened():
        actions.add(type(action))
        events |= {type(event) for event in seen}
    assert set(get_args(Action)) - actions == {Pass}
    assert set(get_args(Event)) - events == {Passed}


def test_the_generator_still_makes_them() -> None:
    for game in (("europe", 2, "planned"), ("iberia", 2, "random")):
        assert write_game(golden_game(*game)) == (FOLDER / file_name(*game)).read_text(encoding="utf-8")
