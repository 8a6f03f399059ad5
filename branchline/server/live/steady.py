"""Time that never goes back: the store's time when the process started, and on from there by a clock nobody sets."""

from __future__ import annotations

import time


class Steady:
    """The time of one process, close to that of the store and so to that of every other process."""

    def __init__(self, base: float) -> None:
        self._base = base
        self._started = time.monotonic()

    def now(self) -> float:
        return self._base + time.monotonic() - self._started
