"""The numbers of festivals; what a position, a board and the work space know of them."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I16
from branchline.kernel.numbers import card, choice, event, fault, phase
from branchline.maps.core import MAX_PLACES
from branchline.mechanics.festivals.map import MAX_FESTIVAL_GROUPS

IN_PLAY = "b.groups > 0"

GROUPS = MAX_FESTIVAL_GROUPS

FESTIVAL = card("festival", GROUPS)  # a festival card of group g is FESTIVAL + g
FESTIVAL_CHOICE = phase("festival choice")  # at which end of the track
FESTIVAL_A, FESTIVAL_B = choice("festival a"), choice("festival b")
E_FESTIVAL, E_FESTIVALS_TAKEN = event("festival"), event("festivals taken")
FESTIVALS_WRONG = fault("festivals")


class Position(state.Position, part=True):
    pool: Annotated[list[int], I8, GROUPS]  # cards lying at the cities
    pile: Annotated[list[int], I8, state.SEATS * GROUPS]
    pile_n: Annotated[list[int], I8, state.SEATS]


class Board(state.Board, part=True):
    festival_table: Annotated[list[int], I16, 64]  # points, by cards of one group
    group: Annotated[list[int], I8, MAX_PLACES]  # festival group of a place, or -1
    groups: Annotated[int, I8]
    group_cards: Annotated[list[int], I8, GROUPS]


class Work(state.Work, part=True):
    festival_score: Annotated[list[int], I16, state.SEATS]
    taken_group: Annotated[int, I8]  # whose cards the pending claim takes, or -1
