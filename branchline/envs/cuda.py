"""A GPU by the CUDA driver alone: memory, copies, kernels. torch or JAX need not be there."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from branchline.envs.lending import ON_CUDA
from branchline.training.driver import CudaFault, Launcher
from branchline.training.ptx import Program

WHOLE_STREAM = 1  # CUDA's number of the stream that all begin with


class NoGpu(RuntimeError):
    """There is no GPU to play on."""


class Cuda:
    """One GPU, in the context that torch and JAX use too."""

    def __init__(self, number: int) -> None:
        try:
            self._driver = ctypes.CDLL("libcuda.so.1")
            self._call("cuInit", 0)
        except (OSError, CudaFault) as fault:
            raise NoGpu(f"no GPU that CUDA could use ({fault}): leave device out to play on the CPU") from fault
        count, device = ctypes.c_int(), ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        if not 0 <= number < count.value:
            raise NoGpu(f"cuda:{number} is not there; this machine has {count.value}, counted from cuda:0")
        self._call("cuDeviceGet", ctypes.byref(device), number)
        self.device = ON_CUDA, number
        self._context, self._event = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        self._launchers: dict[str, Launcher] = {}
        with self._current():
            self._call("cuEventCreate", ctypes.byref(self._event), 2)  # 2: it takes no time

    def load(self, programs: tuple[Program, ...]) -> None:
        with self._current():
            self._launchers |= {program.name: Launcher(program) for program in programs}

    def room(self, size: int) -> Room:
        """So many bytes, all zero."""
        return Room(self, size)

    def run(self, program: Program, threads: int, arguments: list[int], stream: int) -> None:
        """Launch a kernel; the first of its arguments is the number of threads."""
        with self._current():
            self._launchers[program.name].launch(threads, [threads, *arguments], stream)

    def put(self, address: int, array: np.ndarray) -> None:
        with self._current():
            self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(array.ctypes.data), _size(array))

    def get(self, address: int, array: np.ndarray, stream: int) -> None:
        """Fill an array, after all that was launched on a stream."""
        with self._current():
            self._call("cuStreamSynchronize", ctypes.c_void_p(stream))
            self._call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(address), _size(array))

    def wait(self) -> None:
        """Until everything on the GPU is done."""
        with self._current():
            self._call("cuCtxSynchronize")

    def await_on(self, stream: int) -> None:
        """Let a stream wait for what was launched on the whole stream so far."""
        with self._current():
            self._call("cuEventRecord", self._event, ctypes.c_void_p(WHOLE_STREAM))
            self._call("cuStreamWaitEvent", ctypes.c_void_p(stream), self._event, 0)

    def allocate(self, size: int) -> int:
        address = ctypes.c_uint64()
        with self._current():
            self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
            self._call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address: int) -> None:
        with suppress(CudaFault), self._current():  # at the end of the program the driver may be gone already
            self._call("cuMemFree_v2", ctypes.c_uint64(address))

    @contextmanager
    def _current(self) -> Iterator[None]:
        before = ctypes.c_void_p()
        self._call("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self._call("cuCtxPopCurrent_v2", ctypes.byref(before))

    def _call(self, name: str, *arguments: Any) -> None:
        fault = getattr(self._driver, name)(*arguments)
        if fault:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(fault, ctypes.byref(text))
            raise CudaFault(f"{name}: {(text.value or b'unknown').decode()}")


class Room:
    """Memory of a GPU, given back when nobody holds it any more."""

    def __init__(self, cuda: Cuda, size: int) -> None:
        self._cuda, self.address = cuda, cuda.allocate(size)

    def __del__(self) -> None:
        if hasattr(self, "address"):
            self._cuda.free(self.address)


def _size(array: np.ndarray) -> ctypes.c_size_t:
    return ctypes.c_size_t(array.nbytes)
