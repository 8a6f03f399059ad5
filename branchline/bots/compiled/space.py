"""The memory a thread calls the compiled bots in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from branchline.bots.composed import Plan
from branchline.bots.games.request import Request
from branchline.bots.warm import warm
from branchline.kernel.board import make_board
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work
from branchline.view import View

Numbers = np.ndarray[Any, np.dtype[np.int64]]

NOTHING: Numbers = np.zeros(1, np.int64)  # where nothing is to be read or written


class WorkSpace:
    """Positions, a board, room to work in, a plan and a request; not for two threads at once."""

    def __init__(self, data: MapData | None = None, tuning: Sequence[int] | None = None) -> None:
        """`tuning`: the sets of numbers planners play by here (planner/numbers.py), if not the usual ones."""
        warm()
        from branchline.bots.compiled import entry

        self._run = entry.run
        self._positions = np.zeros(entry.POSITIONS * Position.SIZE, np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._plan = np.zeros(1, Plan.dtype())
        self._request = np.zeros(1, Request.dtype())
        self._fields = {field.name: self._request[field.name].reshape(-1) for field in Request.FIELDS}
        if tuning is not None:
            self.tune(tuning)
        if data is not None:
            self.lay(data)

    def tune(self, tuning: Sequence[int]) -> None:
        """Let planners play by these sets of numbers."""
        self._plan["tuning"][0] = tuning
        self._plan["is_tuned"] = 1

    def lay(self, data: MapData) -> None:
        """Lay the board of a map out."""
        self._board = np.frombuffer(make_board(data).to_bytes(), np.uint8)
        arrays = (self._positions, self._board, self._work, self._plan, self._request)
        self._fixed = tuple(array.ctypes.data for array in arrays)

    def look_at(self, view: View) -> None:
        """Let the first position be what a reader may know."""
        self._positions[: Position.SIZE] = np.frombuffer(view.to_bytes(), np.uint8)

    def ask(
        self, what: int, notes: Numbers = NOTHING, log: Numbers = NOTHING, **fields: int | Sequence[int] | Numbers
    ) -> int:
        """Ask for SERIES, CHOOSE … (games/request.py), with these fields of the request."""
        for name, value in fields.items():
            if isinstance(value, int):
                self._fields[name][0] = value
            else:
                self._fields[name][: len(value)] = value
        answer: int = self._run(what, *self._fixed, notes.ctypes.data, log.ctypes.data)
        return answer
