"""Many games side by side in torch's memory: on a GPU by one kernel a step, on the CPU one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from branchline.kernel.board import make_board
from branchline.kernel.state import MENU, SEATS
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work
from branchline.training.record import OPEN_WORDS, Observation, Paths

POSITION_WORDS, SEEN_WORDS = Position.SIZE // 8, Observation.SIZE // 8
MENU_WORDS = MENU + OPEN_WORDS  # of an observation, which begins with them
RESULT_WORDS = 2 + SEATS
TICKET_WORDS = 2
HIDDEN_WORDS = (SEATS - 1) * TICKET_WORDS
DEAL = -1


class Games:
    """n games a map, map after map; every game takes the next of the numbers of players. A new one is dealt at once.

    With `menus_only` the games tell what may be chosen and nothing else.
    """

    def __init__(
        self, maps: list[MapData], players: list[int], n: int, seed: int, device: str, menus_only: bool = False
    ) -> None:
        self.maps, self.n, self.device = len(maps), n, torch.device(device)
        self._wanted = MENU_WORDS if menus_only else SEEN_WORDS
        games = self.maps * n
        row = torch.arange(n)
        counts = torch.tensor(players)[row % len(players)]
        self.players = counts.repeat(self.maps).to(self.device)
        self._board_of = torch.arange(self.maps).repeat_interleave(n).to(self.device)
        boards = b"".join(make_board(data).to_bytes() for data in maps)
        self._boards = torch.from_numpy(np.frombuffer(bytearray(boards), np.uint8)).to(self.device)
        self.positions = self._words(POSITION_WORDS, games)
        self.seen = self._words(self._wanted, games)
        self.results = self._words(RESULT_WORDS, games)
        self.hidden = self._words(HIDDEN_WORDS, games)  # the tickets of the others: to learn from, not to choose by
        self._seeds = torch.arange(games, device=self.device) + seed * 2**32
        self.codes = torch.full((games,), DEAL, dtype=torch.int64, device=self.device)
        self._launch = self._on_gpu() if self.device.type == "cuda" else self._on_cpu()

    def _words(self, words: int, games: int) -> Any:
        return torch.zeros(words, games, dtype=torch.int64, device=self.device)

    def step(self) -> None:
        """Play `codes`; then `seen` tells what the next seats see, and `results` which games ended."""
        self._launch()

    def set_map(self, slot: int, data: MapData) -> None:
        """Deal new games on another map in the place of one; the other games stay as they are."""
        table = torch.from_numpy(np.frombuffer(bytearray(make_board(data).to_bytes()), np.uint8))
        self._boards.view(self.maps, -1)[slot].copy_(table)
        rooms = (self.positions, self.seen, self.results, self.hidden)
        before = [room.clone() for room in rooms]
        self.codes.fill_(DEAL)
        self.step()
        for room, old in zip(rooms, before, strict=True):
            fresh = room.view(-1, self.maps, self.n)[:, slot].clone()
            room.copy_(old)
            room.view(-1, self.maps, self.n)[:, slot] = fresh

    def _addresses(self) -> list[int]:
        tensors = [self.positions, self._boards, self._board_of, self.players, self._seeds, self.codes]
        return [tensor.data_ptr() for tensor in (*tensors, self.seen, self.results, self.hidden)]

    def _on_gpu(self) -> Any:
        from branchline.training.driver import Launcher
        from branchline.training.ptx import STEP

        torch.zeros(1, device=self.device)  # a context is needed before a module is loaded
        launcher, games = Launcher(STEP), self.codes.numel()
        numbers = [games, self._wanted]
        return lambda: launcher.launch(games, numbers + self._addresses(), torch.cuda.current_stream().cuda_stream)

    def _on_cpu(self) -> Any:
        from branchline.training.compiled import load_step

        step, games = load_step(), self.codes.numel()
        scratch = [np.zeros(size, np.uint8) for size in (Position.SIZE, Work.SIZE, Observation.SIZE, Paths.SIZE)]
        rooms = [room.ctypes.data for room in scratch]

        def launch() -> None:
            assert scratch
            for i in range(games):
                step(i, games, self._wanted, *self._addresses(), *rooms)

        return launch
