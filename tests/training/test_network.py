"""The network by NumPy: it runs on every map and table, speaks of legal codes alone, knows no more than its seat."""

from __future__ import annotations

import random

import numpy as np
import pytest

from branchline import imagine
from branchline.codec import action_of, names_of
from branchline.training import network as net
from branchline.training import observation as o
from branchline.training.inference import SHIPPED, Engine, engine
from tests.test_properties import TABLES, Table, new_game
from tests.training.test_checkpoint import made
from tests.training.test_observation import positions

every_table = pytest.mark.parametrize("of", TABLES, ids=[f"{map}-{players}" for map, players in TABLES])


@pytest.fixture(scope="module")
def shipped() -> Engine:
    return engine()


def test_there_is_a_scale_for_every_fact() -> None:
    scales = net.all_scales()
    shapes = net.weight_shapes(net.Shape())
    for name, row in scales.items():
        assert len(row) == shapes[f"{name}.in"][0], name
    assert len(net.SCALES["table"]) == o.TABLE_N


def test_the_shipped_weights_are_small() -> None:
    assert SHIPPED.stat().st_size < 15 * 2**20


@every_table
def test_its_choices_are_the_legal_codes(of: Table, shipped: Engine) -> None:
    """All of them, with probabilities that add up; and a win probability for each seat."""
    for game in positions(of, 5):
        seat = game.to_act[0]
        thought = shipped.think(game.map, game.view(seat).to_bytes(), seat)
        actions = {action_of(int(code), game.position, names_of(game.map), seat) for code in thought.codes}
        assert actions == set(game.legal_actions(seat))
        assert thought.chances.sum() == pytest.approx(1)
        assert len(thought.wins) == game.players
        assert thought.wins.sum() == pytest.approx(1)
        assert shipped.choose(game.map, game.view(seat).to_bytes(), seat) in thought.codes


@every_table
def test_it_thinks_the_same_in_two_worlds(of: Table, shipped: Engine) -> None:
    chance = random.Random(6)
    for game in positions(of, 6, 3):
        seat = game.to_act[0]
        here = shipped.think(game.map, game.position.to_bytes(), seat)
        there = shipped.think(game.map, imagine(game.view(seat), chance).position.to_bytes(), seat)
        assert np.array_equal(here.chances, there.chances)
        assert (here.margin, here.wins.tolist()) == (there.margin, there.wins.tolist())


def test_a_network_that_learned_nothing_plays_too() -> None:
    game = new_game(("tiny", 3), 1)
    engine = Engine(made())
    assert np.isfinite(engine.think(game.map, game.position.to_bytes(), 0).chances).all()
    belief = engine.believe(game.map, game.position.to_bytes(), 0)
    assert belief is not None
    assert belief.shape == (2, len(game.map.tickets))
    assert ((belief >= 0) & (belief <= 1)).all()
