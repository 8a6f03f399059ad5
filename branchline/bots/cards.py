"""Train and terrain cards as the conductor sees them: what a claim costs, what it brings, what is worth drawing."""

from __future__ import annotations

from branchline.bots.work import PathWork
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    DRAW_DECK,
    DRAW_DISPLAY,
    GRAY,
    GROUPS,
    HAND,
    LOCO,
    MISC,
    TAKE_TERRAIN,
    TERRAINS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.kernel.terrain import most_of_others
from branchline.kernel.tunnels import is_tunnel

NO_CHOICE = -1

# What is lost with a card that is played.
CARD_LOSS = 1
NEEDED_LOSS = 4  # more, if the plan needs it elsewhere
LOCO_LOSS = 6

# What a card is worth that brings a planned track nearer.
COLOUR_WISH = 12
GRAY_WISH = 8
LOCO_WISH = 4
POINT_WISH = 4
TRACK_WISH = 8
MOST_WISH = 300  # one track must not outweigh all others

TUNNEL_RESERVE = 1


# ---------------------------------------------------------------- paying


@kernel
def count_needs(b: Board, k: PathWork) -> None:
    """The cards the planned tracks take, by colour; those for gray ones count nowhere."""
    for c in range(CARDS):
        k.need[c] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.need[LOCO] += b.ferry[t]
            if b.colour[t] != GRAY:
                k.need[b.colour[t]] += b.length[t] - b.ferry[t]


