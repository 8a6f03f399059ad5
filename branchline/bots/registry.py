"""Which bots there are, and the making of one from what a user writes:

    path                  a bot of ours, or one that an installed package offers
    driver                a level (levels.py)
    postman               a style: the planner by other numbers
    search@0.3            with so many seconds for a decision
    my_bot.py:MyBot       a class in a file; my_bot.py alone if there is only one in it
    my_package.bots:MyBot a class in a module

Nothing is loaded before it is asked for.
"""

from __future__ import annotations

import difflib
import importlib.util
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from branchline.actions import Action
from branchline.bots.games import match
from branchline.bots.levels import BOT_OF_LEVEL, LEVELS, Level
from branchline.bots.loading import BadBot, load_class, load_offered, offered
from branchline.bots.planner.numbers import STYLES
from branchline.bots.players import ConductorBot, KernelBot, PathBot, RandomBot
from branchline.view import View

MOST_SECONDS = 3600.0
ARGUMENTS = ("seed", "seconds", "threads", "rollouts")  # with which a bot may be made


class Bot(Protocol):
    """Whatever chooses one of the legal actions of the reader of a view."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action: ...


# The numbers by which the compiled games know the bots that are written in kernel Python.
BOT_NUMBERS: dict[str, int] = {
    name: getattr(match, constant)
    for name, constant in {
        "random": "RANDOM_BOT",
        "path": "PATH_BOT",
        "onestep": "ONESTEP_BOT",
        "longroute": "LONGROUTE_BOT",
        "hungry": "HUNGRY_BOT",
        "passenger": "PASSENGER_BOT",
        "porter": "PORTER_BOT",
        "conductor": "CONDUCTOR_BOT",
        "planner": "PLANNER_BOT",
    }.items()
    if hasattr(match, constant)
}

# The planner by other numbers (planner/numbers.py): bots to try, by name, but among no others and on no page.
STYLE_NUMBERS: dict[str, int] = {name: match.PLANNER_TWIN + 1 + n for n, name in enumerate(STYLES)}

# These play at a table without anything compiled.
_PLAIN: dict[str, Callable[..., Bot]] = {"random": RandomBot, "path": PathBot, "conductor": ConductorBot}
_CLASSES = {
    "net": ("branchline.bots.net", "NetBot"),
    "rollout": ("branchline.bots.rollout", "RolloutBot"),
    "search": ("branchline.bots.search", "SearchBot"),
}

BOTS = (*BOT_NUMBERS, *(name for name, (module, _) in _CLASSES.items() if importlib.util.find_spec(module)))


class Spec(NamedTuple):
    """What a user wrote, taken apart: a name (or a place and a name in it) and the seconds for a decision."""

    place: str
    name: str
    seconds: float | None

    @property
    def bare(self) -> str:
        """The spec without the seconds."""
        return f"{self.place}:{self.name}" if self.place and self.name else self.place or self.name


def parse(spec: str) -> Spec:
    """Take a spec apart; levels become the bots they stand for."""
    text, at, time = spec.strip().rpartition("@")
    if not at or set(time) & set("/\\:"):  # an @ in the name of a folder
        text, at, time = spec.strip(), "", ""
    if not at and BOT_OF_LEVEL.get(text, text) != text:
        return parse(BOT_OF_LEVEL[text])
    seconds = _seconds(time, spec) if at else None
    if text.endswith(".py"):
        return Spec(text, "", seconds)
    place, _, name = text.rpartition(":")
    return Spec(place, name, seconds)


def _seconds(text: str, spec: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise BadBot(f'"{spec}": after @ come the seconds for a decision, as in search@0.5') from None
    if not 0 < seconds <= MOST_SECONDS:
        raise BadBot(f'"{spec}": more than 0 and at most {MOST_SECONDS:g} seconds a decision')
    return seconds


def make_bot(
    spec: str,
    seed: int,
    *,
    seconds: float | None = None,
    threads: int | None = None,
    rollouts: int | None = None,
) -> Bot:
    """A bot for one seat of one game; the same seed makes the same choices.

    A class is made with what it takes of `seed`, `seconds` (for a decision), `threads` and `rollouts` (for a decision,
    instead of seconds); seconds in the spec itself go before those given here.
    """
    parsed = parse(spec)
    make, taken = _maker(parsed, spec)
    seconds = parsed.seconds if parsed.seconds is not None else seconds
    given = {"seed": seed, "seconds": seconds, "threads": threads, "rollouts": rollouts}
    wanted = {key: value for key, value in given.items() if key in taken and value is not None}
    bot: Bot = make(**wanted)
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f'"{spec}" made a {type(bot).__name__}, which has no method choose(view, actions)')
    return bot


def check_bot(spec: str) -> None:
    """Refuse what no bot can be made from; to that end files are loaded, bots of ours are not."""
    parsed = parse(spec)
    if parsed.place or parsed.name not in BOTS or parsed.seconds is not None:
        _maker(parsed, spec)


def kernel_number(spec: str) -> int | None:
    """The number by which the compiled games know a bot, or None for one that plays through the library only."""
    parsed = parse(spec)
    return None if parsed.place else (BOT_NUMBERS | STYLE_NUMBERS).get(parsed.name)


def takes(spec: str, argument: str) -> bool:
    """Whether a bot takes one of ARGUMENTS when it is made."""
    return argument in _maker(parse(spec), spec)[1]


def known_levels() -> tuple[Level, ...]:
    """The levels whose bots there are, gentlest first."""
    return tuple(level for level in LEVELS if parse(level.bot).name in BOTS)


def needs_compiler(spec: str) -> bool:
    """Whether a bot is one of ours that plays on the compiled kernel."""
    parsed = parse(spec)
    return not parsed.place and parsed.name in (*BOTS, *STYLE_NUMBERS) and parsed.name not in _PLAIN


def short_name(spec: str) -> str:
    """A bot's name for people: the class alone, without the place where it is kept."""
    parsed = parse(spec)
    return (parsed.name or Path(parsed.place).stem) if parsed.place else spec.strip()


