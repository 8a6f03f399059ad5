"""Compiling by Numba: the machine's instructions for the primitives, records at addresses, and the cache.

An entry point is a function of integers, some of them addresses: unpacking NumPy records at each call would cost more
than most moves. It is loaded from the cache where it is there; else it is compiled together with all the kernel
functions it calls.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import from_dtype, njit, types, uint64
from numba.core.codegen import CPUCodeLibrary
from numba.core.errors import TypingError
from numba.extending import intrinsic

from branchline.kernel import backend, primitives
from branchline.kernel.flat import Flat
from branchline.mechanics.composed import Board, Position, Work

OPTIONS = {"nogil": True, "error_model": "numpy"}
LARGE = 20  # basic blocks of a function that is called rather than copied into its callers
SMALL = 10  # basic blocks of one that is always copied, such as those that ask the mechanics: a call costs more


def read_at(result: Any) -> Any:
    """An instruction that takes an address for a record, or for an array of something."""

    @intrinsic
    def read(context: Any, address: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], target.get_value_type(result))

        return result(types.int64), generate

    return read


@intrinsic
def popcount(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(context: Any, word: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@njit("int64(int64,int64)", inline="always")
def times(a, b):
    return types.int64((uint64(a) * uint64(b)) & uint64(0x7FFFFFFFFFFFFFFF))


RECORDS: dict[str, Any] = {record.__name__: from_dtype(record.dtype()) for record in (Position, Board, Work)}
MACHINE = {"popcount": popcount, "lowest": lowest, "times": times}

position_at, board_at, work_at = (read_at(RECORDS[name]) for name in ("Position", "Board", "Work"))
positions_at, words_at = read_at(types.CPointer(RECORDS["Position"])), read_at(types.CPointer(types.int64))


def add_record(record: type[Flat]) -> Any:
    """Make a flat record known to the compiler; its type."""
    RECORDS[record.__name__] = from_dtype(record.dtype())
    return RECORDS[record.__name__]


def compile_function(function: Any, signature: backend.Signature) -> Any:
    """Compile one kernel function for the types of its annotations; those that take lists as they are called."""
    known = RECORDS | {"int": types.int64, "None": types.void}
    options = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if not all(note in known for note in signature.arguments):
        return njit(**options)(function)
    return njit(known[signature.result](*(known[note] for note in signature.arguments)), **options)(function)


def functions_called(names: Iterable[str]) -> dict[str, Any]:
    """Kernel functions and all they call: there is no need to compile the others."""
    found: dict[str, Any] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = primitives.KERNEL[name]
            waiting += [called for called in found[name].__code__.co_names if called in primitives.KERNEL]
    return found


def load_or_compile(
    entry: Any, called: tuple[str, ...], *, sources: tuple[Path, ...] = (), machine: dict[str, Any] | None = None
) -> Any:
    """The compiled entry point. It names the kernel functions it calls with an underscore before their name.

    `sources`: the files beside the kernel's that it depends on; `machine`: instructions beside those of the kernel.
    """
    # Numba reads its environment too late to be told there alone.
    os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = str(backend.cache_folder(sources))
    arguments = ",".join(["int64"] * entry.__code__.co_argcount)
    decorate = njit(f"int64({arguments})", cache=True, **OPTIONS)
    try:
        return decorate(entry)
    except TypingError:
        with _optimised_once(entry.__name__):
            twins = backend.compile_kernel(compile_function, MACHINE | (machine or {}), functions_called(called))
            entry.__globals__.update({f"_{name}": twins[name] for name in called})
            return decorate(entry)


@contextmanager
def _optimised_once(entry: str) -> Iterator[None]:
    """Optimise nothing but the entry point, with all it calls inside: else every function is optimised again in each
    that calls it, which takes twice as long in all. Large functions are not copied into their callers, small ones
    always are."""
    optimise = CPUCodeLibrary._optimize_final_module

    def optimise_entry(library: Any) -> None:
        if f"{entry}[" in library.name or library.name == entry:
            for function in library._final_module.functions:
                blocks = 0 if function.is_declaration else sum(1 for _ in function.blocks)
                if blocks > LARGE:
                    function.add_function_attribute("noinline")
                elif 0 < blocks <= SMALL and entry not in function.name:
                    function.add_function_attribute("alwaysinline")
            optimise(library)

    CPUCodeLibrary._optimize_final_module = optimise_entry
    try:
        yield
    finally:
        CPUCodeLibrary._optimize_final_module = optimise
