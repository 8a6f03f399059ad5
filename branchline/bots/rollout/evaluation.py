"""What a position is worth to a seat: the points it will end with, by a small network fitted on games of bots.

The network sees of a seat what its plan for its tickets says, its cards and trains, and how long the game may last; it
knows no map by name. bench/evaluation.py plays the games and fits the weights. All numbers are whole, so that every
machine gives the same.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import count_needs
from branchline.bots.blocks.chains import add_todo
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.network import plan_ticket, survey, turns_to_go
from branchline.bots.games.match import blank_position, bot_action, bot_seed, copy_position
from branchline.bots.games.request import Request
from branchline.bots.kernel import (
    BITS,
    GRAY,
    HAND,
    HELD,
    LOCO,
    OVER,
    TERRAINS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    apply_action,
    below,
    count_menu,
    festival_points,
    fill_menu,
    kernel,
    lowest,
    nth_of_menu,
    popcount,
    score_game,
    set_up,
    stations_built,
    stream_key,
    veil,
)
from branchline.graph.chains import is_joined

# What the network is told of a seat.
(
    F_SCORE,
    F_JOINED,  # points of tickets that are joined
    F_PLANNED,  # points of tickets the plan joins
    F_GIVEN_UP,
    F_JOINED_N,
    F_GIVEN_UP_N,
    F_SPACES,  # trains the plan takes
    F_TRACKS,
    F_LACKING,  # cards of colours the plan lacks
    F_GRAY,  # and spaces of gray tracks, less cards to spare
    F_TURNS,  # the plan takes at least
    F_SLACK,  # turns left beyond that
    F_LATE,  # turns lacking, times points planned
    F_TRAINS,
    F_CARDS,
    F_LOCOS,
    F_MOST,  # cards of the colour of which there are most
    F_SECOND,
    F_TO_GO,  # turns left, at a guess
    F_OTHERS,  # the fewest trains of another player
    F_LAST,  # 1 in the last round
    F_WAIT,  # turns of others before the next own
    F_PLAYERS,
    F_FESTIVALS,
    F_STATIONS,
    F_TERRAIN,
    F_LAID,  # tracks laid
    F_LONGEST,  # the bonus for the longest path
    F_MOST_TICKETS,  # the bonus for most tickets
    F_FREE,  # trains the plan leaves
    F_POINTS_PLANNED,  # points of the planned tracks
    FEATURES,
) = range(32)

HIDDEN_UNITS = 32
INPUT_SHIFT, OUTPUT_SHIFT = 10, 12
UNIT = 16  # an estimate is in sixteenths of a point
NET = HIDDEN_UNITS * (FEATURES + 2) + 1  # weights: of each hidden unit its inputs and its constant; then the output

# Random streams beyond those of kernel/state.py, games/match.py and trials.py.
SAMPLE_STREAM = 44


@kernel
def gauge(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Write into plan.facts what the network is told of a seat."""
    x = plan.facts
    for i in range(FEATURES):
        x[i] = 0
    survey(s, b, plan, seat)
    gauge_tickets(s, b, plan, seat)
    gauge_plan(s, b, plan, seat)
    gauge_hand(s, b, plan, seat)
    gauge_table(s, b, plan, seat)
    x[F_TURNS] = plan.turns + (x[F_LACKING] + max(0, x[F_GRAY]) + 1) // 2
    x[F_SLACK] = max(-10, min(20, x[F_TO_GO] - x[F_TURNS]))
    x[F_LATE] = max(0, -x[F_SLACK]) * x[F_PLANNED] // 4
    x[F_FREE] = s.trains[seat] - plan.spaces


