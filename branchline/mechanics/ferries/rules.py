"""Ferries: a track takes as many locomotives as it shows (EUR-11)."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.claim import row_of
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel
from branchline.kernel.state import BITS, GRAY, HAND, LENGTHS, LOCO, TRACK_WORDS, Position, Work
from branchline.maps.core import COLOURS, MAX_LENGTH
from branchline.mechanics.ferries.map import MapData
from branchline.mechanics.ferries.state import Board


@at(hooks.make_tables, ALWAYS)
def ferry_tables(b: Board, data: MapData) -> None:
    """What each track asks for, and which can be claimed with how many locomotives in hand."""
    for t, track in enumerate(data.tracks):
        word, bit = t // BITS, 1 << (t % BITS)
        b.ferry[t] = track.ferry
        b.ferries += int(track.ferry > 0)
        for n in range(track.ferry, LENGTHS):
            b.ferry_ok[TRACK_WORDS * n + word] |= bit
        if b.colour[t] == GRAY and track.ferry >= track.length:
            _locos_alone(b, word, bit)


def _locos_alone(b: Board, word: int, bit: int) -> None:
    """No colour pays for a gray track all of whose spaces ask for locomotives."""
    for c in range(len(COLOURS)):
        for n in range(LENGTHS):
            b.payable[row_of(1, c, n) + word] &= ~bit


@at(hooks.narrow_claims)
@kernel
def close_ferries(s: Position, b: Board, w: Work, seat: int) -> None:
    """Without enough locomotives a ferry cannot be claimed."""
    row = TRACK_WORDS * min(s.hand[seat * HAND + LOCO], MAX_LENGTH)
    for i in range(TRACK_WORDS):
        w.open_tracks[i] &= b.ferry_ok[row + i]


@at(hooks.locos_asked)
@kernel
def ferry_locos(b: Board, track: int) -> int:
    return b.ferry[track]
