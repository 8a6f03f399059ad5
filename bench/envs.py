"""How fast environments step, on one core: `python bench/envs.py [--games 2048] [--steps 200]`.

CPU seconds of `Batch.step` alone; choices are made beforehand, by chance. Games are at different points of their course
when they are timed: each has ended at least once. Prints a table, with the best of some parts of the steps (other work
on the machine slows them) and all together, and writes it with --out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.envs import Batch, aec
from branchline.maps import shipped_maps
from branchline.measure import calibration

PARTS = 5


class Rate(NamedTuple):
    """Decisions for a second of the CPU."""

    best: float
    all: float


def by_chance(batch: Batch, chance: np.random.Generator) -> np.ndarray:
    chosen: np.ndarray = np.argmax(batch.masks * chance.random(batch.masks.shape, dtype=np.float32), axis=1)
    return chosen


def steps_a_second(map: str, players: int, games: int, steps: int, *, observe: bool) -> Rate:
    batch, chance = Batch(map, players, games, seed=1, observe=observe), np.random.default_rng(0)
    over = np.zeros(games, np.bool_)
    while not over.all():
        batch.step(by_chance(batch, chance))
        over |= batch.ended
    seconds = [sum(timed(batch, by_chance(batch, chance)) for _ in range(steps // PARTS)) for _ in range(PARTS)]
    each = games * (steps // PARTS)
    return Rate(each / min(seconds), PARTS * each / sum(seconds))


def timed(batch: Batch, choices: np.ndarray) -> float:
    begun = time.process_time()
    batch.step(choices)
    return time.process_time() - begun


def petting_zoo_steps(map: str, steps: int) -> float:
    env = aec(map, players=2)
    env.reset(seed=1)
    begun = time.process_time()
    for _ in range(steps):
        seen, _, over, _, _ = env.last()
        if over:
            env.reset()
            continue
        env.step(int(np.argmax(seen["action_mask"])))
    return steps / (time.process_time() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--out", type=Path, help="a file for the figures")
    asked = parser.parse_args()
    found: dict[str, dict[str, Any]] = {}
    for map in shipped_maps():
        found[map] = {"PettingZoo": petting_zoo_steps(map, 2000)}
        print(f"{map}: PettingZoo {found[map]['PettingZoo']:,.0f}/s", flush=True)
        for players in (2, 4):
            for name, observe in (("masks", False), ("observations", True)):
                rate = steps_a_second(map, players, asked.games, asked.steps, observe=observe)
                found[map][f"{players} players, {name}"] = rate._asdict()
                print(
                    f"{map}, {players} players, {name}: {rate.all / 1e6:.2f} M/s, the best part {rate.best / 1e6:.2f}",
                    flush=True,
                )
    spent = calibration()
    print(f"calibration {spent:.3f} s")
    if asked.out:
        asked.out.write_text(json.dumps({"decisions a second": found, "calibration": spent}, indent=1) + "\n")


if __name__ == "__main__":
    main()
