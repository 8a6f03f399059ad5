"""What the four published styles have in common (path.py, onestep.py, longroute.py, hungry.py).

Silva et al. (2017) let four simple players with styles of their own play thousands of games to learn about maps. These
are written anew from how theirs play: a chain of as few tracks as possible for a ticket, one track to go for, cards of
its colour, and no thought of the end. They are yardsticks: the published scores can be compared with ours. What their
game did not have, such as drafts, festivals and what a tunnel asks for, is answered as the conductor answers it.
"""

from __future__ import annotations

from branchline.bots.blocks.cards import colour_for, count_needs, payment
from branchline.bots.blocks.codes import NO_CHOICE, claim_code, keep_code, may_choose, may_keep
from branchline.bots.blocks.plan import Plan
from branchline.bots.conductor.choices import conductor_action
from branchline.bots.conductor.network import spaces_of_chain, survey
from branchline.bots.kernel import (
    BITS,
    DRAW_DECK,
    DRAW_DISPLAY,
    HAND,
    HELD,
    LOCO,
    OFFER,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    kernel,
    lowest,
    popcount,
)
from branchline.graph.chains import NOWHERE, find_chain, trace_chain

OUT_OF_REACH = 50  # trains that a ticket is taken to need which cannot be joined


# ---------------------------------------------------------------- chains


@kernel
def survey_steps(s: Position, b: Board, plan: Plan, seat: int, shortest: int) -> None:
    """Let a chain run over own tracks for nothing and over free ones of so many spaces at least, each one step."""
    survey(s, b, plan, seat)
    for word in range(TRACK_WORDS):
        plan.lent[word] = 0
        plan.usable[word] = s.owned[TRACK_WORDS * seat + word]
        tracks = plan.free[word]
        while tracks:
            i = lowest(tracks)
            tracks &= tracks - 1
            t = word * BITS + i
            if b.length[t] >= shortest:
                plan.price[t] = 1
                plan.usable[word] |= 1 << i


@kernel
def richest_open_ticket(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The ticket held with most points that is not joined and can be, or NO_CHOICE."""
    best = 0
    chosen = NO_CHOICE
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat and b.ticket_points[ticket] > best:
            steps = find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
            if 0 < steps < NOWHERE:
                best = b.ticket_points[ticket]
                chosen = ticket
    return chosen


@kernel
def first_step(s: Position, b: Board, plan: Plan, seat: int, ticket: int) -> int:
    """The first track to claim on a ticket's chain; of a double track the one the seat has more cards for."""
    find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
    trace_chain(b, plan, b.ticket_a[ticket])
    first = NO_CHOICE
    for i in range(plan.chain_n):
        if plan.price[plan.chain[i]] > 0:
            first = plan.chain[i]
    return better_twin(s, b, plan, seat, first)


@kernel
def better_twin(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """Of the free tracks between the same two places the one the seat has most cards for."""
    best = s.hand[seat * HAND + colour_for(s, b, seat, t)]
    chosen = t
    for word in range(TRACK_WORDS):
        tracks = plan.free[word] & b.twins[TRACK_WORDS * t + word]
        while tracks:
            twin = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            cards = s.hand[seat * HAND + colour_for(s, b, seat, twin)]
            if cards > best:
                best = cards
                chosen = twin
    return chosen


# ---------------------------------------------------------------- claims and cards


@kernel
def claim_or_collect(s: Position, b: Board, w: Work, plan: Plan, seat: int, t: int) -> int:
    """Claim a track if it can be paid, else draw for it."""
    code = plain_claim(s, b, w, plan, seat, t)
    return code if code != NO_CHOICE else collect(s, b, w, colour_for(s, b, seat, t), 1)


@kernel
def plain_claim(s: Position, b: Board, w: Work, plan: Plan, seat: int, t: int) -> int:
    """Claim this one track, or NO_CHOICE if it cannot be paid now."""
    if s.phase != TURN:
        return NO_CHOICE
    count_needs(b, plan)
    colour = payment(s, b, w, plan, seat, t)
    return claim_code(t, colour) if colour != NO_CHOICE else NO_CHOICE


@kernel
def collect(s: Position, b: Board, w: Work, colour: int, takes_locos: int) -> int:
    """Draw a card of a colour from the display, else perhaps a locomotive, else what the deck holds; or NO_CHOICE."""
    loco = NO_CHOICE
    for i in range(b.display):
        if may_choose(w, DRAW_DISPLAY + i):
            if s.display[i] == colour:
                return DRAW_DISPLAY + i
            if s.display[i] == LOCO:
                loco = DRAW_DISPLAY + i
    if takes_locos and loco != NO_CHOICE:
        return loco
    return DRAW_DECK if may_choose(w, DRAW_DECK) else NO_CHOICE


@kernel
def longest_free(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The longest track the trains suffice for, of several the one nearest to being paid; or NO_CHOICE."""
    best = 0
    chosen = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = plan.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            at = seat * HAND
            have = s.hand[at + colour_for(s, b, seat, t)]
            value = 256 * b.length[t] + min(2 * have + s.hand[at + LOCO], 2 * b.length[t]) + 64
            if value > best:
                best = value
                chosen = t
    return chosen


# ---------------------------------------------------------------- tickets


@kernel
def keep_first(s: Position, w: Work, seat: int) -> int:
    """Keep as few of the offered tickets as may be, those that came first."""
    fewest = 0
    for kept in range(1, 1 << s.offer_n[seat]):
        if may_keep(w, kept) and (fewest == 0 or popcount(kept) < popcount(fewest)):
            fewest = kept
    return keep_code(fewest)


@kernel
def keep_dense(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """Keep the tickets with most points for the trains their chains take; if those do not suffice, the cheapest.

    NO_CHOICE where every set loses points, as when all the tickets are out of reach.
    """
    best = -1
    cheapest = 1 << 20
    chosen = 0
    for kept in range(1, 1 << s.offer_n[seat]):
        if not may_keep(w, kept):
            continue
        points = 0
        value = 0
        trains = 0
        for i in range(s.offer_n[seat]):
            if (kept >> i) & 1:
                ticket = s.offer[seat * OFFER + i]
                needs = trains_for(b, plan, ticket)
                trains += needs
                points += b.ticket_points[ticket]
                value += b.ticket_points[ticket] if needs < OUT_OF_REACH else -b.ticket_points[ticket]
        if trains <= s.trains[seat]:
            value = 256 * value // max(1, trains)
            if value > best:
                best = value
                chosen = kept
        elif best < 0 and points < cheapest:
            cheapest = points
            chosen = kept
    return keep_code(chosen)


@kernel
def trains_for(b: Board, plan: Plan, ticket: int) -> int:
    """The trains that a ticket's chain still takes."""
    if find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE) == NOWHERE:
        return OUT_OF_REACH
    return spaces_of_chain(b, plan, b.ticket_a[ticket])


@kernel
def otherwise(s: Position, b: Board, w: Work, plan: Plan, seat: int, code: int) -> int:
    """What was chosen, or what the conductor would do where nothing was."""
    return code if code != NO_CHOICE else conductor_action(s, b, w, plan, seat)
