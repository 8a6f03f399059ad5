"""The published styles and the gentle levels: each plays in its own way, to the end, on what its seat may know."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from branchline import (
    ClaimTrack,
    DrawDisplay,
    DrawTickets,
    Game,
    KeepTickets,
    TakeTerrain,
    View,
    imagine,
    load_map,
    shipped_maps,
)
from branchline.bots import BOT_NUMBERS
from branchline.bots.match import NOTES, bot_action, play_match
from branchline.bots.work import PathWork
from branchline.codec import action_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.state import SEATS, Position, Work
from branchline.simulation import Series, play
from branchline.simulation.series import Room
from tests.table import table

MAPS = shipped_maps()
FAN_MAPS = [Path(__file__).parent / "data" / "maps" / f"{name}.json" for name in ("e_moles", "c_fair", "a_plateau")]
STYLES = ("onestep", "longroute", "hungry")
LEVELS = ("passenger", "porter")

every_map = pytest.mark.parametrize("name", MAPS)
every_style = pytest.mark.parametrize("bot", STYLES)
every_bot = pytest.mark.parametrize("bot", STYLES + LEVELS)


def seats_for(bot: str, players: int) -> tuple[str, ...]:
    """The bot among others."""
    return (bot, "path", "porter", "hungry", "passenger")[:players]


def choice(game: Game, bot: str) -> object:
    seat = game.to_act[0]
    return action_of(code_in(game.view(seat), seat, bot), game.position, names_of(game.map), seat)


def code_in(view: View, seat: int, bot: str) -> int:
    return bot_action(view.position, make_board(view.map), Work(), PathWork(), seat, BOT_NUMBERS[bot], 1, 0)


# ---------------------------------------------------------------- how each plays


def test_onestep_takes_the_track_that_brings_most_for_its_turns() -> None:
    """Both can be paid at once, and the ticket is as near by either; the longer one brings more points."""
    game = table("usa", hands=["red red red red red white white", ""], tickets=["denver-el_paso"])
    action = choice(game, "onestep")
    assert isinstance(action, ClaimTrack)
    assert game.map.tracks[[t.id for t in game.map.tracks].index(action.track)].length >= 4


def test_hungry_draws_tickets_while_trains_are_free_and_path_claims() -> None:
    game = table("usa", hands=["red red red red red red", ""], tickets=["denver-el_paso"])
    assert choice(game, "hungry") == DrawTickets()
    assert choice(game, "path") != DrawTickets()


def test_a_ticket_that_cannot_be_joined_spoils_the_appetite() -> None:
    fence = [t.id for t in load_map("usa").tracks if "vancouver" in (t.a, t.b) and not t.id.endswith("-2")]
    for tracks, hungry in (({}, True), ({1: fence}, False)):
        game = table("usa", hands=["red red red red", ""], tickets=["denver-el_paso vancouver-montreal"], tracks=tracks)
        assert (choice(game, "hungry") == DrawTickets()) is hungry


def test_hungry_keeps_all_that_its_trains_can_join() -> None:
    game = Game.new("usa", 2, seed=3)
    action = choice(game, "hungry")
    assert isinstance(action, KeepTickets)
    assert len(action.tickets) == 3


def test_the_porter_hoards_before_it_lays() -> None:
    """It has the cards for its ticket, and lays when its hand is full."""
    red, rest = "red red red red ", "blue blue blue green green green white white white black black black "
    for hand, lays in ((red, False), (red + rest, False), (red + rest + "yellow yellow yellow", True)):
        game = table("usa", hands=[hand, ""], tickets=["denver-el_paso"])
        assert isinstance(choice(game, "porter"), ClaimTrack) is lays
        assert isinstance(choice(game, "passenger"), ClaimTrack)


def test_the_porter_takes_the_locomotive_it_sees() -> None:
    shown = "red loco red white black"
    game = table("usa", display=shown, hands=["red", ""], tickets=["denver-el_paso"])
    assert choice(game, "porter") == DrawDisplay(2)
    assert choice(game, "passenger") == DrawDisplay(1)


def test_the_passenger_keeps_the_shortest_tickets_and_no_more_than_it_must() -> None:
    game = Game.new("usa", 2, seed=3)
    points = {ticket.id: ticket.points for ticket in game.map.tickets}
    action = choice(game, "passenger")
    assert isinstance(action, KeepTickets)
    offered = sorted(points[ticket] for ticket in game.view(0).offered_tickets)
    assert sorted(points[ticket] for ticket in action.tickets) == offered[:2]


def test_the_passenger_forgets_terrain() -> None:
    game = table(
        "africa",
        display="red black blue green white",
        hands=["green green green green", ""],
        terrain=["jungle", ""],
        terrain_display="desert jungle",
        tickets=["addis_ababa-mombasa"],
        tracks={0: ["port_florence-mombasa-1"], 1: ["addis_ababa-junction_east-1"]},
    )
    assert choice(game, "path") == TakeTerrain(2)
    assert choice(game, "passenger") == DrawDisplay(4)


@every_map
def test_hungry_holds_more_tickets_than_path(name: str) -> None:
    """Where they are drawn: those of Iberia come by draft, and late."""
    hungry, path = play(Series(load_map(name), ("hungry", "path"), games=200, seed=2, rotate=True)).seats
    assert hungry.tickets_kept >= (1 if name == "iberia" else 1.25) * path.tickets_kept


@every_map
def test_longroute_lays_longer_tracks_than_path(name: str) -> None:
    assert mean_length(name, "longroute") > mean_length(name, "path") + 0.1


def mean_length(name: str, bot: str) -> float:
    """The mean length of the tracks a bot lays in games with itself."""
    data, lengths = load_map(name), []
    numbers = [BOT_NUMBERS[bot]] * 2 + [0] * (SEATS - 2)
    for seed in range(8):
        positions = [Position(), Position()]
        play_match(positions, make_board(data), Work(), PathWork(), numbers, 2, seed, [0] * NOTES, 0, [], 0)
        for word, owned in enumerate(positions[0].owned):
            lengths += [data.tracks[word % 2 * 63 + i].length for i in range(63) if owned >> i & 1]
    return sum(lengths) / len(lengths)


# ---------------------------------------------------------------- how well they play


@every_map
@every_style
def test_a_style_is_no_straw_man(name: str, bot: str) -> None:
    """Published means with 2 players in the USA: 95 to 105."""
    outcome = play(Series(load_map(name), (bot, "path"), games=400, seed=1, rotate=True))
    assert outcome.seats[0].mean_score > 90
    assert outcome.seats[0].win_rate > 0.2


@every_map
@pytest.mark.parametrize(
    ("better", "worse", "least", "most"),
    [("passenger", "random", 0.95, 1.0), ("porter", "passenger", 0.64, 0.84), ("path", "porter", 0.64, 0.84)],
)
def test_the_gentle_levels_are_steps_of_a_ladder(name: str, better: str, worse: str, least: float, most: float) -> None:
    """A step is at least 100 Elo, which is 64 %, and no wall; measured with many more games it is 66 to 80 %."""
    outcome = play(Series(load_map(name), (better, worse), games=1000, seed=3, rotate=True))
    assert least < outcome.seats[0].win_rate <= most


# ---------------------------------------------------------------- whole games


@every_map
@every_bot
def test_games_end_on_every_map_with_every_number_of_players(name: str, bot: str) -> None:
    for players in range(2, 6):
        outcome = play(Series(load_map(name), seats_for(bot, players), games=60, seed=players, rotate=True))
        assert outcome.ends["last round"] == 60
        assert outcome.seats[0].mean_score > 50


@every_map
def test_five_hoarders_do_not_run_the_deck_dry_for_ever(name: str) -> None:
    outcome = play(Series(load_map(name), ("porter",) * 5, games=60, seed=1))
    assert outcome.ends["last round"] == 60
    assert outcome.decisions_per_game < 600


@pytest.mark.parametrize("path", FAN_MAPS, ids=lambda path: path.stem)
@every_bot
def test_no_bot_is_stuck_on_an_odd_map(path: Path, bot: str) -> None:
    data = load_map(path)
    for players in range(data.min_players, data.max_players + 1):
        outcome = play(Series(data, (bot, *["random"] * (players - 1)), games=60, seed=1, rotate=True))
        assert outcome.decisions_per_game < 1000
        assert outcome.seats[0].mean_score > outcome.seats[1].mean_score


@every_map
@every_bot
def test_interpreted_and_compiled_games_are_the_same(name: str, bot: str) -> None:
    for players in (2, 4):
        series = Series(load_map(name), seats_for(bot, players), games=1, seed=players)
        numbers = [BOT_NUMBERS[entry] for entry in series.bots] + [0] * (SEATS - players)
        notes = [0] * NOTES
        positions, board = [Position(), Position()], make_board(series.map)
        play_match(positions, board, Work(), PathWork(), numbers, players, series.game_seed(0), notes, 0, [], 0)
        assert notes == Room(series).play(0, 1)[0].tolist()


@every_map
@every_bot
def test_two_worlds_alike_to_the_seat_get_the_same_choice(name: str, bot: str) -> None:
    """What the seat may not know is dealt again, all along a game: decks, others' cards and tickets (I-01 .. I-05)."""
    rng = random.Random(f"{name} {bot}")
    game = Game.new(name, 2, seed=5)
    compared = 0
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        code = code_in(view, seat, bot)
        if rng.random() < 0.2:
            world = imagine(view, rng)
            assert world.position.to_bytes() != game.position.to_bytes()
            assert code_in(world.view(seat), seat, bot) == code
            compared += 1
        game.play(action_of(code, game.position, names_of(game.map), seat), seat)
    assert compared > 10
