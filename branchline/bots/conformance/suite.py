"""The conformance suite for bots: whatever plays on our tables has to pass it.

    report = check("my_bot.py:MyBot")
    print(report)

The bot plays whole games against the conductor, on each map and on one it cannot know, on all numbers of seats. At
each of its decisions is looked at what it chose, how long it took and whether it left the view as it was; now and then
the same question is put to two more bots of the same seed, one of them in another world that its seat cannot tell from
this one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from branchline.actions import Action
from branchline.bots.conformance.unseen_map import unseen_map
from branchline.bots.players import ConductorBot
from branchline.bots.registry import Bot, check_bot, make_bot, needs_compiler, parse, takes
from branchline.bots.time_limit import TooSlow, time_limit
from branchline.bots.warm import warm
from branchline.game import Game
from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import MapData
from branchline.notation import write_action
from branchline.view import View, imagine

MADE = 100  # times the bot is made
EVERY = 7  # decisions between those that are asked again
SECONDS = 0.1  # what a bot that takes seconds is given
OVERRUN = 1.1  # the part of them it may take
TRIES = 3  # a machine may be busy: one answer in time out of so many will do
ROLLOUTS = 30  # for a bot that takes rollouts: then its choice does not hang on the clock
PATIENCE = 30  # seconds after which a decision is broken off
MOST_MOVES = 5000

LEGAL = "chooses only what it is offered"
WHOLE = "plays whole games"
MANY = "can be made many times"
SAME = "makes the same choices from the same seed"
WORLDS = "chooses alike in two worlds it cannot tell apart"
KEEPS = "leaves the view as it is"
BUDGET = "keeps to its seconds"
ALL = (MANY, WHOLE, LEGAL, KEEPS, SAME, WORLDS, BUDGET)


@dataclass(slots=True)
class Finding:
    """One thing a bot has to do: how often it was looked at, and what was wrong."""

    what: str
    looked: int = 0
    faults: list[str] = field(default_factory=list)
    skipped: str = ""

    @property
    def ok(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        if self.skipped or not self.looked:
            return f"  -     {self.what}: not looked at, {self.skipped or 'it did not come to that'}"
        verdict = f"{self.looked:,} times" if self.ok else f"{len(self.faults)} of {self.looked:,} times not"
        lines = [f"  {'ok  ' if self.ok else 'FAIL'}  {self.what}: {verdict}"]
        return "\n".join(lines + [f"          {fault}" for fault in self.faults[:3]])


@dataclass(slots=True)
class Report:
    """What the suite found; printed, it says so in words."""

    spec: str
    findings: dict[str, Finding]
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    @property
    def ok(self) -> bool:
        return self.games > 0 and all(finding.ok for finding in self.findings.values())

    def look(self, what: str, fault: str = "") -> None:
        """Note that something was looked at, and what was wrong with it."""
        self.findings[what].looked += 1
        if fault:
            self.findings[what].faults.append(fault)

    def __str__(self) -> str:
        mean = 1000 * self.seconds / max(1, self.decisions)
        return "\n".join(
            [
                f"{self.spec}: {'all is right' if self.ok else 'not all is right'}",
                *(str(self.findings[what]) for what in ALL),
                f"  {self.games} games, {self.decisions:,} decisions, {mean:.2f} ms each on the average, "
                f"{1000 * self.slowest:.1f} ms the slowest",
            ]
        )


def check(spec: str, maps: Sequence[str] = (), games: int = 1, seed: int = 1) -> Report:
    """Run a bot through the suite: so many games on each map and number of seats. Raises BadBot if there is no bot."""
    check_bot(spec)
    report = Report(spec, {what: Finding(what) for what in ALL})
    tables = [load_map(name) for name in maps] or [*map(load_map, shipped_maps()), unseen_map()]
    _make_many(spec, report)
    suite = _Suite(spec, report, seed)
    for data in tables:
        for players in range(data.min_players, data.max_players + 1):
            for number in range(games):
                suite.play(data, players, seed + number)
    suite.keep_time(tables[0])
    return report


def check_at(spec: str, data: MapData, players: int, seed: int = 1) -> Report:
    """The suite on one table: a single game."""
    check_bot(spec)
    report = Report(spec, {what: Finding(what) for what in ALL})
    _make_many(spec, report)
    _Suite(spec, report, seed).play(data, players, seed)
    report.findings[BUDGET].skipped = "a single table"
    return report


def _make_many(spec: str, report: Report) -> None:
    for seed in range(MADE):
        try:
            make_bot(spec, seed)
            report.look(MANY)
        except Exception as error:
            report.look(MANY, f"{type(error).__name__}: {error}")


class _Suite:
    """One bot under examination."""

    def __init__(self, spec: str, report: Report, seed: int) -> None:
        self.report = report
        self.rng = random.Random(seed)
        self.timed = takes(spec, "seconds")
        self.counted = takes(spec, "rollouts")
        self.spec = parse(spec).bare
        self.seconds = parse(spec).seconds or SECONDS
        if needs_compiler(spec):
            warm()  # that is nobody's time
        if self.timed and not self.counted:
            for what in (SAME, WORLDS):
                report.findings[
                    what
                ].skipped = "its choices hang on the clock; one that takes rollouts can be asked twice"
        if not self.timed:
            report.findings[BUDGET].skipped = "it takes no seconds"

    def make(self, seed: int) -> Bot:
        """A bot whose choices can be repeated, if it can be one."""
        return make_bot(self.spec, seed, seconds=SECONDS, threads=1, rollouts=ROLLOUTS if self.counted else None)

    def play(self, data: MapData, players: int, seed: int) -> None:
        """One game, the bot on a seat that changes from game to game."""
        own = (seed + players) % players
        game, bot, others = Game.new(data, players, seed=seed), self.make(seed), ConductorBot(0)
        where = f"{data.name}, {players} players, seed {seed}"
        moves = 0
        self.report.games += 1
        while not game.is_over and moves < MOST_MOVES:
            seat = game.to_act[0]
            moves += 1
            if seat != own:
                game.play(others.choose(game.view(seat), game.legal_actions(seat)), seat)
            elif not self._decide(game, seat, bot, f"{where}, move {moves}"):
                break
        self.report.look(WHOLE, "" if game.is_over else f"{where}: not over after {moves} moves")

    def _decide(self, game: Game, seat: int, bot: Bot, where: str) -> bool:
        """One decision and all that is looked at with it; False if the game cannot go on."""
        view = game.view(seat)
        actions = view.legal_actions()
        before = view.to_bytes()
        chosen, fault, took = _ask(bot, view, actions)
        self.report.decisions += 1
        self.report.seconds += took
        self.report.slowest = max(self.report.slowest, took)
        if not fault and chosen not in actions:
            fault = f"chose {chosen!r}, none of the {len(actions)} actions offered"
        self.report.look(LEGAL, f"{where}: {fault}" if fault else "")
        self.report.look(KEEPS, "" if view.to_bytes() == before else f"{where}: the view was changed")
        if fault or chosen is None:
            return False
        if self.report.decisions % EVERY == 1:
            self._ask_again(game, seat, where)
        game.play(chosen, seat)
        return True

    def _ask_again(self, game: Game, seat: int, where: str) -> None:
        """The same question to two new bots of one seed, and to a third in another world of the same view."""
        if self.findings_skipped(SAME):
            return
        seed = self.rng.getrandbits(32)
        first, again = (_answer(game, seat, self.make(seed)) for _ in range(2))
        self.report.look(SAME, "" if first == again else f"{where}: first {first}, then {again}")
        world = imagine(game.view(seat), self.rng)
        assert world.view(seat) == game.view(seat), "a world that its seat can tell apart"
        other = _answer(world, seat, self.make(seed))
        self.report.look(WORLDS, "" if first == other else f"{where}: {first} in one world, {other} in the other")

    def findings_skipped(self, what: str) -> bool:
        return bool(self.report.findings[what].skipped)

    def keep_time(self, data: MapData) -> None:
        """Ask a bot that takes seconds in the course of a game whether it keeps to them."""
        if not self.timed:
            return
        game, others = Game.new(data, max(2, data.min_players), seed=5), ConductorBot(0)
        moves = 0
        while not game.is_over and moves < 60:
            seat = game.to_act[0]
            view, actions = game.view(seat), game.legal_actions(seat)
            if moves % 10 == 5:
                took = min(self._time(view, actions) for _ in range(TRIES))
                late = took > OVERRUN * self.seconds
                fault = f"{data.name}, move {moves}: {took:.3f} s, given {self.seconds:g}" if late else ""
                self.report.look(BUDGET, fault)
            game.play(others.choose(view, actions), seat)
            moves += 1

    def _time(self, view: View, actions: Sequence[Action]) -> float:
        return _ask(make_bot(self.spec, 1, seconds=self.seconds), view, actions)[2]


def _answer(game: Game, seat: int, bot: Bot) -> str:
    """What a bot says to the view of a seat, in words. The game is at hand for a bot that wants to cheat."""
    view = game.view(seat)
    chosen, fault, _ = _ask(bot, view, view.legal_actions())
    if fault or chosen is None:
        return fault
    try:
        return write_action(chosen)
    except Exception:
        return repr(chosen)


def _ask(bot: Bot, view: View, actions: Sequence[Action]) -> tuple[Action | None, str, float]:
    """What a bot chooses, or what went wrong, and how long it took."""
    start = time.perf_counter()
    try:
        with time_limit(PATIENCE):
            chosen = bot.choose(view, actions)
    except TooSlow:
        return None, f"no answer after {PATIENCE} s", time.perf_counter() - start
    except Exception as error:
        return None, f"{type(error).__name__}: {error}", time.perf_counter() - start
    return chosen, "", time.perf_counter() - start
