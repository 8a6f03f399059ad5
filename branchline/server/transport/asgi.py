"""The words of ASGI: what an application is given and says. For what stands around the application."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from branchline.server.wire.sentences import code_of

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


def headers(scope: Scope, name: bytes) -> list[str]:
    """All headers of this name, which is given in small letters."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def header(scope: Scope, name: bytes) -> str | None:
    """The first header of this name, in small letters."""
    return next(iter(headers(scope, name)), None)


def why_not(reason: str) -> bytes:
    """The body of a refusal."""
    code, n = code_of(reason)
    return json.dumps({"reason": reason, "code": code, "n": n}).encode()


async def refuse(send: Send, status: int, reason: str, *, close: bool = False) -> None:
    """Answer a request in place of the application; `close`: what is still on its way is not read."""
    body = why_not(reason)
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if close:
        head.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})


async def refuse_socket(receive: Receive, send: Send, reason: str) -> None:
    """Turn a WebSocket away before it is accepted."""
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": reason})
