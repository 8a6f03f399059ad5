"""Who is told what happens at a table: one reader for each open stream, in this process or at another one's socket."""

from __future__ import annotations

from abc import ABC, abstractmethod

from branchline.server import wire
from branchline.server.tables.state import Table, seat_of, seats_of
from branchline.server.tables.telling import encode

NOT_YET = 1 << 62  # told nothing: moves are not for it until it has had the present state


class Reader(ABC):
    """One open stream."""

    def __init__(self, user: str | None, wish: int | None = None) -> None:
        self.user = user
        self.wish = wish  # through which of their chairs a person with several looks; None: through none
        self.seated = False  # has a chair here
        self.seat: int | None = None  # as it was last told; who may do what is asked of the table
        self.at = NOT_YET  # the reader's number it has been told up to
        self.looks = True  # at the table: the page can be seen, as far as we were told
        self.blocked: frozenset[str] = frozenset()  # people it hears nothing of

    def sit(self, table: Table) -> None:
        """Learn where one sits."""
        self.seat = seat_of(table, self.user, self.wish)
        self.seated = bool(seats_of(table.chairs, self.user))

    @abstractmethod
    def send(self, text: str, received: float = 0.0) -> None:
        """Send a message; `received` is when the move came of which it tells, for the metrics."""

    @abstractmethod
    def end(self) -> None:
        """Nothing more comes on this stream."""

    def tell(self, message: wire.FromServer) -> None:
        self.send(encode(message).decode())
