"""Each environment passes the tests of its own library."""

from __future__ import annotations

import warnings

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, seed_test

from branchline import envs
from branchline.maps import shipped_maps

every_map = pytest.mark.parametrize("map", shipped_maps())


@every_map
def test_petting_zoo(map: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have an array than a dictionary with a mask in it
        api_test(envs.aec(map, players=2), num_cycles=400)
    seed_test(lambda: envs.aec(map, players=5), num_cycles=60)


def test_an_agent_that_may_not_choose_so_has_lost() -> None:
    env = envs.aec("usa", players=2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.argmin(env.observe(agent)["action_mask"])))
    assert env.terminations[agent] and env.rewards[agent] == -1


@every_map
def test_gymnasium(map: str) -> None:
    check_env(envs.gym(map, opponents=["path", "random"]), skip_render_check=True)


def test_a_learner_plays_a_whole_game_against_bots() -> None:
    env = envs.gym("africa", opponents=["conductor", "random"], seat=1, reward="rank", illegal="raise")
    _, info = env.reset(seed=3)
    over = False
    with pytest.raises(ValueError, match="not allowed"):
        env.step(int(np.argmin(info["action_mask"])))
    while not over:
        seen, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert len(info["totals"]) == 3 and info["place"] in (1, 2, 3)
    assert reward in (1.0, 0.5, 0.0, -0.5, -1.0)
    assert not seen["action_mask"].any()


@every_map
def test_open_spiel(map: str) -> None:
    pyspiel.random_sim_test(envs.spiel(map, players=2), num_sims=1, serialize=True, verbose=False)
    pyspiel.random_sim_test(envs.spiel(map, players=4, reward="margin"), num_sims=1, serialize=False, verbose=False)


def test_open_spiel_plays_a_game_through_again() -> None:
    def text() -> str:
        return playthrough("branchline(map=usa,players=2,deals=4)", None, seed=7)  # type: ignore[no-any-return]

    first = text()
    assert "information_state" in first.lower() and first == text()


def test_open_spiel_tells_a_player_what_it_was_told_and_no_more() -> None:
    state = envs.spiel("usa", players=2).new_initial_state()
    state.apply_action(3)
    mine, theirs = (state.information_state_string(seat) for seat in (0, 1))
    assert mine != theirs and "hand:" in mine
    observer = make_observation(state.get_game())
    observer.set_from(state, 0)
    assert observer.dict["hand"].shape == (2, 10) and observer.dict["hand"][0].sum() == 4
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.information_state_string(0) == mine != clone.information_state_string(0)
