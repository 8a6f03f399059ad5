"""Games with observations, behind two entry points of addresses; kernel/machine.py tells how and why.

`observe` writes what a seat sees. `step` plays one code in one of n games, deals anew when it is over, and writes what
the next seat sees. The games lie word by word, word k of game i at k * n + i: on a GPU, where neighbouring threads play
neighbouring games, every access to memory is then one piece. ptx.py compiles the same `step` for a GPU.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
from branchline.kernel.state import MENU, SEATS
from branchline.mechanics.composed import Board, Position
from branchline.training import observation
from branchline.training.ptx import STEP
from branchline.training.record import OPEN_WORDS, Observation, Paths

SOURCES = (*observation.SOURCES, Path(__file__))
POSITION_WORDS, SEEN_WORDS, BOARD_SIZE = Position.SIZE // 8, Observation.SIZE // 8, Board.SIZE
MENU_WORDS = MENU + OPEN_WORDS  # an observation begins with the menu
RESULT_WORDS = 2 + SEATS  # whether the game ended, the winners as bits, the totals by seat
TICKET_WORDS = 2
HIDDEN_WORDS = (SEATS - 1) * TICKET_WORDS
DEAL = -1  # the code that deals a new game

observation_at, paths_at = read_at(add_record(Observation)), read_at(add_record(Paths))

OBSERVE_CALLS = ("observe",)
_set_up: Any = None
_apply_action: Any = None
_play_defaults: Any = None
_score_game: Any = None
_observe: Any = None
_see_menu: Any = None
_held_tickets: Any = None


def _see(p, b, w, o, r, seat):  # type: ignore[no-untyped-def]
    """Write what a seat sees."""
    _observe(position_at(p), board_at(b), work_at(w), observation_at(o), paths_at(r), seat)
    return 0


def _step(i, n, wanted, store, boards, board_of, players, seeds, codes, seen, results, hidden, p, w, o, r):  # type: ignore[no-untyped-def]
    """Play codes[i] in game i of n in the scratch at p, w, o, r; then what the next seat sees lies in `seen`, and in
    `hidden` the tickets of the others, in turn order after it. Of what it sees only the first `wanted` words are
    written, all of them or those of the menu; with the menu alone nothing is told of the others' tickets.

    It takes sixteen numbers and addresses and no record: so a GPU is launched (driver.py), and what is compiled for one
    is this same function (ptx.py); a record would have to be put into its memory first."""
    stored = words_at(store)
    words = words_at(p)
    sights = words_at(o)
    told = words_at(seen)
    result = words_at(results)
    seed = words_at(seeds)
    code = words_at(codes)[i]
    board = board_at(boards + BOARD_SIZE * words_at(board_of)[i])
    s, work = position_at(p), work_at(w)
    work.listening = 0
    fresh = 1
    result[i] = 0
    if code >= 0:
        fresh = 0
        for k in range(POSITION_WORDS):
            words[k] = stored[k * n + i]
        _apply_action(s, board, work, lowest(s.awaited), code)
        _play_defaults(s, board, work)
        if s.awaited == 0:
            _score_game(s, board, work)
            result[i] = 1
            winners = 0
            for q in range(SEATS):
                result[(2 + q) * n + i] = work.total[q] if q < s.players else 0
                if q < s.players and work.place[q] == 1:
                    winners |= 1 << q
            result[n + i] = winners
            fresh = 1
    if fresh:
        for k in range(POSITION_WORDS):
            words[k] = 0
        seed[i] += n
        _set_up(s, board, work, words_at(players)[i], seed[i])
    seat = lowest(s.awaited)
    if wanted > MENU_WORDS:
        _observe(s, board, work, observation_at(o), paths_at(r), seat)
        tickets = words_at(hidden)
        for k in range(HIDDEN_WORDS):
            other = 1 + k // TICKET_WORDS
            held = 0
            if other < s.players:
                held = _held_tickets(s, board, (seat + other) % s.players, k % TICKET_WORDS)
            tickets[k * n + i] = held
    else:
        _see_menu(s, board, work, observation_at(o), seat)
    for k in range(POSITION_WORDS):
        stored[k * n + i] = words[k]
    for k in range(wanted):
        told[k * n + i] = sights[k]
    return 0


def load_see() -> Any:
    """`observe` compiled for this machine, over addresses."""
    return load_or_compile(_see, OBSERVE_CALLS, sources=SOURCES)


def load_step() -> Any:
    """`step` compiled for this machine, over addresses."""
    return load_or_compile(_step, STEP.calls, sources=SOURCES)
