"""Games with masks and observations, behind one entry point of addresses; kernel/machine.py tells how and why.

`advance` goes through the games from one number to another: it plays a choice in each, deals anew where a game ended,
and writes what the next seat may choose and what it sees. Whoever calls it has checked the choices against the masks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numba import types

from branchline.envs import layout, sight
from branchline.kernel.machine import board_at, load_or_compile, lowest, position_at, read_at, words_at, work_at
from branchline.kernel.state import SEATS
from branchline.mechanics.composed import Position

SOURCES = (Path(layout.__file__), Path(sight.__file__), Path(__file__))
POSITION_SIZE, POSITION_WORDS = Position.SIZE, Position.SIZE // 8
TOLD = 2 + 2 * SEATS  # numbers told of a game: whose choice it is (-1 nobody's), whether one ended, its totals, places

bytes_at, shorts_at = read_at(types.CPointer(types.int8)), read_at(types.CPointer(types.int16))

# What is asked of `advance`: to play the choices, to deal after the end, to settle details as they are offered first,
# to write observations, or only to look at games as they are with the eyes of the seats in `chosen`. If it is neither
# to play nor to look, all games are dealt.
PLAY, AGAIN, SETTLE, SEE, LOOK = 1, 2, 4, 8, 16

CALLS = ("set_up", "apply_action", "play_defaults", "score_game", "fill_menu", "veil", "write_mask", "write_sight")
_set_up: Any = None
_apply_action: Any = None
_play_defaults: Any = None
_score_game: Any = None
_fill_menu: Any = None
_veil: Any = None
_write_mask: Any = None
_write_sight: Any = None


def _advance(
    asked, first, last, n, store, board, work, view, players, seeds, chosen, codes, index, choices, masks, table, rows,
    size, seen, told,
):  # fmt: skip
    b, w = board_at(board), work_at(work)
    w.listening = 0
    for i in range(first, last):
        p = store + i * POSITION_SIZE
        s = position_at(p)
        tell = shorts_at(told + i * TOLD * 2)
        words = words_at(p)
        tell[1] = 0
        fresh = 0 if asked & (PLAY | LOOK) else 1
        if asked & PLAY and s.awaited:
            _apply_action(s, b, w, lowest(s.awaited), words_at(codes)[words_at(chosen)[i]])
            if asked & SETTLE:
                _play_defaults(s, b, w)
            if s.awaited == 0:
                _score_game(s, b, w)
                tell[1] = 1
                for q in range(SEATS):
                    tell[2 + q] = w.total[q] if q < players else 0
                    tell[2 + SEATS + q] = w.place[q] if q < players else 0
                fresh = asked & AGAIN
        if fresh:
            for k in range(POSITION_WORDS):
                words[k] = 0
            if asked & PLAY:
                words_at(seeds)[i] += n
            _set_up(s, b, w, players, words_at(seeds)[i])
            if asked & SETTLE:
                _play_defaults(s, b, w)
        seat = words_at(chosen)[i] if asked & LOOK else lowest(s.awaited) if s.awaited else -1
        tell[0] = seat
        seat = max(seat, 0)
        _fill_menu(s, b, w, seat)  # empty for a seat that has nothing to choose
        _write_mask(w, words_at(index), bytes_at(masks), i * choices, choices)
        if asked & SEE:
            wiped = words_at(view)
            for k in range(POSITION_WORDS):
                wiped[k] = words[k]
            _veil(position_at(view), b, seat)
            _write_sight(
                wiped, shorts_at(view), bytes_at(view), words_at(table), rows, shorts_at(seen), i * size, seat,
                players,
            )  # fmt: skip
    return 0


def load_advance() -> Any:
    """`advance` compiled for this machine."""
    return load_or_compile(_advance, CALLS, sources=SOURCES)
