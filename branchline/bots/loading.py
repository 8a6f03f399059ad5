"""Bots from elsewhere: a class in a Python file or a module, or what an installed package offers as an entry point."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from branchline import extras

GROUP = "branchline.bots"


class BadBot(ValueError):
    """A bot that cannot be had; the message says why, and what would be right."""


def load_class(place: str, name: str) -> Callable[..., Any]:
    """A bot's class (or a function that makes one) in `folder/file.py` or `package.module`."""
    module = _module_of_file(Path(place)) if place.endswith(".py") else _module_named(place)
    name = name or _only_bot(module, place)
    found = getattr(module, name, None)
    if found is None:
        near = difflib.get_close_matches(name, bot_classes(module), 1)
        hint = f' (did you mean "{near[0]}"?)' if near else ""
        raise BadBot(f'{place} has no "{name}"{hint}')
    return checked(found, f"{place}:{name}")


def checked(found: Any, where: str) -> Callable[..., Any]:
    """Refuse what cannot make a bot."""
    if isinstance(found, type) and not callable(getattr(found, "choose", None)):
        raise BadBot(f"{where} is no bot: a bot has a method choose(self, view, actions)")
    if not callable(found):
        raise BadBot(f"{where} is no bot: a class with a method choose(self, view, actions) is one")
    return found  # type: ignore[no-any-return]


def bot_classes(module: ModuleType) -> list[str]:
    """The classes a module defines itself that can choose."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and callable(getattr(value, "choose", None))
    ]


def _only_bot(module: ModuleType, place: str) -> str:
    names = bot_classes(module)
    if len(names) == 1:
        return names[0]
    many = f"has {len(names)} bots ({', '.join(names)})" if names else "has no class with a method choose"
    raise BadBot(f"{place} {many}: say {place}:NAME")


def _module_of_file(path: Path) -> ModuleType:
    """The module of a file, run once; files beside it can be imported by it."""
    try:
        path = path.expanduser().resolve(strict=True)
    except OSError:
        raise BadBot(f"no bot file {path}") from None
    name = f"branchline_bot_{sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadBot(f"{path} is no Python file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BadBot(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _module_named(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if extras.advice(error.name):  # the command line says what to install
            raise
        raise _no_module(name, error) from error
    except Exception as error:
        raise _no_module(name, error) from error


def _no_module(name: str, error: Exception) -> BadBot:
    return BadBot(f'no module "{name}" with bots: {type(error).__name__}: {error}')


@cache
def offered() -> dict[str, EntryPoint]:
    """What installed packages offer as bots, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def load_offered(name: str) -> Callable[..., Any]:
    """The class behind a name that an installed package offers."""
    point = offered()[name]
    try:
        return checked(point.load(), f'the bot "{name}" ({point.value})')
    except BadBot:
        raise
    except Exception as error:
        raise BadBot(f'the bot "{name}" ({point.value}) cannot be loaded: {type(error).__name__}: {error}') from error
