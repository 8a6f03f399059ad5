"""The trained network as a bot, one pass a choice, to measure it in the arena:

branchline arena --map usa --players 2 --bots planner --bot branchline/training/netbot.py:NetBot --deals 40

BRANCHLINE_NETWORK names another checkpoint than the one in the package.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from branchline.actions import Action
from branchline.codec import action_of, names_of
from branchline.kernel.rollout import is_detail
from branchline.training.inference import SHIPPED, engine
from branchline.view import View


class NetBot:
    """A network that learned by itself; it chooses what it thinks best and rolls no dice."""

    def __init__(self) -> None:
        self._engine = engine(Path(os.environ.get("BRANCHLINE_NETWORK") or SHIPPED))

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        s = view.position
        if len(actions) == 1 or is_detail(s, view.reader):
            return actions[0]  # details as they are offered first, as in training
        code = self._engine.choose(view.map, view.to_bytes(), view.reader)
        return action_of(code, s, names_of(view.map), view.reader)
