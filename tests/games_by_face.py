"""Random games through the whole face of the library, as one digest. Run as a file it plays with the package it finds:
`python games_by_face.py [--compiled] MAP …`."""

from __future__ import annotations

import hashlib
import json
import random
import sys

from branchline import Game, read_action, write_action
from branchline.record import read_game, record_of, verify, write_game
from branchline.record.summary import event_json

PLAYERS = 3
SEEDS = range(3)


def by_face(*maps: str) -> str:
    """The events, the file and the last position of each game."""
    digest = hashlib.sha256()
    for name in maps:
        for seed in SEEDS:
            game, rng = Game.new(name, PLAYERS, seed), random.Random(seed)
            while not game.is_over:
                line = write_action(rng.choice(game.legal_actions()))
                events = game.play(read_action(line, game.map))
                digest.update(json.dumps([event_json(event) for event in events]).encode())
            text = write_game(record_of(game))
            assert verify(read_game(text)) is None
            text = text.replace(game.map.hash, "")  # it tells of every mechanic in the list, used or not
            digest.update(text.encode() + game.position.to_bytes())
    return digest.hexdigest()


def compiled(*maps: str) -> str:
    """The last position of each game on the compiled kernel."""
    from branchline.fast import FastGame

    digest = hashlib.sha256()
    for name in maps:
        for seed in SEEDS:
            game, rng = FastGame(name, PLAYERS, seed), random.Random(seed)
            while game.choices:
                game.step(game.codes[rng.randrange(game.choices)])
            digest.update(game.position.to_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print(compiled(*sys.argv[2:]) if sys.argv[1] == "--compiled" else by_face(*sys.argv[1:]))
