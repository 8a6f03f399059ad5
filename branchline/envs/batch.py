"""Many games at once over arrays: step them, read masks and observations where they lie.

    batch = Batch("usa", players=2, games=4096, seed=1)
    while training:
        choices = policy(batch.observations, batch.masks)   # one of the allowed choices for each game
        batch.step(choices)
        learn(batch.rewards[batch.ended])                   # of the games that this step ended; new ones are dealt

The arrays are always the same objects; a step writes into them. Where several seats have to choose, the lowest one is
asked first.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from branchline.deal import check_seed
from branchline.envs.compiled import AGAIN, PLAY, SEE, SETTLE, TOLD, jobs_of, load_advance
from branchline.envs.layout import Layout
from branchline.envs.rewards import REWARDS, Reward
from branchline.kernel.state import SEATS
from branchline.maps.loader import load_map
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work


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
    ) -> None:
        check_seed(seed)
        if games < 1 or threads < 1:
            raise ValueError(f"{games} games on {threads} threads: at least one of each is needed")
        self.layout = Layout(load_map(map) if isinstance(map, str) else map, players)
        self.games, self.players = games, players
        self._reward = REWARDS[reward]
        self._asked = SEE * observe | SETTLE * settle_details | AGAIN * again
        self._make_arrays(observe)
        self._cuts = [games * k // threads for k in range(threads + 1)]
        self._rooms = [np.zeros(Work.SIZE + Position.SIZE, np.uint8) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._advance = load_advance()
        self._jobs = jobs_of(
            self.layout,
            self._rooms,
            store=self._positions,
            board=self._board,
            seeds=self._seeds,
            chosen=self._chosen,
            masks=self.masks,
            seen=self.observations,
            told=self._told,
        )
        self._jobs["games"] = games
        self.reset(seed)

    def _make_arrays(self, observe: bool) -> None:
        layout, games = self.layout, self.games
        self._positions = np.zeros((games, Position.SIZE), np.uint8)
        self._board = np.frombuffer(bytearray(layout.board.to_bytes()), np.uint8)
        self._seeds = np.zeros(games, np.int64)
        self._chosen = np.zeros(games, np.int64)
        self._told = np.zeros((games, TOLD), np.int16)
        self.masks = np.zeros((games, layout.choices), np.bool_)
        """Which choices are allowed, by game."""
        self.observations = np.zeros((games if observe else 0, layout.size), np.int16)
        """What the seat to choose sees, by game: `layout.features` says what stands where."""
        self.rewards = np.zeros((games, self.players), np.float32)
        """By game and seat, in the step that ended it."""

    # ------------------------------------------------------------ what there is to read

    @property
    def seats(self) -> np.ndarray:
        """Whose choice it is, by game; -1 where the game is over."""
        return self._told[:, 0]

    @property
    def ended(self) -> np.ndarray:
        """Which games the last step ended."""
        return self._told[:, 1] > 0

    @property
    def totals(self) -> np.ndarray:
        """The points by game and seat of the games that ended, from when they did."""
        return self._told[:, 2 : 2 + self.players]

    @property
    def places(self) -> np.ndarray:
        """The places by game and seat of the games that ended; 1 is a winner."""
        return self._told[:, 2 + SEATS : 2 + SEATS + self.players]

    @property
    def seeds(self) -> np.ndarray:
        """What each game was dealt from."""
        return self._seeds

    # ------------------------------------------------------------ playing

    def reset(self, seed: int) -> None:
        """Deal all games anew, game i from seed * 2**32 + i."""
        check_seed(seed)
        self._seeds[:] = (np.arange(self.games, dtype=np.uint64) + np.uint64((seed << 32) % 2**63)).astype(np.int64)
        self._seeds &= 2**63 - 1
        self.rewards[:] = 0
        self._go(self._asked)

    def step(self, choices: np.ndarray) -> None:
        """Play a choice in every game. One that is not allowed is refused, and nothing has changed."""
        self._chosen[:] = choices
        self._check()
        self._go(self._asked | PLAY)
        ended = np.flatnonzero(self._told[:, 1])
        self.rewards[:] = 0
        if len(ended):
            self.rewards[ended] = self._reward(self.totals[ended], self.places[ended])

    def _check(self) -> None:
        chosen, over = self._chosen, self._told[:, 0] < 0
        known = (chosen >= 0) & (chosen < self.layout.choices)
        allowed = self.masks[np.arange(self.games), np.where(known, chosen, 0)] & known
        wrong = np.flatnonzero(~(allowed | over))
        if len(wrong):
            i = int(wrong[0])
            raise ValueError(f"game {i}: choice {int(chosen[i])} is not allowed; its row of `masks` says which are")

    def _go(self, asked: int) -> None:
        threads = range(len(self._rooms))
        if self._pool is None:
            self._advance_part(asked, 0)
        else:
            for done in [self._pool.submit(self._advance_part, asked, part) for part in threads]:
                done.result()

    def _advance_part(self, asked: int, part: int) -> None:
        """What one thread does."""
        job = self._jobs[part : part + 1]
        job["asked"] = asked
        self._advance(job.ctypes.data, self._cuts[part], self._cuts[part + 1])
