"""The player that learns in one file: a few seconds of it are better than none."""

from __future__ import annotations

import numpy as np

from branchline.envs.example import Network, against_random, train


def test_a_little_practice_beats_random_play() -> None:
    network = train(minutes=0, games=128, rounds=40)
    unpractised = Network(len(network.scale), network.choices, np.zeros_like(network.scale))
    assert against_random(unpractised, games=100) < 0.65
    assert against_random(network, games=100) > 0.75
