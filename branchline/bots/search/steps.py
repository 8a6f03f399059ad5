"""Steps of games played side by side: a world is imagined, a code is played, and what came of it is told."""

from __future__ import annotations

from branchline.bots.kernel import (
    SEATS,
    TURN,
    Board,
    Position,
    Work,
    apply_action,
    fill_in,
    fill_menu,
    kernel,
    lowest,
    nth_of_menu,
    play_defaults,
    score_game,
    stream_key,
)
from branchline.bots.rollout.guess import deal_likely_tickets
from branchline.bots.rollout.trials import TICKET_GUESS_STREAM, WORLD_STREAM

WITHOUT_WORD = -1  # in the place of a code: what is offered first
GAME_OVER = -1  # in the place of the seat that chooses
SEAT_AT, TURN_AT, WINNERS_AT, TOTALS_AT = range(4)
TOLD = TOTALS_AT + SEATS  # words told of each game


@kernel
def imagine_world(root: Position, s: Position, b: Board, w: Work, seat: int, weights: list[int], key: int) -> None:
    """Make a copy of a view a full position that its reader cannot tell from the true one."""
    fill_in(s, b, w, seat, stream_key(key, WORLD_STREAM, 0))
    deal_likely_tickets(root, s, b, seat, weights, stream_key(key, TICKET_GUESS_STREAM, 0))


@kernel
def play_code(s: Position, b: Board, w: Work, seat: int, code: int) -> None:
    """Play a code by a seat, and settle the details that follow."""
    if code == WITHOUT_WORD:
        fill_menu(s, b, w, seat)
        code = nth_of_menu(w, 0)
    apply_action(s, b, w, seat, code)
    play_defaults(s, b, w)


@kernel
def tell_game(s: Position, b: Board, w: Work, told: list[int], at: int) -> int:
    """Write who chooses next and whether a turn begins, or the winners as bits and the totals; who chooses."""
    for i in range(TOLD):
        told[at + i] = 0
    if s.awaited:
        told[at + SEAT_AT] = lowest(s.awaited)
        told[at + TURN_AT] = 1 if s.phase == TURN else 0
        return told[at + SEAT_AT]
    score_game(s, b, w)
    told[at + SEAT_AT] = GAME_OVER
    for p in range(s.players):
        told[at + TOTALS_AT + p] = w.total[p]
        if w.place[p] == 1:
            told[at + WINNERS_AT] |= 1 << p
    return GAME_OVER
