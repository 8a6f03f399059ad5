"""The games of a batch on a GPU. The kernels are in parallel.py, what lends the arrays in lending.py."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol, cast

import numpy as np

from branchline.envs.compiled import AGAIN, PLAY, SEE, SETTLE
from branchline.envs.cuda import WHOLE_STREAM, Cuda
from branchline.envs.layout import Layout
from branchline.envs.lending import Lent, Taken, device_of, take
from branchline.envs.parallel import (
    ADVANCE,
    FLAGS,
    NUMBERS,
    POSITION_WORDS,
    PROGRAMS,
    TAKE,
    WIPE,
    WRITE_MASKS,
    DeviceJob,
)
from branchline.envs.rewards import number_of
from branchline.envs.settings import Arrays, Gpu, Settings
from branchline.kernel.state import MENU
from branchline.training.ptx import Program

Array = np.ndarray[Any, np.dtype[Any]]


class Machine(Protocol):
    """What a GPU does for a batch."""

    device: tuple[int, int]

    def load(self, programs: tuple[Program, ...]) -> None: ...
    def room(self, size: int) -> Any: ...
    def run(self, program: Program, threads: int, arguments: list[int], stream: int) -> None: ...
    def put(self, address: int, array: Array) -> None: ...
    def get(self, address: int, array: Array, stream: int) -> None: ...
    def wait(self) -> None: ...
    def await_on(self, stream: int) -> None: ...


class Library(Protocol):
    """Whose arrays are shown."""

    def show(self, name: str, lent: Lent) -> Any:
        """The array of a name."""

    def begin(self, choices: Any) -> int:
        """Before anything is written: the stream to do it on."""

    def end(self) -> None:
        """After it was launched."""


class OfTorch:
    """torch's tensors: the same ones all the time. Steps go to torch's current stream, in their turn."""

    def __init__(self, machine: Machine) -> None:
        import torch

        self._torch: Any = torch
        self._device = machine.device[1]
        self._shown: dict[str, Any] = {}

    def show(self, name: str, lent: Lent) -> Any:
        if name not in self._shown:
            self._shown[name] = self._torch.from_dlpack(lent)
        return self._shown[name]

    def begin(self, choices: Any) -> int:
        return cast(int, self._torch.cuda.current_stream(self._device).cuda_stream)

    def end(self) -> None:
        pass


class Bare:
    """The lent arrays themselves, for any library that knows DLPack."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def show(self, name: str, lent: Lent) -> Any:
        return lent

    def begin(self, choices: Any) -> int:
        self._machine.wait()  # somebody may still read, on a stream of their own
        return WHOLE_STREAM

    def end(self) -> None:
        pass


class OfJax(Bare):
    """JAX's arrays, which JAX takes for unchanging: so there are new ones after each step, over the same memory."""

    def __init__(self, machine: Machine) -> None:
        import jax

        super().__init__(machine)
        self._jax: Any = jax
        self._shown: dict[str, Any] = {}

    def show(self, name: str, lent: Lent) -> Any:
        if name not in self._shown:
            self._shown[name] = self._jax.dlpack.from_dlpack(lent)
        return self._shown[name]

    def begin(self, choices: Any) -> int:
        self._jax.block_until_ready((choices, list(self._shown.values())))
        return super().begin(choices)

    def end(self) -> None:
        self._shown.clear()


LIBRARIES: dict[Arrays, Callable[[Machine], Library]] = {"torch": OfTorch, "jax": OfJax, "dlpack": Bare}


def library_of(gpu: Gpu) -> Arrays:
    """Whose arrays are wanted, or there."""
    if gpu.arrays is not None and gpu.arrays not in LIBRARIES:
        raise ValueError(f"arrays {gpu.arrays!r}: there are {', '.join(LIBRARIES)}")
    wanted = [gpu.arrays] if gpu.arrays else ["torch", "jax"]
    for name in wanted:
        if name == "dlpack" or find_spec(name) is not None:
            return cast(Arrays, name)
    raise ModuleNotFoundError(
        f"{' or '.join(wanted)} is not installed: pip install 'branchline[training]' brings torch, pip install "
        "'jax[cuda13]' JAX; device=Gpu(arrays='dlpack') needs neither"
    )


