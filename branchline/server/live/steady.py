"""Time that never goes back: the store's time when the process started, and on from there by a clock nobody sets."""

from __future__ import annotations

import time


class Steady:
    """The time of one process, close to that of the store and so to that of every other process."""

    def __init__(self, base: float) -> None:
        self.started = base
        self._then = time.monotonic()

    def now(self) -> float:
        return self.started + time.monotonic() - self._then
