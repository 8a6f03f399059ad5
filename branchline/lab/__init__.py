"""The lab: what self-play says about a map, for whoever makes one.

study = study_map(load_map("usa"), players=2, bot="conductor", games=2000)
print(study.seats[0].wins.value)
"""

from __future__ import annotations

from collections.abc import Callable

from branchline.lab.counting import count_games
from branchline.lab.figures import Study
from branchline.lab.playing import MOST_GAMES, Games, play_games
from branchline.maps.model import MapData
from branchline.simulation import Series

__all__ = ["MOST_GAMES", "Games", "Study", "count_games", "play_games", "study_map"]


def study_map(
    data: MapData,
    players: int = 2,
    bot: str = "conductor",
    games: int = 20_000,
    seed: int = 0,
    *,
    threads: int | None = None,
    on_games: Callable[[int], None] | None = None,
) -> Study:
    """Let a bot play against itself on a map and count what happens."""
    return count_games(play_games(Series(data, (bot,) * players, games=games, seed=seed), threads, on_games))
