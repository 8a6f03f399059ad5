"""Train and terrain cards: what pays for a track, what is lost by it, and which card is worth drawing for the plan.

How dear cards are to a bot stands in its plan. The conductor and the planner each write numbers of their own there
(conductor/cards.py, planner/cards.py), and are otherwise served by the same functions.
"""

from __future__ import annotations

from branchline.bots.blocks.codes import NO_CHOICE, may_choose, may_claim
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import (
    BITS,
    CARDS,
    DRAW_DECK,
    DRAW_DISPLAY,
    GRAY,
    HAND,
    LOCO,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAINS,
    TRACK_WORDS,
    Board,
    Position,
    Work,
    is_tunnel,
    kernel,
    lowest,
    most_of_others,
)
from branchline.graph.chains import has_track

COLOUR_WISH = 12  # what a card that brings a planned track nearer is worth, by what hangs on the track


# ---------------------------------------------------------------- paying


@kernel
def count_needs(b: Board, plan: Plan) -> None:
    """The cards the planned tracks take, by colour; those for gray ones count nowhere."""
    for c in range(CARDS):
        plan.need[c] = 0
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word] | plan.extra[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            plan.need[LOCO] += b.ferry[t]
            if b.colour[t] != GRAY:
                plan.need[b.colour[t]] += b.length[t] - b.ferry[t]


@kernel
def payment(s: Position, b: Board, w: Work, plan: Plan, seat: int, t: int) -> int:
    """The colour with which the seat loses least when it pays for a track, or NO_CHOICE if it cannot pay."""
    least = 1 << 30
    chosen = NO_CHOICE
    for c in range(CARDS):
        if may_claim(w, t, c):
            loss = payment_loss(s, b, plan, seat, t, c)
            if loss < least:
                least = loss
                chosen = c
    return chosen


@kernel
def payment_loss(s: Position, b: Board, plan: Plan, seat: int, t: int, c: int) -> int:
    """What is lost with the cards that pay for a track, colour cards before locomotives."""
    if c == LOCO:
        return plan.loco_loss * b.length[t]
    have = s.hand[seat * HAND + c]
    locos = max(b.ferry[t], b.length[t] - have)
    cards = b.length[t] - locos
    elsewhere = plan.need[c]
    if b.colour[t] == c and (plan.own_need_always or is_planned(plan, t)):
        elsewhere -= b.length[t] - b.ferry[t]
    missed = max(0, min(cards, elsewhere + cards - have))
    return plan.loco_loss * locos + plan.card_loss * cards + plan.needed_loss * missed


@kernel
def is_planned(plan: Plan, t: int) -> int:
    """1 for a track the plan holds, for a ticket or for its points."""
    return has_track(plan.tracks, t) | has_track(plan.extra, t)


@kernel
def is_rash(s: Position, b: Board, plan: Plan, seat: int, t: int, c: int) -> int:
    """1 for a tunnel without cards to spare, more of them the longer nothing but tunnels failed (EUR-12, C-34)."""
    spare = s.hand[seat * HAND + LOCO] - b.length[t]
    if c != LOCO:
        spare += s.hand[seat * HAND + c]
    return 1 if is_tunnel(b, t) and spare < min(b.tunnel_cards, plan.tunnel_reserve + s.idle_turns) else 0


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
def cards_lacking(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """How many cards the seat still lacks for a track, with the colour it has most of."""
    at = seat * HAND
    cards = min(s.hand[at + colour_for(s, b, seat, t)], b.length[t] - b.ferry[t])
    return max(0, b.length[t] + plan.tunnel_reserve * is_tunnel(b, t) - cards - s.hand[at + LOCO])


@kernel
def cards_in_hand(s: Position, seat: int) -> int:
    n = 0
    for c in range(CARDS):
        n += s.hand[seat * HAND + c]
    return n


@kernel
def terrain_lacking(s: Position, b: Board, seat: int, t: int) -> int:
    """How many terrain cards more the seat would need to double a track with them alone (AFR-10, AFR-11)."""
    kind = b.terrain_of[b.colour[t]]
    return max(b.to_double[b.length[t]], most_of_others(s, seat, kind)) - s.terrain[seat * TERRAINS + kind]


# ---------------------------------------------------------------- what cards are worth


@kernel
def weigh_cards(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """What one more card of each kind is worth for the planned tracks, by how much each matters (plan.weight)."""
    count_needs(b, plan)
    for c in range(CARDS):
        lacks = c == LOCO or s.hand[seat * HAND + c] < plan.need[c]
        plan.wish[c] = plan.base_wish if lacks else 0
    for kind in range(b.terrains):
        plan.terrain_wish[kind] = 0
    for word in range(TRACK_WORDS):
        tracks = plan.tracks[word] | plan.extra[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            weight = plan.weight[t]
            lacking = weigh_colours(s, b, plan, seat, t)
            if b.ferry[t] > s.hand[seat * HAND + LOCO]:
                plan.wish[LOCO] = max(plan.wish[LOCO], COLOUR_WISH * weight)
            if lacking > 0:
                plan.wish[LOCO] = max(plan.wish[LOCO], plan.loco_wish * weight // (64 * lacking))
            if b.terrains > 0:
                weigh_terrain(s, b, plan, seat, t)


@kernel
def weigh_colours(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """Add what a planned track makes cards of its colour worth; how many such cards are lacking, 0 if none."""
    at = seat * HAND
    cards = b.length[t] - b.ferry[t]
    if b.colour[t] != GRAY:
        c = b.colour[t]
        if s.hand[at + c] >= plan.need[c]:
            return 0
        lacking = max(1, cards - s.hand[at + c])
        plan.wish[c] += min(plan.most_wish, COLOUR_WISH * plan.weight[t] // lacking)
        return lacking
    nearest = 0
    for c in range(LOCO):
        lacking = cards - max(0, s.hand[at + c] - plan.need[c])
        if lacking > 0:
            plan.wish[c] += min(plan.most_wish, plan.gray_wish * plan.weight[t] // (64 * lacking * lacking))
            nearest = lacking if nearest == 0 else min(nearest, lacking)
    return nearest


@kernel
def weigh_terrain(s: Position, b: Board, plan: Plan, seat: int, t: int) -> None:
    """What a terrain card is worth for doubling a planned track (AFR-09 .. AFR-11)."""
    lacking = terrain_lacking(s, b, seat, t)
    if b.to_double[b.length[t]] > 0 and lacking > 0:
        kind = b.terrain_of[b.colour[t]]
        value = plan.point_for_terrain * b.points[b.length[t]] // lacking
        plan.terrain_wish[kind] = max(plan.terrain_wish[kind], value)


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


@kernel
def deck_worth(s: Position, b: Board, plan: Plan) -> int:
    """What a card from the deck is worth on the average, by the cards that cannot be seen."""
    total = 0
    cards = 0
    for c in range(CARDS):
        n = unseen_cards(s, b, c)
        cards += n
        total += n * plan.wish[c]
    return plan.deck_part * total // (64 * cards) if cards > 0 else 0


@kernel
def terrain_deck_worth(s: Position, b: Board, plan: Plan) -> int:
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
        total += n * plan.terrain_wish[kind]
    return total // cards if cards > 0 else 0


# ---------------------------------------------------------------- drawing


@kernel
def draw_worth(s: Position, b: Board, plan: Plan, i: int) -> int:
    """What the i-th draw of the menu is worth."""
    if i < DRAW_DECK:
        return plan.wish[s.display[i - DRAW_DISPLAY]]
    if i == DRAW_DECK:
        return deck_worth(s, b, plan)
    if i == TERRAIN_DECK:
        return terrain_deck_worth(s, b, plan)
    return plan.terrain_wish[s.terrain_up[i - TAKE_TERRAIN]]


@kernel
def choose_draw(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """The draw that helps the plan most, or NO_CHOICE; plan.draw_gain is what it and the next best bring together.

    A locomotive of the display takes the whole turn, so it is weighed against two cards (C-12).
    """
    weigh_cards(s, b, plan, seat)
    plan.best_draw = NO_CHOICE
    plan.best_worth = -1
    plan.second_worth = -1
    loco = NO_CHOICE
    if plan.deck_first and may_choose(w, DRAW_DECK):
        weigh_draw(s, b, plan, DRAW_DECK)
    for i in range(TERRAIN_DECK + 1 if plan.sees_terrain_deck else TERRAIN_DECK):
        if not may_choose(w, i) or (i == DRAW_DECK and plan.deck_first):
            continue
        if i < DRAW_DECK and s.display[i - DRAW_DISPLAY] == LOCO:
            loco = i
        else:
            weigh_draw(s, b, plan, i)
    two = plan.best_worth + plan.second_worth
    plan.draw_gain = max(0, plan.best_worth) + max(0, plan.second_worth)
    if loco != NO_CHOICE and (plan.best_draw == NO_CHOICE or 64 * plan.wish[LOCO] > plan.two_part * two):
        plan.draw_gain = max(plan.draw_gain, plan.wish[LOCO])
        return loco
    return plan.best_draw


@kernel
def weigh_draw(s: Position, b: Board, plan: Plan, i: int) -> None:
    """Compare a draw of the menu with the best two so far; the first of equals stays. The deck can be drawn twice."""
    value = draw_worth(s, b, plan, i)
    if value > plan.best_worth:
        plan.second_worth = plan.best_worth
        plan.best_worth = value
        plan.best_draw = i
    elif value > plan.second_worth:
        plan.second_worth = value
    if i == DRAW_DECK and value > plan.second_worth:
        plan.second_worth = value
