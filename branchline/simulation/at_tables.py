"""Series with bots that are no part of the kernel: each game is played at a `Game`, in as many processes as asked for.

Slower by far than the compiled games, and otherwise the same: the seeds, the seats, what is noted.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

from branchline.bots import Bot, make_bot
from branchline.bots.games.match import (
    GAME_NOTES,
    N_CHOICES,
    N_DECISIONS,
    N_END,
    N_SEED,
    NOTES,
    SEAT_NOTES,
    bot_seed,
    note_seat,
)
from branchline.codec import code_of, names_of
from branchline.game import Game
from branchline.kernel.board import make_board
from branchline.kernel.scoring import score_game
from branchline.kernel.scratch import scratch
from branchline.simulation.outcome import Outcome
from branchline.simulation.series import Numbers, Series, cores


class BotFailed(RuntimeError):
    """A bot that crashed or chose what it may not."""


def play_at_tables(series: Series, processes: int, on_games: Callable[[int], None] | None = None) -> Outcome:
    """Play a series; a bot that fails ends it."""
    start = time.perf_counter()
    columns = GAME_NOTES + SEAT_NOTES * series.players
    notes = np.zeros((series.games, columns), np.int32)
    processes = min(processes, series.games)
    if processes == 1:
        for game in range(series.games):
            notes[game] = play_game(series, game)[1][:columns]
            if on_games:
                on_games(1)
    else:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, mp_context=context)
        try:
            threads = max(1, cores() // processes)
            running = {pool.submit(play_game, series, game, threads): game for game in range(series.games)}
            for done in as_completed(running):
                notes[running[done]] = done.result()[1][:columns]
                if on_games:
                    on_games(1)
        finally:
            pool.shutdown(cancel_futures=True)
    return Outcome.of(series, notes, time.perf_counter() - start)


def play_game(series: Series, number: int, threads: int | None = None) -> tuple[list[int], Numbers]:
    """Play one game of a series at a table; the codes played and its notes."""
    seed, names = series.game_seed(number), series.bots_at_seats(number)
    game = Game.new(series.map, series.players, seed=seed)
    bots = [make_bot(name, bot_seed(seed, seat), threads=threads) for seat, name in enumerate(names)]
    choices = [0] * series.players
    codes: list[int] = []
    while not game.is_over:
        seat = game.to_act[0]
        codes.append(_move(game, seat, bots[seat], f"{names[seat]}, game {number} (seed {series.seed}), seat {seat}"))
        choices[seat] += 1
    return codes, _notes(game, seed, len(codes), choices)


def _move(game: Game, seat: int, bot: Bot, who: str) -> int:
    """Let a bot choose; the code of its choice."""
    view = game.view(seat)
    actions = view.legal_actions()
    try:
        action = bot.choose(view, actions)
    except Exception as error:
        raise BotFailed(f"{who}: {type(error).__name__}: {error}") from error
    if action not in actions:
        raise BotFailed(f"{who}: chose {action!r}, which is none of the {len(actions)} actions it was given")
    code = code_of(action, game.position, names_of(game.map), seat)
    game.play(action, seat)
    return code


def _notes(game: Game, seed: int, decisions: int, choices: list[int]) -> Numbers:
    """What the compiled games note of a game."""
    s, b, w = game.position, make_board(game.map), scratch()
    notes = [0] * NOTES
    notes[N_SEED], notes[N_DECISIONS], notes[N_END] = seed, decisions, s.end
    score_game(s, b, w)
    for seat, n in enumerate(choices):
        at = GAME_NOTES + SEAT_NOTES * seat
        notes[at + N_CHOICES] = n
        note_seat(s, w, seat, notes, at)
    return np.array(notes, np.int64)
