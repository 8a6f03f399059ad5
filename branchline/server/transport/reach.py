"""The address under which others reach the service: what an invitation says.

Whoever opened the page by an address of the house or of a domain invites by that. Only who sits at the machine itself
came by a name that means another machine to everybody else; they alone are told the machine's own address.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from branchline.server.transport.parts import address_of

_ANYWHERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)  # nobody's (RFC 5737, 3849)


@dataclass(frozen=True, slots=True)
class Reachable:
    """What the operator said of where the service is."""

    address: str  # where it listens, with the port
    origins: frozenset[str] = frozenset()
    hosts: tuple[str, ...] = ()
    secure: bool = False


def base_of(request: HTTPConnection) -> str:
    """What stands before /t/… in a link for others, without a slash at its end."""
    asked = str(request.base_url).rstrip("/")
    host = request.base_url.hostname or ""
    if not is_this_machine(host) or not is_this_machine(address_of(request)):
        return asked
    reachable: Reachable = request.app.state.reachable
    return known_by(reachable, request.base_url.port) or asked


def is_this_machine(host: str) -> bool:
    """Whether a name or an address means the machine of whoever uses it."""
    name = host.strip("[]").lower()
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return name == "localhost" or name.endswith(".localhost")


def known_by(options: Reachable, port: int | None) -> str:
    """What the operator said others come by; else the address in the local network, where the service listens there."""
    for origin in sorted(options.origins):
        if not is_this_machine(urlsplit(origin).hostname or ""):
            return origin.rstrip("/")
    ending = f":{port}" if port and not options.secure else ""
    for name in options.hosts:
        if not is_this_machine(name):
            return f"{'https' if options.secure else 'http'}://{name}{ending}"
    if options.secure or options.hosts:  # by another scheme or name nobody would be served
        return ""
    listens = options.address.rpartition(":")[0].strip("[]")
    if listens in ("0.0.0.0", "::"):
        listens = _address_in_network()
    if not listens or is_this_machine(listens):
        return ""
    return f"http://{f'[{listens}]' if ':' in listens else listens}{ending}"


def _address_in_network() -> str:
    """The address this machine would send from; nothing is sent."""
    for family, anywhere in _ANYWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as line:
            line.connect((anywhere, 9))
            found: str = line.getsockname()[0]
            return found
    return ""
