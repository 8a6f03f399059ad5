"""Where mechanics come in: all that the simulation asks of them.

A mechanic's simulation.py makes one object of a class derived from `Part`, called PART, and overrides what it has
something to say about. The simulation names no mechanic: it asks all parts in the order of the list (`parts.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from branchline.maps.model import MapData


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of each seat whose mean is reported."""

    name: str  # in the JSON outcome, which has it for every map
    heading: str  # of its column, on maps where the mechanic is in play
    note: int  # where it is noted (N_… of bots/games/match.py)


class Part:
    """A mechanic in the simulation."""

    counted: tuple[Counted, ...] = ()

    def in_play(self, data: MapData) -> bool:
        raise NotImplementedError
