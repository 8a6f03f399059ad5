"""A line to PostgreSQL that can be cut at a chosen word, as a failing network would at the worst moment."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self
from urllib.parse import urlsplit

# What the server says when it has done a statement: a message of the kind C, with the statement's name.
DONE_BEGIN = b"BEGIN\0"
DONE_COMMIT = b"COMMIT\0"


class Line:
    """Hands bytes on between a client and a server.

    While `cut_at` is set, an answer that has it is not handed on, and its connection ends. `cuts` counts that.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname and parts.port
        self._server = (parts.hostname, parts.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = parts._replace(netloc=f"{parts.username}@127.0.0.1:{self._listening.getsockname()[1]}").geturl()
        self.cut_at: bytes | None = None
        self.cuts = 0
        self._open: set[socket.socket] = set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.end_all()

    def end_all(self) -> None:
        """End every connection there is."""
        for end in list(self._open):
            self._end(end)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                self._open |= {client, server}
                threading.Thread(target=self._hand_on, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(server, client, True), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while said := source.recv(65536):
                if answers and self.cut_at is not None and self.cut_at in said:
                    self.cuts += 1
                    break
                sink.sendall(said)
        self._end(source)
        self._end(sink)

    def _end(self, end: socket.socket) -> None:
        self._open.discard(end)
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
