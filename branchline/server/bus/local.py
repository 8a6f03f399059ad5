"""The bus of a service in one process: nobody else is there."""

from __future__ import annotations

from branchline.server.bus.contract import Heard


class LocalBus:
    """Carries nothing, since there is nobody to carry it to."""

    trouble = ""

    def __init__(self, me: str = "alone") -> None:
        self.me = me
        self.dropped = 0

    async def open(self, heard: Heard) -> None:
        """There will be nothing to hear."""

    def send(self, to: str, message: bytes) -> bool:
        self.dropped += 1
        return False

    def spread(self, message: bytes) -> bool:
        return True  # all others, of whom there are none, have it

    async def close(self) -> None: ...
