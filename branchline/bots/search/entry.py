"""Many games side by side, compiled: worlds are imagined, codes played in them, and what the next seats see is written.

One entry point of addresses; kernel/machine.py tells how and why. It has a cache of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numba import carray

from branchline.bots.rollout import guess, trials
from branchline.bots.rollout.trials import ROLLOUT_STREAM
from branchline.bots.search import steps
from branchline.bots.search.steps import GAME_OVER, TOLD
from branchline.kernel.machine import (
    add_record,
    board_at,
    load_or_compile,
    lowest,
    position_at,
    read_at,
    words_at,
    work_at,
)
from branchline.kernel.state import SEATS
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics.composed import Position
from branchline.training import observation
from branchline.training.record import Observation, Paths

SOURCES = (
    *observation.SOURCES,
    *(Path(str(path)) for path in (guess.__file__, trials.__file__, steps.__file__, __file__)),
)
CALLS = ("imagine_world", "play_code", "tell_game", "stream_key", "observe")
IMAGINE, STEP = 0, 1  # what the entry point can do
POSITION_SIZE, POSITION_WORDS, OBSERVATION_SIZE = Position.SIZE, Position.SIZE // 8, Observation.SIZE
TICKET_WEIGHTS = SEATS * MAX_TICKETS

observation_at, paths_at = read_at(add_record(Observation)), read_at(add_record(Paths))

_imagine_world: Any = None
_play_code: Any = None
_tell_game: Any = None
_stream_key: Any = None
_observe: Any = None


def _lockstep(what, n, seat, seed, first, p, which, codes, b, w, r, weights, seen, told):  # type: ignore[no-untyped-def]
    """IMAGINE: make n worlds, number `first` and so on, after the view of `seat` at p. STEP: play codes[i], by `seat`
    or by who is awaited, in game which[i] of those at p; tell who chooses next and what that seat sees."""
    board, work = board_at(b), work_at(w)
    work.listening = 0
    if what == IMAGINE:
        view = words_at(p)
        likely = carray(words_at(weights), (TICKET_WEIGHTS,))
        for i in range(n):
            at = p + POSITION_SIZE * (1 + i)
            copy = words_at(at)
            for j in range(POSITION_WORDS):
                copy[j] = view[j]
            key = _stream_key(seed, ROLLOUT_STREAM, first + i)
            _imagine_world(position_at(p), position_at(at), board, work, seat, likely, key)
        return n
    places, chosen = words_at(which), words_at(codes)
    tell = carray(words_at(told), (TOLD * n,))
    for i in range(n):
        s = position_at(p + POSITION_SIZE * places[i])
        _play_code(s, board, work, seat if seat >= 0 else lowest(s.awaited), chosen[i])
        mover = _tell_game(s, board, work, tell, TOLD * i)
        if mover != GAME_OVER:
            _observe(s, board, work, observation_at(seen + OBSERVATION_SIZE * i), paths_at(r), mover)
    return n


run = load_or_compile(_lockstep, CALLS, sources=SOURCES)
