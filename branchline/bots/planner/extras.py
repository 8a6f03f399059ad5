"""Tracks for points beside the tickets."""

from __future__ import annotations

from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.hooks import trains_to_keep
from branchline.bots.kernel import BITS, TRACK_WORDS, Board, Position, kernel, lowest
from branchline.bots.planner.costs import weighed_gain
from branchline.bots.planner.network import plan_turns, take_track
from branchline.bots.planner.tuning import (
    P_EXTRA_MIN,
    P_EXTRA_MOST,
    P_EXTRA_NEAR,
    P_EXTRA_ODD,
    P_EXTRA_PLAN,
    P_EXTRA_POINT,
    P_EXTRA_RESERVE,
    P_SLACK,
    tuned,
)
from branchline.graph.chains import add_track, track_ends


@kernel
def add_extras(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """Add tracks that bring more points than their turns cost, while trains and time are left."""
    for _ in range(tuned(plan, P_EXTRA_MOST)):
        room = room_for_extras(s, b, plan, seat)
        time = 16 * plan.time + tuned(plan, P_SLACK)
        best = tuned(plan, P_EXTRA_MIN)
        target = NO_CHOICE
        for word in range(TRACK_WORDS):
            tracks = plan.free[word] & ~(plan.tracks[word] | plan.extra[word])
            while tracks:
                t = word * BITS + lowest(tracks)
                tracks &= tracks - 1
                if b.length[t] <= room:
                    value = extra_value(b, plan, t)
                    if value > best and plan_turns(plan, 1, plan.lacks[t]) <= time and not twin_is_planned(b, plan, t):
                        best = value
                        target = t
        if target == NO_CHOICE:
            return
        add_track(plan.extra, target)
        take_track(s, b, plan, seat, target)


@kernel
def room_for_extras(s: Position, b: Board, plan: Plan, seat: int) -> int:
    """The trains that neither the plan nor what may come will need."""
    room = s.trains[seat] - plan.spaces - tuned(plan, P_EXTRA_RESERVE) - tuned(plan, P_EXTRA_PLAN) * plan.turns // 16
    return room - trains_to_keep(s, b, plan)


@kernel
def extra_value(b: Board, plan: Plan, t: int) -> int:
    """What a track is worth for its points alone."""
    value = weighed_gain(plan, P_EXTRA_POINT, t) - plan.cost[t]
    if track_ends(b, t) & plan.own_places:
        value += tuned(plan, P_EXTRA_NEAR)
    if b.longest_path > 0 and track_ends(b, t) & plan.odd_places:
        value += tuned(plan, P_EXTRA_ODD)
    return value


@kernel
def twin_is_planned(b: Board, plan: Plan, t: int) -> int:
    """1 if the plan holds the other track of a double route: nobody may own both (C-26)."""
    for word in range(TRACK_WORDS):
        if b.twins[TRACK_WORDS * t + word] & (plan.tracks[word] | plan.extra[word]):
            return 1
    return 0