@kernel
def gauge_plan(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The tracks of the plan, and the cards they take."""
    x = plan.facts
    x[F_SPACES] = plan.spaces
    x[F_TRACKS] = plan.turns
    count_needs(b, plan)
    for word in range(TRACK_WORDS):
        x[F_LAID] += popcount(s.owned[TRACK_WORDS * seat + word])
        tracks = plan.tracks[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            x[F_POINTS_PLANNED] += b.points[b.length[t]]
            if b.colour[t] == GRAY:
                x[F_GRAY] += b.length[t] - b.ferry[t]


@kernel
def gauge_tickets(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Plan the tickets as `plan_tickets` does, and count which are joined, which planned and which given up."""
    x = plan.facts
    plan.todo_n = 0
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            if is_joined(b, plan, ticket):
                x[F_JOINED] += b.ticket_points[ticket]
                x[F_JOINED_N] += 1
            else:
                add_todo(b, plan, ticket)
    for i in range(plan.todo_n):
        ticket = plan.todo[i]
        plan_ticket(s, b, plan, seat, ticket)
        if is_joined(b, plan, ticket):
            x[F_PLANNED] += b.ticket_points[ticket]
        else:
            x[F_GIVEN_UP] += b.ticket_points[ticket]
            x[F_GIVEN_UP_N] += 1


@kernel
def gauge_hand(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The cards in hand, and how far they go."""
    x = plan.facts
    at = seat * HAND
    spare = 0
    for c in range(LOCO):
        have = s.hand[at + c]
        x[F_CARDS] += have
        x[F_LACKING] += max(0, plan.need[c] - have)
        spare = max(spare, have - plan.need[c])
        if have > x[F_MOST]:
            x[F_SECOND] = x[F_MOST]
            x[F_MOST] = have
        elif have > x[F_SECOND]:
            x[F_SECOND] = have
    x[F_LOCOS] = s.hand[at + LOCO]
    x[F_GRAY] = max(0, x[F_GRAY] - max(0, spare)) + plan.need[LOCO] - x[F_LOCOS]
    for kind in range(b.terrains):
        x[F_TERRAIN] += s.terrain[seat * TERRAINS + kind]


@kernel
def gauge_table(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Points laid down so far, trains, and how long the game may last."""
    x = plan.facts
    x[F_SCORE] = s.score[seat]
    x[F_TRAINS] = s.trains[seat]
    x[F_TO_GO] = turns_to_go(s, b)
    x[F_OTHERS] = b.trains
    for p in range(s.players):
        if p != seat:
            x[F_OTHERS] = min(x[F_OTHERS], s.trains[p])
    x[F_LAST] = 1 if s.turns_left > 0 else 0
    x[F_WAIT] = (seat - s.seat) % s.players
    x[F_PLAYERS] = s.players
    if b.groups > 0:
        x[F_FESTIVALS] = festival_points(s, b, seat)
    if b.stations_each > 0:
        x[F_STATIONS] = b.stations_each - stations_built(s, seat)
    x[F_LONGEST] = b.longest_path
    x[F_MOST_TICKETS] = b.globetrotter


@kernel
def estimate(plan: Plan, net: list[int], first: int) -> int:
    """The points the seat that plan.facts tells of will end with, in sixteenths; the weights begin at net[first]."""
    x = plan.facts
    at = first
    out = net[first + NET - 1]
    for _ in range(HIDDEN_UNITS):
        total = net[at + FEATURES]
        for i in range(FEATURES):
            total += net[at + i] * x[i]
        out += net[at + FEATURES + 1] * max(0, total >> INPUT_SHIFT)
        at += FEATURES + 2
    return UNIT * x[F_SCORE] + (out >> OUTPUT_SHIFT)


# ---------------------------------------------------------------- games to learn from


@kernel
def sample_game(
    positions: list[Position],
    b: Board,
    w: Work,
    plan: Plan,
    r: Request,
    rows: list[int],
) -> int:
    """Play a game of r.bots, one choice in r.chaos by chance, and describe all seats at one turn in r.one_in; how many
    rows were written, r.most at the most.

    A row is a description and the points the seat ended with.
    """
    blank_position(positions, 0)
    players = r.players
    set_up(positions[0], b, w, players, r.seed)
    s = positions[0]
    key = stream_key(r.seed, SAMPLE_STREAM, 0)
    rows_n = 0
    n = 0
    while s.phase != OVER:
        seat = lowest(s.awaited)
        if s.phase == TURN and below(key, 2 * n, r.one_in) == 0 and rows_n + players <= r.most:
            for p in range(players):
                gauge(s, b, plan, p)
                for i in range(FEATURES):
                    rows[rows_n * (FEATURES + 1) + i] = plan.facts[i]
                rows_n += 1
        if below(key, 2 * n + 1, r.chaos) == 0:
            fill_menu(s, b, w, seat)
            code = nth_of_menu(w, below(key, n, count_menu(w)))
        else:
            copy_position(positions, 1, 0)
            veil(positions[1], b, seat)
            code = bot_action(positions[1], b, w, plan, seat, r.bots[seat], bot_seed(r.seed, seat), n)
        apply_action(s, b, w, seat, code)
        n += 1
    score_game(s, b, w)
    for i in range(rows_n):
        rows[i * (FEATURES + 1) + FEATURES] = w.total[i % players]
    return rows_n
