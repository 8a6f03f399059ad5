"""Contests of `search` with a fixed number of tries a decision: a busy machine makes them slow, and nothing else.

    export OPENBLAS_NUM_THREADS=1
    python bench/search_tries.py --tries 48 --against net --deals 25 --out results/search/48-net.jsonl

Two players; every deal is played with both seatings, map after map, a line a deal. `--against rollout:100` gives the
bot `rollout` so many rollouts. Numbers of the search can be set, for trying things out: `--set race.PRIOR=0.01`. With
`--report FILE ...` it only tells what files say.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from branchline import Game
from branchline.bots import Bot, make_bot

MAPS = "usa,europe,iberia,africa"


def opponent(spec: str, seed: int) -> Bot:
    name, _, tries = spec.partition(":")
    return make_bot(name, seed, threads=1, rollouts=int(tries) if tries else None)


def play(map: str, seed: int, tries: int, against: str, own: int) -> tuple[float, int]:
    """Whether the search won, a shared win counting half, and by how many points."""
    game = Game.new(map, players=2, seed=seed)
    search = make_bot("search", seed, threads=1, rollouts=tries)
    bots = [opponent(against, seed), search] if own else [search, opponent(against, seed)]
    while not game.is_over:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
    sheets = game.scores()
    margin = sheets[own].total - sheets[1 - own].total
    shared = sheets[own].place == sheets[1 - own].place
    return (0.5 if shared else float(sheets[own].place == 1)), margin


def report(rows: list[dict[str, Any]]) -> None:
    """The rate of wins with a 95 % interval over deals, and the mean margin: of each map, and of all."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["map"]].append(row)
    for name, some in (*groups.items(), ("all", rows)):
        wins = np.array([np.mean(row["won"]) for row in some])
        margins = np.array([np.mean(row["margins"]) for row in some])
        error = 196 * wins.std(ddof=1) / len(wins) ** 0.5 if len(wins) > 1 else 100
        points = 1.96 * margins.std(ddof=1) / len(margins) ** 0.5 if len(wins) > 1 else 100
        rate = f"{100 * wins.mean():.1f} % ± {error:.1f}"
        print(f"{name}: {rate}, {margins.mean():+.1f} ± {points:.1f} points, {2 * len(wins)} games")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", default=MAPS)
    parser.add_argument("--tries", type=int, default=48)
    parser.add_argument("--against", default="net")
    parser.add_argument("--deals", type=int, default=10, help="of each map")
    parser.add_argument("--seed", type=int, default=61000)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--report", nargs="+", type=Path)
    args = parser.parse_args()
    if args.report:
        report([json.loads(line) for path in args.report for line in path.read_text().splitlines()])
        return 0
    for setting in args.set:
        place, value = setting.split("=")
        module, name = place.split(".")
        setattr(importlib.import_module(f"branchline.bots.search.{module}"), name, json.loads(value))
    rows: list[dict[str, Any]] = []
    for deal in range(args.deals):
        for name in args.maps.split(","):
            start = time.process_time()
            played = [play(name, args.seed + deal, args.tries, args.against, own) for own in (0, 1)]
            won, margins = zip(*played, strict=True)
            row = {"map": name, "seed": args.seed + deal, "tries": args.tries, "against": args.against}
            rows.append(row | {"set": args.set, "won": won, "margins": margins, "cpu_s": time.process_time() - start})
            if args.out:
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
    report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
