"""What a network is told of the mail, and the words it has for it, against what the view of the seat says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from branchline import ClaimTrack, Game, LeaveBags, SwapBag, TakeBag, imagine, load_map
from branchline.codec import code_of, names_of
from branchline.kernel.board import make_board
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Work
from branchline.mechanics.mail import facts as mail
from branchline.mechanics.mail.rules import is_delivered_at
from branchline.training import facts
from branchline.training import network as net
from branchline.training import record as o
from branchline.training.checkpoint import Checkpoint
from branchline.training.inference import SHIPPED, Engine, checkpoint_at
from branchline.training.observation import observe
from branchline.training.record import Observation, Paths
from tests.training.test_observation import positions

Bag = TakeBag | SwapBag | LeaveBags


def seen_in(game: Game, seat: int) -> Observation:
    seen = Observation()
    observe(game.position.copy(), make_board(game.map), Work(), seen, Paths(), seat)
    return seen


def asked_about_bags(games: int) -> Iterator[Game]:
    """Every position of some games in which somebody may take a bag; tracks are claimed as soon as that is possible."""
    for seed in range(games):
        game, chance = Game.new("carpathians", players=2 + seed % 4, seed=seed), random.Random(seed)
        while not game.is_over:
            seat = game.to_act[0]
            actions = game.legal_actions(seat)
            if isinstance(actions[0], Bag):
                yield game
            claims = [action for action in actions if isinstance(action, (ClaimTrack, TakeBag, SwapBag))]
            game.play(chance.choice(claims or actions), seat)


def test_errands_are_the_bags_in_hand_and_on_offer() -> None:
    at_once = swaps = 0
    for game in asked_about_bags(12):
        seat, s, board = game.to_act[0], game.position, make_board(game.map)
        seen = seen_in(game, seat)
        carried = [(s.carried_from[i], s.carried[i]) for i in range(seat * k.CARRIED, (seat + 1) * k.CARRIED)]
        ends = [p if s.bag[p] else None for p in (board.track_a[s.claim_track], board.track_b[s.claim_track])]
        offered = [(0, 0) if p is None else (1 + p, s.bag[p]) for p in ends]
        assert list(zip(seen.errand_from, seen.errand_to, strict=True)) == carried + offered
        for i, place in enumerate(ends):
            row = seen.errands[(3 + i) * o.ERRAND_N :][: o.ERRAND_N]
            assert row[0] == row[1] == (place is not None)
            if place is not None:
                assert row[2] == board.mail[s.bag[place] - 1]
                assert row[5] == is_delivered_at(s, board, Work(), seat, place)
                assert row[3] == 0 or not row[5]
                at_once += row[5]
        swaps += any(isinstance(action, SwapBag) for action in game.legal_actions(seat))
    assert at_once and swaps, "games in which a bag is delivered at once, and in which one is laid down"


def test_places_tell_of_bags_what_the_seat_may_know() -> None:
    told: set[int] = set()
    for game in positions(("carpathians", 3), 11, 30):
        for seat in range(3):
            s, board, seen = game.position, make_board(game.map), seen_in(game, seat)
            delivered = s.delivered[0] | s.delivered[1] | s.delivered[2]
            for place in range(board.n_places):
                row = seen.places[place * o.PLACE_N :][: o.PLACE_N]
                looked = s.bag_seen[place] >> seat & 1
                assert row[mail.BAG_HERE] == (s.bag[place] > 0)
                assert row[mail.BAG_KNOWN] == (board.mail[s.bag[place] - 1] if looked else 0)
                assert row[mail.BAG_OPEN] == (0 if delivered >> place & 1 else board.mail[place])
                told |= {fact for fact in range(len(facts.NAMES["places"])) if row[fact]}
    assert {mail.BAG_TO_OWN, mail.BAG_FROM_OWN, mail.BAG_GOES, mail.BAG_CAME, mail.OTHERS_GO, mail.OTHERS_CAME} <= told


def stirred(seed: int) -> Checkpoint:
    """The shipped network with weights by chance wherever it is told of errands and of what mechanics added."""
    shipped, chance = checkpoint_at(SHIPPED), np.random.default_rng(seed)
    weights = {name: value.copy() for name, value in shipped.weights.items()}
    for name, size in net.weight_shapes(shipped.shape).items():
        if name.startswith(net.ERRAND_WEIGHTS):
            weights[name] = chance.normal(size=size).astype(np.float32) * 0.3
    added = {"tracks": [o.ERRAND_POINTS], "places": range(8, o.PLACE_N)}
    for name, rows in added.items():
        weights[f"{name}.in"][list(rows)] += chance.normal(size=weights[f"{name}.in"][list(rows)].shape)
    column = list(net.PLAIN).index("leave bags")
    weights["plain.out"][:, column] = chance.normal(size=len(weights["plain.out"]))
    return Checkpoint(shipped.shape, weights, shipped.maps)


@pytest.mark.parametrize("name", ["usa", "europe", "iberia", "africa"])
def test_maps_without_bags_are_played_as_before(name: str) -> None:
    """Whatever it learns of them: on a map without them nothing of that is heard."""
    before, after = Engine(checkpoint_at(SHIPPED)), Engine(stirred(1))
    for game in positions((name, 3), 12):
        seat = game.to_act[0]
        here, there = (engine.think(game.map, game.view(seat).to_bytes(), seat) for engine in (before, after))
        assert np.allclose(np.log(here.chances), np.log(there.chances), atol=1e-4)
        assert np.allclose(here.wins, there.wins, atol=1e-5)
        assert here.margin == pytest.approx(there.margin, abs=1e-3)


def test_it_has_words_for_every_choice_of_a_bag() -> None:
    """One of its own for each, which differs with the bags; as one position and as one of many."""
    engine, data = Engine(stirred(2)), load_map("carpathians")
    asked = 0
    for game in asked_about_bags(4):
        seat = game.to_act[0]
        view = game.view(seat).to_bytes()
        thought = engine.think(data, view, seat)
        codes = {code_of(action, game.position, names_of(data), seat) for action in game.legal_actions(seat)}
        assert set(thought.codes.tolist()) == codes
        assert len(set(thought.chances.tolist())) == len(codes)
        assert engine.think_many(data, [view], [seat]).codes[0] == thought.codes[thought.chances.argmax()]
        asked += 1
    assert asked > 20


def test_it_knows_no_label_it_has_not_looked_at() -> None:
    engine, chance = Engine(stirred(3)), random.Random(4)
    for game in positions(("carpathians", 4), 13):
        for seat in range(4):
            other = imagine(game.view(seat), chance)
            here, there = (engine.think(game.map, g.position.to_bytes(), seat) for g in (game, other))
            assert np.array_equal(here.chances, there.chances) and here.wins.tolist() == there.wins.tolist()
