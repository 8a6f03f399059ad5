"""Memory lent to other libraries, and choices taken from them, without copying: DLPack by ctypes.

What is lent stays in memory as long as somebody holds it, even if the batch itself is gone. The structures are those of
DLPack's `dlpack.h`, without versions, which every library reads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

ON_CPU, ON_CUDA = 1, 2  # kinds of device
INT, FLOAT, BOOL = 0, 2, 6  # kinds of number
_KINDS = {"i": INT, "f": FLOAT, "b": BOOL}
_NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("dimensions", ctypes.c_int32),
        ("type", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


_GiveBack = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("give_back", _GiveBack))


def _python(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new_capsule = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
# The same of a capsule that is about to end, of which nobody may take hold any more.
_is_unused = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_last_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)

_lent: dict[int, tuple[Any, ...]] = {}


def _take_back(managed: int) -> None:
    """Who took it has done with it."""
    _lent.pop(managed, None)


def _drop(capsule: int) -> None:
    """Nobody took what was offered."""
    if _is_unused(capsule, _NAME):
        _lent.pop(_last_pointer(capsule, _NAME), None)


_give_back, _drop_capsule = _GiveBack(_take_back), _GiveBack(_drop)


@dataclass(frozen=True)
class Lent:
    """An array in the memory of a device. It has DLPack's two methods and nothing else."""

    room: Any  # owns the memory
    address: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device: tuple[int, int]  # kind and number
    await_on: Callable[[int], None]  # lets a stream of the taker wait until all is written

    @property
    def bytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.device):
            raise BufferError("this array is lent where it lies, and as it is; copy it afterwards")
        if stream != -1:  # -1: the taker wants no waiting
            self.await_on(stream or 1)
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        strides = (ctypes.c_int64 * len(self.shape))(*(prod(self.shape[k + 1 :]) for k in range(len(self.shape))))
        kind = _Type(_KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1)
        tensor = _Tensor(self.address, _Device(*self.device), len(self.shape), kind, shape, strides, 0)
        managed = _Managed(tensor, None, _give_back)
        at = ctypes.addressof(managed)
        _lent[at] = (managed, shape, strides, self.room)
        return _new_capsule(at, _NAME, ctypes.cast(_drop_capsule, ctypes.c_void_p))


@dataclass(frozen=True)
class Taken:
    """A row of whole numbers in somebody else's memory, for as long as this is held."""

    address: int
    stride: int  # bytes from one to the next
    width: int  # bytes of each
    holder: Any


def device_of(array: Any) -> tuple[int, int] | None:
    """Where an array lies, if it says so."""
    say = getattr(array, "__dlpack_device__", None)
    if say is None:
        return None
    kind, number = say()
    return int(kind), int(number)


def take(array: Any, length: int) -> Taken:
    """The whole numbers of an array, where they lie; ValueError if there are others than `length` of them in a row."""
    capsule = array.__dlpack__()
    tensor = _Managed.from_address(_pointer(capsule, _NAME)).tensor
    shape = [tensor.shape[k] for k in range(tensor.dimensions)]
    if shape != [length]:
        raise ValueError(f"choices of shape {tuple(shape)}: one for each of {length} games is needed, in a row")
    width = tensor.type.bits // 8
    if tensor.type.kind != INT or width not in (4, 8):
        raise ValueError("choices are whole numbers of 32 or 64 bits: convert them first")
    stride = tensor.strides[0] if tensor.strides else 1
    return Taken((tensor.data or 0) + tensor.offset, stride * width, width, (array, capsule))
