"""The curve: win chances and points expected by seat, before each move and at the end.

Before a move they are what the seat that is to move may think, from what it knows; the last point is the result.
Details, such as how many locomotives pay, do not move the curve. The points are those of games played out by the
planner: the network tells of nobody's points but the mover's lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def curve_of(played: Played, setting: Setting, seed: int) -> tuple[Point, ...]:
    wins = _wins(played.moments) if judge_of(played.record.map) else {}
    found: list[Point] = []
    for moment in played.moments:
        if moment.is_detail and found:
            found.append(Point(moment.number - 1, found[-1].win, found[-1].points))
            continue
        bots = ByPlayingOut(moment.view, seed)
        win = wins.get(moment.number)
        chances = win if win is not None else tuple(bots.wins(setting.samples).tolist())
        found.append(Point(moment.number - 1, chances, tuple(bots.points(setting.points).tolist())))
    end = Point(len(played.moments), tuple(played.shares), tuple(map(float, played.result.scores)))
    return (*found, end)


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
