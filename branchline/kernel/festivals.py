"""Festival cards lying at the cities, and who takes them (IBE-13 .. IBE-15)."""

from __future__ import annotations

from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import E_FESTIVALS_TAKEN, GROUPS, Board, Position, Work


@kernel
def waiting_group(s: Position, b: Board, place: int) -> int:
    """The festival group of a place that has cards lying there, or -1."""
    g = b.group[place]
    if g >= 0 and s.pool[g] > 0:
        return g
    return -1


@kernel
def take_festivals(s: Position, w: Work, seat: int, group: int) -> None:
    """All the cards of one city go into the player's pile."""
    if group < 0:
        return
    n = s.pool[group]
    s.pile[seat * GROUPS + group] += n
    s.pile_n[seat] += n
    s.pool[group] = 0
    tell(w, E_FESTIVALS_TAKEN, seat, group, n, 0)
