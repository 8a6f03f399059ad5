"""What is counted in the worlds of a puzzle, so that its reason can be told: who lays which track after the best choice
and after the second."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from branchline.actions import ClaimTrack
from branchline.bots.net.player import network
from branchline.bots.rollout.workspace import Room
from branchline.bots.search.playing import Playing
from branchline.codec import action_of, is_fixed, names_of
from branchline.mechanics import composed as k
from branchline.review.weighing import is_at_home, seed_of
from branchline.view import View

WORLDS: Final = 24
AHEAD: Final = 3  # moves of each player, about, that are followed: two turns
LEAST: Final = 0.25  # of the worlds: rarer things are no reason

Line = list[tuple[int, int]]


def facts_of(view: View, code: int) -> dict[str, Any]:
    """Of the worlds in which a code is played: in which part each track is laid next by the others, or by the seat."""
    lines = _lines(view, code)
    others: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for line in lines:
        for seat, track in _claims(view, line):
            (own if seat == view.reader else others)[track] += 1
    return {"others": _shares(others, len(lines)), "own": _shares(own, len(lines))}


def _shares(counts: Counter[str], worlds: int) -> dict[str, float]:
    return {track: round(n / worlds, 2) for track, n in counts.most_common() if n >= LEAST * worlds}


def _claims(view: View, line: Line) -> set[tuple[int, str]]:
    s, names = view.position, names_of(view.map)
    found = set()
    for seat, code in line:
        action = action_of(code, s, names, seat) if is_fixed(code) else None
        if isinstance(action, ClaimTrack):
            found.add((seat, action.track))
    return found


def _lines(view: View, code: int) -> list[Line]:
    """What most likely comes, in some worlds."""
    assert view.reader is not None
    seed, net = seed_of(view, 0), network()
    if net is not None and is_at_home(view):
        playing = Playing(net, view, seed)
        playing.believe()
        return playing.follow(code, WORLDS, AHEAD * view.player_count)
    room = Room(view)
    room.set_weights(view.reader)
    worlds = [room.follow(view.reader, seed, world, code) for world in range(WORLDS)]
    return [[(step % k.SEATS, step // k.SEATS) for step in line] for line in worlds]
