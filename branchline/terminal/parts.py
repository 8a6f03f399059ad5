"""The mechanics' parts of the terminal, put together on import."""

from __future__ import annotations

from branchline.maps.model import MapData
from branchline.mechanics import modules
from branchline.terminal.places import Part
from branchline.terminal.words import VERBS, Word

PARTS: tuple[Part, ...] = tuple(module.PART for module in modules("terminal"))
EVERY_VERB: dict[str, Word] = VERBS | dict(verb for part in PARTS for verb in part.verbs)


def parts_of(data: MapData) -> tuple[Part, ...]:
    """Those that are in play on a map."""
    return tuple(part for part in PARTS if part.in_play(data))


def verbs_of(data: MapData) -> dict[str, Word]:
    """What can be typed to play on a map."""
    return VERBS | dict(verb for part in parts_of(data) for verb in part.verbs)
