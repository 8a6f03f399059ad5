"""Whole games between bots inside the kernel, and what is noted of each."""

from __future__ import annotations

from branchline.bots.choices import path_action
from branchline.bots.work import PathWork
from branchline.kernel.chance import below, stream_key
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.scoring import score_game
from branchline.kernel.setup import set_up
from branchline.kernel.state import HELD, OVER, SEATS, Board, Position, Work
from branchline.kernel.stations import stations_built
from branchline.kernel.turn import apply_action, count_menu, fill_menu, nth_of_menu
from branchline.kernel.view import veil

RANDOM_BOT, PATH_BOT = range(2)

# Random streams beyond those of kernel/state.py.
MATCH_STREAM, BOT_STREAM = 32, 33

# What is noted of a game: a few numbers of the game, then as many of each seat.
N_SEED, N_DECISIONS, N_END, NOTES_OF_GAME = 0, 1, 2, 3
N_SCORE, N_PLACE, N_TICKETS, N_COMPLETED, N_TRAINS, N_TRACK_POINTS, N_TICKET_POINTS, N_STATIONS, N_CHOICES = range(9)
NOTES_OF_SEAT = 9
NOTES = NOTES_OF_GAME + NOTES_OF_SEAT * SEATS


@kernel
def match_seed(seed: int, game: int) -> int:
    """The seed of a game of a series: it follows from the seed of the series and the game's number alone."""
    return stream_key(seed, MATCH_STREAM, game)


@kernel
def bot_seed(seed: int, seat: int) -> int:
    """The seed of the bot at a seat, for choices by chance."""
    return stream_key(seed, BOT_STREAM, seat)


@kernel
def random_choice(seed: int, i: int, n: int) -> int:
    """The i-th choice of the random bot, one of n."""
    return below(seed, i, n)


def copy_position(positions: list[Position], to: int, of: int) -> None:
    """A primitive: exchanged for a copy of bytes where the kernel is compiled."""
    positions[to] = positions[of].copy()


@kernel
def bot_action(v: Position, b: Board, w: Work, k: PathWork, seat: int, bot: int, seed: int, i: int) -> int:
    """What a bot chooses, given what its seat may know; its i-th choice of the game."""
    if bot == PATH_BOT:
        return path_action(v, b, w, k, seat)
    fill_menu(v, b, w, seat)
    return nth_of_menu(w, random_choice(seed, i, count_menu(w)))


@kernel
def play_match(
    positions: list[Position],
    b: Board,
    w: Work,
    works: list[PathWork],
    bots: list[int],
    players: int,
    seed: int,
    notes: list[int],
    at: int,
    log: list[int],
    log_n: int,
) -> int:
    """Play one game from a blank positions[0] and note its result; each choice sees a veiled copy in positions[1]."""
    s = positions[0]
    set_up(s, b, w, players, seed)
    for i in range(NOTES):
        notes[at + i] = 0
    n = 0
    while s.phase != OVER:
        seat = lowest(s.awaited)
        copy_position(positions, 1, 0)
        veil(positions[1], b, seat)
        choices = at + NOTES_OF_GAME + NOTES_OF_SEAT * seat + N_CHOICES
        code = bot_action(positions[1], b, w, works[seat], seat, bots[seat], bot_seed(seed, seat), notes[choices])
        apply_action(s, b, w, seat, code)
        if n < log_n:
            log[n] = code
        n += 1
        notes[choices] += 1
    score_game(s, b, w)
    notes[at + N_SEED] = seed
    notes[at + N_DECISIONS] = n
    notes[at + N_END] = s.end
    for seat in range(players):
        note_seat(s, b, w, seat, notes, at + NOTES_OF_GAME + NOTES_OF_SEAT * seat)
    return n


@kernel
def note_seat(s: Position, b: Board, w: Work, seat: int, notes: list[int], at: int) -> None:
    notes[at + N_SCORE] = w.total[seat]
    notes[at + N_PLACE] = w.place[seat]
    notes[at + N_TICKETS] = s.ticket_count[seat]
    notes[at + N_COMPLETED] = w.completed[seat]
    notes[at + N_TRAINS] = s.trains[seat]
    notes[at + N_TRACK_POINTS] = w.track_score[seat]
    notes[at + N_TICKET_POINTS] = w.ticket_score[seat]
    notes[at + N_STATIONS] = stations_built(s, seat)
