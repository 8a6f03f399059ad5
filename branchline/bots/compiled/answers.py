"""Bots that answer in many games at once, on several threads: opponents for a trainer whose games step elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np

from branchline.bots.composed import Plan
from branchline.bots.games.answers import ASKED
from branchline.bots.games.request import ANSWER, Request
from branchline.bots.registry import BOT_NUMBERS
from branchline.bots.warm import warm
from branchline.kernel.board import make_board
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work

Array = np.ndarray[Any, np.dtype[Any]]
AT_ONCE = 64  # positions a thread answers before it looks for more; for each such piece Python takes some 30 µs


class _Room:
    """What a thread works in."""

    def __init__(self) -> None:
        self.arrays = (np.zeros(Work.SIZE, np.uint8), np.zeros(1, Plan.dtype()), np.zeros(1, Request.dtype()))
        self.work, self.plan, self.request = (array.ctypes.data for array in self.arrays)

    def ask(self, first: int, count: int) -> int:
        """Write a request; where it lies."""
        self.arrays[2]["first"], self.arrays[2]["games"] = first, count
        return self.request


class Answers:
    """Bots at the tables of several maps, as many tables of each."""

    def __init__(self, names: Sequence[str], maps: Sequence[MapData], threads: int) -> None:
        unknown = [name for name in names if name not in BOT_NUMBERS]
        if unknown:
            raise ValueError(f"no bot that answers here is called {unknown[0]}: there are {', '.join(BOT_NUMBERS)}")
        warm()
        from branchline.bots.compiled import entry

        self._run = entry.run
        self.numbers = [BOT_NUMBERS[name] for name in names]
        self._boards = [np.frombuffer(make_board(data).to_bytes(), np.uint8) for data in maps]
        self._threads = ThreadPoolExecutor(threads)
        self._rooms: SimpleQueue[_Room] = SimpleQueue()
        for _ in range(threads):
            self._rooms.put(_Room())

    def set_map(self, slot: int, data: MapData) -> None:
        """Another map in the place of one."""
        self._boards[slot] = np.frombuffer(make_board(data).to_bytes(), np.uint8)

    def answer(self, positions: Array, asked: Array, codes: Array) -> int:
        """Write codes [maps, tables] for positions [maps, tables, words], which are veiled on the way; `asked` holds
        the bot's number and the seat that it does not play. -1 where that seat is to act. How many bots were asked."""
        maps, tables = codes.shape
        jobs = [(m, at, min(AT_ONCE, tables - at)) for at in range(0, tables, AT_ONCE) for m in range(maps)]

        def work(job: tuple[int, int, int]) -> int:
            m, first, count = job
            room = self._rooms.get()
            try:
                lie = positions.ctypes.data + m * tables * Position.SIZE
                rooms = (lie, self._boards[m].ctypes.data, room.work, room.plan, room.ask(first, count))
                told = (codes.ctypes.data + 8 * m * tables, asked.ctypes.data + 8 * ASKED * m * tables)
                return int(self._run(ANSWER, *rooms, *told))
            finally:
                self._rooms.put(room)

        return sum(self._threads.map(work, jobs))
