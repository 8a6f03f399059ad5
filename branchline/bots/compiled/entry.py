"""Games between bots compiled by Numba, behind one entry point; kernel/machine.py tells how and why.

The entry point takes what is asked (games/request.py) and addresses; space.py holds what lies there. It has a cache of
its own, named after the sources of the kernel and of the bots together.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from branchline.bots.composed import Plan
from branchline.bots.games import answers, lab_notes, match  # noqa: F401  (registers their functions)
from branchline.bots.games.request import ANSWER, CHOOSE, CLAIMS, FOLLOW, NOTE, ROLLOUTS, SAMPLE, TICKET_BINS, Request
from branchline.bots.rollout import (
    evaluation,  # noqa: F401
    trials,  # noqa: F401
)
from branchline.bots.warm import SOURCES
from branchline.kernel.machine import (
    OPTIONS,
    RECORDS,
    add_record,
    board_at,
    load_or_compile,
    positions_at,
    read_at,
    words_at,
    work_at,
)
from branchline.mechanics.composed import Position

plan_at, request_at = read_at(add_record(Plan)), read_at(add_record(Request))


@intrinsic
def _copy_bytes(context: Any, to: Any, of: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), Position.SIZE), 1)
        return target.get_dummy_value()

    return types.void(RECORDS["Position"], RECORDS["Position"]), generate


@intrinsic
def _clear_bytes(context: Any, record: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), Position.SIZE), 0)
        return target.get_dummy_value()

    return types.void(RECORDS["Position"]), generate


@njit(**OPTIONS)
def _copy_position(positions, to, of):
    _copy_bytes(positions[to], positions[of])


@njit(**OPTIONS)
def _blank_position(positions, i):
    _clear_bytes(positions[i])


MACHINE = {"copy_position": _copy_position, "blank_position": _blank_position}

POSITIONS = 3
ROOM = 1 << 40  # words that are taken to lie at an address: who calls has made room for what is asked

# Compiled, with all they call, only if the entry point is not in the cache.
_CALLED = (
    "play_series",
    "bot_action",
    "try_candidates",
    "follow",
    "list_own_claims",
    "bin_tickets",
    "sample_game",
    "note_game",
    "answer_positions",
)
_play_series: Any = None
_bot_action: Any = None
_try_candidates: Any = None
_follow: Any = None
_list_own_claims: Any = None
_bin_tickets: Any = None
_sample_game: Any = None
_note_game: Any = None
_answer_positions: Any = None


def _run(what, p, b, w, k, r, notes, log):
    """Call a function of the bots on the positions, the board, the work spaces, the request, the notes and the log at
    these addresses. The log is the weights of tickets by seat, and then those of the evaluation, for a search."""
    positions = carray(positions_at(p), (POSITIONS,))
    board, work, plan, request = board_at(b), work_at(w), plan_at(k), request_at(r)
    notes, log = carray(words_at(notes), (ROOM,)), carray(words_at(log), (ROOM,))
    s, seat = positions[0], request.seat
    if what == ROLLOUTS:
        return _try_candidates(positions, board, work, plan, request, log, notes)
    if what == FOLLOW:
        return _follow(positions, board, work, plan, request, log, notes)
    if what == CLAIMS:
        return _list_own_claims(s, board, work, plan, seat, notes)
    if what == SAMPLE:
        return _sample_game(positions, board, work, plan, request, notes)
    if what == TICKET_BINS:
        _bin_tickets(s, board, plan, seat, log)
        return 0
    if what == CHOOSE:
        return _bot_action(s, board, work, plan, seat, request.bot, request.seed, request.choice)
    if what == ANSWER:
        return _answer_positions(carray(positions_at(p), (ROOM,)), board, work, plan, request, notes, log)
    if what == NOTE:
        return _note_game(positions, board, work, request, log, notes)
    return _play_series(positions, board, work, plan, request, notes, log)


run = load_or_compile(_run, _CALLED, sources=SOURCES, machine=MACHINE)
