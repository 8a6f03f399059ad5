"""Which address a request comes from.

A proxy writes the address it was asked from into a header. That is believed only of proxies the operator trusts: from
the right, where the nearest proxy wrote, the first address that is no such proxy is the client's. Anybody can write the
rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from branchline.server.transport.asgi import App, Receive, Scope, Send, headers

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: Final = ("127.0.0.0/8", "::1")
_MOST_HOPS: Final = 20
_FORWARDED_FOR: Final = re.compile(r'(?:^|;)\s*for\s*=\s*"?([^";]*)"?', re.IGNORECASE)
_FORWARDED_PROTO: Final = re.compile(r'(?:^|;)\s*proto\s*=\s*"?([^";]*)"?', re.IGNORECASE)


class TrustedProxies:
    """The proxies whose word is taken: addresses and networks; loopback unless others are named."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        self._networks = [read_network(name) for name in tuple(named) or LOOPBACK]
        self._trusts = lru_cache(maxsize=4096)(self._is_trusted)

    def client(self, peer: str | None, forwarded: Sequence[str]) -> str | None:
        """The client's address, given who is connected to us and the addresses told by proxies, nearest last.

        A peer of None came through a Unix socket: who may open that is trusted.
        """
        found = peer
        for told in reversed(forwarded[-_MOST_HOPS:]):
            if found is not None and not self._trusts(found):
                break
            address = read_address(told)
            if address is None:  # not an address: all we know is who passed it on
                break
            found = str(address)
        return found

    def trusts(self, peer: str | None) -> bool:
        return peer is None or self._trusts(peer)

    def _is_trusted(self, peer: str) -> bool:
        address = read_address(peer)
        return address is not None and any(address in network for network in self._networks)


class FromProxies:
    """A middleware: `client` and `scheme` are those of the client, not of the proxy in between."""

    def __init__(self, app: App, trusted: TrustedProxies | None = None) -> None:
        self.app = app
        self.trusted = trusted or TrustedProxies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            self._correct(scope)
        await self.app(scope, receive, send)

    def _correct(self, scope: Scope) -> None:
        client = scope.get("client")
        peer = client[0] if client else None
        if not self.trusted.trusts(peer):
            return
        found = self.trusted.client(peer, forwarded_for(scope))
        if found is not None and found != peer:
            scope["client"] = (found, 0)
        scheme = forwarded_scheme(scope)
        if scheme is not None:
            scope["scheme"] = scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme


def forwarded_for(scope: Scope) -> list[str]:
    """The addresses proxies have told, nearest last. `Forwarded` counts only where no proxy writes the older header."""
    plain = _listed(headers(scope, b"x-forwarded-for"))
    if plain:
        return plain
    found = (_FORWARDED_FOR.search(hop) for hop in _listed(headers(scope, b"forwarded")))
    return [hop[1] if hop else "" for hop in found]


def forwarded_scheme(scope: Scope) -> str | None:
    """http or https, as the nearest proxy says."""
    told = _listed(headers(scope, b"x-forwarded-proto"))
    if not told:
        hops = _listed(headers(scope, b"forwarded"))
        found = _FORWARDED_PROTO.search(hops[-1]) if hops else None
        told = [found[1]] if found else []
    scheme = told[-1].lower() if told else ""
    return scheme if scheme in ("http", "https") else None


def _listed(values: Iterable[str]) -> list[str]:
    return [part.strip() for value in values for part in value.split(",")]


def read_address(text: str) -> Address | None:
    """An address as proxies write it, with a port or without; None if it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def read_network(text: str) -> Network:
    """An address or a network, from the command line; raises `ValueError`, which says what would be right."""
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        right = 'like "10.0.0.7", "10.0.0.0/8" or "fd00::/8"'
        raise ValueError(f'"{text[:60]}" is no address and no network of a proxy, {right}') from None


def address_of(scope: Scope) -> str:
    """Where a request comes from, after `FromProxies`; "" through a Unix socket without a proxy."""
    client = scope.get("client")
    return client[0] if client else ""
