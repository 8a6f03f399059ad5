"""A map is one file and no code: whatever loads can be played to the end, with nothing made or lost on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from branchline import BadMap, MapData, load_map
from branchline.kernel.audit import ALL_RIGHT, audit, audited_game
from branchline.kernel.board import make_board
from branchline.kernel.scoring import score_game
from branchline.maps import read_map, shipped_maps
from branchline.mechanics.composed import Position, Work
from tests.test_maps_fuzz import mutate_values

FAN_MAPS = sorted((Path(__file__).parent / "data" / "maps").glob("*.json"))
MUTANTS = 12  # of each shipped map
LONGEST = 60_000


def play_out(data: MapData, players: int, seed: int) -> None:
    """A random game by the interpreted kernel, which notices an index out of range, audited after every move."""
    s, b, w = Position(), make_board(data), Work()
    assert audited_game(s, b, w, players, seed, LONGEST) == ALL_RIGHT
    assert audit(Position.from_bytes(s.to_bytes()), b, w) == ALL_RIGHT
    score_game(s, b, w)
    assert 1 in w.place[:players]


@pytest.mark.parametrize("path", FAN_MAPS, ids=lambda path: path.stem)
def test_a_fan_map_plays(path: Path) -> None:
    data = load_map(path)
    for players in range(data.min_players, data.max_players + 1):
        play_out(data, players, seed=players)


@pytest.mark.parametrize("name", shipped_maps())
def test_a_shipped_map_with_slips_that_still_loads_plays(name: str) -> None:
    """Other lengths, colours, card counts, trains, ferries, tunnels, dead ends: nothing is wired to ours."""
    rng, played = random.Random(f"{name} 1"), 0
    while played < MUTANTS:
        try:
            data = read_map(mutate_values(name, rng), source="mutant.json")
        except BadMap:
            continue
        play_out(data, rng.choice([data.min_players, data.max_players]), rng.getrandbits(40))
        played += 1
