"""Games between bots, compiled by Numba behind one entry point.

The first use of a new version compiles, which takes a while; later ones load what was compiled from the cache.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import carray, from_dtype, njit, types, uint64
from numba.core import cgutils
from numba.extending import intrinsic

import branchline.bots.match as match
from branchline.bots.work import PathWork
from branchline.kernel import backend, primitives
from branchline.kernel.state import SEATS, Board, Position, Work

SOURCES = sorted(Path(__file__).parent.glob("*.py"))
WORDS = Position.SIZE // 8
OPTIONS = {"nogil": True, "error_model": "numpy"}
RECORDS = {record.__name__: from_dtype(record.dtype()) for record in (Position, Board, Work, PathWork)}


def _read_at(result: Any) -> Any:
    """An instruction that takes an address for a record, or for an array."""

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


@njit("int64(int64,int64)", inline="always")
def times(a, b):  # type: ignore[no-untyped-def]
    return types.int64((uint64(a) * uint64(b)) & uint64(0x7FFFFFFFFFFFFFFF))


@intrinsic  # type: ignore[misc]
def copy_bytes(context: Any, to: Any, of: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), Position.SIZE), 1)
        return target.get_dummy_value()

    return types.void(RECORDS["Position"], RECORDS["Position"]), generate


@njit(**OPTIONS)
def copy_position(positions, to, of):  # type: ignore[no-untyped-def]
    copy_bytes(positions[to], positions[of])


board_at, work_at = _read_at(RECORDS["Board"]), _read_at(RECORDS["Work"])
positions_at, works_at = _read_at(types.CPointer(RECORDS["Position"])), _read_at(types.CPointer(RECORDS["PathWork"]))
words_at = _read_at(types.CPointer(types.int64))

import os, time
EAGER = os.environ.get("EAGER", "1") == "1"
EXTRA = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} if os.environ.get("NOWRAP", "1") == "1" else {}

def _compile(function: Any, signature: backend.Signature) -> Any:
    known = RECORDS | {"int": types.int64, "None": types.void}
    t0 = time.time()
    if not EAGER or not all(note in known for note in signature.arguments):
        return njit(**OPTIONS, **EXTRA)(function)
    r = njit(known[signature.result](*(known[note] for note in signature.arguments)), **OPTIONS, **EXTRA)(function)
    if os.environ.get("TIMES"): print(f"{time.time()-t0:.2f}", function.__name__)
    return r

def _reachable(entry: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = primitives.KERNEL[name]
            waiting += [n for n in found[name].__code__.co_names if n in primitives.KERNEL]
    return found

numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(backend.cache_folder(SOURCES))
T0 = time.time()
_kernel = backend.compile_kernel(_compile, {"popcount": popcount, "lowest": lowest, "times": times, "copy_position": copy_position}, _reachable("play_match"))
_play_match = _kernel["play_match"]
_match_seed = match.match_seed


@njit("int64(int64,int64,int64,int64,int64,int64,int64,int64,int64,int64)", cache=False, **OPTIONS)
def play_series(p, b, w, k, bots, players, seeds, games, notes, log_n):  # type: ignore[no-untyped-def]
    """Play games."""
    positions = carray(positions_at(p), (2,))
    words = carray(words_at(p), (WORDS,))
    works = carray(works_at(k), (SEATS,))
    all_seeds = carray(words_at(seeds), (games,))
    all_notes = carray(words_at(notes), (games * match.NOTES + log_n,))
    log = all_notes[games * match.NOTES:]
    all_bots = carray(words_at(bots), (SEATS,))
    n = 0
    for i in range(games):
        words[:] = 0
        n += _play_match(positions, board_at(b), work_at(w), works, all_bots, players, all_seeds[i], all_notes, i * match.NOTES, log, log_n)
    return n
print("compiled in", time.time() - T0)
