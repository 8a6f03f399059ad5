"""A proxy before PostgreSQL that reads what the service says to it, and can lose the connection at a chosen moment."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Final

_HEAD: Final = struct.Struct("!cI")
_DONE: Final = b"C"  # a statement was done
_ERROR: Final = b"E"


class Proxy:
    """Listens on a port of its own. `transactions` counts those that write, from `begin` on."""

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.transactions = self.strikes = 0
        self.kind: str | None = None
        self._at = 0
        self._lock = threading.Lock()
        self._lines: set[_Line] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, kind: str | None, at: int) -> None:
        with self._lock:
            self.kind, self._at, self.transactions = kind, at, 0

    def close(self) -> None:
        self._listener.close()
        for line in list(self._lines):
            line.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                line = _Line(self, client, socket.create_connection(self._server))
                self._lines.add(line)
                threading.Thread(target=line.to_server, daemon=True).start()
                threading.Thread(target=line.to_client, daemon=True).start()

    # ------------------------------------------------------------ asked by the lines

    def begun(self) -> int:
        """The number of a transaction that begins."""
        with self._lock:
            self.transactions += 1
            return self.transactions

    def breaks(self, kind: str, number: int) -> bool:
        return self.kind == kind and 0 < self._at <= number

    def struck(self) -> None:
        with self._lock:
            self.strikes += 1


class _Lost(Exception):
    pass


class _Line:
    """One connection of the service."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._names: dict[bytes, bytes] = {}  # statements that were prepared
        self._transaction = 0  # the number of the one that writes; 0 while none does
        self._losing = False  # the answer to the commit

    def cut(self) -> None:
        for end in (self._client, self._server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    # ------------------------------------------------------------ what the service says

    def to_server(self) -> None:
        with contextlib.suppress(OSError, _Lost):
            first = _exactly(self._client, 4)
            (length,) = struct.unpack("!I", first)
            self._server.sendall(first + _exactly(self._client, length - 4))
            for kind, message in _messages(self._client):
                self._look_at(kind, message[_HEAD.size :])
                self._server.sendall(message)
        self.cut()

    def _look_at(self, kind: bytes, body: bytes) -> None:
        sql = self._statement(kind, body)
        if sql == b"BEGIN":
            self._transaction = self._proxy.begun()
            self._break_off("lost before the commit")
        elif sql == b"COMMIT" and self._transaction:
            self._break_off("commit never came")
            self._losing = self._proxy.breaks("answer to the commit lost", self._transaction)
            self._transaction = 0

    def _statement(self, kind: bytes, body: bytes) -> bytes:
        """What is to be done by this message, if anything."""
        if kind == b"Q":
            return body.rstrip(b"\0")
        if kind == b"P":
            name, sql, _ = body.split(b"\0", 2)
            self._names[name] = sql
        if kind == b"B":
            _, name, _ = body.split(b"\0", 2)
            return self._names.get(name, b"")
        return b""

    def _break_off(self, kind: str) -> None:
        if self._proxy.breaks(kind, self._transaction):
            self._proxy.struck()
            raise _Lost

    # ------------------------------------------------------------ what the server says

    def to_client(self) -> None:
        with contextlib.suppress(OSError, _Lost):
            for kind, message in _messages(self._server):
                if kind == _ERROR:
                    self._proxy.struck()
                if self._losing:
                    self._lose(kind, message)
                else:
                    self._client.sendall(message)
        self.cut()

    def _lose(self, kind: bytes, message: bytes) -> None:
        """Nothing comes through, and once the commit is done nothing ever will."""
        if kind == _DONE and message[_HEAD.size :] == b"COMMIT\0":
            self._proxy.struck()
            raise _Lost


def _messages(source: socket.socket) -> Iterator[tuple[bytes, bytes]]:
    """Each message of the protocol, with its kind."""
    while True:
        head = _exactly(source, _HEAD.size)
        kind, length = _HEAD.unpack(head)
        yield kind, head + _exactly(source, length - 4)


def _exactly(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = source.recv(size - len(found))
        if not more:
            raise _Lost
        found += more
    return found
