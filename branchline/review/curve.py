"""The curve: win chances and points expected by seat, before each move and at the end.

Before a move they are what the seat that is to move may think, from what it knows; the last point is the result.
Details, such as how many locomotives pay, do not move the curve. As neighbours know different things, `win` jumps from
one to the other; `own` is the smooth one to draw, and need not sum to one. The points are those of games that the
planner plays out: the network tells of nobody's points but the mover's lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from branchline.bots.net.player import network
from branchline.review.moments import Moment, Played
from branchline.review.settings import Setting
from branchline.review.worlds import ByPlayingOut, judge_of


@dataclass(frozen=True, slots=True)
class Point:
    """After so many moves."""

    move: int
    win: tuple[float, ...]  # what the seat that is to move thinks of all
    own: tuple[float, ...]  # what each seat thought of itself at its last decision, or will at its first
    points: tuple[float, ...]


def curve_of(played: Played, setting: Setting, seed: int) -> tuple[Point, ...]:
    wins = _wins(played.moments) if judge_of(played.record.map) else {}
    found: list[Point] = []
    own = [0.0] * played.players
    for moment in played.moments:
        if moment.is_detail and found:
            found.append(replace(found[-1], move=moment.number - 1))
            continue
        bots = ByPlayingOut(moment.view, seed)
        win = wins.get(moment.number)
        chances = win if win is not None else tuple(bots.wins(setting.samples).tolist())
        own[moment.seat] = chances[moment.seat]
        found.append(Point(moment.number - 1, chances, tuple(own), tuple(bots.points(setting.points).tolist())))
    shares = tuple(played.shares)
    end = Point(len(played.moments), shares, shares, tuple(map(float, played.result.scores)))
    return (*_begun(played, found), end)


def _begun(played: Played, points: Sequence[Point]) -> list[Point]:
    """Before its first decision a seat stands where it will stand then."""
    firsts = {moment.seat: moment.number - 1 for moment in reversed(played.moments) if not moment.is_detail}
    return [
        replace(
            point,
            own=tuple(points[max(point.move, at)].own[seat] for seat, at in sorted(firsts.items())),
        )
        for point in points
    ]


def _wins(moments: Sequence[Moment]) -> dict[int, tuple[float, ...]]:
    """What the network says at each decision, by seat."""
    net = network()
    assert net is not None
    asked = [moment for moment in moments if not moment.is_detail]
    judged = net.think_many(asked[0].view.map, [m.view.to_bytes() for m in asked], [m.seat for m in asked])
    players = asked[0].view.player_count
    return {
        moment.number: tuple(np.roll(win[:players], moment.seat).tolist())
        for moment, win in zip(asked, judged.wins, strict=True)
    }
