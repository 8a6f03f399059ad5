"""Ratings over a pool: Elo by a Bradley-Terry fit for games of two, openskill for games of two to five."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from branchline.arena.statistics import CONFIDENCE, ELO_PER_NAT, Numbers, normal_quantile

ANCHOR_ELO = 1000.0
ANCHOR_MU = 25.0  # where openskill starts everybody
VIRTUAL = 0.5  # wins each way that a pair is given for nothing, so that a clean sweep has a finite rating
MOST_RATED = 20_000  # games that openskill is shown: its ratings settle in hundreds

# For each deal the pairs that met in it, as (bot, other, wins of the bot, wins of the other).
Meeting = tuple[str, str, float, float]


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating, and how far it may be off either way (95 %); the anchor's is given, not measured."""

    value: float
    margin: float

    @property
    def interval(self) -> tuple[float, float]:
        return self.value - self.margin, self.value + self.margin


def fit_elo(
    deals: Sequence[Sequence[Meeting]], anchor: str, at: float = ANCHOR_ELO, *, virtual: float = VIRTUAL
) -> dict[str, Rating]:
    """Elo ratings of all who are linked to the anchor by games, from the meetings of each deal."""
    names = _linked(deals, anchor)
    place = {name: i for i, name in enumerate(names)}
    met = [[m for m in meetings if m[0] in place] for meetings in deals]
    wins = np.zeros((len(names), len(names)))
    for meetings in met:
        for a, b, won, lost in meetings:
            wins[place[a], place[b]] += won
            wins[place[b], place[a]] += lost
    wins += virtual * ((wins + wins.T) > 0)
    strength = _bradley_terry(wins)
    errors = _errors(strength, wins, met, place)
    z = normal_quantile(0.5 + CONFIDENCE / 2)
    return {name: Rating(at + ELO_PER_NAT * strength[i], ELO_PER_NAT * z * errors[i]) for i, name in enumerate(names)}


def _linked(deals: Sequence[Sequence[Meeting]], anchor: str) -> list[str]:
    """The anchor and all whom a chain of games links to it, the anchor first."""
    pairs = {(a, b) for meetings in deals for a, b, _, _ in meetings}
    names = [anchor]
    for name in names:
        names += sorted({b if a == name else a for a, b in pairs if name in (a, b)} - set(names))
    return names


def _chances(strength: Numbers) -> Numbers:
    """The chance of each to beat each."""
    result: Numbers = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return result


def _bradley_terry(wins: Numbers) -> Numbers:
    """The likeliest strengths, in nats, the first being 0: Newton's method with halved steps where one goes too far."""
    games = wins + wins.T
    strength = np.zeros(len(wins))
    if len(wins) == 1:
        return strength
    for _ in range(100):
        gradient = (wins - games * _chances(strength)).sum(axis=1)
        step = np.zeros(len(wins))
        step[1:] = np.linalg.solve(_information(strength, games)[1:, 1:], gradient[1:])
        strength += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return strength


def _information(strength: Numbers, games: Numbers) -> Numbers:
    """How sharply the likelihood bends: the negative of its second derivatives."""
    chances = _chances(strength)
    weight = games * chances * chances.T
    result: Numbers = np.diag(weight.sum(axis=1)) - weight
    return result


def _errors(strength: Numbers, wins: Numbers, deals: Sequence[Sequence[Meeting]], place: Mapping[str, int]) -> Numbers:
    """The standard error of each strength: the larger of the model's own and of the one that takes deals as units.

    The first supposes independent games; the second (a sandwich) lets the games of a deal hang together, of all pairs
    that played it, but knows nothing of what was never seen, such as a loss of a bot that won all games.
    """
    errors = np.zeros(len(strength))
    if len(strength) == 1:
        return errors
    chances = _chances(strength)
    slopes = np.zeros((len(deals), len(strength)))
    for row, meetings in zip(slopes, deals, strict=True):
        for a, b, won, lost in meetings:
            more = won - (won + lost) * chances[place[a], place[b]]
            row[place[a]] += more
            row[place[b]] -= more
    inverse = np.linalg.inv(_information(strength, wins + wins.T)[1:, 1:])
    sandwich = inverse @ (slopes[:, 1:].T @ slopes[:, 1:]) @ inverse
    errors[1:] = np.sqrt(np.maximum(np.diag(inverse), np.diag(sandwich)))
    return errors


def rate_openskill(games: Iterable[tuple[Sequence[str], Sequence[int]]], anchor: str) -> dict[str, Rating]:
    """Plackett-Luce ratings from the bots and the places of each game, shifted so that the anchor has 25.

    Who sits at a table twice gets the mean of what each of its seats would get. The margin is 1.96 sigma.
    """
    from openskill.models import PlackettLuce, PlackettLuceRating

    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    for n, (names, places) in enumerate(games):
        if n == MOST_RATED:
            break
        teams = [[ratings.setdefault(name, model.rating())] for name in names]
        after = model.rate(teams, ranks=[float(place) for place in places])
        for name in set(names):
            new = [team[0] for team, other in zip(after, names, strict=True) if other == name]
            mu, sigma = (sum(getattr(r, part) for r in new) / len(new) for part in ("mu", "sigma"))
            ratings[name] = model.rating(mu=mu, sigma=sigma)
    shift = ANCHOR_MU - ratings[anchor].mu if anchor in ratings else 0.0
    z = normal_quantile(0.5 + CONFIDENCE / 2)
    return {name: Rating(rating.mu + shift, z * rating.sigma) for name, rating in ratings.items()}
