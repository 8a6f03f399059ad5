"""Games with masks and observations, behind one entry point of addresses; kernel/machine.py tells how and why.

`advance` goes through the games from one number to another: it plays a choice in each, deals anew where a game ended,
and writes what the next seat may choose and what it sees. Whoever calls it has checked the choices before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numba import types

from branchline.envs import layout, rewards, sight, stepping
from branchline.envs.layout import Layout
from branchline.kernel.flat import I64, Flat
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
from branchline.mechanics.composed import Position, Work

Array = np.ndarray[Any, np.dtype[Any]]

SOURCES = tuple(Path(file) for file in (layout.__file__, rewards.__file__, sight.__file__, stepping.__file__, __file__))
POSITION_SIZE, POSITION_WORDS = Position.SIZE, Position.SIZE // 8
TOLD = 2 + 2 * SEATS  # numbers told of a game: whose choice it is (-1 nobody's), whether one ended, its totals, places

bytes_at, shorts_at = read_at(types.CPointer(types.int8)), read_at(types.CPointer(types.int16))
floats_at = read_at(types.CPointer(types.float32))

# What is asked of `advance`: to play the choices, to deal after the end, to settle details as they are offered first,
# to write observations, or only to look at games as they are with the eyes of the seats in `chosen`, or only to check
# the choices. If it is neither to play nor to look, all games are dealt.
PLAY, AGAIN, SETTLE, SEE, LOOK, CHECK = 1, 2, 4, 8, 16, 32

CALLS = (
    "play_choice",
    "deal_game",
    "reward_above",
    "reward_below",
    "fill_menu",
    "veil_rest",
    "write_mask",
    "write_sight",
)
_play_choice: Any = None
_deal_game: Any = None
_reward_above: Any = None
_reward_below: Any = None
_fill_menu: Any = None
_veil_rest: Any = None
_write_mask: Any = None
_write_sight: Any = None


class Job(Flat):
    """What is asked, and where everything lies: addresses but for the first seven."""

    asked: Annotated[int, I64]  # PLAY, AGAIN …
    games: Annotated[int, I64]
    players: Annotated[int, I64]
    choices: Annotated[int, I64]  # of a game
    rows: Annotated[int, I64]  # of the table
    size: Annotated[int, I64]  # of an observation
    reward: Annotated[int, I64]  # its kind
    store: Annotated[int, I64]  # the positions
    board: Annotated[int, I64]
    work: Annotated[int, I64]
    veiled: Annotated[int, I64]  # room for a veiled position
    seeds: Annotated[int, I64]
    chosen: Annotated[int, I64]  # the choice in each game, or whose eyes are to look
    codes: Annotated[int, I64]  # the code of each choice
    index: Annotated[int, I64]  # the choice of each code
    masks: Annotated[int, I64]
    table: Annotated[int, I64]  # where in a position lies what is seen
    seen: Annotated[int, I64]
    told: Annotated[int, I64]
    rewards: Annotated[int, I64]


job_at = read_at(add_record(Job))


def _advance(j, first, last):
    """Go through the games from number `first` to `last`; of a check, 1 + the first with a wrong choice, or 0."""
    job = job_at(j)
    if job.asked & CHECK:
        for i in range(first, last):
            choice, over = words_at(job.chosen)[i], shorts_at(job.told)[i * TOLD] < 0
            known = 0 <= choice < job.choices
            if not over and (not known or bytes_at(job.masks)[i * job.choices + choice] == 0):
                return 1 + i
        return 0
    b, w = board_at(job.board), work_at(job.work)
    w.listening = 0
    for i in range(first, last):
        p = job.store + i * POSITION_SIZE
        s = position_at(p)
        tell = shorts_at(job.told + i * TOLD * 2)
        words = words_at(p)
        tell[1] = 0
        fresh = 0 if job.asked & (PLAY | LOOK) else 1
        if job.asked & PLAY:
            rewards = floats_at(job.rewards + i * job.players * 4)
            for q in range(job.players):
                rewards[q] = 0
        if job.asked & PLAY and s.awaited:
            tell[1] = _play_choice(s, b, w, words_at(job.codes)[words_at(job.chosen)[i]], job.asked & SETTLE)
            if tell[1]:
                below = _reward_below(w.place, job.players, job.reward)
                for q in range(job.players):
                    tell[2 + q] = w.total[q]
                    tell[2 + SEATS + q] = w.place[q]
                    rewards[q] = _reward_above(w.total, w.place, job.players, q, job.reward) / below
                fresh = job.asked & AGAIN
        if fresh:
            for k in range(POSITION_WORDS):
                words[k] = 0
            if job.asked & PLAY:
                words_at(job.seeds)[i] += job.games
            _deal_game(s, b, w, job.players, words_at(job.seeds)[i], job.asked & SETTLE)
        seat = words_at(job.chosen)[i] if job.asked & LOOK else lowest(s.awaited) if s.awaited else -1
        tell[0] = seat
        seat = max(seat, 0)
        _fill_menu(s, b, w, seat)  # empty for a seat that has nothing to choose
        _write_mask(w, words_at(job.index), bytes_at(job.masks), i * job.choices, job.choices)
        if job.asked & SEE:
            wiped = words_at(job.veiled)
            for k in range(POSITION_WORDS):
                wiped[k] = words[k]
            _veil_rest(position_at(job.veiled), b, seat)  # no deck is told
            sight = shorts_at(job.seen + i * job.size * 2)
            for k in range(job.size):
                sight[k] = 0
            _write_sight(
                wiped,
                shorts_at(job.veiled),
                bytes_at(job.veiled),
                words_at(job.table),
                job.rows,
                sight,
                0,
                seat,
                job.players,
            )
    return 0


def jobs_of(layout: Layout, rooms: list[Array], **arrays: Array) -> Array:
    """A job for each thread that has a room to work in; who asks says what, and `games` where games are dealt anew."""
    jobs = np.zeros(len(rooms), Job.dtype())
    arrays |= {"codes": layout.codes, "index": layout.index, "table": layout.table}
    for name, array in arrays.items():
        jobs[name] = array.ctypes.data
    numbers = {"players": layout.players, "choices": layout.choices, "rows": len(layout.table), "size": layout.size}
    for name, number in numbers.items():
        jobs[name] = number
    jobs["work"] = [room.ctypes.data for room in rooms]
    jobs["veiled"] = jobs["work"] + Work.SIZE
    return jobs


def load_advance() -> Any:
    """`advance` compiled for this machine."""
    return load_or_compile(_advance, CALLS, sources=SOURCES)
