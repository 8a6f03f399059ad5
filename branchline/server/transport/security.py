"""What every answer carries and every request must be: a middleware around the whole service.

A page of ours loads nothing from elsewhere and cannot be framed; a request names a host of ours; one that changes
something comes from a page of ours, or brings a token of its own; a body is as large as it needs to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final
from urllib.parse import urlsplit

from branchline.server.transport.asgi import (
    App,
    Message,
    Receive,
    Scope,
    Send,
    header,
    headers,
    refuse,
    refuse_socket,
)
from branchline.server.transport.hosts import AllowedHosts
from branchline.server.wire.sentences import Sentence

MAX_BODY: Final = 32 << 10
LARGE_BODY: Final = 2 << 20  # a game file

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST: Final = re.compile(r"[a-z0-9._-]+(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?")
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "connect-src 'self'"
)
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")  # a year in which browsers come by https alone
_ANY_HOST: Final = ("/healthz", "/readyz", "/metrics")  # asked by machines, by whatever name they know
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)


class Security:
    """The middleware. `allowed`: further origins a page of ours may have; `large`: which paths take game files;
    `from_anywhere`: which need no page of ours, for what they bring is a secret itself."""

    def __init__(
        self,
        app: App,
        *,
        allowed: Collection[str] = (),
        hosts: AllowedHosts | None = None,
        https: bool = False,
        large: Callable[[str], bool] = lambda path: False,
        from_anywhere: Callable[[str], bool] = lambda path: False,
        max_body: int = MAX_BODY,
        large_body: int = LARGE_BODY,
    ) -> None:
        self.app = app
        self.allowed = {origin.lower().rstrip("/") for origin in allowed}
        self.hosts = hosts or AllowedHosts()
        self.headers = (*_HEADERS, _HSTS) if https else _HEADERS
        self.large = large
        self.from_anywhere = from_anywhere
        self.max_body = max_body
        self.large_body = large_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(scope, send, self.headers))
        elif scope["type"] == "websocket" and self.hosts.fault(scope):
            await refuse_socket(receive, send, "another host")
        elif scope["type"] == "websocket" and not same_origin(scope, self.allowed):
            await refuse_socket(receive, send, "another site")
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault = self.hosts.fault(scope) if scope["path"] not in _ANY_HOST else None
        if fault is not None:
            await refuse(send, *fault, close=True)
        elif scope["method"] in _SAFE_METHODS:
            await self.app(scope, receive, send)
        elif not self.from_anywhere(scope["path"]) and not same_origin(scope, self.allowed):
            await refuse(send, 403, "this request came from another site")
        else:
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the whole body in first, so that one that is too large never reaches the service."""
        most = self.large_body if self.large(scope["path"]) else self.max_body
        try:
            body = await _body(receive, most, int(header(scope, b"content-length") or 0))
        except ValueError:
            reason = Sentence("too_large", f"at most {most} bytes can be sent here", most // 1024)
            await refuse(send, 413, reason, close=True)
            return
        if body is not None:
            await self.app(scope, _again(body, receive), send)


async def _body(receive: Receive, most: int, length: int) -> bytes | None:
    """The body, None if the client went away; raises `ValueError` for one that is too large, or says it will be."""
    body = bytearray()
    if length > most:
        raise ValueError
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            raise ValueError
        if not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that says the body, and then what else the client does."""
    said = False

    async def say() -> Message:
        nonlocal said
        if said:
            return await receive()
        said = True
        return {"type": "http.request", "body": body, "more_body": False}

    return say


# --- where a request comes from -----------------------------------------------------------------------------


def same_origin(scope: Scope, allowed: Collection[str]) -> bool:
    """Whether a request comes from a page of ours, from one of `allowed`, or from a program with a token of its own.

    A browser always says where a request that can change something comes from; only other programs leave it out, and
    those have no cookie to be misused: they bring a token.
    """
    origins, hosts = headers(scope, b"origin"), headers(scope, b"host")
    if not origins:
        return (header(scope, b"authorization") or "").lower().startswith("bearer ")
    if len(origins) != 1 or len(hosts) != 1:
        return False
    origin, host = origins[0].lower(), hosts[0].lower()
    return origin in allowed or _is_of_host(origin, host, secure=scope.get("scheme") in ("https", "wss"))


def _is_of_host(origin: str, host: str, *, secure: bool) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in (("https",) if secure else ("http", "https")):
        return False
    port = _DEFAULT_PORTS[parts.scheme]
    whole = origin == f"{parts.scheme}://{parts.netloc}"
    return whole and bool(parts.netloc) and parts.netloc.removesuffix(port) == host.removesuffix(port)


# --- what every answer carries ------------------------------------------------------------------------------


def content_policy(host: str) -> str:
    """The page's policy; sockets are named by host, since some browsers do not count them as 'self'."""
    known = host.lower()
    return f"{_POLICY} ws://{known} wss://{known}" if _HOST.fullmatch(known) else _POLICY


def _with_headers(scope: Scope, send: Send, fixed: Collection[tuple[bytes, bytes]]) -> Send:
    async def say(message: Message) -> None:
        if message["type"] == "http.response.start":
            policy = content_policy(header(scope, b"host") or "").encode("ascii")
            given = list(message.get("headers", ()))
            names = {name.lower() for name, _ in given}
            ours = ((b"content-security-policy", policy), *fixed)
            message = {**message, "headers": given + [(name, value) for name, value in ours if name not in names]}
        await send(message)

    return say
