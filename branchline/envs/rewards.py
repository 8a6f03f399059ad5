"""What the end of a game is worth to each seat: a fraction of whole numbers, from totals and places by seat.

Kernel Python, so that one function serves all: batches on the CPU and on a GPU, and environments of one game.

- `win`: 1 shared by the winners, 0 for the others.
- `margin`: the points ahead of the best of the others, in hundreds.
- `rank`: from 1 for the first to -1 for the last, evenly; who shares a place gets the mean of those shared.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from branchline.kernel.primitives import kernel

Reward: TypeAlias = Literal["win", "margin", "rank"]
NAMES: tuple[Reward, ...] = get_args(Reward)
BY_WIN, BY_MARGIN, BY_RANK = range(3)  # their numbers


@kernel
def reward_above(totals: list[int], places: list[int], players: int, seat: int, kind: int) -> int:
    """A seat's reward times `reward_below`."""
    if kind == BY_WIN:
        return 1 if places[seat] == 1 else 0
    if kind == BY_RANK:
        ahead = 0
        for other in range(players):  # two for each who is better, one for each who is as good, the seat itself too
            ahead += 2 if places[other] < places[seat] else 1 if places[other] == places[seat] else 0
        return players - ahead
    best = -32768
    for other in range(players):
        if other != seat:
            best = max(best, totals[other])
    return totals[seat] - best


@kernel
def reward_below(places: list[int], players: int, kind: int) -> int:
    if kind == BY_MARGIN:
        return 100
    if kind == BY_RANK:
        return players - 1
    winners = 0
    for seat in range(players):
        winners += 1 if places[seat] == 1 else 0
    return winners


def number_of(reward: Reward) -> int:
    """The number of a kind of reward, by which the kernel knows it."""
    if reward not in NAMES:
        raise ValueError(f"reward {reward!r}: there are {', '.join(NAMES)}")
    return NAMES.index(reward)


def rewards_of(reward: Reward, totals: list[int], places: list[int]) -> list[float]:
    """By seat, of one game."""
    kind, players = number_of(reward), len(totals)
    below = reward_below(places, players, kind)
    return [reward_above(totals, places, players, seat, kind) / below for seat in range(players)]
