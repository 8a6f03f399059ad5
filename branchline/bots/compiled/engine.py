"""A compiled bot asked for one choice: microseconds, where the interpreted one takes milliseconds."""

from __future__ import annotations

from functools import partial

import numpy as np

from branchline.bots.composed import Plan
from branchline.bots.warm import warm
from branchline.kernel.board import make_board
from branchline.mechanics.composed import Position, Work
from branchline.view import View


class Engine:
    """The work space of one bot; not for two threads at once."""

    def __init__(self) -> None:
        warm()
        from branchline.bots.compiled import entry as compiled

        self._run = partial(compiled.run, compiled.CHOOSE)
        self._position = np.zeros(2 * Position.SIZE, np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._plan = np.zeros(Plan.SIZE, np.uint8)
        self._words = np.zeros(compiled.WORDS, np.int64)
        self._nothing = np.zeros(0, np.int64)

    def choose(self, view: View, bot: int, seed: int, i: int) -> int:
        """The code a bot, by its number, chooses in a view; it is its i-th choice of the game."""
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        self._position[: Position.SIZE] = np.frombuffer(view.to_bytes(), np.uint8)
        board = np.frombuffer(make_board(view.map).to_bytes(), np.uint8)
        self._words[:4] = (view.reader, bot, seed, i)
        arrays = (self._position, board, self._work, self._plan, self._words, self._nothing, self._nothing)
        code: int = self._run(*(array.ctypes.data for array in arrays))
        return code
