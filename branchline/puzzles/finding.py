"""Looks a game through for puzzles. A position must pass, the cheap tests first:

1. a careless bot chooses something really different from what the network (or the planner) chooses;
2. a first look: a few worlds, and the network judges early. The positions with the widest gaps go on;
3. a second look, as far ahead as the last;
4. games played to the end, after the best two (ending.py);
5. the proof: two weighings by other seeds, each of PROOF seconds' worth: both must find the same choice best, each by
   LEAST_GAP or more.

Work is counted, never timed (weighing.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from branchline.actions import Action
from branchline.notation import write_action
from branchline.puzzles.ending import ends_of
from branchline.puzzles.kinds import kind_of
from branchline.puzzles.model import LEAST_GAP, PROOF, PROOFS, holds_in_the_end
from branchline.puzzles.positions import ADVISERS, CARELESS, Played, Situation, advice
from branchline.review.alike import likeness
from branchline.review.weighing import Group, Weighed, Weighing, groups_of, is_at_home, worlds_of
from branchline.view import View

FAR: Final = 2000  # as far ahead as a search with so many tries looks
NEAR: Final = 1
LOOK: Final = 0.02  # seconds' worth of a first look: one wave
LOOK_MOST: Final = 5  # choices in it
LOOK_GAP: Final = 0.035
SECOND: Final = 0.4
SECOND_GAP: Final = 0.055
ENDED: Final = 0.4  # of the work of a proof goes into games that are played to the end
LEAST_WIN: Final = 0.04  # with the best choice: of a game that is lost nobody learns
CLEAR: Final = 0.2  # a gap; of those that are so wide none goes before another
A_GAME: Final = 5  # positions of a game that get a second look
APART: Final = 6  # moves between two puzzles of a game
SEEDS: Final = tuple(range(1, PROOFS + 1))
LEAST_PRIOR: Final = 0.4  # of the network's own choice: where it doubts there is no clear best


@dataclass(frozen=True)
class Found:
    """A position that passed."""

    situation: Situation
    kind: str
    weighed: tuple[Weighed, Weighed]
    ended: Weighed  # the best two, in games played to the end
    careless: dict[str, str]  # what the bots that were asked choose


@dataclass(frozen=True, slots=True)
class Rejected:
    """One that did not, after the first look."""

    situation: Situation
    why: str
    best: str
    second: str
    gap: float
    error: float


@dataclass
class Search:
    """What a game is looked through by and what came of it."""

    proof: float = PROOF
    is_wanted: Callable[[str], bool] = lambda kind: True
    is_up: Callable[[], bool] = lambda: False
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Look:
    situation: Situation
    groups: list[Group]
    chosen: dict[str, Action]
    weighed: Weighed


def find(played: Played, search: Search, most: int = 2) -> Iterator[Found | Rejected]:
    """The puzzles of a game, and those that nearly were; `most` of them at the most."""
    taken: list[Found] = []
    for look in sorted(_looks(played, search), key=lambda look: -min(CLEAR, look.weighed.gap))[: A_GAME + most]:
        if search.is_up() or len(taken) == most:
            return
        if any(abs(look.situation.number - one.situation.number) < APART for one in taken):
            search.counts["too near to another"] += 1
            continue
        result = _prove(look, search)
        if result is None:
            return
        if isinstance(result, Found):
            taken.append(result)
        yield result


def _looks(played: Played, search: Search) -> Iterator[_Look]:
    for situation in played.situations:
        if search.is_up():
            return
        look = _look(situation, search)
        if look is not None:
            yield look


def _look(situation: Situation, search: Search) -> _Look | None:
    view = situation.view
    chosen = {bot: advice(view, bot) for bot in ADVISERS}
    groups = groups_of(view, tuple(chosen.values()))
    if len(groups) < 2:
        search.counts["nothing to choose"] += 1
        return None
    best = groups[0].action if is_at_home(view) else chosen["planner"]
    wanted = likeness(best, view)
    if all(likeness(chosen[bot], view) == wanted for bot in CARELESS):
        search.counts["nobody errs"] += 1
        return None
    if is_at_home(view) and groups[0].prior < LEAST_PRIOR:
        search.counts["the network doubts"] += 1
        return None
    weighed = Weighing(_first(groups, chosen, view), worlds_of(view, 0, NEAR)).run(LOOK)
    if weighed.gap < LOOK_GAP:
        search.counts["no gap at first look"] += 1
        return None
    return _Look(situation, groups, chosen, weighed)


def _first(groups: list[Group], chosen: dict[str, Action], view: View) -> list[Group]:
    """The likeliest and what the bots choose."""
    advised = {likeness(action, view) for action in chosen.values()}
    more = [group for group in groups[LOOK_MOST - 2 :] if likeness(group.action, view) in advised]
    return groups[: LOOK_MOST - 2] + more[:2]


def _prove(look: _Look, search: Search) -> Found | Rejected | None:
    """None if the time is up."""
    situation = look.situation
    view = situation.view
    weighed = Weighing([one.group for one in look.weighed.order[:4]], worlds_of(view, 0, FAR)).run(SECOND)
    if reason := _fault(weighed, look, search, SECOND_GAP, 0.5):
        return _rejected(situation, reason, weighed)
    ended = Weighing([one.group for one in weighed.order[:2]], ends_of(view, 0)).run(search.proof * ENDED)
    if not (_is_same(weighed, ended, view) and holds_in_the_end(ended.gap, ended.error)):
        return _rejected(situation, "not so in games played to the end", ended)
    both: list[Weighed] = []
    for seed in SEEDS:
        if search.is_up():
            return None
        weighing = Weighing(look.groups, worlds_of(view, seed, FAR))
        first = weighing.run(search.proof / 5)
        if first.gap + 1.5 * first.error < LEAST_GAP:
            return _rejected(situation, "no gap in the proof", first)
        weighed = weighing.run(search.proof * 4 / 5)
        if reason := _fault(weighed, look, search, LEAST_GAP, 0.0):
            return _rejected(situation, f"{reason} in the proof", weighed)
        if not _is_same(weighed, ended, view):
            return _rejected(situation, "the weighings disagree", weighed)
        both.append(weighed)
    one, two = both
    lines = {bot: write_action(action) for bot, action in look.chosen.items()}
    return Found(situation, _kind(look, one), (one, two), ended, lines)


def _is_same(one: Weighed, other: Weighed, view: View) -> bool:
    """Whether two weighings find the same choice best."""
    best, also = (likeness(each.order[0].group.action, view) for each in (one, other))
    return best == also


def _fault(weighed: Weighed, look: _Look, search: Search, least: float, doubt: float) -> str:
    """Why a position is no puzzle by what was found, or ""."""
    view = look.situation.view
    best = weighed.order[0]
    if best.win < LEAST_WIN:
        return "lost anyway"
    if weighed.gap < least + doubt * weighed.error or math.isnan(weighed.gap):
        return "no gap"
    wanted = likeness(best.group.action, view)
    if all(likeness(look.chosen[bot], view) == wanted for bot in CARELESS):
        return "nobody errs"
    return "" if search.is_wanted(_kind(look, weighed)) else "enough of its kind"


def _kind(look: _Look, weighed: Weighed) -> str:
    view, best = look.situation.view, weighed.order[0].group.action
    wanted = likeness(best, view)
    careless = {write_action(look.chosen[bot]) for bot in CARELESS if likeness(look.chosen[bot], view) != wanted}
    return kind_of(best, view, careless)


def _rejected(situation: Situation, why: str, weighed: Weighed) -> Rejected:
    one, two = (write_action(each.group.action) for each in weighed.order[:2])
    return Rejected(situation, why, one, two, weighed.gap, weighed.error)
