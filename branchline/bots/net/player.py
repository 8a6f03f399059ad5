"""The bot `net`: one pass of the network a decision, and what it thinks best is played. It rolls no dice.

Details (how many locomotives, in which order tickets go back) are settled as they are offered first, as in training.
Where the weights are missing or damaged it says so once, and the planner plays in its place. BRANCHLINE_NETWORK names
another checkpoint than the one in the package.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from branchline.actions import Action
from branchline.bots.games.match import PLANNER_BOT
from branchline.bots.players import KernelBot
from branchline.codec import action_of, names_of
from branchline.kernel.rollout import is_detail
from branchline.training.checkpoint import BadCheckpoint
from branchline.training.inference import SHIPPED, Engine, engine
from branchline.view import View

_OWN = threading.local()


class NetBot:
    """A network that learned the game by playing against itself. The seed matters to its stand-in alone."""

    def __init__(self, seed: int) -> None:
        self._engine = network()
        self._planner = KernelBot(PLANNER_BOT, seed)

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        if self._engine is None:
            return self._planner.choose(view, actions)
        if len(actions) == 1 or is_detail(view.position, view.reader):
            return actions[0]
        code = self._engine.choose(view.map, view.to_bytes(), view.reader)
        if code is None:
            return self._planner.choose(view, actions)
        return action_of(code, view.position, names_of(view.map), view.reader)


def network() -> Engine | None:
    """The network of this thread, all its bots share it; None where the weights cannot be used."""
    path = network_file()
    if getattr(_OWN, "path", None) != path:
        try:
            _OWN.engine = engine(path)
        except BadCheckpoint as error:
            _say_once(str(error))
            _OWN.engine = None
        _OWN.path = path
    found: Engine | None = _OWN.engine
    return found


def network_file() -> Path:
    return Path(os.environ.get("BRANCHLINE_NETWORK") or SHIPPED)


@cache
def _say_once(fault: str) -> None:
    print(f"branchline: the network has no weights, the planner plays for it: {fault}", file=sys.stderr, flush=True)
