"""Games by action codes on the compiled kernel: for training, search and measuring.

    game = FastGame("usa", players=2, seed=1)
    n = game.choices
    while n:
        n = game.step(game.codes[0])      # codes[:n] are the legal codes of the seat to act
    print(game.totals())

A code stands for an action in a position: `game.action(code)` says which. `step` checks the code at the door; one
that is not legal raises `IllegalAction` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from branchline.actions import Action
from branchline.codec import action_of, names_of
from branchline.deal import check_players, check_seed
from branchline.game import Game
from branchline.kernel import compiled
from branchline.kernel.board import make_board
from branchline.kernel.state import CODES
from branchline.maps.loader import load_map
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work
from branchline.objections import UnknownCode
from branchline.refusals import IllegalAction

_run: Callable[..., int] = compiled.run
_STEP = compiled.STEP


class FastGame:
    """One game on the compiled kernel. Where several seats have to choose, the lowest acts first."""

    __slots__ = (
        "_address",
        "_board",
        "_board_address",
        "_position",
        "_words",
        "_work",
        "_work_address",
        "choices",
        "codes",
        "map",
    )

    def __init__(self, map: str | MapData, players: int, seed: int = 0) -> None:
        self.map = load_map(map) if isinstance(map, str) else map
        self._board = np.frombuffer(bytearray(make_board(self.map).to_bytes()), np.uint8)
        self._position = np.zeros(1, Position.dtype())
        self._words = self._position.view(np.int64)  # NumPy copies words faster than fields
        self._work = np.zeros(1, Work.dtype())
        self._board_address = self._board.ctypes.data
        self._address = self._position.ctypes.data
        self._work_address = self._work.ctypes.data
        self.codes: memoryview = memoryview(self._work["codes"][0])
        self.choices = 0
        self.reset(players, seed)

    def reset(self, players: int, seed: int) -> int:
        """Deal a new game; the number of choices of the first seat."""
        check_players(self.map, players)
        check_seed(seed)
        self._words[:] = 0
        self._call(compiled.SET_UP, players, seed)
        return self._list()

    def step(self, code: int) -> int:
        """Play a code for the seat to act; the number of choices of the next seat, 0 when the game is over."""
        n = _run(_STEP, self._address, self._board_address, self._work_address, code, 0, 0)
        if n < 0:
            raise IllegalAction("C-09", UnknownCode(code, self.choices))
        self.choices = n
        return n

    @property
    def seat(self) -> int:
        """The seat whose choices `codes` lists."""
        awaited = int(self._position["awaited"][0])
        return (awaited & -awaited).bit_length() - 1

    @property
    def is_over(self) -> bool:
        return not self._position["awaited"][0]

    @property
    def position(self) -> Position:
        """The position as plain numbers."""
        return Position.from_bytes(self._position.tobytes())

    @property
    def position_bytes(self) -> bytes:
        """The position as it lies in memory."""
        return self._position.tobytes()

    def legal_mask(self) -> np.ndarray:
        """The legal codes as an array of CODES truth values, for a policy's output layer."""
        mask = np.zeros(CODES, bool)
        mask[self._work["codes"][0][: self.choices]] = True
        return mask

    def action(self, code: int) -> Action:
        """The action a legal code stands for."""
        return action_of(code, self.position, names_of(self.map), self.seat)

    def totals(self) -> list[int]:
        """The final scores, as if the game ended here."""
        return self._scored("total")

    def places(self) -> list[int]:
        """The places, as if the game ended here: 1 for each winner."""
        return self._scored("place")

    def _scored(self, field: str) -> list[int]:
        self._call(compiled.SCORE)
        numbers = [int(n) for n in self._work[field][0][: self._position["players"][0]]]
        self._list()
        return numbers

    def game(self) -> Game:
        """The same position as a `Game`."""
        return Game.at(self.map, self.position)

    def copy(self) -> FastGame:
        """A game of its own that goes on from here."""
        twin = FastGame.__new__(FastGame)
        twin.map, twin._board, twin._board_address = self.map, self._board, self._board_address
        twin._words, twin._work = self._words.copy(), self._work.copy()
        twin._position = twin._words.view(Position.dtype())
        twin._address, twin._work_address = twin._position.ctypes.data, twin._work.ctypes.data
        twin.codes, twin.choices = memoryview(twin._work["codes"][0]), self.choices
        return twin

    def copy_from(self, other: FastGame) -> None:
        """Take over another game's position: the cheapest way to go back to it."""
        self._words[:] = other._words
        self._list()

    def _list(self) -> int:
        self.choices = 0 if self.is_over else self._call(compiled.LEGAL, self.seat)
        return self.choices

    def _call(self, what: int, x: int = 0, y: int = 0, z: int = 0) -> int:
        return _run(what, self._address, self._board_address, self._work_address, x, y, z)
