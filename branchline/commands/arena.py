"""`branchline arena`: which bot is stronger, by paired deals, with intervals, tests and ratings."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from branchline.commands.map_argument import add_map
from branchline.maps import BadMap, load_map

if TYPE_CHECKING:
    from branchline.arena import Contest, Ledger, Results, Summary

DEFAULT_BOTS = "path,random"


class BadArguments(ValueError):
    """Arguments that do not fit together."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_map(parser)
    add("--players", type=int, metavar="N", help="how many seats (default: as many as bots, 2 for a pool)")
    add(
        "--bots",
        metavar="LIST",
        help="the bots that meet, with commas (default: path,random); NAME@SECONDS has a clock",
    )
    add("--bot", action="append", default=[], metavar="SPEC", help="one more bot, such as my_bot.py:MyBot; repeatable")
    add("--pool", metavar="LIST", help="instead of --bots: every pair (or table) of these bots meets")
    add("--gauntlet", action="store_true", help="in a pool, only the tables with the first bot")
    add(
        "--deals", type=int, default=100, metavar="N", help="how many deals, each played once a rotation (default: 100)"
    )
    add("--first", type=int, default=0, metavar="N", help="the number of the first deal (default: 0)")
    add("--seed", type=int, default=0, metavar="N", help="the number from which all deals follow (default: 0)")
    add("--time", type=float, metavar="S", help="seconds a decision for bots that take a clock")
    add("--sprt", metavar="LOW:HIGH", help="stop when a test decides: win rates (0.5:0.64), or Elo for two (0:100)")
    add("--alpha", type=float, default=0.05, help="the test's chance of a wrong HIGH (default: 0.05)")
    add("--beta", type=float, default=0.05, help="the test's chance of a wrong LOW (default: 0.05)")
    add(
        "--processes", type=int, metavar="N", help="how many processes (threads for compiled bots; default: one a core)"
    )
    add(
        "--ray",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="play on a Ray cluster; without an address on our own",
    )
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="keep the results in this file (.jsonl), and go on with it if it is there",
    )
    add("--records", type=Path, metavar="DIR", help="write each game to a file of its own in this folder")
    _add_counting(parser)
    commands = parser.add_subparsers(dest="what", metavar="merge | report")
    merging = commands.add_parser("merge", help="make one results file of several")
    merging.add_argument("files", nargs="+", type=Path, metavar="FILE")
    merging.add_argument("--out", required=True, type=Path, metavar="FILE", help="the new file")
    merging.add_argument("--any-code", action="store_true", help=ANY_CODE)
    reporting = commands.add_parser("report", help="count results files again, together")
    reporting.add_argument("files", nargs="+", type=Path, metavar="FILE")
    _add_counting(reporting)


ANY_CODE = "count results together though the code of the bots has changed in between"


def _add_counting(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--anchor",
        metavar="BOT=ELO",
        help="the bot whose Elo is given, such as path=1000 (default: path, or the first)",
    )
    add("--report", type=Path, metavar="NAME", help="write NAME.md and NAME.html, with plots")
    add("--json", action="store_true", help="print one JSON object")
    add("--any-code", action="store_true", help=ANY_CODE)


def run(args: argparse.Namespace) -> int:
    try:
        if args.what == "merge":
            return _merge(args)
        if args.what == "report":
            return _show(args, _merged(args.files, any_code=args.any_code))
        with _one_stop():
            return _play(args)
    except (BadMap, ValueError, OSError) as error:
        print(f"branchline arena: {error}", file=sys.stderr)
        return 2


# ---------------------------------------------------------------- playing


