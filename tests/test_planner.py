"""The planner: it plays any map to the end on what its seat may know, the same compiled and interpreted, and well."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from branchline import ClaimTrack, DrawTickets, Game, KeepTickets, imagine, load_map, shipped_maps
from branchline.actions import Action
from branchline.bots import tuning
from branchline.bots.match import CONDUCTOR_BOT, NOTES, PLANNER_BOT, play_match
from branchline.bots.planner import planner_action
from branchline.bots.work import PathWork
from branchline.codec import action_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.state import Position, Work
from branchline.simulation import Series, play
from branchline.simulation.series import Room
from tests.table import table

MAPS = shipped_maps()
FAN_MAPS = [Path(__file__).parent / "data" / "maps" / f"{name}.json" for name in ("e_moles", "c_fair", "a_plateau")]
EAST = ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1"]


def choice(game: Game) -> Action:
    seat = game.to_act[0]
    code = planner_action(game.view(seat).position, make_board(game.map), Work(), PathWork(), seat, 0)
    return action_of(code, game.position, names_of(game.map), seat)


# ---------------------------------------------------------------- how it plays


def test_the_last_track_of_a_ticket_is_claimed() -> None:
    game = table(hands=["blue blue blue blue blue green", ""], tickets=["boston-miami"], tracks={0: EAST})
    assert choice(game) == ClaimTrack("atlanta-miami-1", "blue")


def test_a_track_that_is_lost_is_gone_round() -> None:
    game = table(
        hands=["purple purple purple purple blue blue blue blue blue", ""],
        tickets=["boston-miami"],
        tracks={0: [*EAST[:3], "charleston-raleigh-1"], 1: ["atlanta-miami-1"]},
    )
    assert choice(game) == ClaimTrack("charleston-miami-1", "purple")


def test_a_new_ticket_that_is_joined_already_is_kept() -> None:
    game = table(
        hands=["", ""],
        tracks={0: [*EAST, "atlanta-miami-1"]},
        ticket_deck="los_angeles-miami boston-miami seattle-new_york",
        trains=[6, 45],
    )
    game.play(DrawTickets())
    assert choice(game) == KeepTickets(("boston-miami",))


def test_the_last_turn_takes_what_scores_most() -> None:
    game = table(hands=["blue blue blue blue blue red", ""], trains=[20, 2], seat=1)
    game.play("draw deck")
    game.play("draw deck")
    assert game.view(0).last_round
    assert choice(game) == ClaimTrack("atlanta-miami-1", "blue")


# ---------------------------------------------------------------- that it plays on


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("players", [2, 5])
def test_compiled_and_interpreted_planners_play_the_same_game_to_its_last_round(name: str, players: int) -> None:
    series = Series(
        load_map(name), ("planner", "conductor", "planner", "conductor", "planner")[:players], games=1, seed=players
    )
    codes, notes = Room(series).codes(0)
    log, seats = [0] * 1000, [PLANNER_BOT, CONDUCTOR_BOT, PLANNER_BOT, CONDUCTOR_BOT, PLANNER_BOT]
    positions, found = [Position(), Position(), Position()], [0] * NOTES
    n = play_match(
        positions, make_board(series.map), Work(), PathWork(), seats, players, series.game_seed(0), found, 0, log, 1000
    )
    assert log[:n] == codes
    assert found == notes.tolist()


@pytest.mark.parametrize("path", FAN_MAPS, ids=lambda path: path.stem)
def test_it_plays_a_map_it_has_never_seen(path: Path) -> None:
    data = load_map(path)
    for players in (data.min_players, data.max_players):
        outcome = play(Series(data, ("planner",) * players, games=20, seed=3))
        assert sum(seat.wins for seat in outcome.seats) == pytest.approx(20)


@pytest.mark.parametrize("name", MAPS)
def test_two_worlds_that_look_the_same_get_the_same_choice(name: str) -> None:
    """All along a game the choice is made again in an imagined world, by a planner that has chosen elsewhere before."""
    game, rng, again = Game.new(name, 2, seed=8), random.Random(4), PathWork()
    board = make_board(game.map)
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        code = planner_action(view.position.copy(), board, Work(), PathWork(), seat, 0)
        if rng.random() < 0.15:
            world = imagine(view, rng).view(seat).position
            assert planner_action(world, board, Work(), again, seat, 0) == code
        game.play(action_of(code, game.position, names_of(game.map), seat), seat)


# ---------------------------------------------------------------- the numbers it plays by


def test_every_number_has_a_place_of_its_own() -> None:
    places = sorted(value for name, value in vars(tuning).items() if name.startswith("P_"))
    assert places == list(range(tuning.TUNING))


def test_a_twin_plays_by_numbers_of_its_own() -> None:
    """The twin is told that drawing tickets is worth any turn."""
    game, work = table(hands=["red red", ""], tickets=["boston-miami"]), PathWork()
    work.tuning = [*tuning.DEFAULTS, *tuning.DEFAULTS]
    work.tuning[tuning.TUNING + tuning.P_TICKETS_GATE] = work.tuning[tuning.TUNING + tuning.P_TICKETS_PLAN] = -10_000
    work.is_tuned = 1
    codes = [planner_action(game.view(0).position, make_board(game.map), Work(), work, 0, twin) for twin in (0, 1)]
    actions = [action_of(code, game.position, names_of(game.map), 0) for code in codes]
    assert actions[1] == DrawTickets() != actions[0]


# ---------------------------------------------------------------- its strength


def test_it_beats_the_conductor() -> None:
    """It wins seven games of ten; a planner that won only six would fail here once in two, an even one never."""
    planner, _ = play(Series(load_map("usa"), ("planner", "conductor"), games=400, seed=11, rotate=True)).seats
    assert planner.win_rate > 0.6
