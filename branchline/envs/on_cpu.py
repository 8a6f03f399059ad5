"""The games of a batch on the CPU, one after the other, on one thread or several."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from branchline.envs.compiled import AGAIN, CHECK, PLAY, SEE, SETTLE, TOLD, jobs_of, load_advance
from branchline.envs.layout import Layout
from branchline.envs.rewards import number_of
from branchline.envs.settings import Settings
from branchline.kernel.state import SEATS
from branchline.mechanics.composed import Position, Work

Array = np.ndarray[Any, np.dtype[Any]]


class GamesOnCpu:
    """n games, each in one piece, and what is told of them."""

    def __init__(self, layout: Layout, settings: Settings, threads: int) -> None:
        games, players = settings.games, layout.players
        self.layout, self.settings = layout, settings
        self.positions = np.zeros((games, Position.SIZE), np.uint8)
        self._board = np.frombuffer(bytearray(layout.board.to_bytes()), np.uint8)
        self._chosen = np.zeros(games, np.int64)
        self._told = np.zeros((games, TOLD), np.int16)
        self._arrays: dict[str, Array] = {
            "masks": np.zeros((games, layout.choices), np.bool_),
            "observations": np.zeros((games if settings.observe else 0, layout.size), np.int16),
            "rewards": np.zeros((games, players), np.float32),
            "seeds": np.zeros(games, np.int64),
            "seats": self._told[:, 0],
            "totals": self._told[:, 2 : 2 + players],
            "places": self._told[:, 2 + SEATS : 2 + SEATS + players],
        }
        self._asked = SEE * settings.observe | SETTLE * settings.settle_details | AGAIN * settings.again
        self._cuts = [games * k // threads for k in range(threads + 1)]
        self._rooms = [np.zeros(Work.SIZE + Position.SIZE, np.uint8) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._advance = load_advance()
        self._jobs = jobs_of(
            layout,
            self._rooms,
            store=self.positions,
            board=self._board,
            seeds=self._arrays["seeds"],
            chosen=self._chosen,
            masks=self._arrays["masks"],
            seen=self._arrays["observations"],
            told=self._told,
            rewards=self._arrays["rewards"],
        )
        self._jobs["games"], self._jobs["reward"] = games, number_of(settings.reward)

    def show(self, name: str) -> Array:
        """An array, by its name."""
        return self._told[:, 1] > 0 if name == "ended" else self._arrays[name]

    # ------------------------------------------------------------ playing

    def reset(self, seeds: Array) -> None:
        self._arrays["seeds"][:] = seeds
        self._arrays["rewards"][:] = 0
        self._go(self._asked)

    def step(self, choices: Any) -> None:
        self._chosen[:] = choices
        self._refuse_wrong()
        self._go(self._asked | PLAY)

    def check(self) -> None:
        """Every step does, on the CPU."""

    def _refuse_wrong(self) -> None:
        wrong = min((i for i in self._go(CHECK) if i), default=0)
        if wrong:
            i, choice = wrong - 1, int(self._chosen[wrong - 1])
            raise ValueError(f"game {i}: choice {choice} is not allowed; its row of `masks` says which are")

    def _go(self, asked: int) -> list[int]:
        parts = range(len(self._rooms))
        if self._pool is None:
            return [self._advance_part(asked, 0)]
        return [done.result() for done in [self._pool.submit(self._advance_part, asked, part) for part in parts]]

    def _advance_part(self, asked: int, part: int) -> int:
        """What one thread does."""
        job = self._jobs[part : part + 1]
        job["asked"] = asked
        return int(self._advance(job.ctypes.data, self._cuts[part], self._cuts[part + 1]))
