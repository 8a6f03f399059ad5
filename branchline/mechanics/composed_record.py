"""Game files: the parts of the base game and of the mechanics together.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass

from branchline.base import record as base
from branchline.base.record import RecordPart, SheetPart
from branchline.mechanics.festivals import record as festivals
from branchline.mechanics.mail import record as mail
from branchline.mechanics.stations import record as stations
from branchline.mechanics.terrain import record as terrain
from branchline.mechanics.tunnels import record as tunnels

PARTS: tuple[RecordPart, ...] = (
    tunnels.PART,
    stations.PART,
    terrain.PART,
    festivals.PART,
    mail.PART,
)
SHEET: tuple[SheetPart, ...] = (
    *base.FIRST,
    *(line for part in PARTS for line in part.sheet),
    *base.LAST,
)


@dataclass(frozen=True)
class SheetLine(mail.SheetLine, festivals.SheetLine, stations.SheetLine, base.SheetLine):
    """How one player's score came about; the numbers add up to the score."""
