"""Who is told what happens at a table: one reader for each open stream, in this process or at another one's socket."""

from __future__ import annotations

from abc import ABC, abstractmethod

from branchline.server import wire
from branchline.server.tables.telling import encode

NOT_YET = 1 << 62  # told nothing: moves are not for it until it has had the present state


class Reader(ABC):
    """One open stream."""

    def __init__(self, user: str | None) -> None:
        self.user = user
        self.seat: int | None = None  # as it was last told; who may do what is asked of the table
        self.at = NOT_YET  # the reader's number it has been told up to
        self.blocked: frozenset[str] = frozenset()  # people it hears nothing of

    @abstractmethod
    def send(self, text: str, received: float = 0.0) -> None:
        """Send a message; `received` is when the move came of which it tells, for the metrics."""

    @abstractmethod
    def end(self) -> None:
        """Nothing more comes on this stream."""

    def tell(self, message: wire.FromServer) -> None:
        self.send(encode(message).decode())
