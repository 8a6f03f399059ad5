"""How the search's strength grows with its time: its wins against the planner, from files of the arena.

    branchline arena --map iberia --bots search@0.3,planner --deals 40 --out iberia-0.3.jsonl      and so on
    python bench/strength.py docs/arena/*-2p-*.jsonl [--out docs/img/strength.svg]

A curve for each map, a point for each time, with its 95 % interval. Fair is 50 %; 64 % are 100 Elo. Contests that stop
when a test decides are left out: they flatter the winner.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.ink import INK, MARK, keep
from branchline.arena import Results, Summary, read_results
from branchline.arena.summary import Estimate
from branchline.maps import load_map, shipped_maps

APART = 0.035  # of the width, between the maps' points for the same time
Curve = dict[float, tuple[Estimate, int]]  # by seconds: the win rate, and the games it stands on


def point(results: Results) -> tuple[str, float, Estimate, int]:
    """Of a contest of two: map, seconds, win rate of the first bot, games."""
    summary = Summary(results)
    first = next(bot for bot in results.header.bots if bot.name == results.header.lineups[0][0])
    if first.seconds is None or results.header.players != 2:
        raise SystemExit(f"{first.name} has no clock, or there are not two players")
    return results.header.map, first.seconds, summary.pairs[0].win_rate, summary.games


def draw(axes: Axes, curves: dict[str, Curve]) -> None:
    axes.axhline(50, color="#8b7550", linewidth=1)
    axes.axhline(64, color="#8b7550", linewidth=1, linestyle=(0, (5, 4)))
    axes.annotate("100 Elo", (0.995, 64.5), xycoords=("axes fraction", "data"), ha="right", color="#57472f", fontsize=8)
    for n, name in enumerate(name for name in shipped_maps() if name in curves):
        curve = sorted(curves[name].items())
        at = [seconds * (1 + APART * (2 * n - 3)) for seconds, _ in curve]
        rates = [100 * rate.value for _, (rate, _) in curve]
        below = [100 * (rate.value - rate.interval[0]) for _, (rate, _) in curve]
        above = [100 * (rate.interval[1] - rate.value) for _, (rate, _) in curve]
        style = {"color": INK[name], "marker": MARK[name], "markersize": 5, "label": load_map(name).name}
        axes.errorbar(at, rates, yerr=[below, above], elinewidth=1, capsize=2.5, **style)
    times = sorted({seconds for curve in curves.values() for seconds in curve})
    axes.set_xscale("log")
    axes.set_xticks(times, [f"{seconds:g} s" for seconds in times])
    axes.minorticks_off()
    axes.set_xlim(times[0] / 1.4, times[-1] * 1.5)  # room for a word at the right
    axes.set(xlabel="seconds a decision, one thread", ylabel="wins against the planner, %", ylim=(30, 100))
    axes.legend(frameon=False, loc="upper left", ncols=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/img/strength.svg"))
    args = parser.parse_args()
    curves: defaultdict[str, Curve] = defaultdict(dict)
    for path in args.files:
        results = read_results(path)
        if results.header.sprt is not None:
            print(f"{path.name}: left out, it stopped when it was decided")
            continue
        name, seconds, rate, games = point(results)
        curves[name][seconds] = rate, games
        low, high = rate.interval
        print(f"{name} {seconds:g} s: {100 * rate.value:.1f} % ({100 * low:.0f}-{100 * high:.0f}) of {games} games")
    figure, axes = plt.subplots(figsize=(7.5, 4))
    draw(axes, curves)
    keep(figure, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
