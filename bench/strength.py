"""How strength grows with time: the Elo of `rollout` above the planner, from files of the arena.

    branchline arena --map iberia --bots rollout@0.3,planner --deals 40 --out iberia-0.3.jsonl      and so on
    branchline arena --map iberia --bots rollout@3,rollout@1 --deals 15 --out iberia-3-1.jsonl
    python bench/strength.py results/arena/*-2p-*.jsonl [--out docs/img/strength.svg]

All contests of a map are one pool, whether against the planner or against `rollout` with less time. The contests
kept call it search, as it was called when they were played. A curve for each
map, with 95 % intervals, and their mean. Contests that stop when a test decides are left out: they flatter the winner.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.ink import INK, MARK, keep
from branchline.arena import Results, Summary, read_results
from branchline.arena.ratings import Rating
from branchline.arena.results import merge
from branchline.arena.summary import Pair
from branchline.maps import load_map, shipped_maps

ANCHOR = "planner"
APART = 0.035  # of the width, between the maps' points for the same time
Curve = dict[float, Rating]  # by seconds


def named_by_time(results: Results) -> Results:
    """The same results, every bot with a clock named by its seconds, however it was called then."""
    header = results.header
    names = {bot.name: bot.name if bot.seconds is None else f"rollout@{bot.seconds:g}" for bot in header.bots}
    return Results(
        replace(
            header,
            bots=tuple(replace(bot, name=names[bot.name], spec=names[bot.name]) for bot in header.bots),
            lineups=tuple(tuple(names[name] for name in lineup) for lineup in header.lineups),
        ),
        tuple(replace(deal, lineup=tuple(names[name] for name in deal.lineup)) for deal in results.deals),
    )


def pools(paths: Iterable[Path]) -> dict[str, Summary]:
    """The contests of each map as one."""
    parts: defaultdict[str, list[tuple[Path, Results]]] = defaultdict(list)
    for path in paths:
        results = read_results(path)
        if results.header.players != 2:
            raise SystemExit(f"{path.name}: not a contest of two")
        if results.header.sprt is not None:
            print(f"{path.name}: left out, it stopped when it was decided")
        else:
            parts[results.header.map].append((path, named_by_time(results)))
    return {name: Summary(merge(parts[name], any_code=True), ANCHOR, 0.0) for name in shipped_maps() if name in parts}


def curve_of(summary: Summary) -> Curve:
    seconds = {bot.name: bot.seconds for bot in summary.header.bots if bot.seconds is not None}
    return {seconds[name]: rating for name, rating in summary.elo.items() if name in seconds}


def mean_of(curves: Sequence[Curve]) -> Curve:
    """The mean of the maps, at the times that were played on all of them."""
    times = set.intersection(*(set(curve) for curve in curves))
    n = len(curves)
    return {
        t: Rating(sum(c[t].value for c in curves) / n, math.hypot(*(c[t].margin for c in curves)) / n)
        for t in sorted(times)
    }


def draw(axes: Axes, curves: dict[str, Curve], mean: Curve) -> None:
    axes.axhline(0, color="#8b7550", linewidth=1)
    planner: dict[str, Any] = {"color": "#57472f", "ha": "right", "xycoords": ("axes fraction", "data")}
    axes.annotate("the planner", (0.995, 6), fontsize=8, **planner)
    for n, (name, curve) in enumerate(curves.items()):
        points = sorted(curve.items())
        at = [seconds * (1 + APART * (2 * n - 3)) for seconds, _ in points]
        style: dict[str, Any] = {"color": INK[name], "marker": MARK[name], "label": load_map(name).name}
        values, margins = [rating.value for _, rating in points], [rating.margin for _, rating in points]
        axes.errorbar(at, values, yerr=margins, markersize=5, linewidth=1, capsize=2.5, alpha=0.8, **style)
    axes.plot(list(mean), [rating.value for rating in mean.values()], color="#2b2117", linewidth=2.5, label="mean")
    times = sorted({seconds for curve in curves.values() for seconds in curve})
    axes.set_xscale("log")
    axes.set_xticks(times, [f"{seconds:g} s" for seconds in times])
    axes.minorticks_off()
    axes.set_xlim(times[0] / 1.4, times[-1] * 1.5)  # room for a word at the right
    axes.set(xlabel="seconds a decision, one thread", ylabel="Elo above the planner")
    axes.legend(frameon=False, loc="upper left", ncols=3)


def tell_rates(summaries: dict[str, Summary]) -> None:
    """Who beat whom how often, map by map and on the mean of the maps."""
    met: defaultdict[str, list[Pair]] = defaultdict(list)
    for name, summary in summaries.items():
        for pair in summary.pairs:
            low, high = pair.win_rate.interval
            rate = f"{100 * pair.win_rate.value:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
            print(f"{name}: {pair.bot} against {pair.other} {rate} of {2 * pair.deals} games")
            met[f"{pair.bot} against {pair.other}"].append(pair)
    for who, pairs in met.items():
        value = sum(pair.win_rate.value for pair in pairs) / len(pairs)
        widths = (high - low for low, high in (pair.win_rate.interval for pair in pairs))
        margin = math.hypot(*widths) / 2 / len(pairs)
        games = 2 * sum(pair.deals for pair in pairs)
        print(f"mean of {len(pairs)} maps: {who} {100 * value:.0f} % ± {100 * margin:.0f} of {games} games")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/img/strength.svg"))
    args = parser.parse_args()
    summaries = pools(args.files)
    curves = {name: curve_of(summary) for name, summary in summaries.items()}
    mean = mean_of(list(curves.values()))
    tell_rates(summaries)
    for name, curve in (*curves.items(), ("mean", mean)):
        print(f"{name}:", ", ".join(f"{t:g} s {curve[t].value:+.0f} ± {curve[t].margin:.0f}" for t in sorted(curve)))
    figure, axes = plt.subplots(figsize=(7.5, 4))
    draw(axes, curves, mean)
    keep(figure, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
