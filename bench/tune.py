"""Better numbers for the planner by evolution: many sets of numbers play, the next generation is drawn round the best.

    python bench/tune.py --minutes 9 --processes 16 --out tuned.json [--from tuned.json] [--rivals path,conductor]

A generation is a cloud of sets round a centre (CMA-ES: the cloud learns its shape). Every set plays the same deals on
every map with two and with four players, against each rival in turn. Its fitness is the mean, over the games, of a
smooth step of its lead over the best rival: about its share of wins, but less noisy. `planner` as a rival plays by the
numbers in branchline/bots/planner/tuning.py. The file holds the centre; it is written after every generation.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for each other's small matrices cost the most

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.bots.compiled.space import WorkSpace
from branchline.bots.games import match
from branchline.bots.games.match import GAME_NOTES, N_PLACE, N_SCORE, NOTES, PLANNER_BOT, PLANNER_TWIN, SEAT_NOTES
from branchline.bots.games.request import SERIES
from branchline.bots.planner import numbers as known
from branchline.bots.planner.numbers import DEFAULTS
from branchline.maps import load_map

NAMES = sorted(known.NAMES, key=lambda name: known.NAMES[name])
COUNTS = [
    "P_KEEP_SPARE",
    "P_KEEP_TIME",
    "P_EXTRA_MOST",
    "P_EXTRA_RESERVE",
    "P_TICKETS_TIME",
    "P_WISH_GAIN",
    "P_WISH_WORTH",
    "P_TUNNEL_RESERVE",
    "P_STATION_TURNS",
    "P_END_TRAIN",
    "P_END_HAND",
    "P_RISK_BASE",
    "P_RISK_END",
    "P_RISK_SHORT",
    "P_RISK_WANTED",
    "P_LAST_TURNS",
    "P_EXTRA_PLAN",
    "P_EXTRA_DRAFT",
    "P_FLOW",
]
SMOOTH = 25  # points of lead at which a game counts three quarters won
FIXED = {"P_ORDERS", "P_REGRET"}
RIVALS = {"planner": PLANNER_TWIN}
RIVALS |= {n.removesuffix("_BOT").lower(): v for n, v in vars(match).items() if n.endswith("_BOT") and v != PLANNER_BOT}

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@lru_cache
def space(map_name: str) -> WorkSpace:
    """Memory for the games of one map."""
    return WorkSpace(load_map(map_name))


def play(task: tuple[Any, ...]) -> tuple[float, float, float]:
    """Play a set of numbers in a series; its mean fitness, share of wins and score."""
    numbers, map_name, rivals, players, seed, games = task
    bots = [PLANNER_BOT, *(rivals[i % len(rivals)] for i in range(players - 1))]
    notes = np.zeros((games, NOTES), np.int64)
    room = space(map_name)
    room.tune(known.sets(tuple(numbers)))
    room.ask(SERIES, notes, entries=bots, players=players, seed=seed, first=0, games=games, rotate=1, log_n=0)
    seats = notes[:, GAME_NOTES : GAME_NOTES + SEAT_NOTES * players].reshape(games, players, SEAT_NOTES)
    row, me = np.arange(games), np.arange(games) % players
    score = seats[:, :, N_SCORE].astype(float)
    mine = score[row, me].copy()
    score[row, me] = -1000
    lead = mine - score.max(1)
    firsts = (seats[:, :, N_PLACE] == 1).sum(1)
    wins = (seats[row, me, N_PLACE] == 1) / firsts
    return float((1 / (1 + np.exp(-lead / SMOOTH))).mean()), float(wins.mean()), float(mine.mean())


def tables(rivals: list[int], maps: list[str], generation: int) -> list[tuple[str, list[int], int]]:
    """The tables at which a set plays: on every map each rival alone, and a mixed table of four."""
    shift = generation % len(rivals)
    mixed = rivals[shift:] + rivals[:shift]
    found = [(m, [rival], 2) for m in maps for rival in rivals]
    return found + [(m, mixed, 4) for m in maps for _ in range((len(rivals) + 1) // 2)]


class Cloud:
    """CMA-ES in plain NumPy, over numbers scaled so that a step of 1 matters about as much in each."""

    def __init__(self, centre: Numbers, scale: Numbers, size: int, step: float) -> None:
        self.n, self.size, self.step, self.scale = len(centre), size, step, scale
        self.mean = centre / scale
        self.covariance, self.path, self.step_path = np.eye(self.n), np.zeros(self.n), np.zeros(self.n)
        weights = np.log(size / 2 + 0.5) - np.log(np.arange(1, size // 2 + 1))
        self.weights = weights / weights.sum()
        mu = 1 / (self.weights**2).sum()
        self.mu = mu
        self.c_step = (mu + 2) / (self.n + mu + 5)
        self.damping = 1 + self.c_step
        self.c_path = (4 + mu / self.n) / (self.n + 4 + 2 * mu / self.n)
        self.c_one = 2 / ((self.n + 1.3) ** 2 + mu)
        self.c_mu = min(1 - self.c_one, 2 * (mu - 2 + 1 / mu) / ((self.n + 2) ** 2 + mu))

    def draw(self, rng: np.random.Generator) -> Numbers:
        values, axes = np.linalg.eigh(self.covariance)
        self.axes, self.lengths = axes, np.sqrt(np.maximum(values, 1e-8))
        half = rng.standard_normal((self.size // 2, self.n))
        steps = np.concatenate([half, -half]) * self.lengths @ axes.T
        self.steps = steps
        drawn: Numbers = (self.mean + self.step * steps) * self.scale
        return drawn

    def learn(self, fitness: Numbers) -> None:
        best = self.steps[np.argsort(-fitness)[: self.size // 2]]
        move = self.weights @ best
        self.mean = self.mean + self.step * move
        white = self.axes @ ((move @ self.axes) / self.lengths)
        self.step_path += self.c_step * -self.step_path + np.sqrt(self.c_step * (2 - self.c_step) * self.mu) * white
        self.path += self.c_path * -self.path + np.sqrt(self.c_path * (2 - self.c_path) * self.mu) * move
        rank = (best * self.weights[:, None]).T @ best
        keep = 1 - self.c_one - self.c_mu
        self.covariance = keep * self.covariance + self.c_one * np.outer(self.path, self.path) + self.c_mu * rank
        usual = np.sqrt(self.n) * (1 - 1 / (4 * self.n))
        grow = np.exp((np.linalg.norm(self.step_path) / usual - 1) * self.c_step / self.damping)
        self.step = float(np.clip(self.step * grow, 0.15, 1.5))  # noise must not stop the search


def start(path: Path | None) -> dict[str, float]:
    """The numbers to begin with."""
    found = {name: float(DEFAULTS[known.NAMES[name]]) for name in NAMES}
    if path:
        found |= json.loads(path.read_text())["tuning"]
    return found


def whole(numbers: Numbers) -> list[int]:
    return [round(x) for x in numbers]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="source", type=Path)
    parser.add_argument("--rivals", default="path,conductor")
    parser.add_argument("--maps", default="usa,europe,iberia,africa")
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--games", type=int, default=40, help="by each set at each table")
    parser.add_argument("--step", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rivals, maps = [RIVALS[name] for name in args.rivals.split(",")], args.maps.split(",")
    values = start(args.source)
    base = np.array([values[name] for name in NAMES])
    free = np.array([i for i, name in enumerate(NAMES) if name not in FIXED])
    scale = np.array([max(1.0 if name in COUNTS else 6.0, 0.25 * abs(v)) for name, v in zip(NAMES, base, strict=True)])
    cloud = Cloud(base[free], scale[free], args.size, args.step)
    rng = np.random.default_rng(args.seed)
    begun = time.time()
    with multiprocessing.Pool(args.processes) as pool:
        generation = 0
        while time.time() - begun < 60 * args.minutes:
            sets = np.tile(base, (args.size + 1, 1))
            sets[: args.size, free] = cloud.draw(rng)
            sets[args.size, free] = cloud.mean * cloud.scale
            at = tables(rivals, maps, generation)
            seed = args.seed * 100_000 + generation
            tasks = [(whole(numbers), *table, seed, args.games) for numbers in sets for table in at]
            results = np.array(pool.map(play, tasks, 4)).reshape(args.size + 1, len(at), 3)
            cloud.learn(results[: args.size, :, 0].mean(1))
            generation += 1
            base[free] = cloud.mean * cloud.scale
            centre = results[args.size]
            two = np.array([players == 2 for _, _, players in at])
            print(
                f"{generation:4d}  {time.time() - begun:5.0f} s  fitness {centre[:, 0].mean():.3f} "
                f"(all {results[: args.size, :, 0].mean():.3f})  wins 2p {100 * centre[two, 1].mean():.1f} % "
                f"4p {100 * centre[~two, 1].mean():.1f} %  points {centre[:, 2].mean():.1f}  step {cloud.step:.2f}",
                flush=True,
            )
            found = {name: round(v, 2) for name, v in zip(NAMES, base, strict=True)}
            args.out.write_text(json.dumps({"generation": generation, "tuning": found}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
