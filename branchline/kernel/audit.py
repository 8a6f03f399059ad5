"""A check of a whole position, for tests: nothing made or lost, and what is stored twice agrees."""

from __future__ import annotations

from branchline.kernel.chance import stream_key
from branchline.kernel.hooks import cards_in_sight, find_fault, note_tickets, offers_lie_elsewhere
from branchline.kernel.numbers import fault as fault_number
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.rollout import random_action
from branchline.kernel.scoring import track_points
from branchline.kernel.setup import set_up
from branchline.kernel.state import (
    BITS,
    CARDS,
    HAND,
    HELD,
    LOCO,
    OFFER,
    OVER,
    POLICY_STREAM,
    SEATS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import apply_action
from branchline.maps.core import MAX_TICKETS

ALL_RIGHT = fault_number("all right")
TRAIN_CARDS_WRONG = fault_number("train cards")
TICKETS_WRONG = fault_number("tickets")
SCORE_WRONG = fault_number("score")
TRAINS_WRONG = fault_number("trains")
TRACKS_WRONG = fault_number("tracks")
NOBODY_AWAITED = fault_number("nobody awaited")
NEVER_ENDS = fault_number("never ends")


@kernel
def audit(s: Position, b: Board, w: Work) -> int:
    """ALL_RIGHT, or what is wrong with a true position."""
    for card in range(CARDS):
        if count_train_card(s, b, card) != (b.locomotives if card == LOCO else b.cards_per_colour):
            return TRAIN_CARDS_WRONG
    fault = find_fault(s, b, w)
    if fault != ALL_RIGHT:
        return fault
    if tickets_are_wrong(s, b, w):
        return TICKETS_WRONG
    for seat in range(s.players):
        if track_points(s, b, seat) != s.score[seat]:
            return SCORE_WRONG
        if cars_laid(s, b, seat) + s.trains[seat] != b.trains or s.trains[seat] < 0:
            return TRAINS_WRONG
    if tracks_are_wrong(s, b):
        return TRACKS_WRONG
    if s.awaited == 0 and s.phase != OVER:
        return NOBODY_AWAITED
    return ALL_RIGHT


@kernel
def count_train_card(s: Position, b: Board, card: int) -> int:
    n = s.discard[card] + cards_in_sight(s, card)
    for seat in range(SEATS):
        if s.hand[seat * HAND + card] < s.seen[seat * CARDS + card]:
            return -1
        n += s.hand[seat * HAND + card]
    for i in range(b.display):
        if s.display[i] == card:
            n += 1
    for i in range(s.deck_n):
        if s.deck[i] == card:
            n += 1
    return n


@kernel
def tickets_are_wrong(s: Position, b: Board, w: Work) -> int:
    """1 unless every ticket is in one place at the most, and in one exactly where none leaves the game."""
    for t in range(b.n_tickets):
        w.pool[t] = 0
    for i in range(s.ticket_n):
        w.pool[s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS]] += 1
    for seat in range(s.players):
        held = 0
        for t in range(b.n_tickets):
            if s.ticket_at[t] == HELD + seat:
                held += 1
                w.pool[t] += 1
        if held != s.ticket_count[seat]:
            return 1
        for i in range(0 if offers_lie_elsewhere(s) else s.offer_n[seat]):
            w.pool[s.offer[seat * OFFER + i]] += 1
    note_tickets(s, w.pool)
    for t in range(b.n_tickets):
        if w.pool[t] > 1 or (w.pool[t] == 0 and b.unkept_removed == 0):
            return 1
    return 0


@kernel
def cars_laid(s: Position, b: Board, seat: int) -> int:
    n = 0
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            n += b.length[word * BITS + lowest(owned)]
            owned &= owned - 1
    return n


@kernel
def tracks_are_wrong(s: Position, b: Board) -> int:
    """1 unless what is closed to whom follows from who owns what (C-25 .. C-27)."""
    for t in range(b.n_tracks):
        owners = 0
        twins_owned = 0
        for seat in range(s.players):
            owners += (s.owned[TRACK_WORDS * seat + t // BITS] >> (t % BITS)) & 1
            twins_owned += owns_twin(s, b, seat, t)
        if owners > 1:
            return 1
        for seat in range(s.players):
            closed = owners == 1 or owns_twin(s, b, seat, t) == 1
            if s.players < b.both_tracks_from and twins_owned > 0:
                closed = True
            if ((s.shut[TRACK_WORDS * seat + t // BITS] >> (t % BITS)) & 1) != (1 if closed else 0):
                return 1
            if owns_twin(s, b, seat, t) and (s.owned[TRACK_WORDS * seat + t // BITS] >> (t % BITS)) & 1:
                return 1
    return 0


@kernel
def owns_twin(s: Position, b: Board, seat: int, track: int) -> int:
    """1 if a seat owns another track of the same double route."""
    for word in range(TRACK_WORDS):
        if b.twins[TRACK_WORDS * track + word] & s.owned[TRACK_WORDS * seat + word]:
            return 1
    return 0


@kernel
def audited_game(s: Position, b: Board, w: Work, players: int, seed: int, most: int) -> int:
    """Play a random game in a blank position and audit it after every move; ALL_RIGHT or the first fault."""
    set_up(s, b, w, players, seed)
    key = stream_key(seed, POLICY_STREAM, 0)
    fault = audit(s, b, w)
    n = 0
    while s.phase != OVER and fault == ALL_RIGHT:
        seat = lowest(s.awaited)
        apply_action(s, b, w, seat, random_action(s, b, w, seat, key, n))
        fault = audit(s, b, w)
        n += 1
        if n > most:
            return NEVER_ENDS
    return fault
