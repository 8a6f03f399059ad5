"""The fixed places where mechanics come in when a position is told to a network, as kernel/hooks.py has them for the
rules and bots/hooks.py for bots.

What a mechanic tells is declared in its facts.py (facts.py here); a function of its seen.py writes it. `python -m
branchline.mechanics` writes composed.py. Everything here reads only what the seat may know: a test deals the hidden
things again.
"""

from __future__ import annotations

from branchline.kernel.hooks import EACH, hook
from branchline.mechanics.composed import Board, Position, Work
from branchline.training.record import Observation, Paths


@hook(EACH)
def see_more(s: Position, b: Board, w: Work, o: Observation, r: Paths, seat: int) -> None:
    """All else is seen, and the way to the tickets is planned: write the mechanic's facts of tracks, places, seats and
    the table, and its errands (`write_errand`)."""
