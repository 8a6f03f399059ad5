"""What the results say: rates, scores and ratings of each bot, with how sure one may be of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from branchline.arena.ratings import ANCHOR_ELO, Meeting, Rating, fit_elo, rate_openskill
from branchline.arena.results import DealResult, Header, Results
from branchline.arena.statistics import Interval, Numbers, Sprt, Verdict, mean_interval, rate_interval


def credits_of(deal: DealResult) -> list[list[float]]:
    """What each entry won in each game: a victory shared by k counts as 1/k."""
    return [[(place == 1) / places.count(1) for place in places] for places in deal.places]


def share_of(deal: DealResult, name: str) -> float:
    """The share of a deal's victories that one bot has, on all its seats."""
    won = sum(c for game in credits_of(deal) for c, bot in zip(game, deal.lineup, strict=True) if bot == name)
    return won / len(deal.places)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and the interval that holds the true one in 95 of 100 contests."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class BotSummary:
    """How one bot fared over all its games."""

    name: str
    games: int
    seats: int  # in all games together: more than `games` where it sits at a table twice
    expected: float  # the win rate of a bot that is as good as the others
    wins: float
    win_rate: Estimate
    mean_score: Estimate
    difference: Estimate  # its mean score less that of the others at its tables
    scores: Numbers
    choices: int  # at the clock
    seconds: float
    longest: float
    faults: int

    @property
    def mean_seconds(self) -> float | None:
        return self.seconds / self.choices if self.choices else None


@dataclass(frozen=True, slots=True)
class Pair:
    """One line-up of two: how often the first beat the second."""

    bot: str
    other: str
    deals: int
    win_rate: Estimate


@dataclass(frozen=True, slots=True)
class Test:
    """A sequential test and where it stands."""

    sprt: Sprt
    path: Numbers
    verdict: Verdict
    deals: int

    def to_json(self) -> dict[str, Any]:
        return {
            "asked": self.sprt.text,
            "low": round(self.sprt.low, 6),
            "high": round(self.sprt.high, 6),
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "bounds": [round(bound, 4) for bound in self.sprt.bounds],
            "llr": round(float(self.path[self.deals - 1]), 4) if self.deals else 0.0,
            "verdict": self.verdict,
            "deals": self.deals,
        }


