"""One open stream to one reader, and what waits to be sent on it."""

from __future__ import annotations

import asyncio

import msgspec

from branchline.server import wire

OUTBOX = 256  # messages a slow reader may be behind before the stream is cut
NOT_YET = 1 << 62  # told nothing: moves are not for it until it has had the present state
encode = msgspec.json.Encoder().encode


class Connection:
    """One open stream to one reader; a reader too slow to follow is cut off and comes back."""

    def __init__(self, user: str | None) -> None:
        self.user = user
        self.seat: int | None = None
        self.at = NOT_YET  # the reader's number it has been told up to
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
        """Nothing more comes on this stream."""
        self.cut = True
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def tell(self, message: wire.FromServer) -> None:
        self.send(encode(message).decode())
