"""The server waits for nobody for ever: not for a head, a body or a reader; and it reads no head without end.

A real server on a real port, with a small application behind it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect

from branchline.server.transport.addresses import FromProxies, TrustedProxies
from branchline.server.transport.asgi import App, Message, Receive, Scope, Send
from branchline.server.transport.hosts import AllowedHosts
from branchline.server.transport.security import Security
from branchline.server.transport.serving import Patience, make_server

PATIENCE = 20.0  # seconds; a shared machine may be slow, what never comes never comes
SHORT = Patience(head_seconds=0.3, body_seconds=0.3, idle_seconds=1, reader_seconds=0.3)
LONG = Patience()
HOST = b"Host: trains.example\r\n"


@dataclass
class Small:
    """An application that says what it was asked, and remembers how requests ended."""

    heard: list[dict[str, Any]] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/endless":
            await self._endless(receive, send)
            return
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.gone.set()
                return
            body += message["body"]
            if not message["more_body"]:
                break
        names = [name.decode() for name, _ in scope["headers"]]
        heard = {"path": scope["path"], "client": scope["client"], "body": len(body), "headers": names}
        self.heard.append(heard)
        told = json.dumps(heard).encode()
        head = [(b"content-length", str(len(told)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": told})

    async def _endless(self, receive: Receive, send: Send) -> None:
        await receive()
        gone = asyncio.ensure_future(receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not gone.done():
            await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})
            await asyncio.sleep(0)
        self.gone.set()

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})


@asynccontextmanager
async def serving(app: App, patience: Patience = LONG) -> AsyncIterator[int]:
    """A server on a free port of this machine: its port."""
    server = make_server(app, patience=patience, host="127.0.0.1", port=0, lifespan="off")
    task = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE):
        while not server.started:
            await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await asyncio.wait_for(task, PATIENCE)


def run(job: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(job(), 3 * PATIENCE))


async def asked(port: int, *parts: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def body(answer: bytes) -> Any:
    return json.loads(answer.partition(b"\r\n\r\n")[2])


# ---------------------------------------------------------------- whose private parts these are


def test_uvicorn_has_the_inner_parts_that_are_hooked_into() -> None:
    """Another version? Read its httptools_impl and websockets_sansio_impl beside serving.py first."""
    parts = ("on_message_begin", "on_header", "on_headers_complete", "on_message_complete", "send_400_response")
    for name in (*parts, "handle_websocket_upgrade", "connection_made", "data_received", "pause_writing"):
        assert callable(getattr(HttpToolsProtocol, name))
    assert callable(WebSocketsSansIOProtocol.resume_writing)


# ---------------------------------------------------------------- what is served as ever


def test_requests_are_answered_one_after_the_other_on_one_connection() -> None:
    async def job() -> None:
        app = Small()
        async with serving(app) as port:
            post = b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello"
            last = b"GET /c HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
            parts = b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n" + post + last
            answer = await asked(port, *(parts[at : at + 7] for at in range(0, len(parts), 7)))
        assert answer.count(b"HTTP/1.1 200 OK") == 3
        assert [(heard["path"], heard["body"]) for heard in app.heard] == [("/a", 0), ("/b", 5), ("/c", 0)]

    run(job)


def test_a_socket_outlives_the_time_for_a_head() -> None:
    async def job() -> None:
        async with serving(Small(), SHORT) as port, connect(f"ws://127.0.0.1:{port}/live") as socket:
            await asked(port)  # who came after it has waited too long for a head, and was sent away
            await socket.send("still here")
            assert await socket.recv() == "still here"

    run(job)


# ---------------------------------------------------------------- time


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"\r\n",
        b"G",
        b"GET / HTTP/1.1\r\nHost: trains.ex",
        b"GET / HTTP/1.1\r\nHost: trains.example\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"\r\nGET /again HTTP/1.1\r\n",
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\nhalf",
        b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",  # answered, and then nothing more is asked
    ],
)
def test_who_begins_and_does_not_go_on_is_let_go_of(begun: bytes) -> None:
    async def job() -> None:
        async with serving(Small(), SHORT) as port:
            answer = await asked(port, begun)
        assert answer.count(b"HTTP/1.1 200") == begun.count(b"\r\n\r\n") - begun.count(b"POST")

    run(job)


def test_a_byte_now_and_then_does_not_help() -> None:
    async def drip(port: int, begun: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        gone = asyncio.create_task(reader.read())
        while not gone.done():
            writer.write(b"x" if begun else b"\r\n")
            await asyncio.wait([gone], timeout=SHORT.head_seconds / 5)
        writer.close()

    async def job() -> None:
        async with serving(Small(), SHORT) as port, asyncio.timeout(PATIENCE):
            await drip(port, b"")
            await drip(port, b"GET / HTTP/1.1\r\nX-Long: ")
            await drip(port, b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 999999\r\n\r\n")

    run(job)


def test_the_application_hears_that_a_slow_sender_is_gone() -> None:
    async def job() -> None:
        app = Small()
        async with serving(app, SHORT) as port:
            await asked(port, b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\nhalf")
            await asyncio.wait_for(app.gone.wait(), PATIENCE)
        assert app.heard == []

    run(job)


def test_a_reader_who_does_not_read_is_let_go_of() -> None:
    async def job() -> None:
        app = Small()
        async with serving(app, SHORT) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(b"GET /endless HTTP/1.1\r\n" + HOST + b"\r\n")
            await asyncio.wait_for(app.gone.wait(), PATIENCE)
            writer.close()

    run(job)


# ---------------------------------------------------------------- size


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"x" * LONG.head_bytes + b" HTTP/1.1\r\n" + HOST + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: " + b"x" * LONG.head_bytes + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * (1 << 20),  # its end never comes
    ],
)
def test_a_head_has_its_size(head: bytes) -> None:
    async def job() -> None:
        app = Small()
        async with serving(app) as port:
            for step in (len(head), 1400):
                answer = await asked(port, *(head[at : at + step] for at in range(0, LONG.head_bytes, step)))
                assert not answer or (status(answer), "32768 bytes" in body(answer)["reason"]) == (431, True)
            assert answer  # sent in small parts and no further, nothing cuts it off
        assert app.heard == []

    run(job)


def test_a_large_head_that_fits_is_read() -> None:
    async def job() -> None:
        app = Small()
        async with serving(app) as port:
            cookie = b"Cookie: " + b"x" * (LONG.head_bytes - 200) + b"\r\n"
            answer = await asked(port, b"GET / HTTP/1.1\r\n" + HOST + cookie + b"Connection: close\r\n\r\n")
        assert status(answer) == 200

    run(job)


def test_what_stands_behind_a_body_is_no_header_and_has_an_end() -> None:
    async def job() -> None:
        app = Small()
        post = b"POST / HTTP/1.1\r\n" + HOST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        async with serving(app) as port:
            assert status(await asked(port, post + b"Authorization: Bearer x\r\n\r\n")) == 200
            many = (b"X: " + b"x" * 100_000 + b"\r\n" for _ in range(100))
            with pytest.raises((ConnectionError, IndexError)):  # cut off in the middle
                status(await asked(port, post, *many))
        assert [heard["headers"] for heard in app.heard] == [["host", "connection", "transfer-encoding"]]

    run(job)


def test_what_is_no_request_gets_a_reason() -> None:
    async def job() -> None:
        async with serving(Small()) as port:
            answer = await asked(port, b"\x16\x03\x01\x02\x00 hello?\r\n\r\n")
        assert (status(answer), body(answer)["code"]) == (400, "")

    run(job)


# ---------------------------------------------------------------- proxies and names, through a real server


def guarded(app: App, *, hosts: tuple[str, ...] = (), trusted: tuple[str, ...] = ()) -> App:
    return FromProxies(Security(app, hosts=AllowedHosts(hosts), https=True), TrustedProxies(trusted))


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (b"", 400),
        (b"Host:\r\n", 400),
        (b"Host: trains.example\r\nHost: trains.example\r\n", 400),
        (b"Host: trains.example\r\n", 200),
        (b"Host: TRAINS.example.:8000\r\n", 200),
        (b"Host: evil.example\r\n", 421),
        (b"Host: trains.example.evil.example\r\n", 421),
        (b"Host: trains.example@evil.example\r\n", 400),
    ],
)
def test_the_service_answers_under_its_names_alone(head: bytes, told: int) -> None:
    async def job() -> None:
        app = Small()
        async with serving(guarded(app, hosts=("trains.example",))) as port:
            answer = await asked(port, b"GET / HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
            health = await asked(port, b"GET /healthz HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
        assert (status(answer), status(health)) == (told, 200)
        assert b"strict-transport-security: max-age=31536000\r\n" in answer
        if told != 200:
            assert body(answer)["reason"]

    run(job)


@pytest.mark.parametrize(
    ("trusted", "client"), [((), "203.0.113.9"), (("127.0.0.1",), "203.0.113.9"), (("10.0.0.0/8",), "127.0.0.1")]
)
def test_only_a_trusted_proxy_says_where_a_request_comes_from(trusted: tuple[str, ...], client: str) -> None:
    async def job() -> None:
        app = Small()
        async with serving(guarded(app, trusted=trusted)) as port:
            head = HOST + b"X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\nConnection: close\r\n\r\n"
            assert body(await asked(port, b"GET / HTTP/1.1\r\n" + head))["client"][0] == client

    run(job)


def test_a_socket_under_another_name_is_refused() -> None:
    async def job() -> None:
        messages: list[Message] = []

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            messages.append(message)

        app = Small()
        scope: Scope = {"type": "websocket", "path": "/live", "headers": [(b"host", b"evil.example")], "client": None}
        await guarded(app, hosts=("trains.example",))(scope, receive, send)
        assert [message["type"] for message in messages] == ["websocket.close"]

    run(job)
