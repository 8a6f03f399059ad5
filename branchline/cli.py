"""The command line: `branchline serve | admin | play | simulate | arena | lab | replay | check-map | …`.

Each command is a module of `branchline.commands` with `HELP`, `add_arguments(parser)` and `run(args) -> int`; only
the one that is asked for is imported, so that every command starts at once.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from branchline import extras
from branchline.version import __version__

COMMANDS = {
    "serve": "start the service and its page",
    "admin": "look after a service: check, backups, reports, people",
    "play": "play a game in the terminal",
    "simulate": "let bots play many games and count",
    "arena": "find out which bot is stronger, and how surely",
    "lab": "tell what self-play says about a map",
    "puzzles": "solve positions in which one choice is clearly best, or make more",
    "review": "tell where a finished game was won and lost, and luck from skill",
    "replay": "step through a recorded game, or verify it",
    "check-map": "check a map file",
    "check-bot": "run a bot through the conformance suite",
    "bench": "measure the kernel's speed and print its signature",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    args = list(sys.argv[1:] if argv is None else argv)
    wanted = next((word for word in args if not word.startswith("-")), "")
    try:
        return _run(args, wanted)
    except ModuleNotFoundError as error:
        missing = extras.advice(error.name, wanted)
        if missing is None:
            raise
        print(f"branchline {wanted}: {missing}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 141


def _run(args: list[str], wanted: str) -> int:
    parser = argparse.ArgumentParser(
        prog="branchline", description="The railway-ticket board game, on five maps and yours."
    )
    parser.add_argument("--version", action="version", version=f"branchline {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, help in COMMANDS.items():
        command = commands.add_parser(name, help=help, description=help.capitalize() + ".")
        if name == wanted:
            module = importlib.import_module(f"branchline.commands.{name.replace('-', '_')}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    parsed = parser.parse_args(args)
    extras.check(wanted)
    return int(parsed.run(parsed))


if __name__ == "__main__":
    sys.exit(main())