class Summary:
    """The figures of a set of results; each is worked out when it is first asked for."""

    def __init__(self, results: Results, anchor: str | None = None, anchor_elo: float = ANCHOR_ELO) -> None:
        if not results.deals:
            raise ValueError("no deal was finished: there is nothing to count")
        self.header: Header = results.header
        self.deals = results.deals
        names = [bot.name for bot in self.header.bots]
        if anchor is not None and anchor not in names:
            raise ValueError(f'the anchor "{anchor}" does not take part (there are: {", ".join(names)})')
        self.anchor = anchor or ("path" if "path" in names else names[0])
        self.anchor_elo = anchor_elo
        # The unit of all statistics: what was played with the same cards.
        self.units = [list(group) for _, group in groupby(self.deals, key=lambda d: (d.seed, d.deal))]

    @property
    def games(self) -> int:
        return sum(len(deal.places) for deal in self.deals)

    @property
    def is_pool(self) -> bool:
        return len(self.header.lineups) > 1

    @cached_property
    def bots(self) -> tuple[BotSummary, ...]:
        played = {name for deal in self.deals for name in deal.lineup}
        return tuple(self._bot(bot.name) for bot in self.header.bots if bot.name in played)

    def _bot(self, name: str) -> BotSummary:
        units = [[deal for deal in unit if name in deal.lineup] for unit in self.units]
        units = [unit for unit in units if unit]
        deals = [deal for unit in units for deal in unit]
        games = sum(len(deal.places) for deal in deals)
        entries = [[e for e, other in enumerate(deal.lineup) if other == name] for deal in deals]
        wins = _ratio(units, lambda deal: share_of(deal, name) * len(deal.places))
        scores = np.array(
            [row[e] for deal, own in zip(deals, entries, strict=True) for row in deal.scores for e in own]
        )
        clocks = [deal.clocks[e] for deal, own in zip(deals, entries, strict=True) if deal.clocks for e in own]
        return BotSummary(
            name=name,
            games=games,
            seats=len(scores),
            expected=len(scores) / (games * self.header.players),
            wins=sum(share_of(deal, name) * len(deal.places) for deal in deals),
            win_rate=Estimate(float(wins.mean()), rate_interval(wins, round(games / len(units)))),
            mean_score=_estimate(_ratio(units, lambda deal: _own_score(deal, name))),
            difference=_estimate(_ratio(units, lambda deal: _lead(deal, name))),
            scores=scores.astype(np.float64),
            choices=sum(clock[0] for clock in clocks),
            seconds=sum(clock[1] for clock in clocks),
            longest=max((clock[2] for clock in clocks), default=0.0),
            faults=sum(fault.bot == name for deal in deals for fault in deal.faults),
        )

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Who beat whom, for games of two."""
        if self.header.players != 2:
            return ()
        found = []
        for lineup in self.header.lineups:
            shares = np.array([share_of(deal, lineup[0]) for deal in self.deals if deal.lineup == lineup])
            if len(shares) and lineup[0] != lineup[1]:
                rate = Estimate(float(shares.mean()), rate_interval(shares, 2))
                found.append(Pair(lineup[0], lineup[1], len(shares), rate))
        return tuple(found)

    @cached_property
    def elo(self) -> dict[str, Rating]:
        """Elo of each bot, for games of two."""
        if self.header.players != 2:
            return {}
        return fit_elo([list(_meetings(unit)) for unit in self.units], self.anchor, self.anchor_elo)

    @cached_property
    def openskill(self) -> dict[str, Rating]:
        """Ratings that know games of more than two."""
        games = ((deal.lineup, places) for deal in self.deals for places in deal.places)
        return rate_openskill(games, self.anchor)

    @cached_property
    def seats(self) -> tuple[Estimate, ...]:
        """How often each seat wins, whoever sits there."""
        players = self.header.players
        return tuple(
            Estimate(float(won.mean()), rate_interval(won, round(self.games / len(self.units))))
            for won in (
                _ratio(self.units, lambda deal, seat=seat: _seat_wins(deal, seat))  # type: ignore[misc]
                for seat in range(players)
            )
        )

    @cached_property
    def test(self) -> Test | None:
        """The sequential test, seed by seed and deal by deal in their order."""
        sprt = self.header.sprt
        if sprt is None:
            return None
        path = sprt.path(np.array([share_of(deal, deal.lineup[0]) for deal in self.deals]))
        verdict, deals = sprt.verdict(path)
        return Test(sprt, path, verdict, deals)

    @cached_property
    def ends(self) -> dict[str, int]:
        return dict(Counter(end for deal in self.deals for end in deal.ends).most_common())

    @property
    def decisions_per_game(self) -> float:
        return sum(sum(deal.decisions) for deal in self.deals) / self.games

    def to_json(self) -> dict[str, Any]:
        """One object for programs; docs/arena.md lists it."""
        header = self.header
        return {
            "map": header.map,
            "players": header.players,
            "bots": [bot.name for bot in self.bots],
            "lineups": [list(lineup) for lineup in header.lineups],
            "deals": len(self.units),
            "games": self.games,
            "seed": header.seeds[0],
            "seeds": list(header.seeds),
            "win_rate": {bot.name: round(bot.win_rate.value, 6) for bot in self.bots},
            "win_rate_interval": {bot.name: _rounded(bot.win_rate.interval, 6) for bot in self.bots},
            "expected_win_rate": {bot.name: round(bot.expected, 6) for bot in self.bots},
            "mean_score": {bot.name: round(bot.mean_score.value, 4) for bot in self.bots},
            "mean_score_interval": {bot.name: _rounded(bot.mean_score.interval, 4) for bot in self.bots},
            "score_difference": {bot.name: round(bot.difference.value, 4) for bot in self.bots},
            "score_difference_interval": {bot.name: _rounded(bot.difference.interval, 4) for bot in self.bots},
            "seat_win_rate": [round(seat.value, 6) for seat in self.seats],
            "pairs": [
                {
                    "bots": [pair.bot, pair.other],
                    "deals": pair.deals,
                    "win_rate": round(pair.win_rate.value, 6),
                    "win_rate_interval": _rounded(pair.win_rate.interval, 6),
                }
                for pair in self.pairs
            ],
            "sprt": self.test.to_json() if self.test else None,
            "anchor": {"bot": self.anchor, "elo": self.anchor_elo},
            "elo": {name: _rating(rating, 1) for name, rating in self.elo.items()} or None,
            "openskill": {name: _rating(rating, 3) for name, rating in self.openskill.items()},
            "clock": {
                bot.name: {"decisions": bot.choices, "mean_s": round(bot.mean_seconds, 6), "longest_s": bot.longest}
                for bot in self.bots
                if bot.mean_seconds is not None
            },
            "decisions_per_game": round(self.decisions_per_game, 4),
            "ends": self.ends,
            "faults": [
                {"seed": deal.seed, "deal": deal.deal, "lineup": list(deal.lineup), "rotation": fault.rotation}
                | {"bot": fault.bot, "choice": fault.choice, "error": fault.error}
                for deal in self.deals
                for fault in deal.faults
            ],
            "rules_version": header.rules_version,
            "version": header.version,
            "code": header.code,
        }


def _ratio(units: list[list[DealResult]], total: Callable[[DealResult], float]) -> Numbers:
    """A total a game, as one value for each unit of deals; their mean is the total of all by the games of all.

    Where every unit has as many games these are plainly the units' own means; a contest that was stopped early has
    units of which not all line-ups are finished.
    """
    totals = np.array([sum(total(deal) for deal in unit) for unit in units], np.float64)
    games = np.array([sum(len(deal.places) for deal in unit) for unit in units], np.float64)
    rate = totals.sum() / games.sum()
    result: Numbers = rate + (totals - rate * games) / games.mean()
    return result


def _estimate(values: Numbers) -> Estimate:
    return Estimate(float(values.mean()), mean_interval(values))


def _own_score(deal: DealResult, name: str) -> float:
    """The sum over a deal's games of a bot's (mean) score."""
    own = [e for e, other in enumerate(deal.lineup) if other == name]
    return sum(sum(row[e] for e in own) / len(own) for row in deal.scores)


def _lead(deal: DealResult, name: str) -> float:
    """The sum over a deal's games of a bot's (mean) score less the mean score of the others."""
    others = [e for e, other in enumerate(deal.lineup) if other != name]
    if not others:
        return 0.0
    return _own_score(deal, name) - sum(sum(row[e] for e in others) / len(others) for row in deal.scores)


def _seat_wins(deal: DealResult, seat: int) -> float:
    players = len(deal.lineup)
    return sum(game[(seat - rotation) % players] for rotation, game in enumerate(credits_of(deal)))


def _meetings(unit: list[DealResult]) -> Iterator[Meeting]:
    for deal in unit:
        a, b = deal.lineup
        if a != b:
            won = share_of(deal, a) * len(deal.places)
            yield a, b, won, len(deal.places) - won


def _rounded(interval: Interval, digits: int) -> list[float | None]:
    return [round(end, digits) if math.isfinite(end) else None for end in interval]


def _rating(rating: Rating, digits: int) -> dict[str, Any]:
    return {"rating": round(rating.value, digits), "interval": _rounded(rating.interval, digits)}
