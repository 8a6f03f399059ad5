"""The games the lab looks at: bots play them, each is played again from its codes and noted."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots.games import rows as n
from branchline.bots.games.request import NOTE
from branchline.bots.warm import warm
from branchline.maps.model import MapData
from branchline.simulation import Series
from branchline.simulation.at_tables import play_game
from branchline.simulation.series import SeriesRoom, cores

Numbers = np.ndarray[Any, Any]

CHUNK = 50  # games one thread plays in a row
MOST_GAMES = 100_000  # their notes take 2.5 kB each


@dataclass(frozen=True, slots=True)
class Games:
    """The notes of all games of a series, as arrays whose first axis is the game."""

    series: Series
    game: Numbers  # [game, G_…]
    seat: Numbers  # [game, seat, S_…]
    track: Numbers  # [game, track, T_…]
    ticket: Numbers  # [game, ticket, D_…]

    @property
    def map(self) -> MapData:
        return self.series.map

    @property
    def players(self) -> int:
        return self.series.players

    @property
    def n(self) -> int:
        return len(self.game)

    @classmethod
    def of(cls, series: Series, rows: Numbers) -> Games:
        """Cut the rows of notes up."""
        seats = rows[:, n.AT_SEATS : n.AT_TRACKS].reshape(len(rows), -1, n.SEAT_COLUMNS)
        tracks = rows[:, n.AT_TRACKS : n.AT_TICKETS].reshape(len(rows), -1, n.TRACK_COLUMNS)
        tickets = rows[:, n.AT_TICKETS : n.LAB_NOTES].reshape(len(rows), -1, n.TICKET_COLUMNS)
        return cls(
            series,
            rows[:, : n.AT_SEATS],
            seats[:, : series.players],
            tracks[:, : len(series.map.tracks)],
            tickets[:, : len(series.map.tickets)],
        )


class NoteTaker:
    """A place for one thread to play games of a series again in."""

    def __init__(self, series: Series) -> None:
        from branchline.bots.compiled.space import WorkSpace

        self._series = series
        self._space = WorkSpace(series.map)
        self._notes = np.zeros(n.LAB_ROOM, np.int64)

    def notes(self, game: int, codes: list[int]) -> Numbers:
        """The notes of one game; they are written over by the next."""
        log = np.array(codes, np.int64)
        players, seed = self._series.players, self._series.game_seed(game)
        self._space.ask(NOTE, self._notes, log, players=players, seed=seed, log_n=len(codes))
        return self._notes[: n.LAB_NOTES]


def play_games(series: Series, threads: int | None = None, on_games: Callable[[int], None] | None = None) -> Games:
    """Play and note every game of a series; `on_games` is told how many more games are done, again and again.

    Bots of the kernel play in threads; others in as many processes, which takes far longer.
    """
    if series.games > MOST_GAMES:
        raise ValueError(f"{series.games} games: the lab looks at {MOST_GAMES} at the most")
    warm()
    rows = np.zeros((series.games, n.LAB_NOTES), np.int16)
    play = _play_compiled if series.is_compiled else _play_at_tables
    for games in play(series, threads or cores(), rows):
        if on_games:
            on_games(games)
    return Games.of(series, rows)


def _play_compiled(series: Series, threads: int, rows: Numbers) -> Iterator[int]:
    """Fill the rows; yields how many more are filled."""
    local = threading.local()

    def work(first: int) -> int:
        if not hasattr(local, "room"):
            local.room, local.taker = SeriesRoom(series), NoteTaker(series)
        last = min(first + CHUNK, series.games)
        for game in range(first, last):
            codes, _ = local.room.codes(game)
            rows[game] = local.taker.notes(game, codes)
        return last - first

    pool = ThreadPoolExecutor(threads)
    try:
        for done in as_completed([pool.submit(work, first) for first in range(0, series.games, CHUNK)]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _play_at_tables(series: Series, processes: int, rows: Numbers) -> Iterator[int]:
    """The same with bots that are no part of the kernel."""
    taker = NoteTaker(series)
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))
    try:
        playing = {pool.submit(play_game, series, game, 1): game for game in range(series.games)}
        for done in as_completed(playing):
            rows[playing[done]] = taker.notes(playing[done], done.result()[0])
            yield 1
    finally:
        pool.shutdown(cancel_futures=True)
