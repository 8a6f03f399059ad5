"""A series of games and its playing. Every game follows from the seed of the series and its number alone, so the
number of threads changes nothing but the time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots import check_bot, kernel_number
from branchline.bots.games.match import GAME_NOTES, N_DECISIONS, NOTES, SEAT_NOTES, match_seed
from branchline.bots.games.request import SERIES
from branchline.bots.warm import warm
from branchline.deal import check_players, check_seed
from branchline.maps.model import MapData
from branchline.simulation.outcome import Outcome

CHUNK = 100  # games that one thread plays in a row
MOST_GAMES = 10_000_000

Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Series:
    """Games 0 .. games - 1 between bots, one a player; with `rotate` all move one seat on from game to game."""

    map: MapData
    bots: tuple[str, ...]
    games: int = 1000
    seed: int = 0
    rotate: bool = False

    def __post_init__(self) -> None:
        check_players(self.map, self.players)
        for name in self.bots:
            check_bot(name)
        check_seed(self.seed)
        if not 1 <= self.games <= MOST_GAMES:
            raise ValueError(f"{self.games} games: a series has 1 to {MOST_GAMES}")

    @property
    def players(self) -> int:
        return len(self.bots)

    def game_seed(self, game: int) -> int:
        """The seed of a game by its number."""
        return match_seed(self.seed, game)

    def seat_of(self, entry: int, game: int) -> int:
        """Where a bot sits in a game."""
        return (entry + game) % self.players if self.rotate else entry

    @property
    def is_compiled(self) -> bool:
        """Whether its games can be played inside the kernel: all its bots are written for it."""
        return all(kernel_number(name) is not None for name in self.bots)

    def bots_at_seats(self, game: int) -> tuple[str, ...]:
        """The bots in the order of their seats in a game."""
        at = {self.seat_of(entry, game): name for entry, name in enumerate(self.bots)}
        return tuple(at[seat] for seat in range(self.players))


class SeriesRoom:
    """A place for one thread to play games of a series in."""

    def __init__(self, series: Series) -> None:
        from branchline.bots.compiled.space import WorkSpace  # NumPy alone suffices for what plays nothing compiled

        self._space = WorkSpace(series.map)
        self._series = series
        self._entries = [kernel_number(name) or 0 for name in series.bots]

    def play(self, first: int, games: int, log: Numbers | None = None) -> Numbers:
        """Play games from number `first` on; a row of notes for each. `log` takes the codes played in the last."""
        series = self._series
        notes = np.zeros((games, NOTES), np.int64)
        codes = np.zeros(0, np.int64) if log is None else log
        self._space.ask(
            SERIES,
            notes,
            codes,
            entries=self._entries,
            players=series.players,
            seed=series.seed,
            first=first,
            games=games,
            rotate=int(series.rotate),
            log_n=len(codes),
        )
        return notes

    def codes(self, game: int) -> tuple[list[int], Numbers]:
        """The codes played in one game, and its notes."""
        log = np.zeros(1000, np.int64)
        notes = self.play(game, 1, log)[0]
        if notes[N_DECISIONS] > len(log):
            log = np.zeros(notes[N_DECISIONS], np.int64)
            notes = self.play(game, 1, log)[0]
        return log[: notes[N_DECISIONS]].tolist(), notes


def play(series: Series, threads: int | None = None, on_games: Callable[[int], None] | None = None) -> Outcome:
    """Play a series; `on_games` is told how many more games are done, again and again."""
    if not series.is_compiled:
        from branchline.simulation.at_tables import play_at_tables

        return play_at_tables(series, threads or cores(), on_games)
    warm()
    columns = GAME_NOTES + SEAT_NOTES * series.players
    notes = np.zeros((series.games, columns), np.int32)
    local = threading.local()

    def work(first: int) -> int:
        if not hasattr(local, "room"):
            local.room = SeriesRoom(series)
        games = min(CHUNK, series.games - first)
        notes[first : first + games] = local.room.play(first, games)[:, :columns]
        return games

    start = time.perf_counter()
    pool = ThreadPoolExecutor(threads or cores())
    try:
        for done in as_completed([pool.submit(work, first) for first in range(0, series.games, CHUNK)]):
            games = done.result()
            if on_games:
                on_games(games)
    finally:
        pool.shutdown(cancel_futures=True)
    return Outcome.of(series, notes, time.perf_counter() - start)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
