"""Maps made up for training are maps: the loader takes them, and whole games are played on them."""

from __future__ import annotations

import random

from branchline import Game
from branchline.maps.loader import shipped_maps
from branchline.training.boards import board_facts
from branchline.training.fanmaps import LEAST_PLACES, fan_map


def test_they_differ_and_can_be_played() -> None:
    chance = random.Random(1)
    maps = [fan_map(f"fan_{i}", chance) for i in range(10)]
    assert len({data.hash for data in maps}) == 10
    for data in maps:
        assert data.id not in shipped_maps()
        assert len(data.places) >= LEAST_PLACES
        game = Game.new(data, players=chance.randint(2, 5), seed=1)
        while not game.is_over:
            seat = game.to_act[0]
            game.play(chance.choice(game.legal_actions(seat)), seat)


def test_the_same_chance_makes_the_same_map() -> None:
    assert fan_map("fan", random.Random(2)).hash == fan_map("fan", random.Random(2)).hash


def test_a_padded_map_has_the_same_facts() -> None:
    data = fan_map("fan", random.Random(3))
    plain, padded = board_facts(data), board_facts(data, 126, 63, 72)
    assert (padded.ends[: plain.n_places, : plain.n_tracks] == plain.ends).all()
    assert padded.ends.sum() == plain.ends.sum()
    assert padded.here.sum() == plain.n_tracks
