"""Cheapest chains of tracks for the compiled bots: sets of tracks, what may be used, and the search over its prices."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel.flat import I8, I16, I64, Flat
from branchline.kernel.hooks import lending_places, lending_sites, tracks_to_lend
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import BITS, TRACK_WORDS, Board, Position
from branchline.maps.model import MAX_LENGTH, MAX_PLACES, MAX_TRACKS

PRICES = 512  # no chain of tracks is followed beyond this price
NOWHERE = PRICES  # the price of what cannot be reached


class Plan(Flat, part=True):
    """The part of a bot's plan that a search works on."""

    at_price: Annotated[list[int], I64, PRICES]  # places waiting in a search, by the price of reaching them
    usable: Annotated[list[int], I64, TRACK_WORDS]  # tracks a chain may run over
    free: Annotated[list[int], I64, TRACK_WORDS]  # tracks the seat may still claim
    lent: Annotated[list[int], I64, TRACK_WORDS]  # tracks of others that could be lent to the seat
    barred: Annotated[list[int], I64, TRACK_WORDS]  # tracks the plan must do without
    price: Annotated[list[int], I16, MAX_TRACKS]
    reach: Annotated[list[int], I16, MAX_PLACES]  # the price at which a place is reached
    chain_n: Annotated[int, I8]
    chain: Annotated[list[int], I8, MAX_PLACES]  # the tracks of the chain traced last
    goal: Annotated[int, I8]  # the place where the chain found last ends
    via: Annotated[list[int], I8, MAX_PLACES]  # the track by which a place is reached


# ---------------------------------------------------------------- sets of tracks, a bit each in TRACK_WORDS words


@kernel
def has_track(tracks: list[int], t: int) -> int:
    return (tracks[t // BITS] >> (t % BITS)) & 1


@kernel
def add_track(tracks: list[int], t: int) -> None:
    tracks[t // BITS] |= 1 << (t % BITS)


@kernel
def has_none(tracks: list[int]) -> int:
    """1 for an empty set."""
    for word in range(TRACK_WORDS):
        if tracks[word]:
            return 0
    return 1


@kernel
def track_ends(b: Board, t: int) -> int:
    """The two places of a track, as bits."""
    return (1 << b.track_a[t]) | (1 << b.track_b[t])


@kernel
def find_tracks(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Which tracks the seat could claim with the trains it has, and which it could have lent; none is barred."""
    fit = min(s.trains[seat], MAX_LENGTH)
    lenders = lending_places(s, b, seat) | lending_sites(s, b, seat)
    for word in range(TRACK_WORDS):
        plan.free[word] = b.fits[TRACK_WORDS * fit + word] & ~s.shut[TRACK_WORDS * seat + word]
        plan.lent[word] = tracks_to_lend(s, b, seat, lenders, word)
        plan.barred[word] = 0


# ---------------------------------------------------------------- chains


@kernel
def find_chain(b: Board, plan: Plan, start: int, goal: int, most: int) -> int:
    """The lowest price, up to `most`, of a chain between two sets of places, or NOWHERE; plan.goal is where it ends.

    Places wait in plan.at_price by the price at which they are reached. A dead end may begin or end a chain but is
    never passed (AFR-18).
    """
    reach = plan.reach
    waiting = plan.at_price
    via = plan.via
    for p in range(b.n_places):
        reach[p] = NOWHERE
    places = start
    while places:
        reach[lowest(places)] = 0
        places &= places - 1
    waiting[0] = start
    last = 0
    now = 0
    while now <= last and now <= most:
        front = waiting[now]
        waiting[now] = 0
        while front:
            p = lowest(front)
            front &= front - 1
            if reach[p] != now:
                continue
            if (goal >> p) & 1:
                plan.goal = p
                clear_waiting(plan, now, last)
                return now
            if (b.dead_ends >> p) & 1 and not (start >> p) & 1:
                continue
            for word in range(TRACK_WORDS):
                tracks = b.at_place[TRACK_WORDS * p + word] & plan.usable[word]
                while tracks:
                    t = word * BITS + lowest(tracks)
                    tracks &= tracks - 1
                    q = b.track_a[t] + b.track_b[t] - p
                    then = now + plan.price[t]
                    if then < reach[q]:
                        reach[q] = then
                        via[q] = t
                        if then == now:
                            front |= 1 << q
                        else:
                            waiting[then] |= 1 << q
                            last = max(last, then)
        now += 1
    clear_waiting(plan, now, last)
    return NOWHERE


@kernel
def clear_waiting(plan: Plan, first: int, last: int) -> None:
    for price in range(first, last + 1):
        plan.at_price[price] = 0


@kernel
def trace_chain(b: Board, plan: Plan, start: int) -> None:
    """Write the tracks of the chain found last into plan.chain, from its goal back to where it starts."""
    n = 0
    p = plan.goal
    while not (start >> p) & 1:
        t = plan.via[p]
        plan.chain[n] = t
        n += 1
        p = b.track_a[t] + b.track_b[t] - p
    plan.chain_n = n


@kernel
def is_joined(b: Board, plan: Plan, ticket: int) -> int:
    """1 if a ticket costs nothing any more."""
    return 1 if find_chain(b, plan, b.ticket_a[ticket], b.ticket_b[ticket], 0) == 0 else 0
