"""How processes talk: bytes from one to another, or to all others. A message may be lost, and all of them may be.

Nothing here is the truth: who needs to know asks the store. `links.py` notices what was lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[str, bytes], None]  # who sent it, and what


class BadBus(Exception):
    """What cannot be the service's bus: which, and why."""


class Bus(Protocol):
    """Carries messages between the processes of one service, in the order of sending, at most once."""

    me: str  # this process, as the others know it
    trouble: str  # "" while messages are carried, else why they are not
    dropped: int  # messages that were not even sent

    async def open(self, heard: Heard) -> None:
        """Begin to listen; goes on trying by itself while the bus is away. Raises `BadBus` if it never can."""

    def send(self, to: str, message: bytes) -> bool:
        """To one process; never waits, never fails. False: nobody will get it."""

    def spread(self, message: bytes) -> bool:
        """To all other processes."""

    async def close(self) -> None: ...
