"""`branchline simulate`: let bots play many games and count."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from branchline.commands.map_argument import add_map
from branchline.commands.progress import progress
from branchline.maps import BadMap, load_map

if TYPE_CHECKING:
    from branchline.simulation import Series

MOST_THREADS = 1024


class BadArguments(ValueError):
    """Arguments that do not fit together."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_map(parser)
    add("--players", type=int, metavar="N", help="how many play (default: as many as --bots names, or 2)")
    add("--bots", metavar="LIST", help="a bot for each seat, with commas; one name is for all (default: conductor)")
    add("--bot", action="append", default=[], metavar="SPEC", help="a bot of your own, FILE.py:CLASS, on the next seat")
    add("--games", type=int, default=1000, metavar="N", help="how many games (default: 1000)")
    add("--seed", type=int, default=0, metavar="N", help="the number from which all games follow (default: 0)")
    add("--rotate", action="store_true", help="move every bot one seat on from game to game")
    add(
        "--threads", type=int, metavar="N", help="how many threads play (default: one a core); it changes only the time"
    )
    add("--records", type=Path, metavar="DIR", help="write each game to a file of its own in this folder")
    add("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    try:
        series = _series(args)
        _check_folder(args.records, series)
    except (BadMap, ValueError, OSError) as error:
        print(f"branchline simulate: {error}", file=sys.stderr)
        return 2
    from branchline.bots.warm import warm
    from branchline.simulation import BotFailed, play

    if series.is_compiled:
        warm()
    try:
        with progress("playing", series.games) as advance:
            outcome = play(series, args.threads, advance)
    except BotFailed as error:
        print(f"branchline simulate: {error}", file=sys.stderr)
        return 1
    if args.records and not _write(series, args.records):
        return 1
    if args.json:
        print(json.dumps(outcome.to_json(), ensure_ascii=False))
    else:
        from branchline.simulation.printing import print_outcome

        print_outcome(outcome)
    return 0


def _series(args: argparse.Namespace) -> Series:
    """The series the arguments ask for."""
    from branchline.simulation import Series

    data = load_map(args.map)
    names = [name.strip() for name in args.bots.split(",")] if args.bots is not None else ["conductor"]
    players = args.players
    if players is None:
        players = max(len(args.bot) + (len(names) if args.bots else 0), 2, data.min_players)
    names = [*args.bot, *(names * max(players - len(args.bot), 0) if len(names) == 1 else names)]
    if not data.min_players <= players <= data.max_players:
        raise BadArguments(f"{data.name} is for {data.min_players} to {data.max_players} players, not {players}")
    if len(names) != players:
        raise BadArguments(f"{len(names)} bots are named for {players} players; name one for each, or one for all")
    if args.threads is not None and not 1 <= args.threads <= MOST_THREADS:
        raise BadArguments(f"--threads {args.threads}: 1 to {MOST_THREADS} are possible")
    return Series(data, tuple(names), games=args.games, seed=args.seed, rotate=args.rotate)


def _check_folder(folder: Path | None, series: Series) -> None:
    """Say before the first game what would go wrong after the last."""
    if folder is None:
        return
    from branchline.simulation.writing import record_name

    folder.mkdir(parents=True, exist_ok=True)
    for game in range(series.games):
        path = folder / record_name(series, game)
        if path.exists():
            raise BadArguments(f"{path} exists already: no file is written over, choose another folder")


def _write(series: Series, folder: Path) -> bool:
    """Write the records; False, with a word, if the disk refuses."""
    from branchline.simulation import write_records

    with progress("writing", series.games) as advance:
        try:
            for _ in write_records(series, folder):
                advance(1)
        except OSError as error:
            print(f"branchline simulate: {error}", file=sys.stderr)
            return False
    return True
