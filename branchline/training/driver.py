"""Kernels on a GPU by the CUDA driver alone: load a module, find its kernel, launch it."""

from __future__ import annotations

import ctypes
from typing import Any

from branchline.training.ptx import Program, kernel_code

BLOCK = 64


class CudaFault(RuntimeError):
    """The driver refused a call."""


class Launcher:
    """A kernel, ready to be launched on a stream. A context must be current: torch makes one."""

    def __init__(self, program: Program) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(self._module), kernel_code(program) + b"\0")
        self._call("cuModuleGetFunction", ctypes.byref(self._function), self._module, program.name.encode())

    def launch(self, games: int, arguments: list[int], stream: int) -> None:
        """One thread a game; the first argument is how many there are."""
        values = [ctypes.c_int64(value) for value in arguments]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        blocks = (games + BLOCK - 1) // BLOCK
        sizes = (blocks, 1, 1, BLOCK, 1, 1, 0)
        self._call("cuLaunchKernel", self._function, *sizes, ctypes.c_void_p(stream), pointers, None)

    def _call(self, name: str, *arguments: Any) -> None:
        fault = getattr(self._cuda, name)(*arguments)
        if fault:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorString(fault, ctypes.byref(text))
            raise CudaFault(f"{name}: {(text.value or b'unknown').decode()}")
