"""The game as a Gymnasium environment: one learner against bots.

    env = gym("europe", opponents=["planner"])
    observation, info = env.reset(seed=1)
    observation, reward, over, _, info = env.step(choice)     # info["action_mask"]: what may be chosen

The learner sits at a seat that is drawn with every game, or always at the same one (`seat`). Who chooses what is not
allowed has lost (a reward of -1); with `illegal="raise"` it is refused, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from branchline.bots import make_bot
from branchline.codec import action_of, names_of
from branchline.envs.layout import Layout
from branchline.envs.looking import Eyes
from branchline.envs.petting_zoo import SEEDS, observation_space
from branchline.envs.rewards import Reward, number_of, rewards_of
from branchline.game import Game
from branchline.maps.loader import load_map
from branchline.maps.model import MapData


class RailwayGym(gymnasium.Env[Any, np.int64]):
    """One seat of a game; bots play the others."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  (as Gymnasium has it)

    def __init__(
        self,
        map: str | MapData,
        opponents: Sequence[str],
        *,
        seat: int | None = None,
        reward: Reward = "win",
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
    ) -> None:
        players = len(opponents) + 1
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat {seat}: with {players} players there are seats 0 to {players - 1}")
        self.layout = Layout(load_map(map) if isinstance(map, str) else map, players)
        self.observation_space = observation_space(self.layout)
        self.action_space = spaces.Discrete(self.layout.choices)
        self.render_mode = render_mode
        self._fixed_seat, self._opponents, self._illegal = seat, tuple(opponents), illegal
        number_of(reward)  # or a word on what there is
        self._eyes, self._reward, self._names = Eyes(self.layout), reward, names_of(self.layout.map)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        players = self.layout.players
        self.seat = int(self.np_random.integers(players)) if self._fixed_seat is None else self._fixed_seat
        self.game = Game.new(self.layout.map, players, int(self.np_random.integers(SEEDS)))
        self._bots = {
            (self.seat + n) % players: make_bot(name, seed=int(self.np_random.integers(2**31)))
            for n, name in enumerate(self._opponents, 1)
        }
        self._let_bots_choose()
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play a choice, and then those of the bots."""
        code = int(self.layout.codes[action])
        if not self._mask()[action]:
            if self._illegal == "raise":
                raise ValueError(f"choice {int(action)} is not allowed; info['action_mask'] says which are")
            observation, info = self._seen()
            return observation, -1.0, True, False, info | {"illegal": int(action)}
        self.game.play(action_of(code, self.game.position, self._names, self.seat), self.seat)
        self._let_bots_choose()
        observation, info = self._seen()
        reward = 0.0
        if self.game.is_over:
            scores = sorted(self.game.scores(), key=lambda score: score.seat)
            totals, places = [score.total for score in scores], [score.place for score in scores]
            reward = rewards_of(self._reward, totals, places)[self.seat]
            info |= {"totals": totals, "place": places[self.seat]}
        return observation, reward, self.game.is_over, False, info

    def render(self) -> str | None:
        return repr(self.game) if self.render_mode == "ansi" else None

    def _let_bots_choose(self) -> None:
        """Until the learner is asked, or the game is over."""
        while self.game.to_act and self.seat not in self.game.to_act:
            seat = self.game.to_act[0]
            self.game.play(self._bots[seat].choose(self.game.view(seat), self.game.legal_actions(seat)), seat)

    def _mask(self) -> np.ndarray:
        return self._eyes.look(self.game.position.to_bytes(), self.seat)[1]

    def _seen(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        observation, mask = self._eyes.look(self.game.position.to_bytes(), self.seat)
        return {"observation": observation, "action_mask": mask}, {"action_mask": mask}


def gym(
    map: str | MapData,
    opponents: Sequence[str],
    *,
    seat: int | None = None,
    reward: Reward = "win",
    illegal: Literal["lose", "raise"] = "lose",
    render_mode: str | None = None,
) -> RailwayGym:
    """One learner against bots, by their names."""
    return RailwayGym(map, opponents, seat=seat, reward=reward, illegal=illegal, render_mode=render_mode)
