"""The numbers of terrain, and what a position and a board know of it."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I64
from branchline.kernel.numbers import choice, event, fault, imagined, phase, stream
from branchline.mechanics.terrain.map import MAX_TERRAIN_CARDS, MAX_TERRAIN_TYPES

IN_PLAY = "b.terrains > 0"

TERRAINS = MAX_TERRAIN_TYPES
TERRAIN_UP = 3

DOUBLE = phase("double")  # whether and how the points are doubled
TAKE_TERRAIN = choice("take terrain", TERRAIN_UP)  # + place
TERRAIN_DECK = choice("terrain deck")
SINGLE = choice("single")  # do not double
DOUBLED = choice("doubled", 16)  # + locomotives played as terrain, 0..15
E_TERRAIN, E_TERRAIN_FILLED = event("terrain"), event("terrain filled")
E_TERRAIN_RESHUFFLED, E_TERRAIN_PLAYED = event("terrain reshuffled"), event("terrain played")
TERRAIN_STREAM = stream("terrain")
IMAGINED_TERRAIN = imagined("terrain")
TERRAIN_WRONG = fault("terrain")


class Position(state.Position, part=True):
    doubled: Annotated[list[int], I64, state.TRACK_WORDS]
    terrain: Annotated[list[int], I8, state.SEATS * TERRAINS]
    terrain_up: Annotated[list[int], I8, TERRAIN_UP]
    terrain_deck: Annotated[list[int], I8, MAX_TERRAIN_CARDS]
    terrain_n: Annotated[int, I8]
    terrain_discard: Annotated[list[int], I8, TERRAINS]
    terrain_shuffles: Annotated[int, I8]
    claim_double: Annotated[int, I8]  # 1 + locomotives played as terrain, or 0


class Board(state.Board, part=True):
    terrains: Annotated[int, I8]
    terrain_cards: Annotated[list[int], I8, TERRAINS]
    terrain_deal: Annotated[int, I8]
    terrain_up: Annotated[int, I8]
    terrain_of: Annotated[list[int], I8, state.CARDS]  # by colour of track
    to_double: Annotated[list[int], I8, state.LENGTHS]
    terrain_rig_n: Annotated[list[int], I8, state.RIGS]
    terrain_rig: Annotated[list[int], I8, state.RIGS * MAX_TERRAIN_CARDS]
