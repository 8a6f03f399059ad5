"""How requests were answered, one line each. A line names the route, never the address, which may be a table's link."""

from __future__ import annotations

import re
import secrets
import time
from typing import Final

import structlog

from branchline.server.operate.logs import log
from branchline.server.operate.metrics import Metrics
from branchline.server.transport.asgi import App, Message, Receive, Scope, Send, header
from branchline.server.transport.rehearsal import is_rehearsal

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_QUIET: Final = ("/healthz", "/readyz", "/metrics")  # asked every few seconds by machines


class RequestLog:
    """A middleware: gives every request an id, logs how it was answered, and counts it."""

    def __init__(self, app: App, metrics: Metrics | None = None) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        with structlog.contextvars.bound_contextvars(request=request_id):
            await self._answered(scope, receive, send, request_id)

    async def _answered(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        status, began = 500, time.perf_counter()

        async def say(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self.app(scope, receive, say)
        finally:
            if scope["type"] == "http" and not is_rehearsal(scope):
                self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = str(getattr(scope.get("route"), "path", "other"))
        if self.metrics is not None:
            self.metrics.request(route, status)
        if route not in _QUIET:
            facts = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 2)}
            log("branchline.http").info("request", **facts)


def _request_id(scope: Scope) -> str:
    """The id a proxy gave, if it looks like one, else a new one."""
    given = header(scope, b"x-request-id") or ""
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