def is_known(spec: str) -> bool:
    """Whether a bot can be made from this."""
    try:
        check_bot(spec)
    except BadBot:
        return False
    return True


def bot_class(spec: str) -> Callable[..., Any]:
    """What makes the bot of a spec: its class."""
    return _class_of(parse(spec))


def _maker(parsed: Spec, spec: str) -> tuple[Callable[..., Any], frozenset[str]]:
    """What makes the bot of a spec, and which of our arguments it takes."""
    make = _class_of(parsed)
    taken = _taken_by(make, spec)
    if parsed.seconds is not None and "seconds" not in taken:
        raise BadBot(f'"{spec}": {parsed.name or parsed.place} takes no seconds')
    return make, taken


def _class_of(spec: Spec) -> Callable[..., Any]:
    if spec.place:
        return load_class(spec.place, spec.name)
    if spec.name in _PLAIN:
        return _PLAIN[spec.name]
    number = kernel_number(spec.name)
    if number is not None:
        return partial(KernelBot, number)
    if spec.name in BOTS:
        return load_class(*_CLASSES[spec.name])
    if spec.name in offered():
        return load_offered(spec.name)
    raise _unknown(spec.name)


def _taken_by(make: Callable[..., Any], spec: str) -> frozenset[str]:
    """Which of our arguments it takes by name; one that needs others is refused."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return frozenset(ARGUMENTS)
    for p in parameters:
        if p.default is p.empty and p.name not in ARGUMENTS and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise BadBot(f'"{spec}" asks for {p.name}: a bot is made with seed, seconds and threads, or fewer')
    return frozenset(p.name for p in parameters if p.name in ARGUMENTS)


def _unknown(name: str) -> BadBot:
    names = (*BOTS, *STYLES, *(level for level, bot in BOT_OF_LEVEL.items() if parse(bot).name in BOTS), *offered())
    near = difflib.get_close_matches(name, names, 1)
    if not near and name.casefold() in names:
        near = [name.casefold()]
    hint = f' (did you mean "{near[0]}"?)' if near else f" (there are: {', '.join((*BOTS, *offered()))})"
    return BadBot(f'no bot "{name}"{hint}')
