"""A player that learns, in one file and NumPy alone: `python -m branchline.envs.example [--minutes 10]`.

A network of one hidden layer looks at an observation and says how good each choice is, and how many points are still
to come. It plays against itself, 512 games side by side. After every 32 steps each choice is made likelier that brought
more points than expected, and the others less likely (an actor and a critic, as the books call it). Then it meets
`random`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from branchline.envs.batch import Batch
from branchline.maps import shipped_maps

GAMES, STEPS, HIDDEN = 512, 32, 96
RATE, KEEP, ENTROPY = 2e-3, 0.995, 0.01  # of learning; of later points; for trying things out
POINTS = 50  # how many points count as one


class Network:
    """An observation in; the logarithm of each choice's chance and the points to come out."""

    def __init__(self, inputs: int, choices: int, scale: np.ndarray, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        self.scale, self.choices = scale, choices
        self.weights = [
            chance.normal(0, inputs**-0.5, (inputs, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            chance.normal(0, 0.01, (HIDDEN, choices + 1)).astype(np.float32),
            np.zeros(choices + 1, np.float32),
        ]
        self._first = [np.zeros_like(w) for w in self.weights]
        self._second = [np.zeros_like(w) for w in self.weights]
        self._steps = 0

    def hidden(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scaled = np.clip(seen * self.scale, -3, 3)
        return scaled, np.maximum(scaled @ self.weights[0] + self.weights[1], 0)

    def forward(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The scaled input, the hidden layer, chances of the allowed choices, points to come."""
        scaled, hidden = self.hidden(seen)
        out = hidden @ self.weights[2] + self.weights[3]
        logits = np.where(masks, out[:, :-1], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return scaled, hidden, chances / chances.sum(axis=1, keepdims=True), out[:, -1]

    def choose(self, seen: np.ndarray, masks: np.ndarray, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """One choice a row, by its chances, and the points to come."""
        _, _, chances, value = self.forward(seen, masks)
        steps = chances.cumsum(axis=1)
        at = (steps < chance.random((len(seen), 1)) * steps[:, -1:]).sum(axis=1)
        return np.where(
            masks[np.arange(len(seen)), np.minimum(at, self.choices - 1)], at, chances.argmax(axis=1)
        ), value

    def learn(self, seen: np.ndarray, masks: np.ndarray, chosen: np.ndarray, returns: np.ndarray) -> None:
        """One step of Adam towards choices that brought more than expected."""
        scaled, hidden, chances, value = self.forward(seen, masks)
        gain = returns - value
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        rows, n = np.arange(len(seen)), len(seen)
        surprise = -np.log(chances + 1e-9)
        spread = (chances * surprise).sum(axis=1, keepdims=True)
        out = np.empty((n, self.choices + 1), np.float32)
        out[:, :-1] = chances * gain[:, None] - ENTROPY * chances * (surprise - spread)
        out[rows, chosen] -= gain
        out[:, -1] = value - returns
        out /= n
        back = (out @ self.weights[2].T) * (hidden > 0)
        self._adam([scaled.T @ back, back.sum(axis=0), hidden.T @ out, out.sum(axis=0)])

    def _adam(self, slopes: list[np.ndarray]) -> None:
        self._steps += 1
        for weight, first, second, slope in zip(self.weights, self._first, self._second, slopes, strict=True):
            first += 0.1 * (slope - first)
            second += 0.01 * (slope**2 - second)
            size = first / (1 - 0.9**self._steps)
            weight -= RATE * size / (np.sqrt(second / (1 - 0.99**self._steps)) + 1e-8)


@dataclass
class Round:
    """What was seen, allowed and chosen in some steps of all games, and what each choice brought in the end."""

    seen: np.ndarray
    masks: np.ndarray
    chosen: np.ndarray
    returns: np.ndarray
    totals: list[int]


def points(batch: Batch) -> np.ndarray:
    """The points of tracks so far, by game and seat."""
    turned = batch.observations[:, batch.layout.features["score"].slice]
    at = (np.arange(batch.players) - batch.seats[:, None]) % batch.players
    return np.take_along_axis(turned, at, axis=1) / POINTS


def play_round(batch: Batch, network: Network, chance: np.random.Generator) -> Round:
    """Play some steps of all games, then count backwards what came after each choice."""
    games = np.arange(batch.games)
    steps, totals = [], []
    for _ in range(STEPS):
        before, seat = points(batch), batch.seats.copy()
        seen, masks = batch.observations.copy(), batch.masks.copy()
        chosen, value = network.choose(seen, masks, chance)
        batch.step(chosen)
        ended, final = batch.ended.copy(), batch.totals / POINTS - before
        totals += batch.totals[ended].ravel().tolist()
        gained = np.where(ended, 0, points(batch)[games, seat] - before[games, seat])
        steps.append((seen, masks, chosen, seat, value, ended, final, gained))
    ahead = np.zeros((batch.games, batch.players))
    ahead[games, batch.seats] = network.choose(batch.observations, batch.masks, chance)[1]
    for s in range(batch.players):  # a seat that is not asked now: as it was judged when it was asked last
        for _, _, _, seat, value, *_ in steps:
            ahead[:, s] = np.where((seat == s) & (batch.seats != s), value, ahead[:, s])
    returns = []
    for _, _, _, seat, _, ended, final, gained in reversed(steps):
        ahead = np.where(ended[:, None], final, ahead)
        ahead[games, seat] = np.where(ended, ahead[games, seat], gained + KEEP * ahead[games, seat])
        returns.append(ahead[games, seat].copy())
    parts = [np.concatenate([step[k] for step in steps]) for k in range(3)]
    seen, masks, chosen = parts
    return Round(seen, masks, chosen, np.concatenate(returns[::-1]).astype(np.float32), totals)


def train(minutes: float, games: int = GAMES, seed: int = 1, rounds: int | None = None) -> Network:
    """A network that has played against itself for so long, or for so many rounds."""
    batch = Batch(shipped_maps()[0], players=2, games=games, seed=seed, settle_details=True)
    chance = np.random.default_rng(seed)
    for _ in range(64):  # see a little of everything first
        batch.step(np.argmax(batch.masks * chance.random(batch.masks.shape), axis=1))
    scale = 1 / np.maximum(np.abs(batch.observations).mean(axis=0) * 2, 0.5)
    network = Network(batch.layout.size, batch.layout.choices, scale.astype(np.float32), seed)
    recent: list[int] = []
    begun, n = time.monotonic(), 0
    while time.monotonic() - begun < minutes * 60 if rounds is None else n < rounds:
        played = play_round(batch, network, chance)
        order = chance.permutation(len(played.chosen))
        for part in np.array_split(order, max(1, len(order) // 4096)):
            network.learn(played.seen[part], played.masks[part], played.chosen[part], played.returns[part])
        n, recent = n + 1, (recent + played.totals)[-1000:]
        if n % 20 == 0 and recent:
            print(f"{time.monotonic() - begun:5.0f} s, {n * STEPS * games:,} decisions: {np.mean(recent):.1f} points")
    return network


def against_random(network: Network, games: int = 400, seed: int = 999) -> float:
    """The share of victories of the network, each seat in half of the games."""
    batch = Batch(shipped_maps()[0], players=2, games=games, seed=seed, settle_details=True, again=False)
    chance, mine = np.random.default_rng(seed), np.arange(games) % 2
    won = 0.0
    while (batch.seats >= 0).any():
        chosen, _ = network.choose(batch.observations, batch.masks, chance)
        free = np.argmax(batch.masks * chance.random(batch.masks.shape), axis=1)
        batch.step(np.where(batch.seats == mine, chosen, free))
        won += batch.rewards[np.arange(games), mine].sum()
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach a small network the game.")
    parser.add_argument("--minutes", type=float, default=10, help="how long it plays against itself (default 10)")
    network = train(parser.parse_args().minutes)
    print(f"against random it wins {100 * against_random(network):.1f} % of 400 games")


if __name__ == "__main__":
    main()
