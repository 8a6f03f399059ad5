"""What stations lend, against a search that knows nothing of ours: every loan of every station, tried one by one."""

from __future__ import annotations

import itertools
import random

import pytest

from branchline import BuildStation, ClaimTrack, Game
from branchline.kernel.board import make_board
from branchline.maps.model import Ticket, Track
from branchline.mechanics import composed as k
from branchline.mechanics.stations.view import Lending
from branchline.scores import PlayerScore
from branchline.server.wire.views import view_wire

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


def joins_more(game: Game, chance: random.Random) -> Game:
    """The same game with other stations and tickets of the first seat, such that loans matter."""
    s, b = game._position.copy(), make_board(game.map)
    others = 0
    for seat in range(1, game.players):
        for station in s.stations[seat * k.STATIONS : (seat + 1) * k.STATIONS]:
            others |= 1 << station - 1 if station else 0
    sites = [p for p in range(b.n_places) if not others >> p & 1]
    built = chance.sample(sites, chance.choice((1, 2, 3, 3)))
    s.stations[: k.STATIONS] = [place + 1 for place in built] + [0] * (k.STATIONS - len(built))
    for t in range(b.n_tickets):
        held = s.ticket_at[t] == k.HELD or chance.random() < 0.2
        s.ticket_at[t] = k.HELD if held else s.ticket_at[t]
    s.ticket_count[0] = s.ticket_at[: b.n_tickets].count(k.HELD)
    return Game.at(game.map, s)


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
        agrees(game, player)
    for _ in range(6):
        other = joins_more(game, chance)
        agrees(other, other.scores()[0])


def agrees(game: Game, player: PlayerScore) -> None:
    value, loans = best_loans(game, player)
    lent = [loan.track for loan in player.loans]
    assert (player.ticket_points, player.completed, -sum(t is not None for t in lent)) == value
    assert lent == loans
    told = game.view(player.seat).lending()
    assert told.loans == player.loans
    owned = game.view(player.seat).completed_tickets(player.seat)
    assert set(told.tickets) | set(owned) == {t.ticket for t in player.tickets if t.completed}
    assert not set(told.tickets) & set(owned)


@pytest.mark.clause("EUR-07")
def test_what_stations_lend_is_told_to_their_owner_alone() -> None:
    game = Game.new("europe", players=2, seed=1)
    game.play("keep " + " ".join(game.view(0).offered_tickets), 0)
    game.play("keep " + " ".join(game.view(1).offered_tickets), 1)
    game.play(next(a for a in game.legal_actions(0) if isinstance(a, BuildStation)), 0)
    while len(game.to_act) != 1 or game.to_act[0] == 0:
        game.play(game.legal_actions(0)[0], 0)
    assert [loan.place for loan in game.view(0).lending().loans] == list(game.view(0).me.stations)
    for reader in (1, None):
        assert game.view(reader).lending() == Lending()
        assert not view_wire(game.view(reader)).players[0].loans
