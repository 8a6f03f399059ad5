"""The network by NumPy: it runs on every map and table, speaks of legal codes alone, knows no more than its seat."""

from __future__ import annotations

import random

import numpy as np
import pytest

from branchline import imagine, load_map
from branchline.codec import action_of, names_of
from branchline.maps import shipped_maps
from branchline.mechanics import composed as k
from branchline.training import facts
from branchline.training import network as net
from branchline.training import record as o
from branchline.training.inference import BATCH, NO_WORD, SHIPPED, Engine, engine
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
    assert len(facts.SCALES["table"]) == o.TABLE_N


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


@every_table
def test_many_positions_at_once_are_seen_as_one_by_one(of: Table, shipped: Engine) -> None:
    """More than fit into one pass, those last in a smaller one."""
    games = positions(of, 8, BATCH + 5)
    seats = [game.to_act[0] for game in games]
    views = [game.view(seat).to_bytes() for game, seat in zip(games, seats, strict=True)]
    judged = shipped.think_many(games[0].map, views, seats)
    for i, (view, seat) in enumerate(zip(views, seats, strict=True)):
        thought = shipped.think(games[0].map, view, seat)
        chance = dict(zip(thought.codes.tolist(), thought.chances.tolist(), strict=True))
        alone = shipped.choose(games[0].map, view, seat)  # or another of the same worth, such as an equal card
        assert alone is not None and chance[int(judged.codes[i])] == pytest.approx(chance[alone], abs=1e-4)
        assert judged.wins[i] == pytest.approx([*thought.wins, *[0] * (k.SEATS - len(thought.wins))], abs=1e-4)
        assert judged.margins[i] == pytest.approx(thought.margin, abs=0.05)


def test_it_has_no_word_where_nothing_is_open_that_it_could_speak_of(shipped: Engine) -> None:
    game = new_game(("usa", 2), 1)
    seen = np.array([shipped.observe(game.map, game.position.to_bytes(), 0)])
    assert shipped.judge(game.map, seen).codes[0] != NO_WORD
    seen["open"] = 0
    assert shipped.judge(game.map, seen).codes.tolist() == [NO_WORD]


def test_it_knows_the_maps_it_was_trained_on(shipped: Engine) -> None:
    assert all(shipped.knows(load_map(name)) for name in shipped_maps())
    assert not shipped.knows(new_game(("tiny", 3), 1).map)


def test_a_network_that_learned_nothing_plays_too() -> None:
    game = new_game(("tiny", 3), 1)
    engine = Engine(made())
    assert np.isfinite(engine.think(game.map, game.position.to_bytes(), 0).chances).all()
    belief = engine.believe(game.map, game.position.to_bytes(), 0)
    assert belief is not None
    assert belief.shape == (2, len(game.map.tickets))
    assert ((belief >= 0) & (belief <= 1)).all()
