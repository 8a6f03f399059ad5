"""How many positions a second the network looks at by NumPy, one by one and in batches; CPU seconds, one thread.

    OPENBLAS_NUM_THREADS=1 python bench/training_batches.py [--map usa,africa] [--sizes 1,4,16,64] [--seconds 1]

The positions are those of one game of the network against itself. `think_many` writes the observations too; `judge` has
them already, as a search does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from branchline import Game
from branchline.bots import make_bot
from branchline.training import inference
from branchline.training.inference import SEEN, engine


def positions(map: str) -> list[tuple[bytes, int]]:
    """What the seats of one game could see when they chose."""
    game, bot = Game.new(map, players=2, seed=3), make_bot("net", 0)
    found = []
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        found.append((view.to_bytes(), seat))
        game.play(bot.choose(view, game.legal_actions(seat)), seat)
    return found


def rate(run: Callable[[], object], each: int, seconds: float) -> float:
    """Positions for a second of the CPU."""
    run()
    start, n = time.process_time(), 0
    while time.process_time() - start < seconds:
        run()
        n += each
    return n / (time.process_time() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--map", default="usa,africa")
    parser.add_argument("--sizes", default="1,4,8,16,32,64,128")
    parser.add_argument("--seconds", type=float, default=1.0)
    args = parser.parse_args()
    net = engine()
    for name in args.map.split(","):
        found = positions(name)[:128]
        data, (views, seats) = Game.new(name, players=2, seed=3).map, zip(*found, strict=True)
        one = rate(partial(net.choose, data, views[40], seats[40]), 1, args.seconds)
        print(f"{name}: one by one {one:,.0f}/s")
        seen = np.array([net.observe(data, *at).copy() for at in found], SEEN)
        for size in map(int, args.sizes.split(",")):
            inference.BATCH = size
            many = rate(partial(net.think_many, data, views, seats), len(found), args.seconds)
            judged = rate(partial(net.judge, data, seen), len(found), args.seconds)
            print(f"{name}: {size} at once: think_many {many:,.0f}/s, judge {judged:,.0f}/s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