@contextmanager
def _one_stop() -> Iterator[None]:
    """The first Ctrl-C ends the games; until what was played is told, a second one is not heard.

    `timeout -s INT` sends it to the process and to its group: the second would break into the handling of the first.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone hears it
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _play(args: argparse.Namespace) -> int:
    from branchline.arena import Header, Ledger
    from branchline.arena.results import BadResults

    contest = _contest(args)
    anchor = _anchor(args.anchor)
    if anchor and anchor[0] not in [entrant.name for entrant in contest.entrants]:
        raise BadArguments(f'--anchor: "{anchor[0]}" does not take part')
    if args.records and args.ray:
        raise BadArguments("--records is for games played on this machine, not for --ray")
    if args.report:
        args.report.parent.mkdir(parents=True, exist_ok=True)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(Header.of(contest), args.out, any_code=args.any_code)
    try:
        status = _run(args, contest, ledger)
    finally:
        ledger.close()
    if not ledger.deals:
        raise BadResults("arena", "", "stopped before a deal was finished: nothing to count")
    return _show(args, ledger.results()) or status


def _run(args: argparse.Namespace, contest: Contest, ledger: Ledger) -> int:
    """Play; 130 after Ctrl-C and 1 after the death of a process, with what was played kept."""
    from branchline.arena import run
    from branchline.arena.playing import Means

    games = args.deals * len(contest.lineups) * contest.players
    wanted = range(args.first, args.first + args.deals)
    there = sum(seed == contest.seed and deal in wanted for seed, deal, _ in ledger.deals) * contest.players
    try:
        with _progress(games, there) as advance:
            run(
                contest,
                ledger,
                args.deals,
                first=args.first,
                processes=args.processes,
                ray=args.ray,
                means=Means(records=args.records),
                on_games=advance,
            )
    except KeyboardInterrupt:
        print(f"stopped; {len(ledger.deals)} deals are kept", file=sys.stderr)
        return 130
    except BrokenExecutor:
        print(
            f"branchline arena: a process that played died; {len(ledger.deals)} deals are kept"
            + (", the same command goes on with them" if args.out else ""),
            file=sys.stderr,
        )
        return 1
    return 0


def _contest(args: argparse.Namespace) -> Contest:
    """The contest the arguments ask for."""
    from branchline.arena import Sprt, match_of, pool_of

    data = load_map(args.map)
    if args.time is not None and not 0 < args.time <= 3600:
        raise BadArguments(f"--time {args.time:g}: more than 0 and at most 3600 seconds a decision")
    if args.pool is not None:
        if args.bots is not None or args.sprt is not None:
            raise BadArguments("--pool goes without --bots and --sprt")
        names = [*_names(args.pool), *args.bot]
        players = args.players or max(2, data.min_players)
        return pool_of(data, names, players=players, seconds=args.time, seed=args.seed, gauntlet=args.gauntlet)
    if args.gauntlet:
        raise BadArguments("--gauntlet is for a --pool")
    named = args.bots if args.bots is not None else ("" if args.bot else DEFAULT_BOTS)
    names = [*(_names(named) if named or not args.bot else []), *args.bot]
    contest = match_of(data, names, players=args.players, seconds=args.time, seed=args.seed)
    if args.sprt is None:
        return contest
    sprt = Sprt.of(args.sprt, contest.players, args.alpha, args.beta)
    return match_of(data, names, players=args.players, seconds=args.time, seed=args.seed, sprt=sprt)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _anchor(text: str | None) -> tuple[str, float] | None:
    """Read path=1000."""
    if text is None:
        return None
    name, equals, number = text.rpartition("=")
    try:
        if name and equals:
            return name, float(number)
    except ValueError:
        pass
    raise BadArguments(f'--anchor "{text}": a bot and its Elo, as in path=1000')


@contextmanager
def _progress(games: int, there: int) -> Iterator[Callable[[int], None]]:
    """A bar on the standard error, if somebody can see it; what it gives takes the number of games just done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=games, completed=there)
        yield lambda done: bar.update(task, advance=done)


# ---------------------------------------------------------------- counting


def _merged(files: Sequence[Path], *, any_code: bool) -> Results:
    from branchline.arena import merge, read_results

    return merge([(path, read_results(path)) for path in files], any_code=any_code)


def _merge(args: argparse.Namespace) -> int:
    from branchline.arena import write_results

    results = _merged(args.files, any_code=args.any_code)
    write_results(results, args.out)
    print(f"{args.out}: {len(results.deals)} deals of {len(args.files)} files")
    return 0


def _show(args: argparse.Namespace, results: Results) -> int:
    from branchline.arena import Summary

    anchor = _anchor(args.anchor)
    summary = Summary(results, *(anchor or ()))
    if args.report:
        from branchline.arena.writing import write_report

        print(f"wrote {', '.join(str(path) for path in write_report(summary, args.report))}", file=sys.stderr)
    if args.json:
        print(json.dumps(summary.to_json(), ensure_ascii=False))
    else:
        from branchline.arena.printing import print_summary

        print_summary(summary)
    _tell_faults(summary)
    return 0


def _tell_faults(summary: Summary) -> None:
    """Say which bots failed, and how to see the first failure of each again."""
    from branchline.arena.printing import command

    told = set()
    for deal in summary.deals:
        for fault in deal.faults:
            if fault.bot not in told:
                told.add(fault.bot)
                again = command(summary.header, deal.lineup, seed=deal.seed, first=deal.deal, deals=1)
                print(
                    f"{fault.bot} failed at its choice {fault.choice} of deal {deal.deal}, rotation {fault.rotation}, "
                    f"and lost the game: {fault.error}\n  again: {again}",
                    file=sys.stderr,
                )
