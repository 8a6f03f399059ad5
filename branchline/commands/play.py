"""`branchline play`: a game in the terminal, against bots or with friends at one keyboard."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from io import TextIOWrapper
from pathlib import Path

from branchline import extras
from branchline.bots import BOTS, is_known, make_bot, short_name
from branchline.commands.map_argument import add_map
from branchline.game import Game
from branchline.maps import BadMap, MapData, load_map
from branchline.record.model import name_fault
from branchline.record.words import YOU
from branchline.terminal.screen import PlainScreen, Screen
from branchline.terminal.table import Chair, Table, file_named
from branchline.words import LANGUAGES

BOT = "bot"
LONGEST_NAME = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_map(parser)
    parser.add_argument(
        "--seats",
        default="me,bot,bot",
        help="who sits where: me or a name for a person; bot or a bot's name for a program; default me,bot,bot",
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="SPEC",
        help="what sits where --seats says bot: a name or FILE.py:CLASS, again for the next; default conductor",
    )
    parser.add_argument("--names", help="other names, seat by seat, with commas")
    parser.add_argument("--seed", type=int, help="deal the cards of this number; without it, by chance")
    parser.add_argument("--plain", action="store_true", help="pure lines of text, for screen readers and pipes")
    parser.add_argument("--record", metavar="FILE", help="write the game to this file, at the end and when you leave")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of the log and of refusals")


class BadArguments(ValueError):
    """Something on the command line that cannot be; the message says what would be right."""


def run(args: argparse.Namespace) -> int:
    try:
        data = load_map(args.map)
        record = _record_file(args.record)
        chairs = _chairs(args.seats, args.names, data, args.seed, args.bot)
        game = Game.new(data, len(chairs), seed=args.seed)
    except (BadMap, ValueError, OSError) as error:
        print(f"branchline play: {error}", file=sys.stderr)
        return 2
    return Table(game, chairs, _screen(args.plain), record, args.lang).run()


def _chairs(seats: str, names: str | None, data: MapData, seed: int | None, bots: list[str]) -> list[Chair]:
    words = [word.strip() for word in seats.split(",")]
    if not data.min_players <= len(words) <= data.max_players:
        raise BadArguments(
            f"{data.name} is for {data.min_players} to {data.max_players} players; --seats {seats} has {len(words)}"
        )
    kinds = _kinds(words, bots)
    called = _names(words, kinds, names)
    start = secrets.randbits(32) if seed is None else seed
    return [
        Chair(name, short_name(kind), make_bot(kind, start + seat)) if kind else Chair(name)
        for seat, (name, kind) in enumerate(zip(called, kinds, strict=True))
    ]


def _kinds(words: list[str], bots: list[str]) -> list[str | None]:
    """The bot of each seat, None for a person; the last of --bot serves for all seats that are left."""
    free = list(bots or ["conductor"])
    kinds: list[str | None] = []
    for word in words:
        if word.casefold() == BOT:
            kinds.append(free.pop(0) if len(free) > 1 else free[0])
        elif word.casefold() in BOTS or ":" in word or ".py" in word or is_known(word):
            kinds.append(word.casefold() if word.casefold() in BOTS else word)
        else:
            kinds.append(None)
    if bots and BOT not in (word.casefold() for word in words):
        raise BadArguments("--bot is for the seats that --seats calls bot, and it calls none so")
    return kinds


def _names(words: list[str], kinds: list[str | None], names: str | None) -> list[str]:
    """The name of each seat, each once."""
    given = [name.strip() for name in names.split(",")] if names else []
    if len(given) > len(words):
        raise BadArguments(f"--names has {len(given)} names for {len(words)} seats")
    persons = [word for word, kind in zip(words, kinds, strict=True) if kind is None and word.casefold() == "me"]
    called: list[str] = []
    for seat, (word, kind) in enumerate(zip(words, kinds, strict=True)):
        if seat < len(given) and given[seat]:
            called.append(given[seat])
        elif kind:
            called.append(f"Bot {sum(k is not None for k in kinds[: seat + 1])}")
        elif word.casefold() == "me":
            called.append(f"Player {seat + 1}" if len(persons) > 1 else "Player")
        else:
            called.append(word)
    for name in called:
        _check_name(name, called)
    return called


def _check_name(name: str, called: list[str]) -> None:
    fault = name_fault(name)
    if not fault and len(name) > LONGEST_NAME:
        fault = f"{len(name)} characters, {LONGEST_NAME} at the most"
    if not fault and name.casefold() == YOU.casefold():
        fault = "the game calls everybody that; choose another"
    if not fault and [n.casefold() for n in called].count(name.casefold()) > 1:
        fault = "two players have it"
    if fault:
        raise BadArguments(f"the name {name[:40]!r}: {fault}")


def _record_file(name: str | None) -> Path | None:
    """The file to write at the end; what would go wrong then is said now."""
    if name is None:
        return None
    path = file_named(name)
    if path.exists():
        raise BadArguments(f"--record {name}: the file exists already; choose another name")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadArguments(f"--record {name}: nothing can be written in {path.parent}")
    return path


def _screen(plain: bool) -> Screen:
    """A terminal that can draw gets the table; everything else pure lines."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a strange byte is no reason to lose a game
    dumb = os.environ.get("TERM", "" if os.name == "nt" else "dumb") == "dumb"
    if plain or dumb or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return PlainScreen()
    try:
        from branchline.terminal.rich_screen import RichScreen
    except ModuleNotFoundError as error:
        missing = extras.advice(error.name)
        if missing is None:
            raise
        print(f"Pure lines of text, for {missing}", file=sys.stderr)
        return PlainScreen()
    return RichScreen()