class GamesOnGpu:
    """n games, word by word, and what is told of them, by game."""

    def __init__(self, layout: Layout, settings: Settings, machine: Machine, library: Library, check: bool) -> None:
        self.layout, self.settings = layout, settings
        self._machine, self._library, self._checks = machine, library, check
        self._asked = SEE * settings.observe | SETTLE * settings.settle_details | AGAIN * settings.again
        machine.load(PROGRAMS)
        self._lent: dict[str, Lent] = {}
        self._steps = 0
        self._held: Any = None  # the choices of the last step: they may still be read
        self._make_arrays()
        self._job = self._lend("job", (DeviceJob.SIZE // 8,), np.int64)
        machine.put(self._job.address, self._filled_job())
        machine.wait()

    def _make_arrays(self) -> None:
        games, players, layout = self.settings.games, self.layout.players, self.layout
        seen = games if self.settings.observe else 0
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "store": ((POSITION_WORDS, games), np.int64),
            "menus": ((MENU, games), np.int64),
            "chosen": ((games,), np.int64),
            "wrong": ((games,), np.bool_),
            "refused": ((1,), np.int64),
            "seeds": ((games,), np.int64),
            "seats": ((games,), np.int16),
            "ended": ((games,), np.bool_),
            "totals": ((games, players), np.int16),
            "places": ((games, players), np.int16),
            "rewards": ((games, players), np.float32),
            "masks": ((games, layout.choices), np.bool_),
            "observations": ((seen, layout.size), np.int16),
        }
        for name, (shape, dtype) in shapes.items():
            self._lend(name, shape, dtype)
        board = np.frombuffer(layout.board.to_bytes(), np.uint8)
        tables: dict[str, Array] = {"board": board, "codes": layout.codes, "table": layout.table}
        for name, table in tables.items():
            self._machine.put(self._lend(name, table.shape, table.dtype).address, np.ascontiguousarray(table))

    def _lend(self, name: str, shape: tuple[int, ...], dtype: Any) -> Lent:
        kind = np.dtype(dtype)
        size = -(-int(np.prod(shape)) * kind.itemsize // 8) * 8  # masks are written by eight
        room = self._machine.room(size)
        self._lent[name] = Lent(room, room.address, shape, kind, self._machine.device, self._machine.await_on)
        return self._lent[name]

    def _filled_job(self) -> Array:
        job = np.zeros(1, DeviceJob.dtype())
        layout = self.layout
        numbers = {
            "settings": self._asked,
            "players": layout.players,
            "choices": layout.choices,
            "rows": len(layout.table),
            "size": layout.size,
            "reward": number_of(self.settings.reward),
        }
        for name, lent in self._lent.items():
            if name != "job":
                numbers[name] = lent.address
        for name, number in numbers.items():
            job[name] = number
        return job

    def show(self, name: str) -> Any:
        """An array, by its name."""
        return self._library.show(name, self._lent[name])

    def copy(self, name: str) -> Array:
        """An array as it is now, in the memory of the CPU."""
        lent = self._lent[name]
        found = np.zeros(lent.shape, lent.dtype)
        if found.size:
            self._machine.get(lent.address, found, self._library.begin(None))
        return found

    # ------------------------------------------------------------ playing

    def reset(self, seeds: Array) -> None:
        stream = self._library.begin(None)
        self._machine.wait()
        self._machine.put(self._lent["seeds"].address, seeds)
        self._machine.put(self._lent["refused"].address, np.zeros(1, np.int64))
        self._go(0, stream)

    def step(self, choices: Any) -> None:
        stream = self._library.begin(choices)
        taken, games = self._taken(choices, stream), self.settings.games
        self._held = taken
        self._steps += 1
        told = [self._job.address, taken.address, taken.stride, taken.width, self._steps]
        self._machine.run(TAKE, games, told, stream)
        if self._checks:
            self.check()
        self._go(PLAY, stream)

    def check(self) -> None:
        refused = int(self.copy("refused")[0])
        if not refused:
            return
        wrong, chosen = self.copy("wrong"), self.copy("chosen")
        self._machine.put(self._lent["refused"].address, np.zeros(1, np.int64))
        i, late = int(np.argmax(wrong)), self._steps - refused
        more = f"; {late} later steps were not played either" if late else ""
        raise ValueError(f"game {i}: choice {int(chosen[i])} is not allowed; its row of `masks` says which are{more}")

    def _taken(self, choices: Any, stream: int) -> Taken:
        """The choices on this GPU: as they are, if they lie there."""
        games = self.settings.games
        if device_of(choices) == self._machine.device:
            return take(choices, games)
        here = np.asarray(choices)
        if here.shape != (games,) or here.dtype.kind not in "iu":
            raise ValueError(f"choices: {games} whole numbers are needed, one a game")
        room = self._machine.room(8 * games)
        self._machine.put(room.address, np.ascontiguousarray(here, np.int64))
        return Taken(room.address, 8, 8, room)

    def _go(self, asked: int, stream: int) -> None:
        games, job = self.settings.games, self._job.address
        if self.settings.observe:
            self._machine.run(WIPE, -(-games * self.layout.size // NUMBERS), [job], stream)
        self._machine.run(ADVANCE, games, [job, asked], stream)
        flags = games * self.layout.choices
        self._machine.run(WRITE_MASKS, -(-flags // FLAGS), [games, job], stream)
        self._library.end()


def on_gpu(layout: Layout, settings: Settings, gpu: Gpu) -> GamesOnGpu:
    """The games on a GPU of this machine."""
    library, machine = library_of(gpu), Cuda(gpu.number)
    return GamesOnGpu(layout, settings, machine, LIBRARIES[library](machine), gpu.check)
