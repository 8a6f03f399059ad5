"""Festivals for bots: at which end of a track, what a claim brings, and what the laboratory notes."""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.games.rows import seat_row
from branchline.bots.kernel import Board, Position, Work, kernel
from branchline.kernel.hooks import at
from branchline.mechanics.festivals.columns import S_FESTIVAL_POINTS, S_FESTIVALS
from branchline.mechanics.festivals.rules import festival_points
from branchline.mechanics.festivals.state import FESTIVAL_A, FESTIVAL_B, GROUPS


@kernel
def festival_gain(s: Position, b: Board, seat: int, place: int) -> int:
    """What the festival cards lying at a place add to the seat's sets (IBE-16)."""
    g = b.group[place]
    if g < 0:
        return 0
    have = s.pile[seat * GROUPS + g]
    return b.festival_table[have + s.pool[g]] - b.festival_table[have]


@at(hooks.settled_choice, "s.phase == FESTIVAL_CHOICE")
@kernel
def choose_festival(s: Position, b: Board, seat: int) -> int:
    """The end whose festival cards add more."""
    first = festival_gain(s, b, seat, b.track_a[s.claim_track])
    second = festival_gain(s, b, seat, b.track_b[s.claim_track])
    return FESTIVAL_A if first >= second else FESTIVAL_B


@at(hooks.claim_brings)
@kernel
def with_festival(s: Position, b: Board, seat: int, t: int, n: int) -> int:
    return n + max(festival_gain(s, b, seat, b.track_a[t]), festival_gain(s, b, seat, b.track_b[t]))


@at(hooks.points_in_hand)
@kernel
def festivals_in_hand(s: Position, b: Board, seat: int) -> int:
    return festival_points(s, b, seat)


@at(hooks.note_more_lines)
@kernel
def note_festivals(s: Position, b: Board, w: Work, notes: list[int], seat: int) -> None:
    row = seat_row(seat)
    notes[row + S_FESTIVAL_POINTS] = w.festival_score[seat]
    for g in range(b.groups):
        notes[row + S_FESTIVALS + g] = s.pile[seat * GROUPS + g]
