"""The game for OpenSpiel, registered as `branchline`.

    import branchline.envs.open_spiel
    game = pyspiel.load_game("branchline(map=europe,players=3,reward=margin)")

A game begins with one chance node that says which of `deals` deals is played; all that comes after follows from it and
from the choices. An information state is all that a player was told, from the first card on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from branchline.codec import action_of, names_of
from branchline.envs.layout import Layout
from branchline.envs.looking import Eyes
from branchline.envs.rewards import Reward, number_of, rewards_of
from branchline.events import Event
from branchline.game import Game
from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import MapData
from branchline.notation import write_action

NAME = "branchline"
MAX_LENGTH = 4000  # of a game, by far; a game in which nothing moves on is ended by the rules (C-34)
BOUNDS = {"win": (0.0, 1.0), "margin": (-10.0, 10.0), "rank": (-1.0, 1.0)}
TYPE = pyspiel.GameType
PARAMETERS: dict[str, Any] = {"map": shipped_maps()[0], "players": 2, "deals": 1000, "seed": 0, "reward": "win"}


def game_type(**changed: Any) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Branchline, a railway-ticket game",
        dynamics=TYPE.Dynamics.SEQUENTIAL,
        chance_mode=TYPE.ChanceMode.EXPLICIT_STOCHASTIC,
        information=TYPE.Information.IMPERFECT_INFORMATION,
        utility=TYPE.Utility.GENERAL_SUM,
        reward_model=TYPE.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=True,
        provides_factored_observation_string=False,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A map, a number of players, and the deals that may come."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.params = PARAMETERS | (params or {})
        self.layout = Layout(load_map(self.params["map"]), self.params["players"])
        self.eyes, self.names = Eyes(self.layout), names_of(self.layout.map)
        reward: Reward = self.params["reward"]
        number_of(reward)  # or a word on what there is
        self.reward = reward
        low, high = BOUNDS[reward]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.layout.choices,
            max_chance_outcomes=self.params["deals"],
            num_players=self.layout.players,
            min_utility=low,
            max_utility=high,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(game_type(), info, self.params)

    @property
    def map(self) -> MapData:
        return self.layout.map

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Told:
    """A game that goes on, and what every seat was told of it. Copied as a whole."""

    def __init__(self, game: Game, lines: list[list[str]]) -> None:
        self.game, self.lines = game, lines

    def __deepcopy__(self, memo: dict[int, Any]) -> Told:
        return Told(self.game.copy(), [lines[:] for lines in self.lines])

    def tell(self, events: tuple[Event, ...]) -> None:
        for seat, lines in enumerate(self.lines):
            seen = [event.seen_by(seat) for event in events]
            lines += [repr(event) for event in seen if event is not None]


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment, or the moment before it is dealt."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.told: Told | None = None

    @property
    def rules(self) -> SpielGame:
        return self.get_game()  # type: ignore[no-any-return]

    def current_player(self) -> int:
        if self.told is None:
            return pyspiel.PlayerId.CHANCE  # type: ignore[no-any-return]
        to_act = self.told.game.to_act
        return to_act[0] if to_act else pyspiel.PlayerId.TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.rules.params["deals"]
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.look(player)[1]).tolist()

    def _apply_action(self, action: int) -> None:
        rules = self.rules
        if self.told is None:
            game = Game.new(rules.map, rules.layout.players, rules.params["seed"] + action)
            self.told = Told(game, [[] for _ in range(rules.layout.players)])
            for seat, lines in enumerate(self.told.lines):
                lines.append(self.seen_text(seat))
            return
        seat = self.current_player()
        self.told.lines[seat].append(self._action_to_string(seat, action))
        self.told.tell(self.told.game.play(self._action(seat, action), seat))

    def _action(self, seat: int, action: int) -> Any:
        assert self.told is not None
        return action_of(int(self.rules.layout.codes[action]), self.told.game.position, self.rules.names, seat)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return write_action(self._action(player, action))

    def is_terminal(self) -> bool:
        return self.told is not None and self.told.game.is_over

    def returns(self) -> list[float]:
        if self.told is None or not self.told.game.is_over:
            return [0.0] * self.rules.layout.players
        scores = sorted(self.told.game.scores(), key=lambda score: score.seat)
        return rewards_of(self.rules.reward, [s.total for s in scores], [s.place for s in scores])

    def look(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """The observation of a seat and its mask; nothing before the deal."""
        layout = self.rules.layout
        if self.told is None:
            return np.zeros(layout.size, np.int16), np.zeros(layout.choices, np.int8)
        return self.rules.eyes.look(self.told.game.position.to_bytes(), seat)

    def seen_text(self, seat: int) -> str:
        seen, features = self.look(seat)[0], self.rules.layout.features.values()
        return " ".join(f"{f.name}:{','.join(map(str, seen[f.slice]))}" for f in features)

    def __str__(self) -> str:
        return "not dealt yet" if self.told is None else repr(self.told.game)


class Observer:
    """What a player sees now (`observation`), or all it was ever told (an information state, as text)."""

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer of {NAME} takes no parameters, but got {params}")
        self._remembers = kind.perfect_recall
        self.tensor = np.zeros(0 if self._remembers else game.layout.size, np.float32)
        features = {} if self._remembers else game.layout.features
        self.dict = {f.name: self.tensor[f.slice].reshape(f.rows, f.width) for f in features.values()}

    def set_from(self, state: SpielState, player: int) -> None:
        if not self._remembers:
            self.tensor[:] = state.look(player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        if state.told is None:
            return "not dealt yet"
        if self._remembers:
            return "\n".join(state.told.lines[player])
        return state.seen_text(player)


pyspiel.register_game(game_type(), SpielGame)


def spiel(map: str, players: int = 2, *, deals: int = 1000, seed: int = 0, reward: Reward = "win") -> SpielGame:
    """The game as OpenSpiel loads it."""
    wanted = {"map": map, "players": players, "deals": deals, "seed": seed, "reward": reward}
    return pyspiel.load_game(NAME, wanted)  # type: ignore[no-any-return]
