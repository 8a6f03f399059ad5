"""Whole games between bots inside the kernel, and what is noted of each.

Every choice is made on a veiled copy of the position, so that no bot can see what its seat may not know (I-05).
"""

from __future__ import annotations

from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.choices import conductor_action
from branchline.bots.games.request import Request
from branchline.bots.gentle.passenger import passenger_action
from branchline.bots.gentle.porter import porter_action
from branchline.bots.kernel import (
    OVER,
    SEATS,
    Board,
    Position,
    Work,
    apply_action,
    below,
    count_menu,
    fill_menu,
    kernel,
    lowest,
    nth_of_menu,
    score_game,
    set_up,
    stations_built,
    stream_key,
    veil,
)
from branchline.bots.planner.choices import planner_action
from branchline.bots.styles.hungry import hungry_action
from branchline.bots.styles.longroute import longroute_action
from branchline.bots.styles.onestep import onestep_action
from branchline.bots.styles.path import path_action

# The numbers by which the compiled games know the bots.
RANDOM_BOT, CONDUCTOR_BOT, ONESTEP_BOT, LONGROUTE_BOT, HUNGRY_BOT, PLANNER_BOT, PASSENGER_BOT, PORTER_BOT = range(8)
PATH_BOT = 8
PLANNER_TWIN = 15  # plays by a second set of numbers: for tuning; after it come the styles (planner/numbers.py)

# Random streams beyond those of kernel/state.py.
MATCH_STREAM, BOT_STREAM = 32, 33

# What is noted of a game, and then of each seat.
N_SEED, N_DECISIONS, N_END, GAME_NOTES = range(4)
(
    N_SCORE,
    N_PLACE,
    N_TICKETS,
    N_COMPLETED,
    N_TRAINS,
    N_TRACK_POINTS,
    N_TICKET_POINTS,
    N_STATIONS,
    N_CHOICES,
    SEAT_NOTES,
) = range(10)
NOTES = GAME_NOTES + SEAT_NOTES * SEATS


@kernel
def match_seed(seed: int, game: int) -> int:
    """The seed of a game of a series: it follows from the seed of the series and the game's number alone."""
    return stream_key(seed, MATCH_STREAM, game)


@kernel
def bot_seed(seed: int, seat: int) -> int:
    """The seed of the bot at a seat of a game, for choices by chance."""
    return stream_key(seed, BOT_STREAM, seat)


@kernel
def random_choice(seed: int, i: int, n: int) -> int:
    """The i-th choice of a random bot, one of n."""
    return below(seed, i, n)


@kernel
def bot_action(s: Position, b: Board, w: Work, plan: Plan, seat: int, bot: int, seed: int, i: int) -> int:
    """What a bot chooses in a veiled position; it is its i-th choice of the game."""
    if bot == CONDUCTOR_BOT:
        return conductor_action(s, b, w, plan, seat)
    if bot == PLANNER_BOT or bot >= PLANNER_TWIN:
        return planner_action(s, b, w, plan, seat, max(0, bot - PLANNER_TWIN + 1))
    if bot == PATH_BOT:
        return path_action(s, b, w, plan, seat)
    if bot == ONESTEP_BOT:
        return onestep_action(s, b, w, plan, seat)
    if bot == LONGROUTE_BOT:
        return longroute_action(s, b, w, plan, seat)
    if bot == HUNGRY_BOT:
        return hungry_action(s, b, w, plan, seat)
    if bot == PASSENGER_BOT:
        return passenger_action(s, b, w, plan, seat)
    if bot == PORTER_BOT:
        return porter_action(s, b, w, plan, seat)
    fill_menu(s, b, w, seat)
    return nth_of_menu(w, random_choice(seed, i, count_menu(w)))


def blank_position(positions: list[Position], i: int) -> None:
    """Make a position all zero. Like a primitive, it is exchanged for a machine instruction where it is compiled."""
    positions[i] = Position()


def copy_position(positions: list[Position], to: int, of: int) -> None:
    """Copy one position over another. Like a primitive, it is exchanged for a machine instruction."""
    positions[to] = positions[of].copy()


@kernel
def play_match(
    positions: list[Position],
    b: Board,
    w: Work,
    plan: Plan,
    r: Request,
    seed: int,
    notes: list[int],
    at: int,
    log: list[int],
) -> int:
    """Play one game of r.players bots, r.bots at their seats, with positions[0], each choice made on a copy in
    positions[1]; the number of decisions.

    What comes of it goes into notes[at:], the first r.log_n codes played go into `log`.
    """
    blank_position(positions, 0)
    s = positions[0]
    set_up(s, b, w, r.players, seed)
    for i in range(at, at + NOTES):
        notes[i] = 0
    n = 0
    while s.phase != OVER:
        seat = lowest(s.awaited)
        choices = at + GAME_NOTES + SEAT_NOTES * seat + N_CHOICES
        copy_position(positions, 1, 0)
        veil(positions[1], b, seat)
        code = bot_action(positions[1], b, w, plan, seat, r.bots[seat], bot_seed(seed, seat), notes[choices])
        apply_action(s, b, w, seat, code)
        if n < r.log_n:
            log[n] = code
        notes[choices] += 1
        n += 1
    notes[at + N_SEED] = seed
    notes[at + N_DECISIONS] = n
    notes[at + N_END] = s.end
    score_game(s, b, w)
    for seat in range(r.players):
        note_seat(s, w, seat, notes, at + GAME_NOTES + SEAT_NOTES * seat)
    return n


@kernel
def note_seat(s: Position, w: Work, seat: int, notes: list[int], at: int) -> None:
    """Note how a game that is scored ended for a seat."""
    notes[at + N_SCORE] = w.total[seat]
    notes[at + N_PLACE] = w.place[seat]
    notes[at + N_TICKETS] = s.ticket_count[seat]
    notes[at + N_COMPLETED] = w.completed[seat]
    notes[at + N_TRAINS] = s.trains[seat]
    notes[at + N_TRACK_POINTS] = w.track_score[seat]
    notes[at + N_TICKET_POINTS] = w.ticket_score[seat]
    notes[at + N_STATIONS] = stations_built(s, seat)


@kernel
def seat_bots(r: Request, shift: int) -> None:
    """Seat the bots entered, each `shift` seats further round the table."""
    for i in range(r.players):
        r.bots[(i + shift) % r.players] = r.entries[i]


@kernel
def play_series(
    positions: list[Position],
    b: Board,
    w: Work,
    plan: Plan,
    r: Request,
    notes: list[int],
    log: list[int],
) -> int:
    """Play r.games games of a series of r.players bots, r.entries, from number r.first on, and note each; the number of
    decisions."""
    decisions = 0
    for i in range(r.games):
        seat_bots(r, (r.first + i) * r.rotate)
        game = match_seed(r.seed, r.first + i)
        decisions += play_match(positions, b, w, plan, r, game, notes, i * NOTES, log)
    return decisions
