"""A check of a whole position, for tests: nothing made or lost, and what is stored twice agrees."""

from __future__ import annotations

from branchline.kernel.chance import stream_key
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.rollout import random_action
from branchline.kernel.scoring import track_points
from branchline.kernel.setup import set_up
from branchline.kernel.state import (
    BITS,
    CARDS,
    FESTIVAL,
    GROUPS,
    HAND,
    HELD,
    LOCO,
    OFFER,
    OVER,
    POLICY_STREAM,
    SEATS,
    TERRAINS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.kernel.turn import apply_action
from branchline.maps.model import MAX_TICKETS

(
    ALL_RIGHT,
    TRAIN_CARDS_WRONG,
    FESTIVALS_WRONG,
    TERRAIN_WRONG,
    TICKETS_WRONG,
    SCORE_WRONG,
    TRAINS_WRONG,
    TRACKS_WRONG,
    NOBODY_AWAITED,
    NEVER_ENDS,
) = range(10)


@kernel
def audit(s: Position, b: Board, w: Work) -> int:
    """ALL_RIGHT, or what is wrong with a true position."""
    for card in range(CARDS):
        if count_train_card(s, b, card) != (b.locomotives if card == LOCO else b.cards_per_colour):
            return TRAIN_CARDS_WRONG
    for g in range(b.groups):
        if count_festival(s, g) != b.group_cards[g]:
            return FESTIVALS_WRONG
    for t in range(b.terrains):
        if count_terrain(s, b, t) != b.terrain_cards[t]:
            return TERRAIN_WRONG
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
    n = s.discard[card]
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
    for i in range(s.turned_n):
        if s.turned[i] == card:
            n += 1
    return n


@kernel
def count_festival(s: Position, group: int) -> int:
    n = s.pool[group]
    for seat in range(s.players):
        n += s.pile[seat * GROUPS + group]
    for i in range(s.deck_n):
        if s.deck[i] == FESTIVAL + group:
            n += 1
    return n


@kernel
def count_terrain(s: Position, b: Board, kind: int) -> int:
    n = s.terrain_discard[kind]
    for seat in range(s.players):
        n += s.terrain[seat * TERRAINS + kind]
    for i in range(b.terrain_up):
        if s.terrain_up[i] == kind:
            n += 1
    for i in range(s.terrain_n):
        if s.terrain_deck[i] == kind:
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
        for i in range(s.offer_n[seat] if s.pack_n == 0 else 0):
            w.pool[s.offer[seat * OFFER + i]] += 1
        for i in range(s.pack_n):
            w.pool[s.pack[seat * OFFER + i]] += 1
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
