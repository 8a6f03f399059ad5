"""What the tracks of the other players say about their tickets, and worlds in which they hold the likely ones.

`imagine` deals every unseen ticket alike. But who has laid half of a ticket's way is more likely to hold it: a table
(workspace.py) says how much more, by the part of the way that is still to be laid and by the trains laid so far.
"""

from __future__ import annotations

from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.network import CARD_PRICE, CLAIM_PRICE, FERRY_PRICE, survey
from branchline.bots.kernel import (
    DRAFT_KEEP,
    DRAFT_PICK,
    FIRST_TICKETS,
    HELD,
    MAX_TICKETS,
    TRACK_WORDS,
    Board,
    Position,
    below,
    is_offered,
    kernel,
)
from branchline.graph.chains import NOWHERE, add_track, find_chain

PARTS = 8  # steps between a way that is finished and one that is not begun
SHUT = PARTS + 1  # there is no way any more
BINS = PARTS + 2
STAGES = 4  # quarters of the trains laid


# ---------------------------------------------------------------- how far a player is on the way of a ticket


@kernel
def price_all_free(b: Board, plan: Plan) -> None:
    """Price every track as if nobody had laid one."""
    for word in range(TRACK_WORDS):
        plan.usable[word] = 0
    for t in range(b.n_tracks):
        add_track(plan.usable, t)
        plan.price[t] = CARD_PRICE * b.length[t] + CLAIM_PRICE + FERRY_PRICE * b.ferry[t]


@kernel
def bin_tickets(s: Position, b: Board, plan: Plan, reader: int, bins: list[int]) -> None:
    """Say for every other seat and every ticket how much of its way is left: a number below STAGES * BINS."""
    price_all_free(b, plan)
    for t in range(b.n_tickets):
        bins[reader * MAX_TICKETS + t] = find_chain(b, plan, b.ticket_a[t], b.ticket_b[t], NOWHERE)
    for p in range(s.players):
        if p == reader:
            continue
        survey(s, b, plan, p)
        stage = min(STAGES - 1, (b.trains - s.trains[p]) * STAGES // max(1, b.trains))
        for t in range(b.n_tickets):
            whole = max(1, bins[reader * MAX_TICKETS + t])
            left = find_chain(b, plan, b.ticket_a[t], b.ticket_b[t], NOWHERE)
            part = SHUT if left == NOWHERE else min(PARTS, (left * PARTS + whole - 1) // whole)
            bins[p * MAX_TICKETS + t] = stage * BINS + part


# ---------------------------------------------------------------- dealing the likely ones


@kernel
def deal_likely_tickets(root: Position, s: Position, b: Board, reader: int, weights: list[int], key: int) -> None:
    """Exchange each ticket a world gave another seat for one that nobody holds, as likely as the weights say."""
    if s.phase == FIRST_TICKETS or s.phase == DRAFT_PICK or s.phase == DRAFT_KEEP:
        return  # nothing has been laid, or packs tell more
    for t in range(b.n_tickets):
        at = s.ticket_at[t]
        if root.ticket_at[t] == 0 and HELD <= at < HELD + s.players and at != HELD + reader:
            other = draw_likely(root, s, b, weights, at - HELD, t, key)
            if other != t:
                exchange_tickets(s, t, other)


@kernel
def is_open(root: Position, s: Position, b: Board, t: int, other: int) -> int:
    """1 if one ticket might stand in the place of another: of the same kind, held by nobody, unknown to the reader."""
    if root.ticket_at[other] != 0 or s.ticket_at[other] != 0 or is_offered(s, other):
        return 0
    return 1 if b.deal_long == 0 or b.long_ticket[t] == b.long_ticket[other] else 0


@kernel
def draw_likely(root: Position, s: Position, b: Board, weights: list[int], seat: int, t: int, key: int) -> int:
    """A ticket for a seat in the place of t: t itself, or one that is open, by their weights."""
    total = weights[seat * MAX_TICKETS + t]
    for u in range(b.n_tickets):
        if is_open(root, s, b, t, u):
            total += weights[seat * MAX_TICKETS + u]
    left = below(key, t, max(1, total)) - weights[seat * MAX_TICKETS + t]
    if left < 0:
        return t
    for u in range(b.n_tickets):
        if is_open(root, s, b, t, u):
            left -= weights[seat * MAX_TICKETS + u]
            if left < 0:
                return u
    return t


@kernel
def exchange_tickets(s: Position, held: int, other: int) -> None:
    """The holder of one ticket gets the other; the first goes where the other lay, in the deck or out of the game."""
    s.ticket_at[other] = s.ticket_at[held]
    s.ticket_at[held] = 0
    for i in range(s.ticket_n):
        at = (s.ticket_top + i) % MAX_TICKETS
        if s.ticket_deck[at] == other:
            s.ticket_deck[at] = held
            return
