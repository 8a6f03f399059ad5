"""What a board knows of ferries."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I64
from branchline.maps.core import MAX_TRACKS

IN_PLAY = "b.ferries > 0"


class Board(state.Board, part=True):
    ferry_ok: Annotated[list[int], I64, state.LENGTHS * state.TRACK_WORDS]  # tracks, by locomotives in hand
    ferries: Annotated[int, I8]  # how many tracks are
    ferry: Annotated[list[int], I8, MAX_TRACKS]  # locomotives that a track asks for
