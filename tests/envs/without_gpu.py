"""The games of a GPU without one: its kernels compiled for this machine, over the same layout of memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from branchline.envs import Batch
from branchline.envs.lending import ON_CPU, Lent
from branchline.envs.on_gpu import Bare, GamesOnGpu
from branchline.envs.parallel import load_for_cpu
from branchline.envs.settings import Gpu, Settings
from branchline.training.ptx import Program


class Room:
    """Memory of this machine, with room behind it that nobody may write to."""

    def __init__(self, size: int) -> None:
        self._bytes = np.full(size + 64, 0x5A, np.uint8)
        self._bytes[:size] = 0
        self._size = size
        self.address = int(self._bytes.ctypes.data)

    def is_whole(self) -> bool:
        return bool((self._bytes[self._size :] == 0x5A).all())


class ThisMachine:
    """What a GPU does for a batch, done here: one thread of a kernel after the other."""

    device = (ON_CPU, 0)

    def __init__(self) -> None:
        self._entries: dict[str, Any] = {}
        self.rooms: list[Room] = []

    def load(self, programs: tuple[Program, ...]) -> None:
        self._entries = {program.name: load_for_cpu(program) for program in programs}

    def room(self, size: int) -> Room:
        self.rooms.append(Room(size))
        return self.rooms[-1]

    def run(self, program: Program, threads: int, arguments: list[int], stream: int) -> None:
        scratch = [np.zeros(size, np.uint8) for size in program.scratch]
        entry, rooms = self._entries[program.name], [room.ctypes.data for room in scratch]
        for i in range(threads):
            entry(i, threads, *arguments, *rooms)

    def put(self, address: int, array: np.ndarray) -> None:
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def get(self, address: int, array: np.ndarray, stream: int) -> None:
        ctypes.memmove(array.ctypes.data, address, array.nbytes)

    def wait(self) -> None:
        """It is done already."""

    def await_on(self, stream: int) -> None:
        """It is done already."""


class OfNumpy(Bare):
    """NumPy's arrays over what is lent."""

    def show(self, name: str, lent: Lent) -> Any:
        return np.from_dlpack(lent)


class BatchHere(Batch):
    """A batch as on a GPU, here."""

    def _on(self, gpu: Gpu, settings: Settings) -> GamesOnGpu:
        self.machine = ThisMachine()
        return GamesOnGpu(self.layout, settings, self.machine, OfNumpy(self.machine), gpu.check)
