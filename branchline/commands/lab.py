"""`branchline lab MAP`: let a bot play against itself and tell what that says about the map."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from branchline.commands.map_argument import add_map
from branchline.commands.progress import progress
from branchline.maps import BadMap, load_map

if TYPE_CHECKING:
    from branchline.lab import Study
    from branchline.simulation import Series

STRONGEST = ("planner", "conductor")  # the default is the first of these that there is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_map(parser, "map")
    add("--games", type=int, default=20_000, metavar="N", help="how many games (default: 20000)")
    add("--players", default="2", metavar="LIST", help="how many play, or several numbers with commas (default: 2)")
    add("--bot", metavar="NAME", help="who plays at every seat: a name, or FILE.py:CLASS (default: planner)")
    add("--seed", type=int, default=0, metavar="N", help="the number from which all games follow (default: 0)")
    add(
        "--threads", type=int, metavar="N", help="how many threads play (default: one a core); it changes the time only"
    )
    add("--out", type=Path, metavar="DIR", help="write the report there: MAP.html, MAP.md and MAP.json")
    add("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    try:
        plans = _plans(args)
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
    except (BadMap, ValueError, OSError) as error:
        print(f"branchline lab: {error}", file=sys.stderr)
        return 2
    from branchline.bots.warm import warm
    from branchline.lab.writing import report_json, write_report
    from branchline.simulation import BotFailed

    warm()
    try:
        studies = [_study(series, args.threads) for series in plans]
    except BotFailed as error:
        print(f"branchline lab: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(report_json(studies), ensure_ascii=False))
    else:
        _say(studies)
    if args.out:
        for path in write_report(studies, args.out):
            print(f"written: {path}", file=sys.stderr)
    return 0


def _plans(args: argparse.Namespace) -> list[Series]:
    """The series the arguments ask for, one for each number of players."""
    from branchline.bots import BOTS
    from branchline.lab import MOST_GAMES
    from branchline.simulation import Series

    data = load_map(args.map)
    bot = args.bot or next(name for name in STRONGEST if name in BOTS)
    if args.games > MOST_GAMES:
        raise ValueError(f"--games {args.games}: the lab looks at {MOST_GAMES} at the most")
    if args.threads is not None and args.threads < 1:
        raise ValueError(f"--threads {args.threads}: at least one has to play")
    words = [word.strip() for word in args.players.split(",")]
    if not all(word.isdecimal() for word in words) or len(set(words)) < len(words):
        raise ValueError(f"--players {args.players}: numbers of players, each once, with commas")
    return [Series(data, (bot,) * int(word), games=args.games, seed=args.seed) for word in words]


def _study(series: Series, threads: int | None) -> Study:
    from branchline.lab import count_games, play_games

    with progress(f"{series.map.id}, {series.players} players", series.games) as advance:
        games = play_games(series, threads, advance)
    return count_games(games)


def _say(studies: list[Study]) -> None:
    """The findings in plain words."""
    from branchline.lab.findings import find
    from branchline.lab.texts import played, reconstructions

    print(played(studies))
    marked = reconstructions(studies[0].map)
    if marked:
        print(textwrap.fill(marked, 100))
    for study in studies:
        print(f"\n{study.map.name}, {study.players} players: what to look at")
        for i, finding in enumerate(find(study), 1):
            print(f"\n{i:2}. {finding.title}")
            print(textwrap.fill(finding.text, 100, initial_indent="    ", subsequent_indent="    "))
            print(textwrap.fill("→ " + finding.advice, 100, initial_indent="    ", subsequent_indent="      "))
