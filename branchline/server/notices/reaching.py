"""Where a push service may be: an https address, of a host that all the world can reach.

Whoever subscribes names the address to which this service then sends something; without care that would be a way into
the network it stands in. So a name is looked up here, each time, every address it has must be public, and the
connection goes to the very address that was checked. Redirects are answers like any other: nobody follows them.
"""

from __future__ import annotations

import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

LONGEST: Final = 1000  # characters of an endpoint
SECONDS: Final = 10.0  # for one message, from the first packet to the last
LOOK_UP_SECONDS: Final = 3.0  # for finding the address of a name
LOOK_UPS: Final = 16  # names that are looked up at the same time, those nobody waits for any more among them
MOST_BYTES: Final = 16 << 10  # of an answer; its first line is all we need
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")
_PATH: Final = re.compile(r"/[!-~]*")
_PLAIN: Final = re.compile(r"[!-~]+")
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)[ \r\n]")
_RETRY: Final = re.compile(rb"\r\nretry-after: *(\d{1,6})\r\n", re.IGNORECASE)
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNUSED: Final = (  # for documents (RFC 9637) and once for relays (RFC 7526), which not every Python knows
    ipaddress.IPv6Network("3fff::/20"),
    ipaddress.IPv4Network("192.88.99.0/24"),
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadEndpoint(Exception):
    """An address to which nothing is sent, and why."""


class Unreached(Exception):
    """Nothing was sent: no connection came about. It can be tried again."""


class Unanswered(Exception):
    """Something was sent, and no answer came: whether it arrived is not known."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a subscription, taken apart."""

    host: str
    port: int
    path: str
    is_https: bool = True

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """As the proof of who sends names its audience."""
        scheme, usual = ("https", 443) if self.is_https else ("http", 80)
        return f"{scheme}://{self.host}" + ("" if self.port == usual else f":{self.port}")


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    retry_after: float | None = None


class Reaching:
    """Sends to endpoints. `allowed` are places HOST:PORT of a test's own, where neither https nor the world is needed;
    a service that others use has none."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        self._allowed = allowed
        self._context: ssl.SSLContext | None = None
        self._look_ups = threading.BoundedSemaphore(LOOK_UPS)

    def endpoint(self, url: str) -> Endpoint:
        """The parts of an endpoint; raises `BadEndpoint`. Whether its host is public is seen when something is sent."""
        if len(url) > LONGEST:
            raise BadEndpoint(f"longer than {LONGEST} characters")
        if not _PLAIN.fullmatch(url):  # the reader of addresses would pass over the end of a line
            raise BadEndpoint("not an address")
        found = _parts(url)
        if found.place in self._allowed:
            return found
        if not found.is_https:
            raise BadEndpoint("not https")
        if found.port != 443:
            raise BadEndpoint("not the port of https")
        literal = _literal(found.host)
        if literal is not None and not is_public(literal):
            raise BadEndpoint("not a public address")
        return found

    def post(self, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> Answered:
        """Send something and hear the answer; on a thread that may wait. Raises one of the three above."""
        end = time.monotonic() + SECONDS
        line = self._connect(endpoint, end)
        try:
            _send(line, _request(endpoint, headers, body), end)
            return _answer(line, end)
        finally:
            line.close()

    def _connect(self, endpoint: Endpoint, end: float) -> socket.socket:
        """A connection to an address that was checked."""
        address = self._address(endpoint, end)
        try:
            line = socket.create_connection(address, timeout=_left(end))
        except OSError as error:
            raise Unreached(f"no connection: {type(error).__name__}") from None
        if not endpoint.is_https:
            return line
        try:
            line.settimeout(_left(end))
            return self._tls().wrap_socket(line, server_hostname=endpoint.host.strip("[]"))
        except (OSError, ValueError) as error:
            line.close()
            raise Unreached(f"no connection: {type(error).__name__}") from None

    def _address(self, endpoint: Endpoint, end: float) -> tuple[str, int]:
        """The address a name has now, if all that it has are public."""
        addresses = self._looked_up(endpoint, min(LOOK_UP_SECONDS, end - time.monotonic()))
        if endpoint.place not in self._allowed and not all(is_public(ipaddress.ip_address(a)) for a in addresses):
            raise BadEndpoint("not a public address")
        return addresses[0], endpoint.port

    def _looked_up(self, endpoint: Endpoint, seconds: float) -> list[str]:
        """All addresses of a name. The system's own looking up knows no end, so it happens on a thread that is left
        alone when it takes too long; of those there are not many either."""
        found: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

        def look() -> None:
            try:
                entries = socket.getaddrinfo(endpoint.host.strip("[]"), endpoint.port, type=socket.SOCK_STREAM)
                found.put([str(entry[4][0]).partition("%")[0] for entry in entries])
            except (OSError, UnicodeError):
                found.put([])
            finally:
                self._look_ups.release()

        if not self._look_ups.acquire(timeout=max(0.0, seconds)):
            raise Unreached("too many names are being looked up")
        threading.Thread(target=look, daemon=True, name="look-up").start()
        try:
            addresses = found.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise Unreached("its name takes too long to look up") from None
        if not addresses:
            raise Unreached("its name is not known")
        return addresses

    def _tls(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = ssl.create_default_context()
        return self._context


def is_public(address: Address) -> bool:
    """Whether an address is one of the world's, however it is wrapped."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour is not None or address.teredo is not None or address.is_site_local:
            return False
        inner = address.ipv4_mapped
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    if any(address in network for network in _UNUSED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not address.is_unspecified


def _parts(url: str) -> Endpoint:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadEndpoint("not an address") from None
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if parts.scheme not in ("https", "http") or "@" in parts.netloc or parts.fragment:
        raise BadEndpoint("not an address")
    if not _HOST.fullmatch(host) or not _PATH.fullmatch(path):
        raise BadEndpoint("not an address")
    is_https = parts.scheme == "https"
    return Endpoint(host, port if port is not None else 443 if is_https else 80, path, is_https)


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _request(endpoint: Endpoint, headers: dict[str, str], body: bytes) -> bytes:
    lines = [f"POST {endpoint.path} HTTP/1.1", f"Host: {endpoint.origin.partition('://')[2]}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _send(line: socket.socket, request: bytes, end: float) -> None:
    try:
        line.settimeout(_left(end))
        line.sendall(request)
    except OSError as error:
        raise Unanswered(f"broken off: {type(error).__name__}") from None


def _answer(line: socket.socket, end: float) -> Answered:
    """The status; of the rest as much as comes with it."""
    heard = b""
    try:
        while b"\r\n\r\n" not in heard and len(heard) < MOST_BYTES:
            line.settimeout(_left(end))
            some = line.recv(4096)
            if not some:
                break
            heard += some
    except OSError as error:
        raise Unanswered(f"no answer: {type(error).__name__}") from None
    found = _STATUS.match(heard)
    if found is None:
        raise Unanswered("not an answer")
    wait = _RETRY.search(heard)
    return Answered(int(found[1]), float(wait[1]) if wait else None)


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
