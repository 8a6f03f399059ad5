"""Logs: one line an event on stderr, JSON for machines, plain in a terminal. No secret and no hand is in them."""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from collections.abc import Mapping, MutableMapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import Processor

from branchline.server.metrics import Metrics
from branchline.server.rehearsal import is_rehearsal
from branchline.server.security import App, Message, Receive, Scope, Send, header

HIDDEN: Final = "…"
_SECRET: Final = frozenset({"authorization", "cookie", "password", "secret", "set-cookie", "token"})
_SEEDS: Final = frozenset({"browser_seed", "deal", "fair", "seed", "seed_hex", "server_seed"})
_CARDS: Final = frozenset({"deck", "events", "hand", "line", "lines", "offers", "pack", "record", "snapshot", "view"})
_NEVER: Final = _SECRET | _SEEDS | _CARDS | {"position", "tickets"}
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_QUIET: Final = ("/healthz", "/readyz", "/metrics")  # asked every few seconds by machines


def configure(level: str = "info", *, stream: TextIO | None = None, plain: bool | None = None) -> None:
    """Send all logs of the process, those of libraries too, as lines to `stream`; plain in a terminal, else JSON."""
    out = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=_ends(out, plain)))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    _tame_uvicorn()
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def log(name: str = "branchline") -> structlog.stdlib.BoundLogger:
    """A logger: `log().info("table.started", table=id, players=3)`."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def _ends(out: TextIO, plain: bool | None) -> list[Processor]:
    """How a line is written at last; a traceback never shows the variables, which hold hands and decks."""
    first: Processor = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if out.isatty() if plain is None else plain:
        formatter = structlog.dev.plain_traceback
        return [first, structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=formatter)]
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [first, structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]


def _tame_uvicorn() -> None:
    """Its lines go the way of all; its own list of requests would hold whole addresses, and we have ours."""
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False


def hide_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Nothing whose name says that it is secret, or hidden from some player, is written."""
    return {key: _safe(key, value) for key, value in event.items()}


def _safe(key: str, value: Any) -> Any:
    if key.lower() in _NEVER:
        return HIDDEN
    if isinstance(value, Mapping):
        return {str(k): _safe(str(k), v) for k, v in value.items()}
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    return value


# --- requests -----------------------------------------------------------------------------------------------


class RequestLog:
    """A middleware: gives every request an id, logs how it was answered, and counts it. Addresses lose their query."""

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
