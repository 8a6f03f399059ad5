"""`branchline review FILE`: where a finished game was won and lost, what was luck and what was skill."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from branchline.extras import one_thread_for_sums
from branchline.maps import BadMap, load_map
from branchline.record import BadRecord, Fault, Record, load_game, read_game
from branchline.record.model import MAX_FILE_BYTES
from branchline.words import LANGUAGES

if TYPE_CHECKING:
    from branchline.review import Progress, Review

MOST_PROCESSES = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="the file of a finished game, or - for the standard input")
    add("--json", action="store_true", help="print one JSON object")
    add("--out", type=Path, metavar="DIR", help="write review.md, review.html and review.json there")
    add("--quick", action="store_true", help="do less work: some two seconds a game, with fewer verdicts")
    add("--processes", type=_processes, default=1, metavar="N", help="how many moves are judged at a time (default: 1)")
    add(
        "--seed", type=int, default=0, metavar="N", help="the number from which the imagined worlds follow (default: 0)"
    )
    add("--map", metavar="MAPFILE", help="the map file, if the game's map is not a shipped one")
    add("--lang", choices=LANGUAGES, default="en", help="the language of the review")


def _processes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_PROCESSES):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_PROCESSES}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    one_thread_for_sums()
    try:
        record = _read(args)
        found = _review(record, args)
        if args.out:
            _write(found, record, args)
        print(_told(found, record, args))
        return 0
    except (BadRecord, BadMap) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    except (Fault, OSError) as error:
        print(f"{args.file}: {error}", file=sys.stderr)
    return 1


def _read(args: argparse.Namespace) -> Record:
    data = load_map(args.map) if args.map else None
    if args.file == "-":
        return read_game(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), map=data, source="standard input")
    return load_game(args.file, map=data)


def _review(record: Record, args: argparse.Namespace) -> Review:
    from branchline.review import FULL, QUICK, review

    shown = _show if sys.stderr.isatty() else None
    setting = QUICK if args.quick else FULL
    return review(record, setting=setting, seed=args.seed, on_progress=shown, processes=args.processes)


def _show(progress: Progress) -> None:
    end = "\n" if progress.done == progress.moves else ""
    print(f"\r{progress.done} / {progress.moves}", end=end, file=sys.stderr, flush=True)


def _told(found: Review, record: Record, args: argparse.Namespace) -> str:
    from branchline.review.printing import text_of

    return json.dumps(found.to_json(), ensure_ascii=False) if args.json else text_of(found, record.map, args.lang)


def _write(found: Review, record: Record, args: argparse.Namespace) -> None:
    from branchline.review.printing import markdown_of, page_of

    args.out.mkdir(parents=True, exist_ok=True)
    files = {
        "review.md": markdown_of(found, record.map, args.lang),
        "review.html": page_of(found, record.map, args.lang),
        "review.json": json.dumps(found.to_json(), ensure_ascii=False) + "\n",
    }
    for name, text in files.items():
        (args.out / name).write_text(text, encoding="utf-8")
