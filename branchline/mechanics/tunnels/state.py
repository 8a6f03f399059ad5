"""The numbers of tunnels, and what a position and a board know of them."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I64
from branchline.kernel.numbers import choice, event, phase

IN_PLAY = "b.tunnel_cards > 0"

TURNED = 6  # head-room for cards turned up

TUNNEL = phase("tunnel")  # pay the extra cards, or decline
DECLINE = choice("decline")
E_TUNNEL, E_TURNED, E_DUE, E_FAILED = event("tunnel"), event("turned"), event("due"), event("failed")


class Position(state.Position, part=True):
    due: Annotated[int, I8]  # extra cards
    turned: Annotated[list[int], I8, TURNED]
    turned_n: Annotated[int, I8]


class Board(state.Board, part=True):
    tunnels: Annotated[list[int], I64, state.TRACK_WORDS]
    tunnel_cards: Annotated[int, I8]
