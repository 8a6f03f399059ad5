"""The planner's cards: which colour pays for a track, and which card is worth drawing for the plan."""

from __future__ import annotations

from branchline.bots.cards import NO_CHOICE, unseen_cards
from branchline.bots.plan_network import busy_ends, tuned
from branchline.bots.tuning import (
    P_LOSS_CARD,
    P_LOSS_LOCO,
    P_LOSS_NEEDED,
    P_TUNNEL_RESERVE,
    P_WISH_BASE,
    P_WISH_DECK,
    P_WISH_EXTRA,
    P_WISH_GAIN,
    P_WISH_GRAY,
    P_WISH_LOCO,
    P_WISH_RISK,
    P_WISH_TERRAIN,
    P_WISH_TRACK,
    P_WISH_TWO,
    P_WISH_WORTH,
)
from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    DRAW_DECK,
    DRAW_DISPLAY,
    GRAY,
    HAND,
    LOCO,
    MISC,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAINS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.kernel.terrain import most_of_others
from branchline.kernel.tunnels import is_tunnel

MOST_FOR_A_TRACK = 4000  # one track must not outweigh all others


# ---------------------------------------------------------------- paying


@kernel
def count_plan_needs(b: Board, k: PathWork) -> None:
    """The cards the planned tracks take, by colour; those for gray ones count nowhere."""
    for c in range(CARDS):
        k.need[c] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word] | k.extra[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.need[LOCO] += b.ferry[t]
            if b.colour[t] != GRAY:
                k.need[b.colour[t]] += b.length[t] - b.ferry[t]


@kernel
def planner_payment(s: Position, b: Board, w: Work, k: PathWork, seat: int, t: int) -> int:
    """The colour with which the seat loses least when it pays for a track, or NO_CHOICE if it cannot pay."""
    least = 1 << 30
    chosen = NO_CHOICE
    for c in range(CARDS):
        if (w.menu[CLAIM + TRACK_WORDS * c + t // BITS] >> (t % BITS)) & 1:
            loss = planner_loss(s, b, k, seat, t, c)
            if loss < least:
                least = loss
                chosen = c
    return chosen


@kernel
def planner_loss(s: Position, b: Board, k: PathWork, seat: int, t: int, c: int) -> int:
    """What is lost with the cards that pay for a track, colour cards before locomotives."""
    if c == LOCO:
        return tuned(k, P_LOSS_LOCO) * b.length[t]
    have = s.hand[seat * HAND + c]
    locos = max(b.ferry[t], b.length[t] - have)
    cards = b.length[t] - locos
    elsewhere = k.need[c]
    if b.colour[t] == c and ((k.plan[t // BITS] | k.extra[t // BITS]) >> (t % BITS)) & 1:
        elsewhere -= b.length[t] - b.ferry[t]
    missed = max(0, min(cards, elsewhere + cards - have))
    return tuned(k, P_LOSS_LOCO) * locos + tuned(k, P_LOSS_CARD) * cards + tuned(k, P_LOSS_NEEDED) * missed


@kernel
def is_too_rash(s: Position, b: Board, k: PathWork, seat: int, t: int, c: int) -> int:
    """1 for a tunnel without cards to spare, more of them the longer nothing but tunnels failed (EUR-12, C-34)."""
    spare = s.hand[seat * HAND + LOCO] - b.length[t]
    if c != LOCO:
        spare += s.hand[seat * HAND + c]
    return 1 if is_tunnel(b, t) and spare < min(b.tunnel_cards, tuned(k, P_TUNNEL_RESERVE) + s.idle_turns) else 0


# ---------------------------------------------------------------- drawing


@kernel
def weigh_plan(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What one more card of each kind is worth for the planned tracks."""
    count_plan_needs(b, k)
    for c in range(CARDS):
        lacks = c == LOCO or s.hand[seat * HAND + c] < k.need[c]
        k.wish[c] = tuned(k, P_WISH_BASE) if lacks else 0
    for kind in range(b.terrains):
        k.terrain_wish[kind] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word] | k.extra[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            weight = track_weight(b, k, t)
            lacking = wish_colours(s, b, k, seat, t, weight)
            if b.ferry[t] > s.hand[seat * HAND + LOCO]:
                k.wish[LOCO] = max(k.wish[LOCO], weight)
            if lacking > 0:
                k.wish[LOCO] = max(k.wish[LOCO], tuned(k, P_WISH_LOCO) * weight // (64 * lacking))
            if b.terrains > 0:
                wish_terrain(s, b, k, seat, t)


@kernel
def track_weight(b: Board, k: PathWork, t: int) -> int:
    """How much it matters to get the cards for a planned track."""
    weight = tuned(k, P_WISH_TRACK) + tuned(k, P_WISH_GAIN) * k.gain[t] + tuned(k, P_WISH_WORTH) * k.worth[t]
    weight += weight * tuned(k, P_WISH_RISK) * busy_ends(b, k, t) // 64
    if (k.extra[t // BITS] >> (t % BITS)) & 1:
        weight = weight * tuned(k, P_WISH_EXTRA) // 64
    return 12 * weight


@kernel
def wish_colours(s: Position, b: Board, k: PathWork, seat: int, t: int, weight: int) -> int:
    """Add what a planned track makes cards of its colour worth; how many such cards are lacking, 0 if none."""
    at = seat * HAND
    cards = b.length[t] - b.ferry[t]
    if b.colour[t] != GRAY:
        c = b.colour[t]
        if s.hand[at + c] >= k.need[c]:
            return 0
        lacking = max(1, cards - s.hand[at + c])
        k.wish[c] += min(MOST_FOR_A_TRACK, weight // lacking)
        return lacking
    nearest = 0
    for c in range(LOCO):
        lacking = cards - max(0, s.hand[at + c] - k.need[c])
        if lacking > 0:
            k.wish[c] += min(MOST_FOR_A_TRACK, tuned(k, P_WISH_GRAY) * weight // (64 * lacking * lacking))
            nearest = lacking if nearest == 0 else min(nearest, lacking)
    return nearest


@kernel
def wish_terrain(s: Position, b: Board, k: PathWork, seat: int, t: int) -> None:
    """What a terrain card is worth for doubling a planned track (AFR-09 .. AFR-11)."""
    due = b.to_double[b.length[t]]
    kind = b.terrain_of[b.colour[t]]
    lacking = max(due, most_of_others(s, seat, kind)) - s.terrain[seat * TERRAINS + kind]
    if due > 0 and lacking > 0:
        value = tuned(k, P_WISH_TERRAIN) * b.points[b.length[t]] // lacking
        k.terrain_wish[kind] = max(k.terrain_wish[kind], value)


@kernel
def deck_worth(s: Position, b: Board, k: PathWork) -> int:
    """What a card from the deck is worth on the average, by the cards that cannot be seen."""
    total = 0
    cards = 0
    for c in range(CARDS):
        n = unseen_cards(s, b, c)
        cards += n
        total += n * k.wish[c]
    return tuned(k, P_WISH_DECK) * total // (64 * cards) if cards > 0 else 0


@kernel
def terrain_deck_worth(s: Position, b: Board, k: PathWork) -> int:
    """What a card from the terrain deck is worth on the average."""
    total = 0
    cards = 0
    for kind in range(b.terrains):
        n = b.terrain_cards[kind] - s.terrain_discard[kind]
        for p in range(s.players):
            n -= s.terrain[p * TERRAINS + kind]
        for i in range(b.terrain_up):
            if s.terrain_up[i] == kind:
                n -= 1
        cards += n
        total += n * k.terrain_wish[kind]
    return total // cards if cards > 0 else 0


@kernel
def draw_worth(s: Position, b: Board, k: PathWork, i: int) -> int:
    """What the i-th draw of the menu is worth."""
    if i < DRAW_DECK:
        return k.wish[s.display[i - DRAW_DISPLAY]]
    if i == DRAW_DECK:
        return deck_worth(s, b, k)
    if i == TERRAIN_DECK:
        return terrain_deck_worth(s, b, k)
    return k.terrain_wish[s.terrain_up[i - TAKE_TERRAIN]]


@kernel
def planner_draw(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The draw that helps the plan most, or NO_CHOICE; k.draw_gain is what it and the next best bring together."""
    menu = w.menu[MISC]
    weigh_plan(s, b, k, seat)
    best = -1
    second = -1
    code = NO_CHOICE
    loco = NO_CHOICE
    for i in range(TERRAIN_DECK + 1):
        if not (menu >> i) & 1:
            continue
        value = draw_worth(s, b, k, i)
        if i < DRAW_DECK and s.display[i - DRAW_DISPLAY] == LOCO:
            loco = i
            continue
        if value > best:
            second = best
            best = value
            code = i
        elif value > second:
            second = value
        if i == DRAW_DECK and value > second:
            second = value  # it can be drawn twice
    k.draw_gain = max(0, best) + max(0, second)
    if loco != NO_CHOICE and (code == NO_CHOICE or 64 * k.wish[LOCO] > tuned(k, P_WISH_TWO) * (best + second)):
        k.draw_gain = max(k.draw_gain, k.wish[LOCO])
        return loco
    return code
