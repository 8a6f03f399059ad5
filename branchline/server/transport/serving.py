"""The web server around the application: its settings, its end, what it waits for, and what it must not leave behind.

uvicorn waits for ever for the head of a request, for its body, and for a reader who does not read. Here each of these
has its time and its size. That hooks into parts of uvicorn that are its own: tests/test_private_parts.py names the
versions they were written for.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from branchline.server.transport.asgi import App, why_not


@dataclass(frozen=True, slots=True)
class Patience:
    """How long, in seconds, and for how much, in bytes, the server waits."""

    head_seconds: float = 10.0  # from the first byte, or from the connection, to the end of the headers
    body_seconds: float = 60.0  # from there to the end of the body
    idle_seconds: int = 15  # between two requests on one connection
    reader_seconds: float = 60.0  # until a reader whose pipe is full reads on
    head_bytes: int = 32 << 10  # request line and headers
    message_bytes: int = 8 << 20  # all that follows them, whatever it is; bodies have bounds of their own


class _Reader:
    """Lets go of a reader who does not read."""

    patience: Patience
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _reading: asyncio.TimerHandle | None = None

    def stops_reading(self) -> None:
        if self._reading is None:
            self._reading = self.loop.call_later(self.patience.reader_seconds, self.transport.abort)

    def reads_on(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


class Http(_Reader, HttpToolsProtocol):
    """One connection. A message has begun (`_begun`) from its first byte on; then comes its head, then its body."""

    patience = Patience()

    def __init__(self, *arguments: Any, **words: Any) -> None:
        super().__init__(*arguments, **words)
        self._begun = False
        self._in_body = False
        self._bytes = 0  # of the head or the body that is coming
        self._timer: asyncio.TimerHandle | None = None
        self._refusal: tuple[int, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for(self.patience.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.reads_on()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._begun = True  # also by bytes that the parser passes over
        self._bytes += len(data)
        super().data_received(data)
        self._check()

    def _check(self) -> None:
        """After some bytes: is it too much, or is there more to wait for?"""
        if self.transport.is_closing() or not self._begun:
            return
        if self._bytes > (self.patience.message_bytes if self._in_body else self.patience.head_bytes):
            self._refuse(*self._too_large())
        elif self._timer is None:
            self._wait_for(self.patience.body_seconds if self._in_body else self.patience.head_seconds)

    def _too_large(self) -> tuple[int, str]:
        if self._in_body:
            return 413, f"at most {self.patience.message_bytes} bytes can be sent at once"
        return 431, f"at most {self.patience.head_bytes} bytes of address and headers are read"

    # ------------------------------------------------------------ what the parser finds

    def on_message_begin(self) -> None:
        self._begun = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_body:  # what stands behind a body was not there when the request was looked at
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.patience.head_bytes:
            self._refusal = self._too_large()
            raise ValueError("the head is too large")  # ends the parsing
        self._stop_waiting()
        self._in_body, self._bytes = True, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        self._begun = self._in_body = False
        self._bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What cannot be parsed gets this answer; so does what we ourselves refuse while it is parsed."""
        self._refuse(*(self._refusal or (400, msg)))

    def _refuse(self, status: int, reason: str) -> None:
        """Answer in place of the application, unless it is answering; then hang up."""
        self._stop_waiting()
        if self.cycle is None or self.cycle.response_complete:
            body = why_not(reason)
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """Parts from its parser when a connection becomes a WebSocket: the two hold each other and would stay."""
        self._stop_waiting()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]

    # ------------------------------------------------------------ time

    def _wait_for(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self._waited_long_enough)

    def _waited_long_enough(self) -> None:
        self._timer = None
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def pause_writing(self) -> None:
        self.stops_reading()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.reads_on()
        super().resume_writing()


class Socket(_Reader, WebSocketsSansIOProtocol):
    """A WebSocket. Forgets at its end what was wrong with a message: the error's trace holds what holds the error."""

    patience = Patience()

    def connection_lost(self, exc: Exception | None) -> None:
        self.reads_on()
        super().connection_lost(exc)
        self.conn.parser_exc = self.conn.handshake_exc = None

    def pause_writing(self) -> None:
        self.stops_reading()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.reads_on()
        super().resume_writing()


class Server(uvicorn.Server):
    """Ends the streams before it waits for all answers to be sent: those would never end by themselves."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._end_streams()
        await super().shutdown(sockets)


def make_server(
    app: App, *, end_streams: Callable[[], None] = lambda: None, patience: Patience | None = None, **words: Any
) -> Server:
    """The server of an application; the words say where it listens, and more that uvicorn takes."""
    patience = patience or Patience()
    config = uvicorn.Config(
        app,
        http=_with(Http, patience),
        ws=_with(Socket, patience),
        ws_max_size=16384,
        ws_ping_interval=30,
        ws_ping_timeout=60,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=patience.idle_seconds,
        timeout_graceful_shutdown=5,
        backlog=4096,
        proxy_headers=False,  # addresses.py does that
        **words,
    )
    return Server(config, end_streams)


def _with(protocol: type[Any], patience: Patience) -> type[Any]:
    """uvicorn makes protocols from a class, so what they have in common is the class's."""
    return type(protocol.__name__, (protocol,), {"patience": patience})
