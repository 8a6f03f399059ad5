"""No search for garbage on the event loop.

Python frees what nobody holds, but not circles of things that only hold each other: for those it looks from time to
time, which takes half a second with a thousand games in memory, and nobody gets an answer meanwhile. So it does not
look. Nothing here leaves such circles: not a room that is dropped, nor a stream that ends, nor a request, nor a fault
(tests/server/test_garbage.py plays, and looks). Should some appear after all, they are found before the memory is full.
"""

from __future__ import annotations

import gc
from typing import Final

MOST_OBJECTS: Final = 5_000_000  # more than when it was last looked: four thousand games, or some fault of ours


class Collector:
    """Keeps Python from looking for garbage, from the service's start to its end."""

    def start(self) -> None:
        gc.collect()
        gc.freeze()  # what is there by now stays for good
        gc.disable()

    def tidy(self) -> int | None:
        """Look after all if too much has piled up; how many things were found, None if all is well."""
        return gc.collect() if gc.get_count()[0] > MOST_OBJECTS else None

    def close(self) -> None:
        gc.enable()
