"""Games between bots compiled by Numba, behind one entry point; kernel/compiled.py tells how and why.

The entry point is a compiled twin of `match.play_series` on addresses. It has a cache of its own, named after the
sources of the kernel and of the bots together.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import carray, from_dtype, njit, types, uint64
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from branchline.bots import match  # noqa: F401  (registers its functions)
from branchline.bots.match import NOTES
from branchline.bots.warm import SOURCES
from branchline.bots.work import PathWork
from branchline.kernel import backend, primitives
from branchline.kernel.state import SEATS, Board, Position, Work

OPTIONS = {"nogil": True, "error_model": "numpy"}
RECORDS = {record.__name__: from_dtype(record.dtype()) for record in (Position, Board, Work, PathWork)}


def _read_at(result: Any) -> Any:
    """An instruction that takes an address for a record, or for an array of something."""

    @intrinsic  # type: ignore[misc]
    def read_at(context: Any, address: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], target.get_value_type(result))

        return result(types.int64), generate

    return read_at


@intrinsic  # type: ignore[misc]
def popcount(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[misc]
def lowest(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@njit("int64(int64,int64)", inline="always")  # type: ignore[untyped-decorator]
def times(a, b):  # type: ignore[no-untyped-def]
    return types.int64((uint64(a) * uint64(b)) & uint64(0x7FFFFFFFFFFFFFFF))


@intrinsic  # type: ignore[misc]
def _copy_bytes(context: Any, to: Any, of: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), Position.SIZE), 1)
        return target.get_dummy_value()

    return types.void(RECORDS["Position"], RECORDS["Position"]), generate


@intrinsic  # type: ignore[misc]
def _clear_bytes(context: Any, record: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), Position.SIZE), 0)
        return target.get_dummy_value()

    return types.void(RECORDS["Position"]), generate


@njit(**OPTIONS)  # type: ignore[untyped-decorator]
def _copy_position(positions, to, of):  # type: ignore[no-untyped-def]
    _copy_bytes(positions[to], positions[of])


@njit(**OPTIONS)  # type: ignore[untyped-decorator]
def _blank_position(positions, i):  # type: ignore[no-untyped-def]
    _clear_bytes(positions[i])


MACHINE = {
    "popcount": popcount,
    "lowest": lowest,
    "times": times,
    "copy_position": _copy_position,
    "blank_position": _blank_position,
}

board_at, work_at, path_work_at = (_read_at(RECORDS[name]) for name in ("Board", "Work", "PathWork"))
positions_at, words_at = _read_at(types.CPointer(RECORDS["Position"])), _read_at(types.CPointer(types.int64))

# Compiled, with all it calls, only if the entry point is not in the cache.
_play_series: Any = None


def _run(p, b, w, k, words, players, seed, first, games, rotate, notes, log, log_n):  # type: ignore[no-untyped-def]
    """play_series on addresses; `words` holds the bots entered, and room for them at their seats."""
    return _play_series(
        carray(positions_at(p), (2,)),
        board_at(b),
        work_at(w),
        path_work_at(k),
        carray(words_at(words), (SEATS,)),
        carray(words_at(words + 8 * SEATS), (SEATS,)),
        players,
        seed,
        first,
        games,
        rotate,
        carray(words_at(notes), (games * NOTES,)),
        carray(words_at(log), (log_n,)),
        log_n,
    )


def _compile(function: Any, signature: backend.Signature) -> Any:
    """Compile one function for the types of its annotations; those that take lists as they are called."""
    known = RECORDS | {"int": types.int64, "None": types.void}
    options = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if not all(note in known for note in signature.arguments):
        return njit(**options)(function)
    return njit(known[signature.result](*(known[note] for note in signature.arguments)), **options)(function)


def _called_by(name: str) -> dict[str, Any]:
    """A kernel function and all it calls: there is no need to compile the others."""
    found: dict[str, Any] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = primitives.KERNEL[name]
            waiting += [called for called in found[name].__code__.co_names if called in primitives.KERNEL]
    return found


def _load_or_compile() -> Any:
    """The entry point, from the cache if it is there."""
    global _play_series
    decorate = njit("int64(" + ",".join(["int64"] * 13) + ")", cache=True, **OPTIONS)
    _keep_cache_in(backend.cache_folder(SOURCES))
    try:
        return decorate(_run)
    except TypingError:
        _play_series = backend.compile_kernel(_compile, MACHINE, _called_by("play_series"))["play_series"]
        return decorate(_run)
    finally:
        _keep_cache_in(backend.cache_folder())


def _keep_cache_in(folder: Path) -> None:
    """Say where Numba keeps what it compiles. It reads its environment too late to be told there alone."""
    os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = str(folder)


run = _load_or_compile()
