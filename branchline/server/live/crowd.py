"""The spectators of a table. A handful is told like everybody else; a crowd is told in bunches, some readers at a time,
so that nobody at the table waits for a thousand who look on."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.server import wire
from branchline.server.live.readers import Reader

SMALL = 32  # so many are told at once
BUNCH_SECONDS = 0.25
READERS_AT_ONCE = 25


class Pending:
    """What a crowd has not been told yet: that the table changed, that the game stands anew, or its latest steps."""

    __slots__ = ("since", "stands", "steps", "table", "texts")

    def __init__(self) -> None:
        self.table = False
        self.stands = False
        self.since: int | None = None
        self.steps: list[wire.StepWire] = []
        self.texts: list[tuple[str, str | None]] = []  # a text, and the speaker if it was said

    def moved(self, since: int, steps: Sequence[wire.StepWire]) -> None:
        if self.since is None:
            self.since = since
        self.steps += steps


def spectators(readers: set[Reader]) -> list[Reader]:
    return [reader for reader in readers if not reader.seated]
