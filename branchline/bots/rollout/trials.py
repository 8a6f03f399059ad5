"""Rollouts: a candidate is played in an imagined world, and bots play on from there.

All candidates are tried in the same worlds with the same cards to come, so that they differ by their own merit.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import count_needs, payment
from branchline.bots.blocks.claims import choose_station
from branchline.bots.blocks.codes import NO_CHOICE, claim_code
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.choices import aim_at_points, claim_merit
from branchline.bots.conductor.network import plan_tickets
from branchline.bots.games.match import bot_action, copy_position
from branchline.bots.games.request import Request
from branchline.bots.kernel import (
    BITS,
    MAX_TICKETS,
    OVER,
    SEATS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    apply_action,
    fill_in,
    fill_menu,
    kernel,
    lowest,
    score_game,
    stream_key,
)
from branchline.bots.rollout.evaluation import UNIT, estimate, gauge
from branchline.bots.rollout.guess import deal_likely_tickets
from branchline.graph.chains import has_track

ROOT, WORLD, TRIAL = range(3)  # positions: the view, a world, and a candidate played in it

# Random streams beyond those of kernel/state.py and games/match.py.
WORLD_STREAM, TICKET_GUESS_STREAM, ROLLOUT_STREAM = 40, 41, 42

ALL_TURNS = 1 << 20  # more than are ever played
PLANNED = 1000  # the merit of a claim that is planned, beyond what else speaks for it


@kernel
def make_world(positions: list[Position], b: Board, w: Work, seat: int, weights: list[int], key: int) -> None:
    """Make positions[WORLD] a full position that the reader of positions[ROOT] cannot tell from the true one."""
    copy_position(positions, WORLD, ROOT)
    fill_in(positions[WORLD], b, w, seat, stream_key(key, WORLD_STREAM, 0))
    guess_key = stream_key(key, TICKET_GUESS_STREAM, 0)
    deal_likely_tickets(positions[ROOT], positions[WORLD], b, seat, weights, guess_key)


@kernel
def try_candidates(
    positions: list[Position],
    b: Board,
    w: Work,
    plan: Plan,
    r: Request,
    weights: list[int],
    results: list[int],
) -> int:
    """Try r.codes in r.worlds worlds from number r.first on, each for r.turns turns with r.bot at the seat r.seat and
    r.others elsewhere; the number of decisions.

    Results are written world by world, code by code, seat by seat. `weights` are those of the tickets, then the net's.
    """
    decisions = 0
    for i in range(r.worlds):
        key = stream_key(r.seed, ROLLOUT_STREAM, r.first + i)
        make_world(positions, b, w, r.seat, weights, key)
        for c in range(r.codes_n):
            copy_position(positions, TRIAL, WORLD)
            apply_action(positions[TRIAL], b, w, r.seat, r.codes[c])
            decisions += play_on(positions[TRIAL], b, w, plan, r, key)
            note_result(positions[TRIAL], b, w, plan, weights, results, (i * r.codes_n + c) * SEATS)
    return decisions


@kernel
def play_on(s: Position, b: Board, w: Work, plan: Plan, r: Request, key: int) -> int:
    """Let bots play on, to the end or for r.turns turns, one kind at the seat and one at all others; the decisions."""
    n = 0
    begun = 0
    while s.phase != OVER:
        if s.phase == TURN:
            begun += 1
            if begun > r.turns:
                return n
        p = lowest(s.awaited)
        bot = r.bot if p == r.seat else r.others
        apply_action(s, b, w, p, bot_action(s, b, w, plan, p, bot, key, n))
        n += 1
    return n


@kernel
def note_result(s: Position, b: Board, w: Work, plan: Plan, net: list[int], results: list[int], at: int) -> None:
    """Note for each seat 2 * its points, in sixteenths, + 1 if it has won: what it got, or what it is expected to."""
    if s.phase == OVER:
        score_game(s, b, w)
        for p in range(s.players):
            results[at + p] = 2 * UNIT * w.total[p] + (1 if w.place[p] == 1 else 0)
        return
    for p in range(s.players):
        gauge(s, b, plan, p)
        results[at + p] = 2 * estimate(plan, net, SEATS * MAX_TICKETS)


@kernel
def follow(
    positions: list[Position],
    b: Board,
    w: Work,
    plan: Plan,
    r: Request,
    weights: list[int],
    line: list[int],
) -> int:
    """Write the codes, r.most at the most, that come after the first of r.codes in world number r.first into `line`,
    each as SEATS * code + seat; their number."""
    key = stream_key(r.seed, ROLLOUT_STREAM, r.first)
    make_world(positions, b, w, r.seat, weights, key)
    s = positions[WORLD]
    apply_action(s, b, w, r.seat, r.codes[0])
    n = 0
    while s.phase != OVER and n < r.most:
        p = lowest(s.awaited)
        bot = r.bot if p == r.seat else r.others
        then = bot_action(s, b, w, plan, p, bot, key, n)
        apply_action(s, b, w, p, then)
        line[n] = SEATS * then + p
        n += 1
    return n


# ---------------------------------------------------------------- candidates


@kernel
def list_own_claims(s: Position, b: Board, w: Work, plan: Plan, seat: int, claims: list[int]) -> int:
    """Write every claim the seat can pay, each with the cards it loses least by, and its merit; then a station.

    claims holds pairs of code and merit; the number of pairs.
    """
    fill_menu(s, b, w, seat)
    if s.phase != TURN:
        return 0
    plan_tickets(s, b, plan, seat)
    station = choose_station(s, b, w, plan, seat)
    aim_at_points(s, b, plan, seat)
    count_needs(b, plan)
    n = 0
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, plan, seat, t)
            if colour != NO_CHOICE:
                claims[2 * n] = claim_code(t, colour)
                merit = claim_merit(s, b, plan, seat, t, colour)
                claims[2 * n + 1] = merit + PLANNED * has_track(plan.tracks, t)
                n += 1
    if station != NO_CHOICE:
        claims[2 * n] = station
        claims[2 * n + 1] = PLANNED
        n += 1
    return n
