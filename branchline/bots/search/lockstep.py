"""Many games of one map side by side: worlds are imagined, codes played in them, and what the next seats see told."""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import Any

import numpy as np

from branchline.bots.search.steps import TOLD
from branchline.kernel.board import make_board
from branchline.kernel.state import SEATS
from branchline.maps.model import MAX_TICKETS, MapData
from branchline.mechanics.composed import Position, Work
from branchline.training.inference import SEEN
from branchline.training.record import Paths

Array = np.ndarray[Any, np.dtype[Any]]

TICKET_WEIGHTS = SEATS * MAX_TICKETS


@lru_cache(maxsize=1)
def load_lockstep() -> Any:
    """The compiled entry point; loaded, or even compiled, when it is first asked for."""
    from branchline.bots.search import entry

    gc.freeze()  # what the compiler left stays for good; to look it through takes 30 ms, in the midst of some decision
    return entry


class Lockstep:
    """The work space of one thread: so many games of one map at once."""

    def __init__(self, data: MapData) -> None:
        self._entry = load_lockstep()
        self._board = np.frombuffer(bytearray(make_board(data).to_bytes()), np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._paths = np.zeros(Paths.SIZE, np.uint8)

    def imagine(self, view: bytes, seat: int, seed: int, first: int, worlds: int, weights: Array) -> Array:
        """Worlds that the seat could be in, [worlds, bytes]; a world depends on its number, the seed and the view."""
        rooms = np.zeros((1 + worlds, Position.SIZE), np.uint8)
        rooms[0] = np.frombuffer(view, np.uint8)
        nothing = np.zeros(1, np.int64)
        self._run((self._entry.IMAGINE, worlds, seat, seed, first), rooms, nothing, nothing, weights, nothing, nothing)
        return rooms[1:]

    def step(self, games: Array, which: Array, codes: Array, seat: int = -1) -> tuple[Array, Array]:
        """Play a code in each of these games, by a seat or by who is awaited; what the next seats see, and TOLD words
        of each game."""
        seen, told = np.zeros(len(which), SEEN), np.zeros((len(which), TOLD), np.int64)
        numbers = (self._entry.STEP, len(which), seat, 0, 0)
        self._run(numbers, games, which.astype(np.int64), codes.astype(np.int64), told, seen, told)
        return seen, told

    def _run(
        self,
        numbers: tuple[int, ...],
        games: Array,
        which: Array,
        codes: Array,
        weights: Array,
        seen: Array,
        told: Array,
    ) -> None:
        rooms = (games, which, codes, self._board, self._work, self._paths, weights, seen, told)
        self._entry.run(*numbers, *(room.ctypes.data for room in rooms))
