"""What every answer carries, where a request may come from, and how large a body may be."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from branchline.server.transport.asgi import Message, Receive, Scope, Send
from branchline.server.transport.hosts import AllowedHosts
from branchline.server.transport.security import LARGE_BODY, MAX_BODY, Security, same_origin

OURS = "https://trains.example"
Headers = dict[str, str]


def scope_of(method: str = "POST", path: str = "/api/tables", *, kind: str = "http", **headers: str) -> Scope:
    """A request; headers by name with `_` for `-`, and the host unless another is given."""
    named = {"host": "trains.example", **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.encode(), value.encode("latin-1")) for name, value in named.items() if value]
    return {"type": kind, "method": method, "path": path, "headers": raw, "scheme": "http" if kind == "http" else "ws"}


class Service:
    """An app that remembers the body it was given."""

    def __init__(self) -> None:
        self.body: bytes | None = None
        self.after: Message | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.body = b""
        if scope["type"] == "http":
            message = await receive()
            self.body = message["body"]
            assert not message["more_body"]
            self.after = await receive()
            head = [(b"content-type", b"text/plain"), (b"X-Frame-Options", b"SAMEORIGIN")]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": b"done"})
        else:
            await send({"type": "websocket.accept"})


def asked(scope: Scope, *chunks: bytes, gone: bool = False, **options: Any) -> tuple[Service, list[Message]]:
    """What the service got and what was answered."""
    service, sent = Service(), []
    parts: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    if not gone:
        parts.append({"type": "http.request", "body": b"", "more_body": False})
    parts.append({"type": "http.disconnect"})

    async def receive() -> Message:
        return parts.pop(0) if scope["type"] == "http" else {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Security(service, **options)(scope, receive, send))
    return service, sent


def headers_of(sent: list[Message]) -> Headers:
    pairs = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


# ---------------------------------------------------------------- headers


def test_every_answer_has_the_headers() -> None:
    for scope in (scope_of("GET"), scope_of(origin=OURS), scope_of(origin="https://evil.example")):
        _, sent = asked(scope)
        headers = headers_of(sent)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert policy == {
            "default-src": "'self'",
            "script-src": "'self'",
            "style-src": "'self' 'unsafe-inline'",
            "img-src": "'self' data: blob:",
            "font-src": "'self'",
            "object-src": "'none'",
            "frame-ancestors": "'none'",
            "base-uri": "'none'",
            "form-action": "'self'",
            "connect-src": "'self' ws://trains.example wss://trains.example",
        }


def test_a_header_the_service_set_itself_stays() -> None:
    _, sent = asked(scope_of("GET"))
    assert headers_of(sent)["x-frame-options"] == "SAMEORIGIN"


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("localhost:8000", True),
        ("[::1]:8000", True),
        ("x; script-src *", False),
        ("a b", False),
        ("x,y", False),
        ("h\u00e9", False),
        ("", False),
    ],
)
def test_a_host_cannot_change_the_policy(host: str, named: bool) -> None:
    _, sent = asked(scope_of("GET", host=host))
    end = f"connect-src 'self' ws://{host} wss://{host}" if named else "connect-src 'self'"
    assert headers_of(sent)["content-security-policy"].endswith(end)


@pytest.mark.parametrize("https", [False, True])
def test_a_service_under_https_is_asked_by_https_alone_for_a_year(https: bool) -> None:
    for scope in (scope_of("GET"), scope_of(origin="https://evil.example"), scope_of("GET", host="")):
        _, sent = asked(scope, https=https)
        assert headers_of(sent).get("strict-transport-security") == ("max-age=31536000" if https else None)


# ---------------------------------------------------------------- by which name it is called


@pytest.mark.parametrize("allowed", [(), ("trains.example", "[::1]", "Rails.Example.")])
@pytest.mark.parametrize(
    ("host", "known"),
    [("trains.example", True), ("TRAINS.example:8000", True), ("rails.example", True), ("[::1]:8000", True),
     ("other.example", False), ("trains.example.", True), ("sub.trains.example", False), ("127.0.0.1", False)],
)  # fmt: skip
def test_a_service_answers_under_the_names_it_was_given_or_any(
    allowed: tuple[str, ...], host: str, known: bool
) -> None:
    service, sent = asked(scope_of("GET", host=host), hosts=AllowedHosts(allowed))
    answered = known or not allowed
    assert sent[0]["status"] == (200 if answered else 421)
    assert (service.body is not None) == answered


def test_without_one_host_nothing_is_answered_but_what_machines_ask() -> None:
    bare = {**scope_of("GET", host=""), "headers": []}
    two = {**bare, "headers": [(b"host", b"trains.example")] * 2}
    for scope in (bare, two, scope_of("GET", host="a b"), scope_of("GET", host="x/y"), scope_of("GET", host="h:x")):
        service, sent = asked(scope)
        assert (sent[0]["status"], service.body) == (400, None)
        assert "Host" in json.loads(sent[1]["body"])["reason"]
        _, sent = asked({**scope, "path": "/healthz"}, hosts=AllowedHosts(["trains.example"]))
        assert sent[0]["status"] == 200
        service, sent = asked({**scope, "type": "websocket"})
        assert ([message["type"] for message in sent], service.body) == (["websocket.close"], None)


@pytest.mark.parametrize("wrong", ["", "http://trains.example", "trains.example:8000", "a b", "trains.example/x", "*"])
def test_a_name_that_is_none_is_refused_at_the_start(wrong: str) -> None:
    with pytest.raises(ValueError, match="no name of a host"):
        AllowedHosts([wrong])


# ---------------------------------------------------------------- where it comes from


@pytest.mark.parametrize(
    ("headers", "right"),
    [
        ({"origin": OURS}, True),
        ({"origin": "http://trains.example"}, True),
        ({"origin": "https://TRAINS.example"}, True),
        ({"origin": "https://trains.example:443"}, True),
        ({"origin": "http://localhost:8000", "host": "localhost:8000"}, True),
        ({"origin": "http://localhost:5173", "host": "localhost:8000"}, False),
        ({"origin": "https://other.example"}, True),  # allowed by name
        ({"origin": "http://other.example"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "https://trains.example.evil.example"}, False),
        ({"origin": "https://evil-trains.example"}, False),
        ({"origin": "https://evil@trains.example"}, False),
        ({"origin": "https://trains.example/x"}, False),
        ({"origin": "https://trains.example:8000"}, False),
        ({"origin": "ftp://trains.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "https://"}, False),
        ({"origin": "https://["}, False),
        ({"origin": "https://", "host": ""}, False),
        ({"origin": OURS, "host": ""}, False),
        ({"origin": "https://evil.example", "authorization": "Bearer x"}, False),
        ({}, False),
        ({"cookie": "guest=x"}, False),
        ({"authorization": "Basic x"}, False),
        ({"authorization": "Bearer x"}, True),
    ],
)
def test_origins(headers: Headers, right: bool) -> None:
    allowed = {"https://other.example"}
    for kind in ("http", "websocket"):
        assert same_origin(scope_of(kind=kind, **headers), allowed) == right


def test_two_origins_or_two_hosts_are_none() -> None:
    scope = scope_of(origin=OURS)
    for name, value in ((b"origin", OURS.encode()), (b"host", b"trains.example")):
        assert not same_origin({**scope, "headers": [*scope["headers"], (name, value)]}, set())


def test_a_secure_service_has_secure_pages() -> None:
    for scheme in ("https", "wss"):
        assert same_origin({**scope_of(origin=OURS), "scheme": scheme}, set())
        assert not same_origin({**scope_of(origin="http://trains.example"), "scheme": scheme}, set())


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "BREW"])
def test_a_request_from_another_site_changes_nothing(method: str) -> None:
    service, sent = asked(scope_of(method, origin="https://evil.example"))
    assert service.body is None
    assert sent[0]["status"] == 403
    assert json.loads(sent[1]["body"]) == {"reason": "this request came from another site", "code": "", "n": None}


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_what_changes_nothing_may_come_from_anywhere(method: str) -> None:
    service, sent = asked(scope_of(method, origin="https://evil.example"))
    assert service.body is not None
    assert sent[0]["status"] == 200


def test_a_socket_from_another_site_is_refused() -> None:
    service, sent = asked(scope_of(kind="websocket", origin="https://evil.example"))
    assert service.body is None
    assert [message["type"] for message in sent] == ["websocket.close"]
    service, sent = asked(scope_of(kind="websocket", origin=OURS))
    assert [message["type"] for message in sent] == ["websocket.accept"]
    service, _ = asked(scope_of(kind="websocket", origin="https://evil.example"), allowed=["https://Evil.example/"])
    assert service.body is not None


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/api/tables", 0, 200),
        ("/api/tables", MAX_BODY, 200),
        ("/api/tables", MAX_BODY + 1, 413),
        ("/api/verify", MAX_BODY + 1, 200),
        ("/api/verify", LARGE_BODY, 200),
        ("/api/verify", LARGE_BODY + 1, 413),
    ],
)
def test_a_body_has_its_size(path: str, size: int, status: int) -> None:
    body = bytes(size)
    chunks = [body[at : at + 9000] for at in range(0, size, 9000)]
    for headers in ({"content_length": str(size)}, {}):
        service, sent = asked(
            scope_of(path=path, origin=OURS, **headers), *chunks, large=lambda path: path == "/api/verify"
        )
        assert sent[0]["status"] == status
        assert service.body == (body if status == 200 else None)
        if status == 200:
            assert service.after == {"type": "http.disconnect"}


@pytest.mark.parametrize("length", ["x", "1e3", str(MAX_BODY + 1), "9" * 30])
def test_a_length_that_cannot_be_is_refused_unread(length: str) -> None:
    service, sent = asked(scope_of(origin=OURS, content_length=length), b"small")
    assert service.body is None
    assert sent[0]["status"] == 413
    assert "at most 32768 bytes" in json.loads(sent[1]["body"])["reason"]


def test_a_client_that_goes_away_is_not_served() -> None:
    service, sent = asked(scope_of(origin=OURS), b"half", gone=True)
    assert service.body is None
    assert not sent