@kernel
def payment(s: Position, b: Board, w: Work, k: PathWork, seat: int, t: int) -> int:
    """The colour with which the seat loses least when it pays for a track, or NO_CHOICE if it cannot pay."""
    least = 1 << 20
    chosen = NO_CHOICE
    for c in range(CARDS):
        if (w.menu[CLAIM + TRACK_WORDS * c + t // BITS] >> (t % BITS)) & 1:
            loss = payment_loss(s, b, k, seat, t, c)
            if loss < least:
                least = loss
                chosen = c
    return chosen


@kernel
def payment_loss(s: Position, b: Board, k: PathWork, seat: int, t: int, c: int) -> int:
    """What is lost with the cards that pay for a track, colour cards before locomotives."""
    if c == LOCO:
        return LOCO_LOSS * b.length[t]
    have = s.hand[seat * HAND + c]
    locos = max(b.ferry[t], b.length[t] - have)
    cards = b.length[t] - locos
    elsewhere = k.need[c]
    if b.colour[t] == c:
        elsewhere -= b.length[t] - b.ferry[t]
    missed = max(0, min(cards, elsewhere + cards - have))
    return LOCO_LOSS * locos + CARD_LOSS * cards + NEEDED_LOSS * missed


@kernel
def is_rash(s: Position, b: Board, seat: int, t: int, c: int) -> int:
    """1 for a tunnel without cards to spare, more of them the longer nothing but tunnels failed (EUR-12, C-34)."""
    spare = s.hand[seat * HAND + LOCO] - b.length[t]
    if c != LOCO:
        spare += s.hand[seat * HAND + c]
    return 1 if is_tunnel(b, t) and spare < min(b.tunnel_cards, TUNNEL_RESERVE + s.idle_turns) else 0


@kernel
def colour_for(s: Position, b: Board, seat: int, t: int) -> int:
    """The colour to collect for a track: its own, for a gray one the one the seat has most of."""
    if b.colour[t] != GRAY:
        return b.colour[t]
    best = 0
    for c in range(LOCO):
        if s.hand[seat * HAND + c] > s.hand[seat * HAND + best]:
            best = c
    return best


@kernel
def cards_lacking(s: Position, b: Board, seat: int, t: int) -> int:
    """How many cards the seat still lacks for a track, with the colour it has most of."""
    at = seat * HAND
    cards = 0
    if b.colour[t] != GRAY:
        cards = s.hand[at + b.colour[t]]
    else:
        for c in range(LOCO):
            cards = max(cards, s.hand[at + c])
    cards = min(cards, b.length[t] - b.ferry[t])
    return max(0, b.length[t] + TUNNEL_RESERVE * is_tunnel(b, t) - cards - s.hand[at + LOCO])


# ---------------------------------------------------------------- what a claim brings


@kernel
def claim_gain(s: Position, b: Board, seat: int, t: int) -> int:
    """The points a claim brings at once: the track's, doubled if that is allowed, and the festival cards'."""
    gain = b.points[b.length[t]]
    if b.terrains > 0 and may_double(s, b, seat, t):
        gain += gain
    if b.groups > 0:
        gain += max(festival_gain(s, b, seat, b.track_a[t]), festival_gain(s, b, seat, b.track_b[t]))
    return gain


@kernel
def may_double(s: Position, b: Board, seat: int, t: int) -> int:
    """1 if the seat's terrain cards alone double this track (AFR-10, AFR-11)."""
    due = b.to_double[b.length[t]]
    kind = b.terrain_of[b.colour[t]]
    mine = s.terrain[seat * TERRAINS + kind]
    return 1 if due > 0 and mine >= due and mine >= most_of_others(s, seat, kind) else 0


@kernel
def festival_gain(s: Position, b: Board, seat: int, place: int) -> int:
    """What the festival cards lying at a place add to the seat's sets (IBE-16)."""
    g = b.group[place]
    if g < 0:
        return 0
    have = s.pile[seat * GROUPS + g]
    return b.festival_table[have + s.pool[g]] - b.festival_table[have]


# ---------------------------------------------------------------- drawing


@kernel
def choose_draw(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The card that helps the plan most, or NO_CHOICE. A locomotive of the display must be worth two cards (C-12)."""
    menu = w.menu[MISC]
    weigh_cards(s, b, k, seat)
    best = -1
    second = -1
    code = NO_CHOICE
    loco = NO_CHOICE
    if (menu >> DRAW_DECK) & 1:
        best = deck_wish(s, b, k)
        second = best
        code = DRAW_DECK
    for i in range(TAKE_TERRAIN + b.terrain_up):
        if i == DRAW_DECK or not (menu >> i) & 1:
            continue
        if i < DRAW_DECK and s.display[i - DRAW_DISPLAY] == LOCO:
            loco = i
            continue
        value = k.wish[s.display[i - DRAW_DISPLAY]] if i < DRAW_DECK else k.terrain_wish[s.terrain_up[i - TAKE_TERRAIN]]
        if value > best:
            second = best
            best = value
            code = i
        elif value > second:
            second = value
    if loco != NO_CHOICE and (code == NO_CHOICE or k.wish[LOCO] > best + second):
        return loco
    return code


@kernel
def weigh_cards(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What one more card of each kind is worth for the planned tracks."""
    count_needs(b, k)
    for c in range(CARDS):
        k.wish[c] = 0
    for kind in range(b.terrains):
        k.terrain_wish[kind] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            weight = POINT_WISH * b.points[b.length[t]] + k.worth[t] + TRACK_WISH
            lacking = weigh_colours(s, b, k, seat, t, weight)
            if b.ferry[t] > s.hand[seat * HAND + LOCO]:
                k.wish[LOCO] = max(k.wish[LOCO], COLOUR_WISH * weight)
            if lacking > 0:
                k.wish[LOCO] = max(k.wish[LOCO], LOCO_WISH * weight // lacking)
            if b.terrains > 0:
                weigh_terrain(s, b, k, seat, t)


@kernel
def weigh_colours(s: Position, b: Board, k: PathWork, seat: int, t: int, weight: int) -> int:
    """Add what a planned track makes cards of its colour worth; how many such cards are lacking, 0 if none."""
    at = seat * HAND
    cards = b.length[t] - b.ferry[t]
    if b.colour[t] != GRAY:
        c = b.colour[t]
        if s.hand[at + c] >= k.need[c]:
            return 0
        lacking = max(1, cards - s.hand[at + c])
        k.wish[c] += min(MOST_WISH, COLOUR_WISH * weight // lacking)
        return lacking
    nearest = 0
    for c in range(LOCO):
        lacking = cards - max(0, s.hand[at + c] - k.need[c])
        if lacking > 0:
            k.wish[c] += min(MOST_WISH, GRAY_WISH * weight // (lacking * lacking))
            nearest = lacking if nearest == 0 else min(nearest, lacking)
    return nearest


@kernel
def weigh_terrain(s: Position, b: Board, k: PathWork, seat: int, t: int) -> None:
    """What a terrain card is worth for doubling a planned track (AFR-09 .. AFR-11)."""
    due = b.to_double[b.length[t]]
    kind = b.terrain_of[b.colour[t]]
    lacking = max(due, most_of_others(s, seat, kind)) - s.terrain[seat * TERRAINS + kind]
    if due > 0 and lacking > 0:
        value = COLOUR_WISH * POINT_WISH * b.points[b.length[t]] // lacking
        k.terrain_wish[kind] = max(k.terrain_wish[kind], value)


@kernel
def deck_wish(s: Position, b: Board, k: PathWork) -> int:
    """What a card from the deck is worth on the average, by the cards that cannot be seen."""
    total = 0
    cards = 0
    for c in range(CARDS):
        n = unseen_cards(s, b, c)
        cards += n
        total += n * k.wish[c]
    return total // cards if cards > 0 else 0


@kernel
def unseen_cards(s: Position, b: Board, c: int) -> int:
    """How many train cards of a kind lie where the reader of a veiled position cannot see them."""
    n = b.locomotives if c == LOCO else b.cards_per_colour
    n -= s.discard[c]
    for i in range(b.display):
        if s.display[i] == c:
            n -= 1
    for p in range(s.players):
        n -= s.hand[p * HAND + c]
    return n
