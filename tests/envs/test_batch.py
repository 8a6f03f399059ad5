"""Many games at once: the rules of single ones, the same bytes however they run, and nothing a seat may not know."""

from __future__ import annotations

import random

import numpy as np
import pytest

from branchline import Game, imagine
from branchline.deal import BadDeal
from branchline.envs import Batch
from branchline.envs.layout import Layout
from branchline.envs.looking import Eyes
from branchline.envs.rewards import NAMES, Reward, rewards_of
from branchline.envs.sight import write_sight
from branchline.fast import FastGame
from branchline.kernel.board import make_board
from branchline.kernel.view import veil
from branchline.mechanics.composed import Position
from tests.test_properties import TABLES, Table, new_game

every_table = pytest.mark.parametrize("of", TABLES, ids=[f"{map}-{players}" for map, players in TABLES])


def first_allowed(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """An allowed choice for each game, by chance."""
    chosen: np.ndarray = np.argmax(batch.masks * rng.random(batch.masks.shape), axis=1)
    return chosen


def play(batch: Batch, steps: int, seed: int = 0) -> list[bytes]:
    """All that a batch shows along the way."""
    rng, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        batch.step(first_allowed(batch, rng))
        arrays = (batch.masks, batch.observations, batch.seats, batch.rewards, batch.totals)
        shown.append(b"".join(array.tobytes() for array in arrays))
    return shown


def positions(of: Table, seed: int, most: int = 6) -> list[Game]:
    """Positions all along a random game."""
    game, chance, found = new_game(of, seed), random.Random(seed), []
    while not game.is_over:
        if chance.random() < 0.3:
            found.append(game.copy())
        seat = chance.choice(game.to_act)
        game.play(chance.choice(game.legal_actions(seat)), seat)
    return chance.sample(found, min(most, len(found)))


def test_a_batch_plays_the_games_that_are_played_alone() -> None:
    batch, rng = Batch("europe", players=3, games=8, seed=5), np.random.default_rng(1)
    games = [FastGame("europe", 3, int(seed)) for seed in batch.seeds]
    over: set[int] = set()
    while len(over) < 8:
        choices = first_allowed(batch, rng)
        for i in set(range(8)) - over:
            game = games[i]
            allowed = sorted(batch.layout.codes[np.flatnonzero(batch.masks[i])])
            assert allowed == sorted(game.codes[: game.choices].tolist())
            assert batch.seats[i] == game.seat
            game.step(int(batch.layout.codes[choices[i]]))
        batch.step(choices)
        for i in set(np.flatnonzero(batch.ended).tolist()) - over:
            assert games[i].is_over
            assert batch.totals[i].tolist() == games[i].totals()
            assert batch.places[i].tolist() == games[i].places()
            over.add(i)


def test_threads_change_nothing() -> None:
    alone, together = (Batch("iberia", players=4, games=16, seed=3, threads=n) for n in (1, 3))
    assert play(alone, 150) == play(together, 150)


def test_a_new_game_is_dealt_where_one_ended() -> None:
    batch = Batch("usa", players=2, games=4, seed=1, settle_details=True)
    before = batch.seeds.copy()
    ended = np.zeros(4, int)
    rng = np.random.default_rng(0)
    while not ended.all():
        batch.step(first_allowed(batch, rng))
        ended += batch.ended
        assert (batch.rewards.sum(axis=1) == batch.ended).all()
        assert batch.masks.any(axis=1).all()
    assert ((batch.seeds - before) // 4 == ended).all()


def test_games_stay_over_where_no_new_ones_are_wanted() -> None:
    batch, rng = Batch("usa", players=2, games=3, seed=1, again=False), np.random.default_rng(0)
    for _ in range(1500):
        batch.step(first_allowed(batch, rng))
    assert (batch.seats == -1).all() and not batch.masks.any() and not batch.ended.any()


def test_a_choice_that_is_not_allowed_is_refused_and_changes_nothing() -> None:
    batch = Batch("usa", players=2, games=3, seed=1)
    before = (batch._side.positions.tobytes(), batch.masks.tobytes(), batch.observations.tobytes())
    choices = np.argmax(batch.masks, axis=1)
    for wrong in (int(np.argmin(batch.masks[1])), batch.layout.choices, -1):
        choices[1] = wrong
        with pytest.raises(ValueError, match=f"game 1: choice {wrong} is not allowed"):
            batch.step(choices)
        assert before == (batch._side.positions.tobytes(), batch.masks.tobytes(), batch.observations.tobytes())


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Batch("usa", players=2, games=0)
    with pytest.raises((ValueError, BadDeal)):
        Batch("usa", players=9, games=1)
    with pytest.raises((ValueError, BadDeal)):
        Batch("usa", players=2, games=1, seed=-1)


@every_table
def test_an_observation_holds_nothing_that_the_seat_may_not_know(of: Table) -> None:
    eyes = Eyes(Layout(new_game(of, 0).map, new_game(of, 0).players))
    for n, game in enumerate(positions(of, seed=11)):
        for seat in range(game.players):
            world = imagine(game.view(seat), random.Random(n))
            true, imagined = (eyes.look(g.position.to_bytes(), seat) for g in (game, world))
            assert true[0].tolist() == imagined[0].tolist()
            assert true[1].tolist() == imagined[1].tolist()


@every_table
def test_an_observation_is_the_same_interpreted(of: Table) -> None:
    layout = Layout(new_game(of, 0).map, new_game(of, 0).players)
    eyes = Eyes(layout)
    for game in positions(of, seed=12, most=3):
        for seat in range(game.players):
            seen = interpreted(layout, game.position, seat)
            assert eyes.look(game.position.to_bytes(), seat)[0].tolist() == seen


def interpreted(layout: Layout, position: Position, seat: int) -> list[int]:
    wiped, out = position.copy(), [0] * layout.size
    veil(wiped, make_board(layout.map), seat)
    raw = wiped.to_bytes()
    words, shorts, small = (np.frombuffer(raw, kind).tolist() for kind in (np.int64, np.int16, np.int8))
    write_sight(
        words, shorts, small, layout.table.ravel().tolist(), len(layout.table), out, 0, seat, layout.players
    )  # fmt: skip
    return out


def test_a_seat_finds_its_own_things_first() -> None:
    game = Game.new("usa", players=3, seed=4)
    layout = Layout(game.map, 3)
    eyes, hand = Eyes(layout), layout.features["hand"]
    for seat in range(3):
        seen = eyes.look(game.position.to_bytes(), seat)[0][hand.slice].reshape(hand.rows, hand.width)
        assert seen[0].tolist() == game.position.hand[10 * seat : 10 * seat + 10]
        assert seen[1, :9].sum() == 0 and seen[1, 9] == 4  # four cards, of which nothing is known


def test_every_choice_has_one_code_and_every_offer_is_among_them() -> None:
    for map, players in TABLES:
        game = new_game((map, players), 1)
        layout = Layout(game.map, game.players)
        assert len(set(layout.codes)) == layout.choices
        assert (layout.index[layout.codes] == np.arange(layout.choices)).all()


def test_rewards() -> None:
    shared, clear = ([90, 120, 120], [3, 1, 1]), ([10, -5, 3], [1, 3, 2])
    assert [rewards_of("win", *end) for end in (shared, clear)] == [[0, 0.5, 0.5], [1, 0, 0]]
    assert [rewards_of("margin", *end) for end in (shared, clear)] == [[-0.3, 0, 0], [0.07, -0.15, -0.07]]
    assert [rewards_of("rank", *end) for end in (shared, clear)] == [[-1, 0.5, 0.5], [1, -1, 0]]


@pytest.mark.parametrize("reward", NAMES)
def test_a_batch_rewards_as_one_game_does(reward: Reward) -> None:
    batch, rng, ended = Batch("usa", players=3, games=32, reward=reward), np.random.default_rng(3), 0
    while ended < 40:
        batch.step(first_allowed(batch, rng))
        for i in np.flatnonzero(batch.ended):
            told = rewards_of(reward, batch.totals[i].tolist(), batch.places[i].tolist())
            assert batch.rewards[i].tolist() == np.array(told, np.float32).tolist()
        assert not batch.rewards[~batch.ended].any()
        ended += int(batch.ended.sum())
