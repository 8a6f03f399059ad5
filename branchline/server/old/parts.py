"""What a room is made of, and how its parts know it without keeping it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchline.server.rooms import Room


class Part:
    """A part of a room. The room holds its parts, they do not hold it: so one that is dropped is gone at once, and
    nobody has to look for circles of things that only hold each other (collector.py)."""

    def __init__(self, room: Room) -> None:
        self._room = weakref.ref(room)

    @property
    def room(self) -> Room:
        room = self._room()
        assert room is not None, "a part has outlived its room"
        return room
