"""Every route tried once before the door opens.

FastAPI makes a route ready when it is first asked for, and reads its source for that: milliseconds during which the
event loop would serve nobody. The requests of the rehearsal are nonsense from nobody, so that nothing comes of them.
"""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI
from starlette.types import Message

_QUIET = "branchline.rehearsal"  # a key of the scope, which no client can set


async def rehearse(app: FastAPI) -> None:
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            await _ask(app, method.upper(), re.sub(r"{\w+}", "-", path))
    for path in ("/healthz", "/", "/-"):
        await _ask(app, "GET", path)


def is_rehearsal(scope: Any) -> bool:
    return _QUIET in scope


async def _ask(app: FastAPI, method: str, path: str) -> None:
    scope = {
        "type": "http",
        "method": method,
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
    await app(scope, _nonsense, _nowhere)


async def _nonsense() -> Message:
    return {"type": "http.request", "body": b"?", "more_body": False}


async def _nowhere(message: Message) -> None:
    """Nobody hears the answers."""
