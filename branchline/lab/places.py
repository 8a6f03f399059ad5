"""Where mechanics come in: all that the laboratory asks of them.

A mechanic's lab.py makes one object of a class derived from `Part`, called PART, and overrides what it has something
to say about. The laboratory names no mechanic: it asks all parts in the order of the list (`parts.py`). What it counts
are the notes of bots/games/lab_notes.py, by columns of bots/games/columns.py and of its own columns.py.

    counted    turns · sources · worth · count (figures of the map, kept in Study.more) · of_track · of_ticket
    told       find (findings) · tables · track_kind · track_columns · luck_columns · in_hand
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from branchline.lab.figures import Study, TrackFigures
from branchline.lab.pieces import Column, Finding, Table
from branchline.lab.playing import Games
from branchline.maps.model import MapData

Numbers = np.ndarray[Any, Any]


class Part:
    """A mechanic in the laboratory. Every place is empty until it is overridden."""

    turns: tuple[tuple[str, int], ...] = ()  # what a turn is used for, and the column that counts it (S_…)
    sources: tuple[tuple[str, int], ...] = ()  # what points are given for, and their column (S_…)

    # ------------------------------------------------------------ counted

    def worth(self, games: Games) -> Numbers | None:
        """By how much the points of each track grow in a mean game, as a factor."""
        return None

    def count(self, games: Games, wins: Numbers) -> Mapping[str, Any]:
        """Its figures of the map by their name in the JSON report; a map without it has them too, empty."""
        return {}

    def of_track(self, games: Games, track: int) -> Mapping[str, Any]:
        """Its figures of one track, by their name in the JSON report."""
        return {}

    def of_ticket(self, games: Games, ticket: int) -> Mapping[str, Any]:
        """Its figures of one ticket, by their name in the JSON report."""
        return {}

    # ------------------------------------------------------------ told

    def find(self, study: Study) -> Iterable[Finding]:
        return ()

    def tables(self, study: Study) -> Iterable[Table]:
        return ()

    def track_kind(self, track: TrackFigures) -> str:
        """What is special about a track, in a word."""
        return ""

    def track_columns(self, study: Study) -> Iterable[Column]:
        """Columns more of the table of all tracks."""
        return ()

    def luck_columns(self, study: Study) -> Iterable[Column]:
        """Columns more of the table of tickets dealt at the start."""
        return ()

    def in_hand(self, data: MapData) -> str:
        """What counts as points in hand before the end, beside tracks and tickets."""
        return ""
