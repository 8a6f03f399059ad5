"""The web server around the application: its settings, its end, and what it must not leave behind."""

from __future__ import annotations

import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Http(HttpToolsProtocol):
    """Parts from its parser when a connection becomes a WebSocket: the two hold each other and would stay for ever."""

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]


class Socket(WebSocketsSansIOProtocol):
    """Forgets at its end what was wrong with a message: the error's trace holds what holds the error."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser_exc = self.conn.handshake_exc = None


class Server(uvicorn.Server):
    """Ends the streams before it waits for all answers to be sent: those would never end by themselves."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.app
        if isinstance(app, FastAPI) and hasattr(app.state, "service"):
            app.state.service.end_streams()
        await super().shutdown(sockets)


def make_server(app: FastAPI, **words: Any) -> Server:
    """The server of an application; the words say where it listens, and more that uvicorn takes."""
    config = uvicorn.Config(
        app,
        http=Http,
        ws=Socket,
        ws_max_size=16384,
        ws_ping_interval=30,
        ws_ping_timeout=60,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=4096,
        proxy_headers=True,
        **words,
    )
    return Server(config)
