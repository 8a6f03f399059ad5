"""Between the kernel's small numbers and the names at the edge: codes and actions, raw events and events.

What a code or an event means, the faces say: the base game's and those of the mechanics.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from branchline.actions import Action
from branchline.base.face import ENDS
from branchline.events import Event
from branchline.faces import Move, Notes, Teller
from branchline.kernel.state import EVENT
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position, Work
from branchline.mechanics.composed_face import FACES, Names

__all__ = ["ENDS", "Names", "action_of", "code_of", "events_of", "is_fixed", "names_of"]

_MOVES: tuple[Move[Any], ...] = tuple(move for face in FACES for move in face.moves)
_BY_CODE: dict[int, Move[Any]] = {code: move for move in _MOVES for code in move.codes}
_BY_KIND: dict[type, Move[Any]] = {move.kind: move for move in _MOVES}
_TELLERS: dict[int, Teller] = {kind: teller for face in FACES for kind, teller in face.events.items()}


@lru_cache(maxsize=64)
def names_of(data: MapData) -> Names:
    return Names(data)


def action_of(code: int, s: Position, names: Names, seat: int) -> Action:
    """The action a code of this seat's menu stands for."""
    known = names.fixed.get(code)
    if known is not None:
        return known
    move = _BY_CODE[code]
    action: Action = move.action(code - move.codes.start, s, names, seat)
    if move.fixed:
        names.fixed[code] = action
    return action


def is_fixed(code: int) -> bool:
    """Whether a code means the same in every position of a map."""
    return _BY_CODE[code].fixed


def code_of(action: Action, s: Position, names: Names, seat: int) -> int:
    """The code of an action for this seat now, or -1 if there is none: a name that is nowhere in sight."""
    move = _BY_KIND[type(action)]
    n = move.number(action, s, names, seat)
    return move.codes.start + n if 0 <= n < len(move.codes) else -1


def events_of(w: Work, data: MapData, names: Names) -> list[Event]:
    """The events the kernel noted for the last move."""
    notes = Notes(data, names)
    found: list[Event] = []
    for i in range(w.event_n):
        kind, *args = w.event[i * EVENT : (i + 1) * EVENT]
        event = _TELLERS[kind](notes, *args)
        if event is not None:
            found.append(event)
    return found
