"""Series of games: the same on any number of threads, interpreted or compiled; the command that plays them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline import Game, load_map, shipped_maps
from branchline.bots import BOT_NUMBERS, make_bot
from branchline.bots.composed import Plan
from branchline.bots.games.match import GAME_NOTES, N_DECISIONS, N_END, N_SCORE, NOTES, SEAT_NOTES, bot_seed, play_match
from branchline.bots.games.request import request
from branchline.cli import main
from branchline.codec import ENDS
from branchline.kernel.board import make_board
from branchline.maps import check_file
from branchline.mechanics.composed import Position, Work
from branchline.record import load_game, verify
from branchline.simulation import Series, play, recorded_game
from branchline.simulation.series import SeriesRoom

MAPS = shipped_maps()
FAN_MAPS = [path for path in sorted((Path(__file__).parent / "data" / "maps").glob("*.json")) if not check_file(path)]
TINY = Path(__file__).parent / "data" / "maps" / "tiny.json"
MIXED = ("path", "random", "path", "path", "random")


def simulate(*words: str) -> int:
    """Run the command; argparse leaves by SystemExit."""
    try:
        return main(["simulate", *words])
    except SystemExit as left:
        return int(left.code or 0)


def without_time(outcome: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in outcome.items() if key not in ("elapsed_s", "games_per_s", "decisions_per_s")}


# ---------------------------------------------------------------- the same games


@pytest.mark.parametrize("name", MAPS)
def test_interpreted_and_compiled_games_are_the_same(name: str) -> None:
    for players in (2, 3, 5):
        series = Series(load_map(name), MIXED[:players], games=2, seed=players)
        compiled = SeriesRoom(series).play(0, 2)
        table = request(bots=[BOT_NUMBERS[bot] for bot in series.bots], players=players)
        for game in range(2):
            notes = [0] * NOTES
            positions = [Position(), Position()]
            board = make_board(series.map)
            play_match(positions, board, Work(), Plan(), table, series.game_seed(game), notes, 0, [])
            assert notes == compiled[game].tolist()


@pytest.mark.parametrize("name", MAPS)
def test_bots_at_a_game_play_what_is_simulated(name: str) -> None:
    series = Series(load_map(name), ("path", "random", "path"), games=1, seed=4)
    notes = SeriesRoom(series).play(0, 1)[0]
    seed = series.game_seed(0)
    game = Game.new(series.map, 3, seed=seed)
    bots = [make_bot(bot, bot_seed(seed, seat)) for seat, bot in enumerate(series.bots)]
    while not game.is_over:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
    assert len(game.history) == notes[N_DECISIONS]
    assert game.end_reason == ENDS[notes[N_END]]
    assert [s.total for s in game.scores()] == [notes[GAME_NOTES + SEAT_NOTES * seat + N_SCORE] for seat in range(3)]


def test_the_number_of_threads_changes_nothing() -> None:
    series = Series(load_map("europe"), ("path", "random", "path"), games=450, seed=8)
    outcomes = [play(series, threads) for threads in (1, 2, 7)]
    assert len({json.dumps(without_time(outcome.to_json())) for outcome in outcomes}) == 1
    assert all(np.array_equal(outcomes[0].seats[2].scores, outcome.seats[2].scores) for outcome in outcomes)


def test_a_game_follows_from_the_seed_and_its_number_alone() -> None:
    data = load_map("usa")
    long = play(Series(data, ("path", "path"), games=250, seed=3))
    short = play(Series(data, ("path", "path"), games=20, seed=3))
    other = play(Series(data, ("path", "path"), games=20, seed=4))
    assert long.seats[0].scores[:20].tolist() == short.seats[0].scores.tolist() != other.seats[0].scores.tolist()
    assert SeriesRoom(Series(data, ("path", "path"), games=250, seed=3)).play(7, 1)[0][N_DECISIONS] > 0


def test_rotated_bots_are_counted_where_they_sit() -> None:
    series = Series(load_map("usa"), ("path", "random", "random"), games=90, seed=2, rotate=True)
    assert [series.bots_at_seats(game).index("path") for game in range(4)] == [0, 1, 2, 0]
    outcome = play(series)
    assert outcome.seats[0].wins > 85
    assert sum(seat.wins for seat in outcome.seats) == pytest.approx(90)


# ---------------------------------------------------------------- how well they play


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_path_beats_random_on_every_map(name: str, players: int) -> None:
    series = Series(load_map(name), ("path", *["random"] * (players - 1)), games=200, seed=1, rotate=True)
    outcome = play(series)
    assert outcome.seats[0].win_rate > 0.95
    assert outcome.seats[0].mean_score > 80


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("players", [2, 5])
def test_the_conductor_against_itself_scores_well_and_ends_by_the_last_round(name: str, players: int) -> None:
    outcome = play(Series(load_map(name), ("conductor",) * players, games=300, seed=1))
    assert outcome.ends["last round"] >= 299
    for seat in outcome.seats:
        assert seat.mean_score > 80
        assert seat.ticket_completion > 0.75


@pytest.mark.parametrize("path", FAN_MAPS, ids=lambda path: path.stem)
def test_bots_are_never_stuck_on_odd_maps(path: Path) -> None:
    data = load_map(path)
    for players in range(data.min_players, data.max_players + 1):
        outcome = play(Series(data, MIXED[:players], games=100, seed=1))
        assert outcome.decisions_per_game < 1000
        assert outcome.seats[0].mean_score > outcome.seats[1].mean_score


@pytest.mark.parametrize(("players", "least", "most"), [(2, 154, 155), (4, 296, 299)])
def test_random_games_on_the_usa_map_have_the_known_length(players: int, least: float, most: float) -> None:
    """Every legal action as likely as the others, payments and orders settled without asking."""
    from branchline.measure import Batch

    games = 20_000
    assert least <= Batch("usa").play(players, 0, games, defaults=True) / games <= most


# ---------------------------------------------------------------- the command


def test_json_says_everything(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--map europe --players 3 --bots path,path,random --games 120 --seed 1 --json"
    assert simulate(*words.split()) == 0
    out = json.loads(capsys.readouterr().out)
    assert (out["map"], out["players"], out["games"], out["seed"]) == ("europe", 3, 120, 1)
    assert out["bots"] == ["path", "path", "random"]
    assert sum(out["ends"].values()) == 120
    assert 150 < out["decisions_per_game"] < 300
    assert sum(seat["wins"] for seat in out["seats"]) == pytest.approx(120)
    assert {"elapsed_s", "games_per_s"} <= set(out)
    for i, seat in enumerate(out["seats"]):
        assert seat["seat"] == i
        assert seat["bot"] == out["bots"][i]
        first, median, third = seat["quartiles"]
        assert seat["min_score"] <= first <= median <= third <= seat["max_score"]
        assert seat["min_score"] <= seat["mean_score"] <= seat["max_score"]
        assert seat["sd_score"] > 0
        assert seat["mean_tickets"] * 120 == pytest.approx(seat["tickets_kept"], abs=0.1)
        assert seat["ticket_completion"] == pytest.approx(seat["tickets_completed"] / seat["tickets_kept"], abs=1e-5)
        assert 0 <= seat["wins_alone"] <= seat["wins"] <= seat["wins_alone"] + seat["wins_shared"]


def test_the_tables_name_every_seat(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--bots", "path,random", "--games", "50", "--seed", "3", "--threads", "1") == 0
    printed = capsys.readouterr()
    assert "USA, 2 players, 50 games, seed 3" in printed.out
    assert printed.out.count("0 path") == 3
    assert printed.out.count("1 random") == 3
    assert "last round 50" in printed.out
    assert max(len(line) for line in printed.out.splitlines()) <= 100


def test_left_out_arguments_are_filled_in(capsys: pytest.CaptureFixture[str]) -> None:
    for words, bots in [
        ("", ["conductor", "conductor"]),
        ("--players 4", ["conductor"] * 4),
        ("--bots random --players 3", ["random"] * 3),
        ("--bots random,path,random", ["random", "path", "random"]),
    ]:
        assert simulate(*words.split(), "--games", "10", "--json") == 0
        out = json.loads(capsys.readouterr().out)
        assert (out["map"], out["bots"], out["players"]) == ("usa", bots, len(bots))


def test_a_map_file_is_played_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--map", str(TINY), "--games", "20", "--json") == 0
    assert json.loads(capsys.readouterr().out)["map"] == load_map(str(TINY)).id


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--players 6", "USA is for 2 to 5 players, not 6"),
        ("--players 1", "USA is for 2 to 5 players, not 1"),
        ("--players -3", "USA is for 2 to 5 players, not -3"),
        ("--players 3 --bots path,path", "2 bots are named for 3 players"),
        ("--bots path,path,path,path,path,path", "USA is for 2 to 5 players, not 6"),
        ("--map europ", 'no map "europ" (did you mean "europe"?)'),
        ("--map no/such.json", "cannot be read"),
        ("--bots pth", 'no bot "pth" (did you mean "path"?)'),
        ("--bots path,", 'no bot ""'),
        ("--seed -1", "-1 is not a whole number from 0"),
        ("--seed 9223372036854775808", "is not a whole number from 0"),
        ("--games 0", "0 games"),
        ("--games -5", "-5 games"),
        ("--threads 0", "--threads 0"),
        ("--games many", "invalid int value"),
    ],
)
def test_wrong_arguments_are_refused_with_a_word(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(*words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("name", MAPS)
def test_records_hold_the_games_that_were_counted(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"--map {name} --bots path,random,path --games 3 --seed 6 --rotate --json".split()
    assert simulate(*words) == 0
    plain = json.loads(capsys.readouterr().out)
    assert simulate(*words, "--records", str(tmp_path / "games")) == 0
    recorded = json.loads(capsys.readouterr().out)
    assert without_time(plain) == without_time(recorded)
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 3
    series = Series(load_map(name), ("path", "random", "path"), games=3, seed=6, rotate=True)
    for game, file in enumerate(files):
        record = load_game(str(file))
        assert verify(record) is None
        assert [player.bot for player in record.players] == list(series.bots_at_seats(game))
        assert record.deal.seed == series.game_seed(game)
        assert main(["replay", "--verify", str(file)]) == 0


def test_a_record_can_be_had_without_a_file() -> None:
    record = recorded_game(Series(load_map("usa"), ("random", "random"), games=5, seed=1), 4)
    assert verify(record) is None
    assert len(record.moves) > 100


def test_no_game_file_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "2", "--records", str(tmp_path)]
    assert simulate(*words) == 0
    kept = [file.read_bytes() for file in sorted(tmp_path.iterdir())]
    assert simulate(*words) == 2
    assert "exists already" in capsys.readouterr().err
    assert [file.read_bytes() for file in sorted(tmp_path.iterdir())] == kept


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    assert simulate("--games", "2", "--records", str(tmp_path / "file")) == 2
    assert "file" in capsys.readouterr().err


# ---------------------------------------------------------------- as a program


def test_as_a_program_it_prints_json_and_nothing_else_on_the_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "branchline", "simulate", "--games", "20", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert json.loads(done.stdout)["games"] == 20
    assert "Traceback" not in done.stderr
