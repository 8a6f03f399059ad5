"""What the end of a game is worth to each seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

Reward: TypeAlias = Literal["win", "margin", "rank"]


def win(totals: np.ndarray, places: np.ndarray) -> Any:
    """1 shared by the winners, 0 for the others."""
    winners = places == 1
    return winners / winners.sum(axis=1, keepdims=True)


def margin(totals: np.ndarray, places: np.ndarray) -> Any:
    """The points ahead of the best of the others, in hundreds."""
    others = np.repeat(totals[:, None, :].astype(np.float32), totals.shape[1], axis=1)
    others[:, np.arange(totals.shape[1]), np.arange(totals.shape[1])] = -np.inf
    return (totals - others.max(axis=2)) / 100


def rank(totals: np.ndarray, places: np.ndarray) -> Any:
    """From 1 for the first to -1 for the last, evenly; who shares a place gets the mean of those shared."""
    better = (places[:, None, :] < places[:, :, None]).sum(axis=2)
    equal = (places[:, None, :] == places[:, :, None]).sum(axis=2)
    return 1 - 2 * (better + (equal - 1) / 2) / (totals.shape[1] - 1)


REWARDS: dict[Reward, Callable[[np.ndarray, np.ndarray], Any]] = {"win": win, "margin": margin, "rank": rank}
