"""The garbage collector, kept from stopping the event loop.

What the games make and drop is freed by counting references; dead cycles are rare here. Looking for them takes
milliseconds even among the young, for every move makes a new position of many lists, and half a second among all that
lives with a thousand games. So nothing is looked for by itself: it waits for a moment in which nobody plays.
"""

from __future__ import annotations

import gc
import time
from typing import Final

QUIET_SECONDS: Final = 10.0
PAUSE_SECONDS: Final = 600.0  # between two passes
MOST_OBJECTS: Final = 3_000_000  # more than there were: then it cannot wait; some hundreds of megabytes


class Collector:
    """Says when to look for dead cycles. Make one as the service starts."""

    def __init__(self) -> None:
        gc.collect()
        gc.freeze()  # what is there by now stays for good
        gc.disable()
        self._stirred = self._done = time.monotonic()

    def stir(self) -> None:
        """Somebody is playing."""
        self._stirred = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        quiet = now - self._stirred > QUIET_SECONDS and now - self._done > PAUSE_SECONDS
        return quiet or gc.get_count()[0] > MOST_OBJECTS

    def tidy(self) -> None:
        """Look through everything, if this is the moment."""
        if self.is_due():
            gc.collect()
            self._done = time.monotonic()

    def close(self) -> None:
        gc.enable()
