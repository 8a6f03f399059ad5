"""Measuring the kernel: rates on this machine beside a calibration loop, and the signature of the rules."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from branchline.bots import make_bot
from branchline.bots.rollout import think
from branchline.fast import FastGame
from branchline.game import Game
from branchline.kernel import compiled
from branchline.kernel.batch import digest_words, random_game
from branchline.kernel.board import make_board
from branchline.maps.loader import load_map, shipped_maps
from branchline.mechanics.composed import GENERATION_ENDS, Position, Work
from branchline.simulation import Series, play

SIGNATURE_GAMES = 100
CALIBRATION_TURNS = 2_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    map: str
    players: int
    mode: str
    decisions_per_s: float
    games_per_s: float


class Batch:
    """A place for random games: one position, one work space, one map."""

    def __init__(self, map: str) -> None:
        self.board = np.frombuffer(bytearray(make_board(load_map(map)).to_bytes()), np.uint8)
        self.position = np.zeros(1, Position.dtype())
        self.work = np.zeros(1, Work.dtype())

    def play(self, players: int, first_seed: int, games: int, *, defaults: bool) -> int:
        """Play random games from consecutive seeds inside the kernel; the number of decisions."""
        self.work["codes"][0][0] = int(defaults)
        where = self.position.ctypes.data, self.board.ctypes.data, self.work.ctypes.data
        return int(compiled.run(compiled.RANDOM_GAMES, *where, players, first_seed, games))

    @property
    def digest(self) -> int:
        return int(self.work["digest"][0])


def calibration() -> float:
    """CPU seconds of the loop to which all figures are referred (best of 3)."""

    def once() -> float:
        x, d = 1, [0] * 1024
        start = time.process_time()
        for i in range(CALIBRATION_TURNS):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
            d[x & 1023] = i
        return time.process_time() - start

    return min(once() for _ in range(3))


def signed_maps() -> tuple[str, ...]:
    """The shipped maps whose mechanics are all of the first generation: a mechanic that is added leaves the signature
    of the others as it is."""
    return tuple(name for name in shipped_maps() if make_board(load_map(name)).position_words == GENERATION_ENDS[0])


def signature(games: int = SIGNATURE_GAMES) -> str:
    """A digest of the final positions of fixed random games on these maps: it changes when the rules do."""
    digest = 0
    for name in signed_maps():
        for players in range(2, 6):
            batch = Batch(name)
            batch.play(players, 0, games, defaults=False)
            digest = digest_words(digest, [batch.digest], 1)
    return f"{digest:016x}"


def interpreted_signature(games: int) -> str:
    """The same by the interpreted kernel."""
    digest = 0
    for name in signed_maps():
        board = make_board(load_map(name))
        for players in range(2, 6):
            inner = 0
            for seed in range(games):
                s = Position()
                random_game(s, board, Work(), players, seed, 0)
                inner = digest_words(inner, np.frombuffer(s.to_bytes(), np.int64).tolist(), board.position_words)
            digest = digest_words(digest, [inner], 1)
    return f"{digest:016x}"


def kernel_rate(map: str, players: int, seconds: float) -> Rate:
    """Random games inside the kernel on one thread, payments by default, final scoring included."""
    batch = Batch(map)
    batch.play(players, 0, 100, defaults=True)
    games = decisions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        decisions += batch.play(players, games, 1000, defaults=True)
        games += 1000
    spent = time.process_time() - start
    return Rate(map, players, "kernel", decisions / spent, games / spent)


def threads_rate(map: str, players: int, seconds: float, threads: int) -> Rate:
    """The same on several threads at once: the sum of what each does in its time by the clock on the wall."""
    batches = [Batch(map) for _ in range(threads)]

    def work(n: int) -> tuple[float, float]:
        games = decisions = 0
        while time.perf_counter() - start < seconds:
            decisions += batches[n].play(players, n * 10_000_000 + games, 500, defaults=True)
            games += 500
        spent = time.perf_counter() - start
        return decisions / spent, games / spent

    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(work, range(threads)))
    return Rate(map, players, "threads", sum(d for d, _ in done), sum(g for _, g in done))


def python_rate(map: str, players: int, seconds: float) -> Rate:
    """Step by step from Python: a code from the list of legal codes each time, the choice made in Python."""
    game = FastGame(map, players, 0)
    step, codes, reset, clock = game.step, game.codes, game.reset, time.process_time
    n, x, games, decisions = game.choices, 1, 0, 0
    start = clock()
    while clock() - start < seconds:
        for _ in range(1000):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
            n = step(codes[(x >> 8) % n])
            if not n:
                games += 1
                n = reset(players, games)
        decisions += 1000
    spent = clock() - start
    return Rate(map, players, "python", decisions / spent, games / spent)


def interpreted_rate(map: str, players: int, seconds: float) -> Rate:
    """Random games by the interpreted kernel."""
    board, w = make_board(load_map(map)), Work()
    games = decisions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        decisions += random_game(Position(), board, w, players, games, 1)
        games += 1
    spent = time.process_time() - start
    return Rate(map, players, "interpreted", decisions / spent, games / spent)


@dataclass(frozen=True, slots=True)
class BotRate:
    """What one core does of the bots that think: the planner's decisions and the rollouts of `rollout` in a second."""

    map: str
    players: int
    planner_decisions_per_s: float
    rollouts_per_s: float


def bot_rate(map: str, players: int, seconds: float) -> BotRate:
    """Games of the planner against itself, and rollouts from its positions, on one thread each."""
    data = load_map(map)
    start, games, decisions = time.process_time(), 0, 0.0
    while time.process_time() - start < seconds:
        decisions += 10 * play(Series(data, ("planner",) * players, 10, games), threads=1).decisions_per_game
        games += 10
    planner = decisions / (time.process_time() - start)
    spent, rollouts, bot = 0.0, 0, make_bot("planner", 0)
    game = Game.new(data, players, 0)
    while not game.is_over and spent < seconds:
        seat = game.to_act[0]
        view = game.view(seat)
        start = time.process_time()
        rollouts += think(view, threads=1, rollouts=100).rollouts
        spent += time.process_time() - start
        for _ in range(5):
            if not game.is_over:
                seat = game.to_act[0]
                game.play(bot.choose(game.view(seat), game.legal_actions(seat)), seat)
    return BotRate(map, players, planner, rollouts / spent)


def copies_per_s(seconds: float) -> float:
    """How many positions a second are copied from one array of positions to another."""
    a, b = (np.zeros(1000, Position.dtype()).view(np.int64) for _ in range(2))
    n = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        b[:] = a
        n += 1000
    return n / (time.process_time() - start)


def start_s(*words: str, cache: str | None = None) -> float:
    """Wall seconds of one run of a module, for instance of the command line; `cache` is where compiled code is kept."""
    environment = dict(os.environ) if cache is None else os.environ | {"BRANCHLINE_CACHE": cache}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def cold_start_s() -> float:
    """Wall seconds to compile the kernel from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        return start_s("branchline.kernel.warm", cache=folder)


def all_rates(seconds: float, threads: int, maps: tuple[str, ...], players: tuple[int, ...]) -> Iterator[Rate]:
    """Every mode on every map, one by one, so that progress can be shown."""
    for map in maps:
        for n in players:
            measures: list[Callable[[], Rate]] = [
                lambda: kernel_rate(map, n, seconds),  # noqa: B023  (called at once)
                lambda: threads_rate(map, n, seconds, threads),  # noqa: B023
                lambda: python_rate(map, n, seconds),  # noqa: B023
                lambda: interpreted_rate(map, n, seconds),  # noqa: B023
            ]
            for measure in measures:
                yield measure()
