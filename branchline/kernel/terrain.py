"""Terrain cards played to double a track's points (AFR-09 .. AFR-15)."""

from __future__ import annotations

from branchline.kernel.claim import spend
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    DOUBLED,
    E_TERRAIN_PLAYED,
    HAND,
    LOCO,
    SINGLE,
    TERRAINS,
    Board,
    Position,
    Work,
)


@kernel
def most_of_others(s: Position, seat: int, kind: int) -> int:
    """The most terrain cards of a type before any other player (AFR-11)."""
    most = 0
    for p in range(s.players):
        if p != seat:
            most = max(most, s.terrain[p * TERRAINS + kind])
    return most


@kernel
def double_menu(s: Position, b: Board, seat: int) -> int:
    """Whether the pending claim can be doubled, and with how many locomotives; 0 if it cannot (AFR-09 .. AFR-13)."""
    track = s.claim_track
    due = b.to_double[b.length[track]]
    if b.terrains == 0 or due == 0:
        return 0
    kind = b.terrain_of[b.colour[track]]
    mine = s.terrain[seat * TERRAINS + kind]
    lacking = max(0, most_of_others(s, seat, kind) - mine)
    spare = s.hand[seat * HAND + LOCO] - s.claim_locos
    bits = 0
    for locos in range(lacking, min(max(due, lacking), spare) + 1):
        if mine >= due - locos:
            bits |= 1 << (DOUBLED + locos)
    if bits:
        bits |= 1 << SINGLE
    return bits


@kernel
def play_terrain(s: Position, b: Board, w: Work, seat: int) -> None:
    """Discard what doubles the pending claim: locomotives, and terrain cards for the rest due (AFR-13, AFR-14)."""
    if s.claim_double == 0:
        return
    locos = s.claim_double - 1
    kind = b.terrain_of[b.colour[s.claim_track]]
    cards = max(0, b.to_double[b.length[s.claim_track]] - locos)
    s.terrain[seat * TERRAINS + kind] -= cards
    s.terrain_discard[kind] += cards
    spend(s, seat, LOCO, locos)
    tell(w, E_TERRAIN_PLAYED, seat, kind, cards, locos)
