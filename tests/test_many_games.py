"""Two thousand random games for each map and number of players: what must hold in any of them.

`test_backends.py` audits every move of as many games inside the kernel. Here each game is stopped at one place, and
there the door, copies, the notation and the two worlds are tried; and each is played to its end by both kernels.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from branchline import read_action, write_action
from branchline.codec import action_of, code_of, names_of
from branchline.fast import FastGame
from branchline.kernel import compiled
from branchline.kernel.batch import digest_words, random_game
from branchline.kernel.board import make_board
from branchline.kernel.state import CODES
from branchline.maps import load_map, shipped_maps
from branchline.measure import Batch
from branchline.mechanics.composed import Position, Work

GAMES = 2000
TABLES = [(name, players) for name in shipped_maps() for players in range(2, 6)]


class Place:
    """A position in the middle of a game, and room to try things with copies of it."""

    def __init__(self, name: str, players: int) -> None:
        self.game = FastGame(name, players)
        self.players = players
        self.batch = Batch(name)
        self.words = self.batch.position.view(np.int64)
        self.where = self.batch.position.ctypes.data, self.batch.board.ctypes.data, self.batch.work.ctypes.data

    def go_to(self, seed: int, chance: random.Random) -> None:
        """Deal a game and play it at random to some place before its end."""
        n, played = self.game.reset(self.players, seed), list[int]()
        for _ in range(chance.randrange(300)):
            played.append(self.game.codes[chance.randrange(n)])
            n = self.game.step(played[-1])
            if not n:
                self.game.reset(self.players, seed)
                for code in played[:-1]:
                    self.game.step(code)
                return

    def call(self, what: int, x: int = 0, y: int = 0) -> int:
        return int(compiled.run(what, *self.where, x, y, 0))

    def take_copy(self) -> bytes:
        self.words[:] = self.game._words
        return self.words.tobytes()


def check_the_door(place: Place) -> None:
    """Every code is playable if and only if it is listed; a refused one changes nothing, a copy not its original."""
    game, seat = place.game, place.game.seat
    legal = set(game.codes[: game.choices])
    before = place.take_copy()
    refused = [code for code in range(CODES) if code not in legal]
    assert not any(place.call(compiled.PLAY, seat, code) for code in refused)
    assert place.words.tobytes() == before
    for code in legal:
        place.take_copy()
        assert place.call(compiled.PLAY, seat, code) == 1
    assert game._words.tobytes() == before


def check_the_notation(place: Place, chance: random.Random) -> None:
    """A legal action has a line, and the line reads back to its code; some of each place, all in test_properties.py."""
    game, s, names = place.game, place.game.position, names_of(place.game.map)
    legal = list(game.codes[: game.choices])
    for code in chance.sample(legal, min(12, len(legal))):
        line = write_action(action_of(code, s, names, game.seat))
        assert code_of(read_action(line, game.map), s, names, game.seat) == code


def check_two_worlds(place: Place, key: int) -> None:
    """A world imagined from a view gives the same view, for every seat and a spectator (I-05)."""
    for reader in range(-1, place.players):
        place.take_copy()
        place.call(compiled.VEIL, reader)
        view = place.words.tobytes()
        place.call(compiled.IMAGINE, reader, key)
        place.call(compiled.VEIL, reader)
        assert place.words.tobytes() == view


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_holds_anywhere_in_a_game(name: str, players: int) -> None:
    place, chance = Place(name, players), random.Random(f"{name} {players}")
    for seed in range(GAMES):
        place.go_to(seed, chance)
        check_the_door(place)
        check_two_worlds(place, chance.getrandbits(62))
        check_the_notation(place, chance)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_both_kernels_end_in_the_same_bytes(name: str, players: int) -> None:
    batch, board, w = Batch(name), make_board(load_map(name)), Work()
    batch.play(players, 0, GAMES, defaults=False)
    digest = 0
    for seed in range(GAMES):
        s = Position()
        random_game(s, board, w, players, seed, 0)
        words = np.frombuffer(s.to_bytes(), np.int64).tolist()
        assert not any(words[board.position_words :])  # of mechanics that this map has not
        digest = digest_words(digest, words, board.position_words)
    assert digest == batch.digest
