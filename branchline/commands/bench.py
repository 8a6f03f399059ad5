"""`branchline bench`: how fast is the kernel here, and does it still play the same game?"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from branchline.bots.warm import warm as warm_bots
from branchline.kernel.warm import warm

if TYPE_CHECKING:
    from branchline.measure import Rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="shorter measurements, under 40 s")
    parser.add_argument("--cold", action="store_true", help="also time a compilation from nothing (a minute)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads of the mode «threads»")


def run(args: argparse.Namespace) -> int:
    if args.threads < 1:
        print(f"--threads {args.threads}: at least 1 is needed", file=sys.stderr)
        return 2
    warm()
    from branchline import measure
    from branchline.maps import shipped_maps
    from branchline.mechanics.composed import Position

    seconds = 0.25 if args.quick else 1.5
    report: dict[str, Any] = {
        "calibration_s": measure.calibration(),
        "signature": measure.signature(),
        "position_bytes": Position.SIZE,
        "copies_per_s": measure.copies_per_s(seconds / 2),
        "threads": args.threads,
        "start_s": {
            "command line": measure.start_s("branchline", "--version"),
            "compiled kernel": measure.start_s("branchline.kernel.warm"),
        },
        "rows": [],
    }
    if args.cold:
        report["start_s"]["cold compilation"] = measure.cold_start_s()
    total = 4 * 2 * len(shipped_maps())
    for done, rate in enumerate(measure.all_rates(seconds, args.threads, shipped_maps(), (2, 4)), 1):
        report["rows"].append(asdict(rate))
        _progress(done, total, rate)
    warm_bots()
    report["bots"] = [asdict(measure.bot_rate(map, n, seconds)) for map in shipped_maps() for n in (2, 4)]
    report["calibration_s"] = min(report["calibration_s"], measure.calibration())
    print(json.dumps(report, indent=1) if args.json else _table(report))
    return 0


def _progress(done: int, total: int, rate: Rate) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(
            f"\r{done:3}/{total} {rate.map} {rate.players} players {rate.mode:12}", end=end, file=sys.stderr, flush=True
        )


def _table(report: dict[str, Any]) -> str:
    lines = [
        f"calibration      {report['calibration_s']:.3f} s (figures in docs/measurements are for 0.250 s)",
        f"signature        {report['signature']}",
        f"position         {report['position_bytes']} bytes, {report['copies_per_s'] / 1e6:.1f} M copies/s",
        "start            " + ", ".join(f"{name} {s:.2f} s" for name, s in report["start_s"].items()),
        "",
        f"{'map':8} {'players':>7} {'mode':12} {'decisions/s':>14} {'games/s':>12} {'at 0.25 s':>14}",
    ]
    for row in report["rows"]:
        scaled = row["decisions_per_s"] * report["calibration_s"] / 0.25
        lines.append(
            f"{row['map']:8} {row['players']:7} {row['mode']:12} {row['decisions_per_s']:14,.0f} "
            f"{row['games_per_s']:12,.0f} {scaled:14,.0f}"
        )
    lines += ["", f"{'map':8} {'players':>7} {'planner, decisions/s':>20} {'rollouts/s':>20}   one thread"]
    for row in report["bots"]:
        planner, rollouts = row["planner_decisions_per_s"], row["rollouts_per_s"]
        lines.append(f"{row['map']:8} {row['players']:7} {planner:20,.0f} {rollouts:20,.0f}")
    return "\n".join(lines)
