"""Finished games to be reviewed, between quick bots: played once."""

from __future__ import annotations

from functools import lru_cache

from branchline.bots.games.match import CONDUCTOR_BOT
from branchline.bots.players import engine
from branchline.codec import action_of, names_of
from branchline.game import Game
from branchline.record import Record, record_of
from branchline.review import QUICK, Review, review


@lru_cache(maxsize=8)
def record(name: str = "usa", players: int = 2, seed: int = 1) -> Record:
    game = Game.new(name, players, seed=seed)
    while not game.is_over:
        play_on(game)
    return record_of(game, [f"Player {seat}" for seat in range(players)])


def play_on(game: Game) -> None:
    """One move by the conductor."""
    seat = game.to_act[0]
    view = game.view(seat)
    code = engine().choose(view, CONDUCTOR_BOT, seat, len(game.history))
    game.play(action_of(code, view.position, names_of(game.map), seat), seat)


@lru_cache(maxsize=8)
def quick(name: str = "usa", players: int = 2, seed: int = 1) -> Review:
    return review(record(name, players, seed), setting=QUICK)
