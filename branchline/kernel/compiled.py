"""The kernel compiled by Numba, behind one entry point: each would be compiled with the whole kernel inside.

Importing this costs a good part of a second, and the first use of a new version compiles.
"""

from __future__ import annotations

from typing import Any

from numba import carray

from branchline.kernel.machine import board_at, load_or_compile, lowest, position_at, words_at, work_at
from branchline.mechanics.composed import Position

WORDS = Position.SIZE // 8
SET_UP, PLAY, LEGAL, STEP, SCORE, RANDOM_GAMES, VEIL, IMAGINE, AUDIT = range(9)

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
            work.digest = _digest_words(work.digest, words, board.position_words)
        return decisions
    return 0


run = load_or_compile(_run, _CALLED)
