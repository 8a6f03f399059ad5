"""LongRoute: long tracks, which pay best by the space. It joins its tickets by few long tracks rather than many short.

A chain is priced so that a long track costs less than a short one, the longest it can pay comes first, and where
trains and cards are to spare it takes long tracks anywhere. Only when no long track is left to go for does it draw
tickets. The style is one of four published by Silva et al. (2017), written anew from its description. The last turn,
stations and details of a claim are left to the path bot.
"""

from __future__ import annotations

from branchline.bots.cards import (
    NO_CHOICE,
    cards_lacking,
    choose_draw,
    count_needs,
    is_rash,
    payment,
    payment_loss,
)
from branchline.bots.choices import (
    STATION_TURNS,
    choose_station,
    claim_code,
    is_blank,
    path_action,
    wants_tickets,
)
from branchline.bots.routes import FERRY_PRICE, TUNNEL_PRICE, plan_at_prices, survey, turns_to_go
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    DRAW_FIRST,
    DRAW_SECOND,
    HAND,
    LOCO,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.tunnels import is_tunnel
from branchline.kernel.turn import fill_menu

LONG_TRACK = 4  # spaces from which a track is long
LONG_TURN = 20  # prices as in routes.py: a claim is dear, a space cheap, and points come off
LONG_SPACE = 1
LONG_POINT = 3  # halves of a price
LENGTH_VALUE = 64  # what a space weighs when a claim is chosen: more than all else


@kernel
def longroute_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the long-route bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN and turns_to_go(s, b) > 1:
        code = choose_long(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        plan_long(s, b, k, seat)
        aim_at_length(s, b, k, seat)
        code = choose_draw(s, b, w, k, seat)
    return code if code != NO_CHOICE else path_action(s, b, w, k, seat)


@kernel
def choose_long(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim the longest track that can be paid, else draw for the long ones; NO_CHOICE leaves it to the path bot."""
    plan_long(s, b, k, seat)
    turns = turns_to_go(s, b)
    code = longest_claim(s, b, w, k, seat)
    if code == NO_CHOICE and (is_blank(k) or turns <= STATION_TURNS):
        code = choose_station(s, b, w, k, seat)
    if code != NO_CHOICE:
        return code
    if is_blank(k):
        aim_at_length(s, b, k, seat)
        if is_blank(k):
            return TICKETS if wants_tickets(s, w, seat, turns) else NO_CHOICE
    return choose_draw(s, b, w, k, seat)


@kernel
def plan_long(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """Plan how to join the tickets held over long tracks."""
    survey(s, b, k, seat)
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.price[t] = long_price(b, t)
    plan_at_prices(s, b, k, seat)


@kernel
def long_price(b: Board, t: int) -> int:
    """What a free track costs one who counts claims and points, not cards: the longest least of all."""
    price = LONG_TURN + LONG_SPACE * b.length[t] + FERRY_PRICE * b.ferry[t]
    if is_tunnel(b, t):
        price += TUNNEL_PRICE
    return max(1, price - LONG_POINT * b.points[b.length[t]] // 2)


@kernel
def longest_claim(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The longest track to claim now, planned or long with trains to spare for it; or NO_CHOICE."""
    count_needs(b, k)
    spare = s.trains[seat] - k.spaces
    best = -(1 << 20)
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            planned = (k.plan[word] >> i) & 1
            if not planned and (b.length[t] < LONG_TRACK or b.length[t] > spare):
                continue
            colour = payment(s, b, w, k, seat, t)
            if colour == NO_CHOICE or (not planned and needs_cards(s, b, k, seat, t, colour)):
                continue
            if not is_rash(s, b, seat, t, colour):
                value = LENGTH_VALUE * b.length[t] + k.worth[t] - payment_loss(s, b, k, seat, t, colour)
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def needs_cards(s: Position, b: Board, k: PathWork, seat: int, t: int, colour: int) -> int:
    """1 if a track beside the plan takes cards that the plan needs, or locomotives where colour cards would do."""
    if colour == LOCO:
        return 1
    have = s.hand[seat * HAND + colour]
    locos = max(b.ferry[t], b.length[t] - have)
    return 1 if have - (b.length[t] - locos) < k.need[colour] or locos > b.ferry[t] else 0


@kernel
def aim_at_length(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """With nothing planned for tickets, plan the longest track there is time for, the nearest of several."""
    if not is_blank(k):
        return
    turns = turns_to_go(s, b)
    best = 0
    target = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            takes = 1 + (cards_lacking(s, b, seat, t) + 1) // 2
            value = LENGTH_VALUE * b.length[t] - takes
            if b.length[t] >= LONG_TRACK and takes <= turns and value > best:
                best = value
                target = t
    if target != NO_CHOICE:
        k.plan[target // BITS] |= 1 << (target % BITS)
