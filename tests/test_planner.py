"""The planner: it plays any map to the end on what its seat may know, the same compiled and interpreted, and well."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from branchline import ClaimTrack, DrawTickets, Game, KeepTickets, imagine, load_map, shipped_maps, write_action
from branchline.actions import Action
from branchline.bots import make_bot
from branchline.bots.composed import Plan
from branchline.bots.games.match import CONDUCTOR_BOT, NOTES, PLANNER_BOT, play_match
from branchline.bots.games.request import request
from branchline.bots.planner import numbers, tuning
from branchline.bots.planner.choices import planner_action
from branchline.bots.planner.numbers import DEFAULTS, TUNING
from branchline.codec import action_of, names_of
from branchline.fast import FastGame
from branchline.kernel.audit import audit
from branchline.kernel.board import make_board
from branchline.mechanics.composed import Position, Work
from branchline.simulation import Series, play
from branchline.simulation.series import SeriesRoom
from tests.table import table

MAPS = shipped_maps()
FAN_MAPS = [Path(__file__).parent / "data" / "maps" / f"{name}.json" for name in ("e_moles", "c_fair", "a_plateau")]
EAST = ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1"]


def choice(game: Game) -> Action:
    seat = game.to_act[0]
    code = planner_action(game.view(seat).position, make_board(game.map), Work(), Plan(), seat, 0)
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
    codes, notes = SeriesRoom(series).codes(0)
    log, seats = [0] * 1000, [PLANNER_BOT, CONDUCTOR_BOT, PLANNER_BOT, CONDUCTOR_BOT, PLANNER_BOT]
    seated = request(bots=seats, players=players, log_n=len(log))
    positions, found = [Position(), Position(), Position()], [0] * NOTES
    n = play_match(positions, make_board(series.map), Work(), Plan(), seated, series.game_seed(0), found, 0, log)
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
    game, rng, again = Game.new(name, 2, seed=8), random.Random(4), Plan()
    board = make_board(game.map)
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        code = planner_action(view.position.copy(), board, Work(), Plan(), seat, 0)
        if rng.random() < 0.15:
            world = imagine(view, rng).view(seat).position
            assert planner_action(world, board, Work(), again, seat, 0) == code
        game.play(action_of(code, game.position, names_of(game.map), seat), seat)


# ---------------------------------------------------------------- the numbers it plays by


def test_every_number_has_a_place_of_its_own() -> None:
    assert sorted(numbers.NAMES.values()) == list(range(TUNING))


def test_a_twin_plays_by_numbers_of_its_own() -> None:
    """The twin is told that drawing tickets is worth any turn."""
    game, work = table(hands=["red red", ""], tickets=["boston-miami"]), Plan()
    work.tuning = [*DEFAULTS, *DEFAULTS]
    work.tuning[TUNING + tuning.P_TICKETS_GATE] = work.tuning[TUNING + tuning.P_TICKETS_PLAN] = -10_000
    work.is_tuned = 1
    codes = [planner_action(game.view(0).position, make_board(game.map), Work(), work, 0, twin) for twin in (0, 1)]
    actions = [action_of(code, game.position, names_of(game.map), 0) for code in codes]
    assert actions[1] == DrawTickets() != actions[0]


# ---------------------------------------------------------------- its strength


def test_it_beats_the_conductor() -> None:
    """It wins seven games of ten; a planner that won only six would fail here once in two, an even one never."""
    planner, _ = play(Series(load_map("usa"), ("planner", "conductor"), games=400, seed=11, rotate=True)).seats
    assert planner.win_rate > 0.6


def test_it_beats_one_that_ignores_the_mail() -> None:
    """It wins two deals of three (docs/maps/carpathians.md); each is played twice, with the seats changed."""
    carpathians, won = load_map("carpathians"), 0.0
    for bots in (("planner", "mail-blind"), ("mail-blind", "planner")):
        outcome = play(Series(carpathians, bots, games=100, seed=23))
        won += outcome.seats[bots.index("planner")].win_rate / 2
    assert won >= 0.55


# ---------------------------------------------------------------- mail


def mail_choice(**things: Any) -> str:
    """What the planner does with the bags after it has claimed Cluj-Napoca–Târgu Mureș."""
    game = table("carpathians", hands=["purple purple"], **things)
    game.play("claim cluj_napoca-targu_mures-1 purple")
    return write_action(choice(game))


def test_a_bag_that_is_delivered_at_once_is_taken_first() -> None:
    bags = {"cluj_napoca": "krakow", "targu_mures": "cluj_napoca"}
    assert mail_choice(bags=bags) == "take bag targu_mures"


def test_the_bag_on_the_way_of_a_ticket_is_taken_rather_than_a_far_one() -> None:
    bags = {"cluj_napoca": "odesa", "targu_mures": "sibiu"}
    assert mail_choice(bags=bags, tickets=["cluj_napoca-iasi"]) == "take bag targu_mures"


def test_the_farthest_of_three_bags_makes_way_for_a_near_one() -> None:
    carried = [{"bacau": "brasov", "constanta": "krakow", "sibiu": "deva"}]
    assert mail_choice(bags={"targu_mures": "brasov"}, carried=carried) == "take bag targu_mures for 2"


def test_a_planner_to_which_bags_are_worth_nothing_leaves_them() -> None:
    """The style is a bot of its name, and the planner beside it plays as ever."""
    game = table("carpathians", hands=["purple purple"], bags={"targu_mures": "cluj_napoca"})
    game.play("claim cluj_napoca-targu_mures-1 purple")
    view = game.view(0)
    assert write_action(make_bot("mail-blind", 0).choose(view, view.legal_actions())) == "leave bags"
    assert write_action(choice(game)) == "take bag targu_mures"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_takes_only_what_is_offered_and_never_a_fourth_bag(players: int) -> None:
    """Every code of many games is legal, and every game ends in a sound position."""
    series = Series(load_map("carpathians"), ("planner", "conductor", "planner", "passenger", "hungry")[:players])
    room, board, fast = SeriesRoom(series), make_board(series.map), FastGame(series.map, players)
    for number in range(100):
        fast.reset(players, series.game_seed(number))
        for code in room.codes(number)[0]:
            fast.step(code)  # raises where it is not legal
        assert fast.is_over and audit(fast.position, board, Work()) == 0
        assert all(len(player.carried) <= 3 for player in fast.game().view(None).players)
