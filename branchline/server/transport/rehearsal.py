"""Every route tried once before the door opens.

FastAPI makes a route ready when it is first asked for, and reads its source for that; the first WebSocket and the first
stream load modules. Those are milliseconds during which the event loop would serve nobody. What the rehearsal asks for
is nonsense from nobody, or the same for all, so that nothing comes of it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI
from starlette.responses import StreamingResponse
from starlette.types import Message

from branchline.maps.loader import known_maps

_QUIET = "branchline.rehearsal"  # a key of the scope, which no client can set


async def rehearse(app: FastAPI) -> None:
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            await _ask(app, method.upper(), re.sub(r"{\w+}", "-", path))
    for path in (
        "/healthz",
        "/",
        "/-",
        "/api/docs",
        "/api/openapi.json",
        *(f"/api/maps/{name}" for name in known_maps()),
    ):
        await _ask(app, "GET", path)
    await app(_scope("websocket", "/api/tables/-/live"), _knock, _nowhere)
    await StreamingResponse(_silence())(_scope("http", "/"), _hang_up, _nowhere)


def is_rehearsal(scope: Any) -> bool:
    return _QUIET in scope


async def _ask(app: FastAPI, method: str, path: str) -> None:
    await app({**_scope("http", path), "method": method}, _nonsense, _nowhere)


def _scope(kind: str, path: str) -> dict[str, Any]:
    return {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"content-type", b"application/json")],
        "client": None,
        "server": None,
        _QUIET: True,
    }


async def _nonsense() -> Message:
    return {"type": "http.request", "body": b"?", "more_body": False}


async def _knock() -> Message:
    return {"type": "websocket.connect"}


async def _hang_up() -> Message:
    return {"type": "http.disconnect"}


async def _silence() -> AsyncIterator[bytes]:
    yield b""


async def _nowhere(message: Message) -> None:
    """Nobody hears the answers."""
