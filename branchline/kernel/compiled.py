"""The kernel compiled by Numba, behind one entry point.

Importing this costs a good part of a second, and the first use of a new version compiles. There is one entry
point because each would be compiled with the whole kernel inside; and it takes addresses, because unpacking
NumPy records at each call would cost more than most moves.
"""

from __future__ import annotations

import os
from typing import Any

from branchline.kernel import backend

os.environ["NUMBA_CACHE_DIR"] = str(backend.cache_folder())

from llvmlite import ir
from numba import carray, from_dtype, njit, types, uint64
from numba.core.errors import TypingError
from numba.extending import intrinsic

from branchline.kernel.state import Board, Position, Work

WORDS = Position.SIZE // 8
SET_UP, PLAY, LEGAL, STEP, SCORE, RANDOM_GAMES, VEIL, IMAGINE, AUDIT = range(9)


def _read_at(result: Any) -> Any:
    """An instruction that takes an address for a record, or for an array of numbers."""

    @intrinsic
    def read_at(context: Any, address: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], target.get_value_type(result))

        return result(types.int64), generate

    return read_at


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


RECORDS = {
    "Position": from_dtype(Position.dtype()),
    "Board": from_dtype(Board.dtype()),
    "Work": from_dtype(Work.dtype()),
}
position_at = _read_at(RECORDS["Position"])
board_at = _read_at(RECORDS["Board"])
work_at = _read_at(RECORDS["Work"])
words_at = _read_at(types.CPointer(types.int64))
MACHINE = {"popcount": popcount, "lowest": lowest, "times": times}


def compile_function(function: Any, signature: backend.Signature) -> Any:
    """Compile one kernel function for the types of its annotations; those that take lists as they are called."""
    options = {"nogil": True, "error_model": "numpy"}
    known = RECORDS | {"int": types.int64, "None": types.void}
    if not all(note in known for note in signature.arguments):
        return njit(**options)(function)
    return njit(known[signature.result](*(known[note] for note in signature.arguments)), **options)(function)


# The functions `_run` calls. They are compiled only if its own compiled form is not in the cache.
_CALLED = (
    "set_up",
    "play",
    "fill_menu",
    "write_menu",
    "score_game",
    "random_game",
    "digest_words",
    "veil",
    "fill_in",
    "audited_game",
)
_set_up: Any = None
_play: Any = None
_fill_menu: Any = None
_write_menu: Any = None
_score_game: Any = None
_random_game: Any = None
_digest_words: Any = None
_veil: Any = None
_fill_in: Any = None
_audited_game: Any = None


def _run(what, p, b, w, x, y, z):
    """Call a function of the kernel on the position, board and work space at these addresses."""
    s, board, work = position_at(p), board_at(b), work_at(w)
    if what == STEP:  # play for the lowest seat awaited, then list the choices of the next; -1 if not legal
        if s.awaited == 0 or _play(s, board, work, lowest(s.awaited), x) == 0:
            return -1
        if s.awaited == 0:
            return 0
        _fill_menu(s, board, work, lowest(s.awaited))
        return _write_menu(work)
    if what == PLAY:
        return _play(s, board, work, x, y)
    if what == LEGAL:
        _fill_menu(s, board, work, x)
        return _write_menu(work)
    if what == SET_UP:
        _set_up(s, board, work, x, y)
    elif what == SCORE:
        _score_game(s, board, work)
    elif what == VEIL:
        _veil(s, board, x)
    elif what == IMAGINE:
        _fill_in(s, board, work, x, y)
    elif what == AUDIT:  # players, first seed, games; the fault times 2**40 plus its seed, or 0
        words = carray(words_at(p), (WORDS,))
        for seed in range(y, y + z):
            words[:] = 0
            fault = _audited_game(s, board, work, x, seed, 100000)
            if fault:
                return (fault << 40) + seed
    elif what == RANDOM_GAMES:  # players, first seed, games; w.codes[0] says whether details are settled
        decisions = 0
        defaults = work.codes[0]
        words = carray(words_at(p), (WORDS,))
        for seed in range(y, y + z):
            words[:] = 0
            decisions += _random_game(s, board, work, x, seed, defaults)
            work.digest = _digest_words(work.digest, words, WORDS)
        return decisions
    return 0


def load_or_compile(
    entry: Any, signature: str, called: tuple[str, ...], functions: dict[str, Any] | None = None
) -> Any:
    """The compiled entry point, from the cache if it is there; else the kernel is compiled into its module first."""
    decorate = njit(signature, cache=True, nogil=True, error_model="numpy")
    try:
        return decorate(entry)
    except TypingError:
        twins = backend.compile_kernel(compile_function, MACHINE, functions)
        entry.__globals__.update({f"_{name}": twins[name] for name in called})
        return decorate(entry)


run = load_or_compile(_run, "int64(int64,int64,int64,int64,int64,int64,int64)", _CALLED)
