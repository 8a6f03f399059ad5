"""Plays games of bots and fits the network of branchline/bots/rollout/evaluation.py to how they ended.

    python bench/evaluation.py [--games 3000] [--bots conductor,planner] [--out branchline/bots/rollout/evaluation.json]

Every game seats some of the bots, 2 to 5 of them, on one of the maps; now and then a choice is made by chance, for a
searcher will ask about positions to which no bot would come. The network learns the points a seat still gets. One game
in ten is kept apart: the report tells the error there, beside that of a guess that knows the mean of the map alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from branchline.bots import BOT_NUMBERS
from branchline.bots.rollout.evaluation import (
    F_SCORE,
    F_TO_GO,
    FEATURES,
    HIDDEN_UNITS,
    INPUT_SHIFT,
    OUTPUT_SHIFT,
    UNIT,
)
from branchline.bots.rollout.workspace import Room
from branchline.game import Game
from branchline.maps import shipped_maps

ONE_IN, CHAOS, MOST = 9, 40, 200
FINE = 64  # steps of a hidden unit for 1.0
BATCH = 2048

Rows = np.ndarray[Any, np.dtype[np.float64]]


def play(map: str, players: int, bots: list[int], games: int, seed: int) -> Rows:
    """Rows of descriptions, each with the points the seat ended with."""
    rng = np.random.default_rng(seed)
    room = Room(Game.new(map, players, 0).view(0))
    found = []
    for _ in range(games):
        seats = rng.choice(bots, players).tolist()
        found.append(room.sample(seats, int(rng.integers(1 << 60)), ONE_IN, CHAOS, MOST))
    return np.concatenate(found).astype(float)


class Net:
    """One hidden layer of rectifiers, fitted by Adam."""

    def __init__(self, x: Rows, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.mean, self.spread = x.mean(axis=0), x.std(axis=0) + 1e-6
        self.weights = [
            rng.normal(0, np.sqrt(2 / FEATURES), (FEATURES, HIDDEN_UNITS)),
            np.zeros(HIDDEN_UNITS),
            rng.normal(0, 0.1, HIDDEN_UNITS),
            np.zeros(1),
        ]

    def hidden(self, x: Rows) -> Rows:
        active: Rows = np.maximum(0, ((x - self.mean) / self.spread) @ self.weights[0] + self.weights[1])
        return active

    def __call__(self, x: Rows) -> Rows:
        value: Rows = self.hidden(x) @ self.weights[2] + self.weights[3]
        return value

    def fit(self, x: Rows, y: Rows, epochs: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        m = [np.zeros_like(w) for w in self.weights]
        v = [np.zeros_like(w) for w in self.weights]
        self.weights[3][:] = y.mean()
        steps, step = epochs * (len(x) // BATCH), 0
        for _ in range(epochs):
            order = rng.permutation(len(x))
            for first in range(0, len(x) - BATCH + 1, BATCH):
                some = order[first : first + BATCH]
                step += 1
                rate = 0.01 * (1 - step / (steps + 1))
                for i, g in enumerate(self.gradients(x[some], y[some])):
                    m[i] += 0.1 * (g - m[i])
                    v[i] += 0.001 * (g * g - v[i])
                    self.weights[i] -= rate * (m[i] / (1 - 0.9**step)) / (np.sqrt(v[i] / (1 - 0.999**step)) + 1e-8)

    def gradients(self, x: Rows, y: Rows) -> list[Rows]:
        z = (x - self.mean) / self.spread
        h = np.maximum(0, z @ self.weights[0] + self.weights[1])
        error = (h @ self.weights[2] + self.weights[3] - y) / len(y)
        back = np.outer(error, self.weights[2]) * (h > 0)
        return [z.T @ back, back.sum(axis=0), h.T @ error, np.array([error.sum()])]

    def whole(self) -> list[int]:
        """The weights as the kernel wants them."""
        inputs = self.weights[0] / self.spread[:, None]
        constants = self.weights[1] - self.mean @ inputs
        found: list[float] = []
        for j in range(HIDDEN_UNITS):
            found += list(inputs[:, j] * FINE * 2**INPUT_SHIFT)
            found += [constants[j] * FINE * 2**INPUT_SHIFT, self.weights[2][j] * UNIT * 2**OUTPUT_SHIFT / FINE]
        return [round(n) for n in [*found, self.weights[3][0] * UNIT * 2**OUTPUT_SHIFT]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=3000, help="on each map")
    parser.add_argument("--bots", default="conductor")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    bots = [BOT_NUMBERS[name] for name in args.bots.split(",")]
    parts = {2: 0.5, 3: 0.2, 4: 0.2, 5: 0.1}
    fitted, kept = [], {}
    for map in shipped_maps():
        rows = [play(map, n, bots, int(args.games * part), args.seed + n) for n, part in parts.items()]
        fitted += [r[: len(r) * 9 // 10] for r in rows]
        kept[map] = np.concatenate([r[len(r) * 9 // 10 :] for r in rows])
    data = np.concatenate(fitted)
    x, y = data[:, :FEATURES], data[:, FEATURES] - data[:, F_SCORE]
    print(f"{len(data)} rows")
    net = Net(x, args.seed)
    net.fit(x, y, args.epochs, args.seed)
    rest = np.concatenate(list(kept.values()))
    for map, table in kept.items():
        target = table[:, FEATURES] - table[:, F_SCORE]
        off = net(table[:, :FEATURES]) - target
        print(f"{map:8} error {off.std():.1f} of {target.std():.1f} points, {off.mean():+.1f} on the average")
    off = net(rest[:, :FEATURES]) - (rest[:, FEATURES] - rest[:, F_SCORE])
    slope, constant = np.polyfit(rest[:, F_TO_GO], np.abs(off) * 1.2533, 1)
    print(f"error {constant:.1f} points + {slope:.2f} a turn to go")
    if args.out:
        error = [round(float(constant), 2), round(float(slope), 3)]
        args.out.write_text(json.dumps({"bots": args.bots, "error": error, "net": net.whole()}) + "\n")


if __name__ == "__main__":
    main()
