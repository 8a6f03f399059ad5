"""One decision: what was chosen weighed against the best there was, by what the seat could know.

All choices are tried in the same imagined worlds. At first all of them in few worlds; then those that may be better
than what was chosen, until the verdict is beyond doubt or the work for one decision is done. What looks best among many
by chance looks better than it is, so the loss is told by halves: the best of one half of the worlds is held against the
choice in the other half.

Skill is another thing: what the choice gave against the judge's own choice, which its word on the position counts on.
So it adds up, with luck, to what the position's worth changed by; losses do not, for a chance that is missed ten times
is lost once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from branchline.actions import Action
from branchline.bots.games.match import PLANNER_BOT
from branchline.bots.players import engine
from branchline.codec import action_of, names_of
from branchline.notation import write_action
from branchline.review.alike import likeness
from branchline.review.moments import Moment
from branchline.review.settings import Setting
from branchline.review.verdicts import LEAST, Verdict, called, is_close, verdict_on
from branchline.review.weighing import Group, groups_of
from branchline.review.worlds import Worlds, worlds_of
from branchline.view import View

Array = np.ndarray[Any, np.dtype[Any]]

BEHIND: Final = 2.5  # standard errors behind the best at which a choice is tried no more
SPREAD, SPREAD_WORLDS = 0.06, 6  # of a difference from world to world, taken for granted as if so many had shown it
ENOUGH: Final = 2.2  # standard errors to each side that must give one verdict, for the weighing to stop


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that was weighed."""

    line: str
    win: float
    error: float
    visits: int


@dataclass(frozen=True)
class Decided:
    """What is said about a decision."""

    number: int
    seat: int
    win: float  # of what was chosen
    best: str
    loss: float
    error: float
    verdict: Verdict
    close: bool
    options: tuple[Option, ...]
    skill: tuple[float, ...]  # what it gave each seat against the judge's own choice
    work: float = field(compare=False)
    chosen_code: int = -1
    best_code: int = -1


def decide(moment: Moment, setting: Setting, seed: int) -> Decided | None:
    """None where there was nothing to decide: one choice, or only details."""
    if moment.is_detail:
        return None
    groups, judges = _candidates(moment, setting)
    if len(groups) < 2:
        return None
    if judges.prior > setting.trust and judges.code == moment.code:
        return _trusted(moment, judges)
    return _Trial(moment, groups, judges, worlds_of(moment.view, seed, setting.rounds), setting).run()


def advice(view: View) -> Action:
    """What the planner would choose."""
    assert view.reader is not None
    code = engine().choose(view, PLANNER_BOT, 0, 0)
    return action_of(code, view.position, names_of(view.map), view.reader)


def _likeness(moment: Moment) -> Any:
    return likeness(moment.action, moment.view)


def _candidates(moment: Moment, setting: Setting) -> tuple[list[Group], Group]:
    """The likeliest choices, what the planner would do, and what was played: itself, where others are like it. In the
    last round everything: games are short then, and what is best there may never have come up in training. Then the
    judge's own choice among them: the network's likeliest, or the planner's where games are played out."""
    planned, is_late = advice(moment.view), moment.view.last_round and setting.asks_planner
    groups = groups_of(moment.view, moment.view.legal_actions() if is_late else (moment.action, planned))
    by_likeness = {likeness(group.action, moment.view): group for group in groups}
    if len(groups) < 2:
        return [], Group(moment.code, moment.action, 0.0)
    wanted = _likeness(moment)
    by_likeness[wanted] = Group(moment.code, moment.action, by_likeness[wanted].prior)
    kept = [by_likeness[likeness(group.action, moment.view)] for group in groups]
    planners = by_likeness[likeness(planned, moment.view)]
    judges = kept[0] if kept[0].prior > 0 else planners
    must = [by_likeness[wanted], judges] + [planners] * setting.asks_planner
    return (kept if is_late else list(dict.fromkeys([*kept[: setting.choices], *must]))), judges


def _trusted(moment: Moment, group: Group) -> Decided:
    """Where the network is sure of what was played, and the setting lets it be."""
    none = (0.0,) * moment.view.player_count
    return Decided(moment.number, moment.seat, math.nan, moment.line, 0, 0, "best", False, (), none, 0, group.code)


