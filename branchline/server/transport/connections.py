"""One open stream to one reader in this process, and what waits to be sent on it."""

from __future__ import annotations

import asyncio

from branchline.server.live.readers import Reader

OUTBOX = 256  # messages a slow reader may be behind before the stream is cut


class Connection(Reader):
    """One open stream; a reader too slow to follow is cut off and comes back."""

    def __init__(self, user: str | None, wish: int | None = None) -> None:
        super().__init__(user, wish)
        self.outbox: asyncio.Queue[tuple[str, float] | None] = asyncio.Queue(OUTBOX)
        self.cut = False

    def send(self, text: str, received: float = 0.0) -> None:
        if self.cut:
            return
        try:
            self.outbox.put_nowait((text, received))
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        self.cut = True
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)
