"""`branchline puzzles`: solve the shipped puzzles in the terminal, or make more from games between bots."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from branchline.extras import one_thread_for_sums
from branchline.maps import BadMap, load_map, shipped_maps
from branchline.words import LANGUAGES, Language

if TYPE_CHECKING:
    from branchline.puzzles import Puzzle
    from branchline.puzzles.making import Order, Stock
    from branchline.puzzles.rows import Row

MOST = 100_000
ALL, TODAY = "all", "today"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", nargs="*", metavar="ID|MAP", help="a puzzle to solve; with --make or --list maps, or all")
    add("--day", type=_day, nargs="?", const=_day(TODAY), metavar="DATE", help="solve the puzzle of today, or of a day")
    add("--list", action="store_true", help="list the puzzles")
    add("--grade", type=int, metavar="N", help="list those of this grade alone, 1 (easy) to 5")
    add("--make", type=int, metavar="N", help="make so many from games between bots, for these maps together")
    add("--from", dest="records", type=Path, nargs="+", metavar="FILE", help="make them from these game files instead")
    add("--out", type=Path, metavar="FILE", help="where what is found is written, row by row; what lies there counts")
    add("--seconds", type=float, metavar="S", help="stop making after so long")
    add("--work", type=float, metavar="S", help="seconds' worth of each of the two weighings of a proof (default: 10)")
    add("--processes", type=int, default=1, metavar="N", help="how many games are looked through at once (default: 1)")
    add("--seed", type=int, default=1, metavar="N", help="the number from which all games follow (default: 1)")
    add("--merge", type=Path, nargs="+", metavar="FILE", help="check what was found and add the best to --out FOLDER")
    add("--each", type=int, default=64, metavar="N", help="with --merge: how many of a map at the most (default: 64)")
    add("--rejected", type=Path, metavar="FILE", help="with --merge: where those left out are written, with the reason")
    add("--since", type=_day, metavar="DATE", help="with --merge: the day on which they are added (default: today)")
    add("--lang", choices=LANGUAGES, default="en", help="the language of verdicts and reasons")


def _day(text: str) -> date:
    return datetime.now(UTC).date() if text == TODAY else date.fromisoformat(text)


def run(args: argparse.Namespace) -> int:
    one_thread_for_sums()
    from branchline.puzzles import BadPuzzle

    try:
        if args.merge:
            return _merge(args)
        if args.make is not None or args.records:
            return _make(args)
        if args.day:
            return _solve_that_of_the_day(args)
        return _list(args) if args.list or len(args.what) != 1 else _solve(args)
    except (BadMap, BadPuzzle, ValueError, OSError) as error:
        print(f"branchline puzzles: {error}", file=sys.stderr)
        return 2


# --- making -------------------------------------------------------------------------------------------------


def _make(args: argparse.Namespace) -> int:
    from branchline.bots.search import SearchBot
    from branchline.bots.warm import warm
    from branchline.puzzles.making import counted, make
    from branchline.puzzles.rows import mend, rows_in

    order = _order(args)
    out = args.out or Path("puzzles.found.jsonl")
    mend(out)
    out.touch()
    warm()
    SearchBot(0)  # it loads, or compiles, what it needs: once, before there are processes
    stock = make(order, out, _told)
    print(f"{sum(stock.found.values())} puzzles in {out}: " + ", ".join(f"{m} {n}" for m, n in stock.found.items()))
    for why, n in counted(rows_in(out)).most_common():
        print(f"{n:8d}  {why}")
    failed = [row["fault"] for row in rows_in(out) if row["row"] == "failed"]
    if failed:
        print(f"branchline puzzles: {len(failed)} games failed, the first so:\n{failed[0]}", file=sys.stderr)
    return 1 if failed else 0


def _order(args: argparse.Namespace) -> Order:
    from branchline.puzzles.making import Order
    from branchline.puzzles.model import PROOF
    from branchline.record import load_game

    many = args.make if args.make is not None else MOST
    if not 0 < many <= MOST:
        raise ValueError(f"--make: from 1 to {MOST}, not {many}")
    if not 0 < args.processes <= 1024:
        raise ValueError(f"--processes: from 1 to 1024, not {args.processes}")
    if args.work is not None and not 0.5 <= args.work <= 600:
        raise ValueError(f"--work: from 0.5 to 600 seconds' worth, not {args.work:g}")
    return Order(
        maps=tuple(load_map(name) for name in _maps(args.what)),
        many=many,
        seed=args.seed,
        processes=args.processes,
        end=None if args.seconds is None else time.time() + args.seconds,
        proof=PROOF if args.work is None else args.work,
        records=tuple(load_game(path) for path in args.records or ()),
    )


def _maps(words: list[str]) -> list[str]:
    return list(shipped_maps()) if not words or words == [ALL] else words


def _told(row: Row, stock: Stock) -> None:
    if row["row"] == "found":
        gap, answer = min(row["gaps"]), row["options"][0][0]
        print(f"{sum(stock.found.values()):5d}  {row['id']}  {row['kind']}: {answer} (+{gap:.3f})", flush=True)


# --- merging ------------------------------------------------------------------------------------------------


def _merge(args: argparse.Namespace) -> int:
    from branchline.puzzles.merging import merge

    if args.each < 1:
        raise ValueError(f"--each: at least 1, not {args.each}")
    for line in merge(args.merge, args.out or Path("."), args.each, args.since or _day(TODAY), args.rejected):
        print(line, flush=True)
    return 0


# --- solving ------------------------------------------------------------------------------------------------


def _list(args: argparse.Namespace) -> int:
    from branchline.puzzles import shipped

    maps = set(_maps(args.what))
    chosen = [one for one in shipped() if one.map.id in maps and args.grade in (None, one.grade)]
    for one in chosen:
        print(f"{one.id}  {one.map.name}, {one.players} players, grade {one.grade}")
    print(f"{len(chosen)} puzzles" if chosen else "there are none")
    return 0


def _solve(args: argparse.Namespace) -> int:
    from branchline.files import did_you_mean, quoted
    from branchline.puzzles import find, shipped

    id = args.what[0]
    puzzle = find(id)
    if puzzle is None:
        known = [one.id for one in shipped()]
        raise ValueError(f"no puzzle {quoted(id)}{did_you_mean(id, known)}; branchline puzzles --list tells all")
    return _show(puzzle, args.lang)


def _solve_that_of_the_day(args: argparse.Namespace) -> int:
    from branchline.puzzles.daily import of_day

    puzzle = of_day(args.day)
    if puzzle is None:
        raise ValueError(f"{args.day} has no puzzle")
    return _show(puzzle, args.lang)


def _show(puzzle: Puzzle, language: Language) -> int:
    from branchline.terminal.screen import PlainScreen
    from branchline.terminal.solving import Solving

    return Solving(puzzle, PlainScreen(), language).run()
