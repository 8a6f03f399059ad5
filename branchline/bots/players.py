"""The bots as players at a `Game`: each gets a view and the legal actions, and chooses one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from branchline.actions import Action
from branchline.bots.composed import Plan
from branchline.bots.conductor.choices import conductor_action
from branchline.bots.games.match import bot_action, random_choice
from branchline.bots.styles.path import path_action
from branchline.codec import action_of, names_of
from branchline.deal import SEEDS
from branchline.extras import is_installed
from branchline.kernel.backend import cache_folder
from branchline.kernel.board import make_board
from branchline.kernel.scratch import scratch
from branchline.view import View

if TYPE_CHECKING:
    from branchline.bots.compiled.engine import Engine

_OWN = threading.local()
_waits_for_compiler = is_installed("speed")  # where nothing can be compiled, bots are interpreted


class RandomBot:
    """Any legal action, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self._seed = seed % SEEDS
        self._choices = 0

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        i = random_choice(self._seed, self._choices, len(actions))
        self._choices += 1
        return actions[i]


class ConductorBot:
    """The cheapest connections for its tickets, then points. It never plays by chance: the seed does not matter."""

    _act = staticmethod(conductor_action)

    def __init__(self, seed: int) -> None:
        self._work = Plan()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        s = view.position
        code = self._act(s, make_board(view.map), scratch(), self._work, view.reader)
        action = action_of(code, s, names_of(view.map), view.reader)
        return action if action in actions else actions[0]


class PathBot(ConductorBot):
    """The shortest paths for its tickets; it plays without anything compiled, so it can stand in for any bot."""

    _act = staticmethod(path_action)


class KernelBot:
    """A bot of the compiled games, by its number there, at a table; compiled when one has to choose first."""

    def __init__(self, number: int, seed: int) -> None:
        self._number = number
        self._seed = seed % SEEDS
        self._choices = 0

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        code = self._code(view, view.reader)
        self._choices += 1
        action = action_of(code, view.position, names_of(view.map), view.reader)
        return action if action in actions else actions[0]

    def _code(self, view: View, reader: int) -> int:
        if not _waits_for_compiler and not is_compiled():
            board, work = make_board(view.map), Plan()
            return bot_action(view.position, board, scratch(), work, reader, self._number, self._seed, self._choices)
        return engine().choose(view, self._number, self._seed, self._choices)


def never_wait() -> None:
    """From now on bots are interpreted in this process while they are not compiled: a hundred times slower, at once."""
    global _waits_for_compiler
    _waits_for_compiler = False


def is_compiled() -> bool:
    """Whether this version of the bots has been compiled on this machine."""
    from branchline.bots.warm import SOURCES  # not above: `python -m branchline.bots.warm` would find itself loaded

    if not is_installed("speed"):
        return False
    return hasattr(_OWN, "engine") or any(cache_folder(SOURCES).glob("**/*.nbi"))


def engine() -> Engine:
    """The work space of this thread: nothing in it lasts from one choice to the next, so all its bots share it."""
    if not hasattr(_OWN, "engine"):
        from branchline.bots.compiled.engine import Engine

        _OWN.engine = Engine()
    own: Engine = _OWN.engine
    return own
