"""How hard a puzzle is: how often bots of each level solve it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from branchline.actions import Action
from branchline.bots.registry import known_levels, make_bot, takes
from branchline.puzzles.model import GRADES
from branchline.review.alike import likeness
from branchline.view import View

TIMES: Final = 6  # seeds of each level
TIMES_SEARCHING: Final = 3
TRIES: Final = 240  # of a level that searches


def solved_by_levels(view: View, answer: Action) -> dict[str, float]:
    """The share of times that each level plays the answer, or what is like it."""
    wanted, legal = likeness(answer, view), view.legal_actions()
    shares = {}
    for level in known_levels():
        times = TIMES_SEARCHING if takes(level.bot, "rollouts") else TIMES
        bots = (make_bot(level.bot, seed, threads=1, rollouts=TRIES) for seed in range(times))
        shares[level.id] = sum(likeness(bot.choose(view, legal), view) == wanted for bot in bots) / times
    return shares


def grade_of(solved: Mapping[str, float]) -> int:
    """1 where nearly all levels find it, 5 where hardly one does: a step for each level's worth of failing."""
    failing = sum(1 - share for share in solved.values()) * GRADES / max(1, len(solved))
    return min(GRADES, max(1, math.ceil(failing)))
