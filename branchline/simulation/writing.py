"""The games of a series as game files, each played again through the library's face."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from branchline.bots import short_name
from branchline.bots.games.match import GAME_NOTES, N_SCORE, SEAT_NOTES
from branchline.codec import action_of, names_of
from branchline.game import Game
from branchline.record import record_of, write_game
from branchline.record.model import Player, Record
from branchline.simulation.at_tables import play_game
from branchline.simulation.series import Series, SeriesRoom


def record_name(series: Series, game: int) -> str:
    return f"{series.map.id}-{series.players}p-seed{series.seed}-game{game:06d}.json"


def write_records(series: Series, folder: Path) -> Iterator[Path]:
    """Write a game file for each game of a series, one by one; no file is ever written over."""
    folder.mkdir(parents=True, exist_ok=True)
    room = SeriesRoom(series) if series.is_compiled else None
    for game in range(series.games):
        path = folder / record_name(series, game)
        with path.open("x", encoding="utf-8") as file:
            file.write(write_game(recorded_game(series, game, room)))
        yield path


def recorded_game(series: Series, game: int, room: SeriesRoom | None = None) -> Record:
    """The record of one game of a series: the same game, to the last card."""
    codes, notes = (room or SeriesRoom(series)).codes(game) if series.is_compiled else play_game(series, game)
    played = Game.new(series.map, series.players, seed=series.game_seed(game))
    names = names_of(series.map)
    for code in codes:
        seat = played.to_act[0]
        played.play(action_of(code, played.position, names, seat), seat)
    noted = [int(notes[GAME_NOTES + SEAT_NOTES * seat + N_SCORE]) for seat in range(series.players)]
    assert [score.total for score in played.scores()] == noted, "the game and its record differ"
    bots = [short_name(bot) for bot in series.bots_at_seats(game)]
    players = [Player(f"{name} {seat + 1}", bot=name) for seat, name in enumerate(bots)]
    return record_of(played, players, meta={"series seed": series.seed, "game": game})
