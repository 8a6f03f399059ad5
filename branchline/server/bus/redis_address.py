"""Where a Redis is: `redis://`, `rediss://` (with TLS) and `unix://` addresses as operators write them."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from branchline.server.bus.contract import BadBus

_PORT: Final = 6379
_TLS: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs"})
_FORMS: Final = "redis://[user:password@]host[:port], rediss://… for TLS, or unix://[user:password@]/path"


@dataclass(frozen=True, slots=True)
class Address:
    """Where to connect to, and as whom. Its text may stand in a log: there is no password in it."""

    host: str = ""
    port: int = 0
    path: str = ""  # of a Unix socket, in place of host and port
    user: str = ""
    password: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def read_address(url: str) -> Address:
    """Raises `BadBus`, without the password, for anything but the forms above. The number of a database is allowed:

    it means nothing to messages, which Redis carries for all of its databases together.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadBus(f"the address of the bus cannot be read ({error}); it is {_FORMS}") from None
    options = _options(parts)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme == "unix" and parts.path:
        return Address(path=unquote(parts.path), user=user, password=password)
    if parts.scheme in ("redis", "rediss") and parts.hostname:
        tls = _tls(options) if parts.scheme == "rediss" else None
        return Address(parts.hostname, port or _PORT, user=user, password=password, tls=tls)
    raise BadBus(f"the bus is {_FORMS}, not {parts.scheme or 'an address without a scheme'}")


def _options(parts: SplitResult) -> dict[str, str]:
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    known = _TLS if parts.scheme == "rediss" else frozenset()
    if unknown := sorted(options.keys() - known):
        allowed = f"; there are {', '.join(sorted(known))}" if known else ""
        raise BadBus(f"the bus has no option {unknown[0]} with {parts.scheme}://{allowed}")
    return options


def _tls(options: dict[str, str]) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=options.get("ssl_ca_certs"))
        if certificate := options.get("ssl_certfile"):
            context.load_cert_chain(certificate, options.get("ssl_keyfile"))
    except OSError as error:  # an SSLError is one, too
        raise BadBus(f"the certificates of the bus cannot be read: {error}") from None
    match options.get("ssl_cert_reqs", "required"):
        case "required":
            pass
        case "none":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        case other:
            raise BadBus(f"ssl_cert_reqs is required or none, not {other!r}")
    return context
