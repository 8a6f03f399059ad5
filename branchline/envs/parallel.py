"""Games on a GPU, a thread each: four kernels a step, entry points of numbers and addresses (training/ptx.py).

`take` looks whether every choice is allowed; if one is not, nothing changes any more until somebody has looked at it.
`advance` plays them, deals anew, and writes what the next seat may choose, as bits, and of what it sees all that is not
0, once `wipe` has blanked it. `write_masks` spreads the bits. Both have a thread for eight bytes, so that neighbouring
threads write to neighbouring memory. For the same reason positions and menus lie word by word, word k of game i at
k * n + i. What is told lies by game, as on the CPU.

The rules and what is seen are the functions of the CPU; compiled for the CPU, these entry points are what the tests
run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from branchline.envs.compiled import AGAIN, PLAY, SEE, SETTLE, SOURCES, bytes_at, floats_at, shorts_at
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
from branchline.kernel.state import MENU, WORD
from branchline.mechanics.composed import Position, Work
from branchline.training import ptx
from branchline.training.ptx import Program

POSITION_WORDS = Position.SIZE // 8
FLAGS, NUMBERS = 8, 4  # of a mask and of an observation, that a thread writes


class DeviceJob(Flat):
    """What stays as it is for all steps: settings, and the addresses of everything."""

    settings: Annotated[int, I64]  # AGAIN, SETTLE, SEE
    players: Annotated[int, I64]
    choices: Annotated[int, I64]  # of a game
    rows: Annotated[int, I64]  # of the table
    size: Annotated[int, I64]  # of an observation
    reward: Annotated[int, I64]  # its kind
    board: Annotated[int, I64]
    codes: Annotated[int, I64]  # the code of each choice
    table: Annotated[int, I64]  # where in a position lies what is seen
    store: Annotated[int, I64]  # the positions, word by word
    menus: Annotated[int, I64]  # word by word
    chosen: Annotated[int, I64]
    wrong: Annotated[int, I64]  # by game, whether its choice is not allowed
    refused: Annotated[int, I64]  # the number of the step in which one was not, or 0
    seeds: Annotated[int, I64]
    seats: Annotated[int, I64]
    ended: Annotated[int, I64]
    totals: Annotated[int, I64]
    places: Annotated[int, I64]
    rewards: Annotated[int, I64]
    masks: Annotated[int, I64]
    observations: Annotated[int, I64]


CALLS = ("play_choice", "deal_game", "reward_above", "reward_below", "fill_menu", "veil_rest", "write_sight")
_play_choice: Any = None
_deal_game: Any = None
_reward_above: Any = None
_reward_below: Any = None
_fill_menu: Any = None
_veil_rest: Any = None
_write_sight: Any = None

job_at = read_at(add_record(DeviceJob))


def _take(i, n, j, given, stride, width, number):
    """Take over the choice in game i of n, of `width` bytes, and say in step `number` if it is not allowed."""
    job = job_at(j)
    refused = words_at(job.refused)
    if refused[0] and refused[0] != number:
        return 0
    at = given + i * stride
    choice = words_at(at)[0] if width == 8 else shorts_at(at)[1] * 65536 + (shorts_at(at)[0] & 65535)
    allowed = shorts_at(job.seats)[i] < 0
    if 0 <= choice < job.choices:
        code = words_at(job.codes)[choice]
        allowed |= ((words_at(job.menus)[(code // WORD) * n + i] >> (code % WORD)) & 1) > 0
    words_at(job.chosen)[i] = choice
    bytes_at(job.wrong)[i] = 0 if allowed else 1
    if not allowed:
        refused[0] = number
    return 0


def _wipe(i, n, j):
    """Blank four numbers of all observations: of n such words the one of number i."""
    job = job_at(j)
    if words_at(job.refused)[0] == 0:
        words_at(job.observations)[i] = 0
    return 0


def _advance_game(i, n, j, asked, p, w):
    """Play the choice in game i of n, or deal it, in the scratch at p and w; then what the next seat is told."""
    job = job_at(j)
    if words_at(job.refused)[0]:
        return 0
    asked |= job.settings
    s, b, work = position_at(p), board_at(job.board), work_at(w)
    words, stored = words_at(p), words_at(job.store)
    work.listening = 0
    ended, fresh = 0, 1
    rewards = floats_at(job.rewards + i * job.players * 4)
    for q in range(job.players):
        rewards[q] = 0
    if asked & PLAY:
        fresh = 0
        for k in range(POSITION_WORDS):
            words[k] = stored[k * n + i]
        if s.awaited:
            ended = _play_choice(s, b, work, words_at(job.codes)[words_at(job.chosen)[i]], asked & SETTLE)
        if ended:
            totals = shorts_at(job.totals + i * job.players * 2)
            places = shorts_at(job.places + i * job.players * 2)
            below = _reward_below(work.place, job.players, job.reward)
            for q in range(job.players):
                totals[q] = work.total[q]
                places[q] = work.place[q]
                rewards[q] = _reward_above(work.total, work.place, job.players, q, job.reward) / below
            fresh = asked & AGAIN
    bytes_at(job.ended)[i] = ended
    if fresh:
        for k in range(POSITION_WORDS):
            words[k] = 0
        if asked & PLAY:
            words_at(job.seeds)[i] += n
        _deal_game(s, b, work, job.players, words_at(job.seeds)[i], asked & SETTLE)
    for k in range(POSITION_WORDS):
        stored[k * n + i] = words[k]
    seat = lowest(s.awaited) if s.awaited else -1
    shorts_at(job.seats)[i] = seat
    seat = max(seat, 0)
    _fill_menu(s, b, work, seat)  # empty for a game that is over
    menus = words_at(job.menus)
    for k in range(MENU):
        menus[k * n + i] = work.menu[k] if work.menu_from <= k < work.menu_to else 0
    if asked & SEE:
        _veil_rest(s, b, seat)  # no deck is told
        _write_sight(
            words,
            shorts_at(p),
            bytes_at(p),
            words_at(job.table),
            job.rows,
            shorts_at(job.observations),
            i * job.size,
            seat,
            job.players,
        )
    return 0


def _write_masks(i, n, games, j):
    """Write flags 8 i to 8 i + 7 of all masks, of n such words."""
    job = job_at(j)
    choices, menus, codes = job.choices, words_at(job.menus), words_at(job.codes)
    game = i * FLAGS // choices
    choice = i * FLAGS - game * choices
    flags = 0
    for k in range(FLAGS):
        if game < games:
            code = codes[choice]
            flags |= ((menus[(code // WORD) * games + game] >> (code % WORD)) & 1) << (8 * k)
        choice += 1
        if choice == choices:
            choice = 0
            game += 1
    words_at(job.masks)[i] = flags
    return 0


OWN_SOURCES = (*SOURCES, Path(__file__), Path(ptx.__file__))


def _program(entry: Any, calls: tuple[str, ...] = (), scratch: tuple[int, ...] = ()) -> Program:
    return Program(
        f"branchline_envs{entry.__name__}", "branchline.envs.parallel", entry.__name__, calls, scratch, OWN_SOURCES
    )


TAKE, WIPE, WRITE_MASKS = _program(_take), _program(_wipe), _program(_write_masks)
ADVANCE = _program(_advance_game, CALLS, (Position.SIZE, Work.SIZE))
PROGRAMS = (TAKE, WIPE, ADVANCE, WRITE_MASKS)


def load_for_cpu(program: Program) -> Any:
    """An entry point compiled for this machine, over addresses."""
    return load_or_compile(globals()[program.entry], program.calls, sources=OWN_SOURCES)


if __name__ == "__main__":  # compile now, so that nobody waits on the machine with the GPU
    for program in PROGRAMS:
        print(f"{program.name}: {len(ptx.kernel_code(program))} bytes for {ptx.PROCESSOR}")
