"""One position with a seat's eyes: its observation and its mask, for environments that play one game at a time."""

from __future__ import annotations

import numpy as np

from branchline.envs.compiled import LOOK, SEE, TOLD, jobs_of, load_advance
from branchline.envs.layout import Layout
from branchline.mechanics.composed import Position, Work


class Eyes:
    """Looks at positions of one map with so many players."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout  # the job has the addresses of its arrays
        self._board = np.frombuffer(bytearray(layout.board.to_bytes()), np.uint8)
        self._position = np.zeros(Position.SIZE, np.uint8)
        self._room = np.zeros(Work.SIZE + Position.SIZE, np.uint8)
        self._seat = np.zeros(1, np.int64)
        self._told = np.zeros(TOLD, np.int16)
        self._observation = np.zeros(layout.size, np.int16)
        self._mask = np.zeros(layout.choices, np.int8)
        self._advance = load_advance()
        self._job = jobs_of(
            layout,
            [self._room],
            store=self._position,
            board=self._board,
            chosen=self._seat,
            masks=self._mask,
            seen=self._observation,
            told=self._told,
        )
        self._job["asked"] = LOOK | SEE

    def look(self, position: bytes, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """What a seat sees, and which choices it has: none when others are to choose. Both are the caller's own."""
        self._position[:] = np.frombuffer(position, np.uint8)
        self._seat[0] = seat
        self._advance(self._job.ctypes.data, 0, 1)
        return self._observation.copy(), self._mask.copy()
