"""`branchline check-bot SPEC`: does this bot do what a bot has to do?"""

from __future__ import annotations

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="SPEC", help="a bot's name, or FILE.py:CLASS")
    parser.add_argument(
        "--map", action="append", default=[], metavar="MAP", help="on this map only, a name or a file; can be repeated"
    )
    parser.add_argument(
        "--games", type=int, default=1, metavar="N", help="games on each map and number of seats; default 1"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the number from which all follows; default 1")


def run(args: argparse.Namespace) -> int:
    from branchline.bots import BadBot
    from branchline.bots.conformance import check
    from branchline.maps import BadMap

    if not 1 <= args.games <= 1000 or args.seed < 0:
        print("branchline check-bot: --games is 1 to 1000, --seed not below 0", file=sys.stderr)
        return 2
    try:
        report = check(args.bot, args.map, args.games, args.seed)
    except (BadBot, BadMap, OSError) as error:
        print(f"branchline check-bot: {error}", file=sys.stderr)
        return 2
    print(report)
    return 0 if report.ok else 1
