"""The curve: win chances and points expected by seat, before each move and at the end.

`seen` is what the seat that is to move may think, from what it knows; `win` is the mean of what each seat thought when
it was last to move, for one who knows less of the others thinks better of itself, and the line would jump with every
turn. The last point is the result.
Details, such as how many locomotives pay, do not move the curve. The points are those of games played out by the
planner: the network tells of nobody's points but the mover's lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    win: tuple[float, ...]
    points: tuple[float, ...]
    seen: tuple[float, ...]


def curve_of(played: Played, setting: Setting, seed: int) -> tuple[Point, ...]:
    wins = _wins(played.moments) if judge_of(played.record.map) else {}
    found: list[Point] = []
    thought: dict[int, tuple[float, ...]] = {}
    for moment in played.moments:
        if moment.is_detail and found:
            found.append(replace(found[-1], move=moment.number - 1))
            continue
        bots = ByPlayingOut(moment.view, seed)
        win = wins.get(moment.number)
        chances = win if win is not None else tuple(bots.wins(setting.samples).tolist())
        thought[moment.seat] = chances
        points = tuple(bots.points(setting.points).tolist())
        found.append(Point(moment.number - 1, _mean(thought.values()), points, chances))
    shares = tuple(played.shares)
    return (*found, Point(len(played.moments), shares, tuple(map(float, played.result.scores)), shares))


def _mean(thoughts: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(each) / len(each) for each in zip(*thoughts, strict=True))


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
