"""Many positions answered by bots, each of another game: for a trainer that plays against them.

Like whole games (match.py) it hands a bot nothing that its seat may not know; the positions are veiled where they lie.
"""

from __future__ import annotations

from branchline.bots.blocks.plan import Plan
from branchline.bots.games.match import bot_action, bot_seed
from branchline.bots.games.request import Request
from branchline.bots.kernel import Board, Position, Work, kernel, lowest, veil

ASKED = 2  # numbers in the log for each position: the bot, and the seat that no bot plays
NOT_ASKED = -1  # in the place of a code: it is that seat's turn


@kernel
def answer_positions(
    positions: list[Position], b: Board, w: Work, plan: Plan, r: Request, notes: list[int], log: list[int]
) -> int:
    """Write the code that a bot chooses in each of r.games positions, from r.first on, into the notes; how many asked
    a bot."""
    answered = 0
    for i in range(r.first, r.first + r.games):
        s = positions[i]
        seat = lowest(s.awaited)
        notes[i] = NOT_ASKED
        if seat != log[ASKED * i + 1]:
            veil(s, b, seat)
            notes[i] = bot_action(s, b, w, plan, seat, log[ASKED * i], bot_seed(s.seed, seat), s.moves)
            answered += 1
    return answered
