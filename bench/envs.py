"""How fast environments step, on one core: `python bench/envs.py [--games 2048] [--steps 200]`.

CPU seconds of `Batch.step` alone; choices are made beforehand, by chance. Prints a table and, with --out, writes it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.envs import Batch, aec
from branchline.maps import shipped_maps
from branchline.measure import calibration


def steps_a_second(map: str, players: int, games: int, steps: int, *, observe: bool) -> float:
    batch, chance = Batch(map, players, games, seed=1, observe=observe), np.random.default_rng(0)
    seconds = 0.0
    for _ in range(steps):
        choices = np.argmax(batch.masks * chance.random(batch.masks.shape, dtype=np.float32), axis=1)
        begun = time.process_time()
        batch.step(choices)
        seconds += time.process_time() - begun
    return games * steps / seconds


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
    found: dict[str, dict[str, float]] = {}
    for map in shipped_maps():
        rates = {
            f"{players} players, {name}": steps_a_second(map, players, asked.games, asked.steps, observe=observe)
            for players in (2, 4)
            for name, observe in (("masks", False), ("observations", True))
        }
        found[map] = rates | {"PettingZoo": petting_zoo_steps(map, 2000)}
        print(map, *(f"{name} {rate / 1e6:.2f} M/s" for name, rate in rates.items()), sep="; ", end="; ")
        print(f"PettingZoo {found[map]['PettingZoo']:,.0f}/s")
    spent = calibration()
    print(f"calibration {spent:.3f} s")
    if asked.out:
        asked.out.write_text(json.dumps({"decisions a second": found, "calibration": spent}, indent=1) + "\n")


if __name__ == "__main__":
    main()
