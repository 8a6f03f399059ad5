"""The game as a PettingZoo environment: agents choose one after the other.

Agents are `player_0` and so on. An observation is a dictionary: "observation", what the agent may know, and
"action_mask", which choices it has. An agent that chooses what its mask does not allow has lost, as PettingZoo's
wrapper `TerminateIllegalWrapper` has it; the bare environment (`illegal="raise"`) refuses and changes nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from branchline.envs.layout import Layout
from branchline.envs.looking import Eyes
from branchline.envs.rewards import Reward, number_of, rewards_of
from branchline.fast import FastGame
from branchline.maps.loader import load_map
from branchline.maps.model import MapData

SEEDS = 2**62


class RailwayAEC(AECEnv):  # type: ignore[misc]
    """One game of all agents."""

    metadata: ClassVar[dict[str, Any]] = {"name": "branchline_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, map: str | MapData, players: int, *, reward: Reward = "win", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.layout = Layout(load_map(map) if isinstance(map, str) else map, players)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {agent: observation_space(self.layout) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.layout.choices) for agent in self.possible_agents}
        number_of(reward)  # or a word on what there is
        self._eyes, self._reward = Eyes(self.layout), reward
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: with a seed always the same one, and after it the same ones."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.game = FastGame(self.layout.map, self.layout.players, int(self._random.integers(SEEDS)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.seat]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = self.possible_agents.index(agent)
        observation, mask = self._eyes.look(self.game.position_bytes, seat)
        if seat != self.game.seat:
            mask[:] = 0  # where all choose at once, one after the other is asked
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.step(int(self.layout.codes[action]))
        if self.game.is_over:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[self.game.seat]
        self._accumulate_rewards()

    def _finish(self) -> None:
        totals, places = self.game.totals(), self.game.places()
        rewards = rewards_of(self._reward, totals, places)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = rewards[seat]
            self.terminations[agent] = True
            self.infos[agent] = {"total": totals[seat], "place": places[seat]}

    def render(self) -> str | None:
        return repr(self.game.game()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def observation_space(layout: Layout) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 1000, (layout.size,), np.int16),
            "action_mask": spaces.Box(0, 1, (layout.choices,), np.int8),
        }
    )


def aec(map: str | MapData, players: int, *, reward: Reward = "win", render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's wrappers: a choice that is not allowed ends the game for who made it."""
    env = RailwayAEC(map, players, reward=reward, render_mode=render_mode)
    return OrderEnforcingWrapper(TerminateIllegalWrapper(env, illegal_reward=-1))
