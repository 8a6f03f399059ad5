"""What stations lend, against a search that knows nothing of ours: every loan of every station, tried one by one."""

from __future__ import annotations

import itertools
import random

import pytest

from branchline import ClaimTrack, Game
from branchline.maps.model import Ticket, Track
from branchline.scores import PlayerScore

Value = tuple[int, int, int]


def joined(tracks: list[Track], ticket: Ticket) -> bool:
    """Is there a chain of these tracks between the ticket's two places?"""
    reached, grown = {ticket.a[0]}, True
    while grown:
        more = {end for t in tracks for end in (t.a, t.b) if t.a in reached or t.b in reached}
        grown = not more <= reached
        reached |= more
    return ticket.b[0] in reached


def best_loans(game: Game, player: PlayerScore) -> tuple[Value, list[str | None]]:
    """EUR-08 word by word: ticket points, completed tickets, fewest tracks; then the first in the order of trial."""
    owners = game.view(None).owners
    held = {t.ticket for t in player.tickets}
    tickets = [t for t in game.map.tickets if t.id in held]
    own = [t for t in game.map.tracks if owners.get(t.id) == player.seat]
    lendable: list[list[Track | None]] = [
        [
            *(t for t in game.map.tracks if loan.place in (t.a, t.b) and owners.get(t.id, player.seat) != player.seat),
            None,
        ]
        for loan in player.loans
    ]
    best: tuple[Value, list[str | None]] | None = None
    for loans in itertools.product(*lendable):
        tracks = own + [t for t in loans if t is not None]
        done = [joined(tracks, ticket) for ticket in tickets]
        points = sum(t.points if d else -t.points for t, d in zip(tickets, done, strict=True))
        value = (points, sum(done), -sum(t is not None for t in loans))
        if best is None or value > best[0]:
            best = value, [t.id if t is not None else None for t in loans]
    assert best is not None
    return best


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.clause("EUR-08")
def test_the_loans_are_the_best_there_are(seed: int) -> None:
    chance = random.Random(seed)
    game = Game.new("europe", players=2 + seed % 4, seed=seed)
    while not game.is_over:
        seat = chance.choice(game.to_act)
        actions = game.legal_actions(seat)
        claims = [a for a in actions if isinstance(a, ClaimTrack)]
        game.play(chance.choice(claims if claims and chance.random() < 0.6 else actions), seat)
    for player in game.scores():
        value, loans = best_loans(game, player)
        lent = [loan.track for loan in player.loans]
        assert (player.ticket_points, player.completed, -sum(t is not None for t in lent)) == value
        assert lent == loans
