"""A push service and a mail server of the tests' own, on real sockets; browsers that subscribe, and people away."""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import quopri
import re
import socketserver
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from branchline.server.notices.push import b64
from branchline.server.store.shared import SharedStore
from branchline.server.tables.state import Playing
from tests.server.service import PATIENCE, Json, Person, Running

DAYS: Final = {"kind": "days", "days": 2}
ALL: Final = ["turn", "friend", "over", "nudge"]


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return hmac.digest(hmac.digest(salt, secret, hashlib.sha256), info + b"\1", hashlib.sha256)[:length]


class Browser:
    """One browser's keys, as `PushManager.subscribe` makes them."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.auth = hashlib.sha256(b64(self.point).encode()).digest()[:16]

    @property
    def point(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, body: bytes) -> Json:
        """What was sent to this browser (RFC 8291, from the reader's side)."""
        salt, size, theirs = body[:16], body[20], body[21 : 21 + body[20]]
        assert size == 65
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = self._key.exchange(ec.ECDH(), key)
        secret = _derived(self.auth, shared, b"WebPush: info\0" + self.point + theirs, 32)
        content = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(content).decrypt(nonce, body[21 + size :], None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        read: Json = json.loads(plain[:-1])
        return read


class Arrived:
    """One request at the push service."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path, self.headers, self.body = path, headers, body

    def check_sender(self, audience: str) -> str:
        """The public key of who proved to have sent it (RFC 8292)."""
        found = re.fullmatch(r"vapid t=([^,]+), k=(.+)", self.headers["authorization"])
        assert found is not None
        head, claims, signature = found[1].split(".")
        assert json.loads(unb64(head)) == {"typ": "JWT", "alg": "ES256"}
        told = json.loads(unb64(claims))
        assert told["aud"] == audience
        assert time.time() < told["exp"] < time.time() + 86400
        assert told["sub"].startswith(("mailto:", "https://"))
        r, s = (int.from_bytes(part, "big") for part in (unb64(signature)[:32], unb64(signature)[32:]))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(found[2]))
        key.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
        return found[2]


class PushService:
    """Takes messages at `/push/NAME`; `answers` gives the status for each that comes, by its path."""

    def __init__(self) -> None:
        self.arrived: queue.Queue[Arrived] = queue.Queue()
        self.answer: Callable[[str], tuple[int, dict[str, str]]] = lambda path: (201, {})
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.arrived.put(Arrived(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                status, headers = service.answer(self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self.origin = f"http://{self.place}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self, seconds: float = PATIENCE) -> Arrived:
        return self.arrived.get(timeout=seconds)

    def nothing_more(self) -> None:
        """What has arrived was read."""
        assert self.arrived.empty(), self.arrived.get().path

    def subscribe(self, person: Person, browser: Browser, name: str = "phone", path: str = "/push/one") -> Json:
        key = person.get("/me/calls")["key"]
        told: Json = person.post("/me/devices", device(f"{self.origin}{path}", browser, key, name))
        return told


def device(endpoint: str, browser: Browser, key: str, name: str = "phone") -> Json:
    return {"endpoint": endpoint, "p256dh": b64(browser.point), "auth": b64(browser.auth), "key": key, "name": name}


class MailServer:
    """Takes mail by SMTP; `refuse` gives the answer to a recipient, if it is not to be taken."""

    def __init__(self) -> None:
        self.arrived: queue.Queue[tuple[str, str]] = queue.Queue()  # to whom, and the whole message
        self.refuse: Callable[[str], str] = lambda to: ""
        self.hang_up = False  # amid a message
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                server.serve(self.rfile, self.wfile)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"smtp://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def serve(self, rfile: Any, wfile: Any) -> None:
        to = ""
        wfile.write(b"220 tests\r\n")
        for line in iter(rfile.readline, b""):
            verb = line.decode().strip()
            if verb.upper().startswith("RCPT"):
                to = verb[verb.index("<") + 1 : verb.index(">")]
                wfile.write((self.refuse(to) or "250 ok").encode() + b"\r\n")
            elif verb.upper() == "DATA":
                wfile.write(b"354 go on\r\n")
                text = b"".join(iter(rfile.readline, b".\r\n")).decode()
                self.arrived.put((to, text))
                if self.hang_up:
                    return
                wfile.write(b"250 taken\r\n")
            elif verb.upper() == "QUIT":
                wfile.write(b"221 bye\r\n")
                return
            else:
                wfile.write(b"250 ok\r\n")

    def next(self, seconds: float = PATIENCE) -> tuple[str, str]:
        return self.arrived.get(timeout=seconds)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def links(text: str) -> list[str]:
    """The links of a mail, as paths; its lines may be broken by its coding."""
    return [urlsplit(found).path for found in re.findall(r"https?://[^\s>]+", text)]


def read_mail(mail: tuple[str, str]) -> tuple[str, str, list[str]]:
    """To whom, the headers, and the paths of the links in the text."""
    to, text = mail
    head, _, body = text.partition("\r\n\r\n")
    return to, head, links(quopri.decodestring(body.encode()).decode())


def settings(push: list[str] | None = None, mail: list[str] | None = None, quiet: Json | None = None) -> Json:
    return {"push": push or [], "mail": mail or [], "quiet": quiet}


def night() -> Json:
    """Quiet hours, in the midst of which it is now."""
    begin, end = (time.strftime("%H:%M", time.gmtime(time.time() + hours * 3600)) for hours in (-6, 6))
    return {"start": begin, "end": end, "zone": "UTC"}


def days_game(ada: Person, bo: Person) -> str:
    """A game with days of Ada and Bo that has just begun: both choose their first tickets."""
    table: str = ada.table("open", clock=DAYS, seed=1900)["id"]
    bo.post(f"/tables/{table}/sit")
    ada.post(f"/tables/{table}/start")
    return table


# ---------------------------------------------------------------- time goes by


def wait_two_hours(running: Running, table: str) -> None:
    """So long nobody has moved there; in the thread of the service."""
    live = running.service.tables.held.live[table]
    assert isinstance(live.table, Playing)
    live.table = replace(live.table, updated=live.table.updated - 7200)


def put_off(running: Running) -> bool:
    """What waits for its next try is due now; whether there was any."""
    return bool(change(running, "UPDATE notices SET due = 0 WHERE done IS NULL AND taken IS NULL AND due > 0"))


def change(running: Running, sql: str) -> int:
    store = running.service.store
    assert isinstance(store, SharedStore)
    return running.run(store._change(lambda db: db.run(sql)))


async def count_waiting(running: Running, user: str) -> int:
    store = running.service.store
    assert isinstance(store, SharedStore)
    sql = "SELECT count(*) FROM notices WHERE user_id = ? AND done IS NULL"
    return int((await store._look(lambda db: db.rows(sql, (user,))))[0][0])
