"""Who needs which route, who is shut out of it, and which tickets go together.

A ticket *usually runs* over a route if at least a third of those who complete it own a track there, and clearly more
than other players do. Whoever holds such a ticket is said to need the route. That is an inference from what was built,
not from what the player had in mind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.games import columns as n
from branchline.lab.figures import PairFigures, RouteFigures
from branchline.lab.intervals import NOTHING, Estimate, difference, share
from branchline.lab.names import route_name, ticket_name
from branchline.lab.playing import Games
from branchline.maps.model import MapData

Numbers = np.ndarray[Any, Any]

USUAL = 1 / 3
MORE_THAN_OTHERS = 0.15
FEWEST = 100  # hands with both tickets of a pair, players with a need: below that nothing is said
PAIRS = 12  # shown, those that help most and those that hinder most


def routes_of(data: MapData) -> list[list[int]]:
    """The tracks between the same two places, together."""
    found: dict[frozenset[str], list[int]] = {}
    for t, track in enumerate(data.tracks):
        found.setdefault(frozenset((track.a, track.b)), []).append(t)
    return list(found.values())


class Hands:
    """Every player of every game as a row: the tickets it held and completed, the routes it owns and has lost."""

    def __init__(self, games: Games) -> None:
        self.routes = routes_of(games.map)
        seats = range(1, 1 + games.players)
        holder = games.ticket[:, :, n.D_HOLDER]
        self.held = np.concatenate([holder == seat for seat in seats])
        self.done = self.held & np.tile(games.ticket[:, :, n.D_DONE] > 0, (games.players, 1))
        self.score = np.concatenate([games.seat[:, i, n.S_SCORE].astype(float) for i in range(games.players)])
        owner = games.track[:, :, n.T_OWNER]
        self.owns = np.concatenate([_any_of(owner == seat, self.routes) for seat in seats])
        lost = [self._lost((owner > 0) & (owner != seat), games) for seat in seats]
        self.shut = np.concatenate(lost) & ~self.owns

    def _lost(self, others: Numbers, games: Games) -> Numbers:
        """Routes where others left nothing: one track closes the route unless the rules open both (C-27)."""
        both_open = games.players >= games.map.both_tracks_from
        return _all_of(others, self.routes) if both_open else _any_of(others, self.routes)

    def usual(self) -> Numbers:
        """[ticket, route]: True where the ticket usually runs."""
        done = self.done.astype(np.float32)
        runs = done.T @ self.owns.astype(np.float32) / np.maximum(1, done.sum(axis=0))[:, None]
        usual: Numbers = (runs >= USUAL) & (runs >= self.owns.mean(axis=0) + MORE_THAN_OTHERS)
        return usual


def _any_of(tracks: Numbers, routes: list[list[int]]) -> Numbers:
    return np.stack([tracks[:, route].any(axis=1) for route in routes], axis=1)


def _all_of(tracks: Numbers, routes: list[list[int]]) -> Numbers:
    return np.stack([tracks[:, route].all(axis=1) for route in routes], axis=1)


# ---------------------------------------------------------------- routes


def count_routes(games: Games) -> tuple[RouteFigures, ...]:
    """Every route, the one whose loss costs most in a mean game first."""
    hands = Hands(games)
    usual = hands.usual()
    needs = hands.held.astype(np.float32) @ usual.astype(np.float32) > 0
    taken = _any_of(games.track[:, :, n.T_OWNER] > 0, hands.routes)
    found = [_route(games, hands, r, usual[:, r], needs[:, r], taken[:, r]) for r in range(len(hands.routes))]
    return tuple(sorted(found, key=lambda route: -route.cost_per_game))


def _route(games: Games, hands: Hands, r: int, runs: Numbers, needs: Numbers, taken: Numbers) -> RouteFigures:
    tracks = [games.map.tracks[t] for t in hands.routes[r]]
    needing = needs.reshape(games.players, games.n).sum(axis=0)
    shut = needs & hands.shut[:, r]
    free = needs & ~hands.shut[:, r]
    cost = difference(hands.score[free], hands.score[shut])
    certain = min(int(shut.sum()), int(free.sum())) >= FEWEST and cost.above(0)
    return RouteFigures(
        name=route_name(games.map, tracks[0]),
        tracks=tuple(track.id for track in tracks),
        taken=share(int(taken.sum()), games.n),
        needed=share(int((needing > 0).sum()), games.n),
        contested=share(int((needing > 1).sum()), games.n),
        shut_out=share(int(shut.sum()), int(needs.sum())),
        done_if_shut=_done(hands, runs, shut),
        done_if_not=_done(hands, runs, free),
        cost=cost,
        cost_per_game=cost.value * int(shut.sum()) / games.n if certain else 0.0,
    )


def _done(hands: Hands, tickets: Numbers, rows: Numbers) -> Estimate:
    """The part of these tickets, in these hands, that was completed."""
    held = hands.held[np.ix_(rows, tickets)]
    return share(int(hands.done[np.ix_(rows, tickets)].sum()), int(held.sum()))


# ---------------------------------------------------------------- pairs of tickets


def count_pairs(games: Games) -> tuple[PairFigures, ...]:
    """Pairs of tickets whose effect together is certain, the helpful ones first."""
    hands = Hands(games)
    held = hands.held.astype(float)
    together = held.T @ held
    scores = held.T @ (held * hands.score[:, None])
    found = []
    for i in range(len(games.map.tickets)):
        for j in range(i):
            if together[i, j] >= FEWEST:
                synergy = _synergy(hands.score, together, scores, i, j)
                if synergy.above(0) or synergy.below(0):
                    found.append(_pair(games, hands, j, i, synergy))
    found.sort(key=lambda pair: -pair.synergy.value)
    return tuple(found if len(found) <= 2 * PAIRS else found[:PAIRS] + found[-PAIRS:])


def _synergy(score: Numbers, together: Numbers, scores: Numbers, i: int, j: int) -> Estimate:
    """What the second ticket adds to a hand with the first, less what it adds to one without it.

    Very many pairs are tried: an interval of three standard errors lets hardly any pass by chance.
    """
    both, total = together[i, j], scores[i, j]
    counts = [both, together[i, i] - both, together[j, j] - both]
    sums = [total, scores[i, i] - total, scores[j, j] - total]
    counts.append(len(score) - sum(counts))
    sums.append(float(score.sum()) - sum(sums))
    if min(counts) < 1:
        return NOTHING
    with_both, first, second, neither = (part / n for part, n in zip(sums, counts, strict=True))
    value = float(with_both - first - second + neither)
    half = 3 * float(score.std()) * float(np.sqrt(sum(1 / n for n in counts)))
    return Estimate(value, value - half, value + half, int(both))


def _pair(games: Games, hands: Hands, i: int, j: int, synergy: Estimate) -> PairFigures:
    names = [ticket_name(games.map, games.map.tickets[t]) for t in (i, j)]
    done = hands.done[:, i] & hands.done[:, j]
    return PairFigures(names[0], names[1], share(int(done.sum()), synergy.n), synergy)
