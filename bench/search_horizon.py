"""What the value of a candidate says after one more own turn, after two and so on, and how much of it is chance.

    OPENBLAS_NUM_THREADS=1 python bench/search_horizon.py --seconds 150 --seed 7

Positions of games of the network against itself on four maps. Every candidate is played on in the same worlds for six
own turns, and the network judges at each. The choice by one half of the worlds, after so many own turns and with so
much for the logarithm of the prior, is judged by the other half after six: the mean gain on the policy's own choice.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from branchline import Game
from branchline.bots import make_bot
from branchline.bots.net.player import network
from branchline.bots.search.playing import MARGIN_AT, RESULT, Playing
from branchline.bots.search.race import MARGIN_PART, MARGIN_SCALE
from branchline.bots.search.steps import GAME_OVER, SEAT_AT, TURN_AT
from branchline.bots.search.thinking import _Search
from branchline.kernel.rollout import is_detail
from branchline.view import View

MAPS = ("iberia", "usa", "africa", "europe")
TURNS, WORLDS, EACH = 6, 40, 4  # positions of a game
PRIORS = (0.0, 0.001, 0.002, 0.004, 0.01, 1.0)

Array = np.ndarray[Any, np.dtype[Any]]


class Weighed(NamedTuple):
    """The candidates of a position."""

    chances: Array
    values: Array  # [worlds, candidates, turns]


def values(room: Playing, codes: list[int]) -> Array:
    """What the network says at each own turn, or the end of the game once it is over."""
    games = np.repeat(room.imagine(0, WORLDS), len(codes), 0)
    found = np.zeros((len(games), TURNS, RESULT))
    which, chosen, mover = np.arange(len(games)), np.tile(codes, WORLDS), room._seat
    turns = np.zeros(len(games), np.int64)
    while len(which):
        seen, told = room._lockstep.step(games, which, chosen, mover)
        mover = -1
        over = told[:, SEAT_AT] == GAME_OVER
        ends = np.zeros((len(games), RESULT))
        room._note_ends(ends, which[over], told[over])
        for i in which[over]:
            found[i, turns[i] :] = ends[i]
        which, seen, told = which[~over], seen[~over], told[~over]
        if not len(which):
            break
        judged = room._engine.judge(room._data, seen)
        own = (told[:, SEAT_AT] == room._seat) & (told[:, TURN_AT] == 1)
        at = which[own]
        found[at, turns[at], : room._players] = room._by_seat(judged.wins[own])
        found[at, turns[at], MARGIN_AT] = judged.margins[own]
        turns[at] += 1
        goes_on = ~own | (turns[which] < TURNS)
        which, chosen = which[goes_on], judged.codes[goes_on]
    ahead = 1 / (1 + np.exp(-found[..., MARGIN_AT] / MARGIN_SCALE))
    value = (1 - MARGIN_PART) * found[..., room._seat] + MARGIN_PART * ahead
    return value.reshape(WORLDS, len(codes), TURNS)


def weighed(view: View) -> Weighed | None:
    net, search = network(), _Search(view, 1, 1)
    assert net is not None
    if is_detail(search._position, search._seat):
        return None
    codes, chances = search._candidates(net.think(view.map, view.to_bytes(), search._seat))
    if len(codes) < 2:
        return None
    search._make_rooms(net)
    return Weighed(np.array(chances), values(search._rooms[0], codes))


def some_views(seed: int, chance: np.random.Generator) -> list[View]:
    """Some views of a game of two networks, each with something to choose."""
    game, bot, found = Game.new(MAPS[seed % len(MAPS)], players=2, seed=seed), make_bot("net", 0), []
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        if len(game.legal_actions(seat)) > 1:
            found.append(view)
        game.play(bot.choose(view, game.legal_actions(seat)), seat)
    return [found[i] for i in chance.choice(len(found), EACH, replace=False)]


def tell(found: list[Weighed]) -> None:
    print(f"{len(found)} positions")
    noise = np.mean([(one.values[:, 1:] - one.values[:, :1]).std(0).mean(0) for one in found], 0)
    print("chance in a difference, by turns:", " ".join(f"{x:.3f}" for x in noise))
    half = WORLDS // 2
    for prior in PRIORS:
        row = []
        for turn in range(TURNS):
            gains = []
            for one in found:
                merit = one.values[:half, :, turn].mean(0) + prior * np.log(one.chances)
                judge = one.values[half:, :, -1].mean(0)
                gains.append(judge[merit.argmax()] - judge[0])
            row.append(f"{100 * np.mean(gains):+.2f} ± {196 * np.std(gains) / len(gains) ** 0.5:.2f}")
        print(f"prior {prior:g}, gain in hundredths by turns:", ", ".join(row), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=150.0)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    found: list[Weighed] = []
    chance, start, seed = np.random.default_rng(args.seed), time.process_time(), 1000 * args.seed
    while time.process_time() - start < args.seconds:
        found += [one for view in some_views(seed, chance) if (one := weighed(view)) is not None]
        seed += 1
    tell(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
