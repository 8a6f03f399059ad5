"""Games between bots compiled by Numba, behind one entry point; kernel/machine.py tells how and why.

The entry point is a compiled twin of `match.play_series` on addresses. It has a cache of its own, named after the
sources of the kernel and of the bots together.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from branchline.bots.composed import Plan
from branchline.bots.games import lab_notes, match  # noqa: F401  (registers their functions)
from branchline.bots.games.match import NOTES
from branchline.bots.games.rows import LAB_ROOM
from branchline.bots.rollout import trials  # noqa: F401
from branchline.bots.rollout.evaluation import FEATURES, NET
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
from branchline.kernel.state import SEATS
from branchline.maps.model import MAX_TICKETS, MAX_TRACKS
from branchline.mechanics.composed import Position

plan_at = read_at(add_record(Plan))


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

# What `run` can do; `words` holds the arguments each names.
SERIES, CHOOSE, ROLLOUTS, FOLLOW, CLAIMS, TICKET_BINS, SAMPLE, NOTE = range(8)
WORDS = 128
CODES_FROM = 16  # where the words of ROLLOUTS hold the candidates
POSITIONS = 3

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
)
_play_series: Any = None
_bot_action: Any = None
_try_candidates: Any = None
_follow: Any = None
_list_own_claims: Any = None
_bin_tickets: Any = None
_sample_game: Any = None
_note_game: Any = None


def _run(what, p, b, w, k, words, notes, log):
    """Call a function of the bots on the positions, board, work spaces and words at these addresses.

    SERIES: words hold the bots entered (SEATS), room for them at their seats (SEATS), then players, seed, first game,
    games, rotate, log_n; the number of decisions. CHOOSE: words hold seat, bot, seed, i; the code chosen in the veiled
    position at `p`. For the bot `rollout`, about the veiled position at `p`: ROLLOUTS: words hold seat, own bot, the
    others' bot, seed, first world, worlds, number of candidates, turns to play, and from CODES_FROM on the candidates;
    results for each world. FOLLOW: the same, but one world, the most codes to write, and one candidate. CLAIMS and
    TICKET_BINS: words hold the seat. `log` holds the weights of tickets by seat, or is where they go, and then those of
    the evaluation. SAMPLE: words hold players, seed, one_in, chaos, most rows, and from CODES_FROM on the bots.
    NOTE: words hold players, seed and log_n; plays `log` again for the lab's notes; the number of turns.
    """
    words = carray(words_at(words), (WORDS,))
    positions = carray(positions_at(p), (POSITIONS,))
    tickets = carray(words_at(log), (SEATS * MAX_TICKETS + NET,))
    if what == ROLLOUTS:
        return _try_candidates(
            positions,
            board_at(b),
            work_at(w),
            plan_at(k),
            words[0],
            words[1],
            words[2],
            words[3],
            words[4],
            words[5],
            words[CODES_FROM:],
            words[6],
            words[7],
            tickets,
            carray(words_at(notes), (words[5] * words[6] * SEATS,)),
        )
    if what == FOLLOW:
        return _follow(
            positions,
            board_at(b),
            work_at(w),
            plan_at(k),
            words[0],
            words[1],
            words[2],
            words[3],
            words[4],
            words[CODES_FROM],
            tickets,
            carray(words_at(notes), (words[5],)),
            words[5],
        )
    if what == CLAIMS:
        pairs = carray(words_at(notes), (2 * MAX_TRACKS + 2,))
        return _list_own_claims(positions[0], board_at(b), work_at(w), plan_at(k), words[0], pairs)
    if what == SAMPLE:
        rows = carray(words_at(notes), (words[4] * (FEATURES + 1),))
        b, w, k = board_at(b), work_at(w), plan_at(k)
        bots = words[CODES_FROM:]
        return _sample_game(positions, b, w, k, bots, words[0], words[1], words[2], words[3], rows, words[4])
    if what == TICKET_BINS:
        _bin_tickets(positions[0], board_at(b), plan_at(k), words[0], tickets)
        return 0
    if what == CHOOSE:
        return _bot_action(positions[0], board_at(b), work_at(w), plan_at(k), words[0], words[1], words[2], words[3])
    if what == NOTE:
        codes = carray(words_at(log), (words[2],))
        row = carray(words_at(notes), (LAB_ROOM,))
        return _note_game(positions, board_at(b), work_at(w), words[0], words[1], codes, words[2], row)
    args = words[2 * SEATS :]
    return _play_series(
        positions,
        board_at(b),
        work_at(w),
        plan_at(k),
        words[:SEATS],
        words[SEATS : 2 * SEATS],
        args[0],
        args[1],
        args[2],
        args[3],
        args[4],
        carray(words_at(notes), (args[3] * NOTES,)),
        carray(words_at(log), (args[5],)),
        args[5],
    )


run = load_or_compile(_run, _CALLED, sources=SOURCES, machine=MACHINE)
