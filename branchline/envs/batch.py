"""Many games at once over arrays: step them, read masks and observations where they lie.

    batch = Batch("usa", players=2, games=4096, seed=1)
    while training:
        choices = policy(batch.observations, batch.masks)   # one of the allowed choices for each game
        batch.step(choices)
        learn(batch.rewards[batch.ended])                   # of the games that this step ended; new ones are dealt

The arrays are always the same objects; a step writes into them. Where several seats have to choose, the lowest one is
asked first. With `device="cuda"` the games are played on a GPU, and the arrays lie there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.deal import check_seed
from branchline.envs.layout import Layout
from branchline.envs.on_cpu import GamesOnCpu
from branchline.envs.rewards import Reward, number_of
from branchline.envs.settings import Gpu, Settings, gpu_of
from branchline.maps.loader import load_map
from branchline.maps.model import MapData


class Batch:
    """`games` games side by side on one map, each dealt anew when it has ended (`again`)."""

    def __init__(
        self,
        map: str | MapData,
        players: int,
        games: int,
        *,
        seed: int = 0,
        reward: Reward = "win",
        observe: bool = True,
        settle_details: bool = False,
        again: bool = True,
        threads: int = 1,
        device: str | Gpu = "cpu",
    ) -> None:
        check_seed(seed)
        number_of(reward)
        gpu = gpu_of(device)
        if games < 1 or threads < 1:
            raise ValueError(f"{games} games on {threads} threads: at least one of each is needed")
        if gpu is not None and threads > 1:
            raise ValueError("threads are for the CPU; on a GPU each game has one of its own: leave threads out")
        self.layout = Layout(load_map(map) if isinstance(map, str) else map, players)
        self.games, self.players = games, players
        settings = Settings(games, reward, observe, settle_details, again)
        self._side: Any = GamesOnCpu(self.layout, settings, threads) if gpu is None else self._on(gpu, settings)
        self.reset(seed)

    def _on(self, gpu: Gpu, settings: Settings) -> Any:
        from branchline.envs.on_gpu import on_gpu

        return on_gpu(self.layout, settings, gpu)

    # ------------------------------------------------------------ what there is to read

    @property
    def masks(self) -> Any:
        """Which choices are allowed, by game."""
        return self._side.show("masks")

    @property
    def observations(self) -> Any:
        """What the seat to choose sees, by game: `layout.features` says what stands where."""
        return self._side.show("observations")

    @property
    def rewards(self) -> Any:
        """By game and seat, in the step that ended it."""
        return self._side.show("rewards")

    @property
    def seats(self) -> Any:
        """Whose choice it is, by game; -1 where the game is over."""
        return self._side.show("seats")

    @property
    def ended(self) -> Any:
        """Which games the last step ended."""
        return self._side.show("ended")

    @property
    def totals(self) -> Any:
        """The points by game and seat of the games that ended, from when they did."""
        return self._side.show("totals")

    @property
    def places(self) -> Any:
        """The places by game and seat of the games that ended; 1 is a winner."""
        return self._side.show("places")

    @property
    def seeds(self) -> Any:
        """What each game was dealt from."""
        return self._side.show("seeds")

    # ------------------------------------------------------------ playing

    def reset(self, seed: int) -> None:
        """Deal all games anew, game i from seed * 2**32 + i."""
        check_seed(seed)
        seeds = (np.arange(self.games, dtype=np.uint64) + np.uint64((seed << 32) % 2**63)).astype(np.int64)
        self._side.reset(seeds & (2**63 - 1))

    def step(self, choices: Any) -> None:
        """Play a choice in every game. One that is not allowed is refused, and nothing has changed."""
        self._side.step(choices)

    def check(self) -> None:
        """Raise the refusal that is due, of a batch whose steps do not wait for it (`Gpu.check`)."""
        self._side.check()