class _Trial:
    """A weighing under way."""

    def __init__(
        self, moment: Moment, groups: Sequence[Group], judges: Group, worlds: Worlds, setting: Setting
    ) -> None:
        self._moment, self._groups, self._worlds, self._setting = moment, groups, worlds, setting
        self._seat = moment.seat
        self._limit = setting.limit(moment.view.player_count)
        self._own = next(i for i, group in enumerate(groups) if group.code == moment.code)
        self._judges = groups.index(judges)
        self._running = list(range(len(groups)))
        self._found: list[list[Array]] = [[] for _ in groups]
        self._next = 0

    def run(self) -> Decided:
        self._wave(self._setting.look)
        while not self._is_settled():
            self._wave(min(2 * self._setting.look, self._setting.most - self._next))
        return self._told()

    def _wave(self, worlds: int) -> None:
        codes = [self._groups[i].code for i in self._running]
        results = self._worlds.tried(self._next, worlds, codes)
        for column, i in enumerate(self._running):
            self._found[i].append(results[:, column])
        self._next += worlds
        self._drop()

    def _drop(self) -> None:
        """Who is behind the best beyond chance goes; what was chosen stays, and what the judge would choose."""
        stays = (self._best(), self._own, self._judges)
        self._running = [i for i in self._running if i in stays or not self._is_behind(i, stays[0])]

    def _is_behind(self, i: int, best: int) -> bool:
        lead, error = self._lead(best, i)
        return lead > BEHIND * error

    def _best(self) -> int:
        wins = {i: self._wins(i).mean() for i in self._running}
        return max(self._running, key=lambda i: (wins[i], i == self._own))

    def _wins(self, i: int) -> Array:
        wins: Array = np.concatenate(self._found[i])[:, self._seat]
        return wins

    def _lead(self, one: int, other: int) -> tuple[float, float]:
        """By how much one is better, and the standard error of that, world by world."""
        mine, theirs = self._wins(one), self._wins(other)
        n = min(len(mine), len(theirs))
        difference = mine[:n] - theirs[:n]
        spread = float(difference.var()) * n + SPREAD**2 * SPREAD_WORLDS
        return float(difference.mean()), math.sqrt(spread / (n + SPREAD_WORLDS) / n)

    def _is_settled(self) -> bool:
        if self._next >= self._setting.most or self._worlds.work >= self._limit:
            return True
        best = self._best()
        if best == self._own:
            rest = [self._lead(i, best) for i in self._running if i != best]
            return all(lead + ENOUGH * error < LEAST["inaccuracy"] for lead, error in rest)
        lead, error = self._lead(best, self._own)
        return called(lead - ENOUGH * error) == called(lead + ENOUGH * error)

    # --- what is told ---------------------------------------------------------------------------------------

    def _told(self) -> Decided:
        best = self._best()
        is_best = best == self._own
        lead, error = self._lead(best, self._own) if not is_best else (0.0, self._doubt())
        loss = max(0.0, min(lead, float(self._loss_by_halves()[self._seat]))) if not is_best else 0.0
        order = sorted(range(len(self._groups)), key=lambda i: (i not in self._running, -self._wins(i).mean()))
        own = self._wins(self._own)
        return Decided(
            self._moment.number,
            self._seat,
            float(own.mean()),
            write_action(self._groups[best].action),
            loss,
            error,
            verdict_on(loss, error, is_best),
            not is_best and is_close(loss, error),
            tuple(self._option(i) for i in order),
            tuple(self._skill().tolist()),
            self._worlds.work,
            self._groups[self._own].code,
            self._groups[best].code,
        )

    def _doubt(self) -> float:
        """How well it is known that nothing beats the best: the error of its lead over the second."""
        return min((self._lead(self._own, i)[1] for i in self._running if i != self._own), default=0.0)

    def _option(self, i: int) -> Option:
        wins = self._wins(i)
        return Option(
            write_action(self._groups[i].action),
            float(wins.mean()),
            float(wins.std() / math.sqrt(len(wins))),
            len(wins),
        )

    def _skill(self) -> Array:
        """By seat, in all worlds."""
        own, judges = (np.concatenate(self._found[i]) for i in (self._own, self._judges))
        mean: Array = (own - judges).mean(0)
        return mean

    def _loss_by_halves(self) -> Array:
        """By seat: the best of each half of the worlds less the choice, in the other half."""
        found = {i: np.concatenate(self._found[i]) for i in self._running}
        halves = [np.arange(len(found[self._own])) % 2 == part for part in (0, 1)]
        losses = []
        for here, there in (halves, halves[::-1]):
            best = max(found, key=lambda i: (found[i][here, self._seat].mean(), i == self._own))
            losses.append((found[best][there] - found[self._own][there]).mean(0))
        mean: Array = np.mean(losses, 0)
        return mean
