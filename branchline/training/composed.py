"""The mechanics' parts of what a network is told: who is asked at each place of training/hooks.py.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from branchline.kernel.hooks import link
from branchline.kernel.primitives import kernel
from branchline.mechanics.composed import (
    Board,
    Position,
    Work,
)
from branchline.mechanics.mail.seen import see_mail
from branchline.training.record import Observation, Paths

__all__ = ["see_more"]


@kernel
def see_more(s: Position, b: Board, w: Work, o: Observation, r: Paths, seat: int) -> None:
    """All else is seen, and the way to the tickets is planned: write the mechanic's facts of tracks, places, seats and
    the table, and its errands (`write_errand`)."""
    if b.mail_carry > 0:
        see_mail(s, b, w, o, r, seat)


link(globals())
