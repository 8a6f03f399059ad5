"""Where a request comes from: proxies the operator trusts are believed, nobody else, whatever they write."""

from __future__ import annotations

import asyncio
import random

import pytest

from branchline.server.transport.addresses import FromProxies, TrustedProxies, address_of, read_address, read_network
from branchline.server.transport.asgi import Receive, Scope, Send

PROXY = "10.0.0.7"
TRUSTED = TrustedProxies([PROXY, "fd00::/8"])


def seen(scope: Scope, trusted: TrustedProxies = TRUSTED) -> Scope:
    """The request as it reaches the application."""
    found: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope)

    async def nothing(*_: object) -> None:
        """Neither is asked."""

    asyncio.run(FromProxies(app, trusted)(scope, nothing, nothing))  # type: ignore[arg-type]
    return found[0]


def scope_of(peer: str | None, *headers: tuple[str, str], kind: str = "http") -> Scope:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    return {"type": kind, "client": (peer, 4711) if peer else None, "headers": raw, "scheme": kind[:4]}


def told(value: str) -> tuple[str, str]:
    return ("x-forwarded-for", value)


@pytest.mark.parametrize(
    ("peer", "value", "client"),
    [
        (PROXY, "203.0.113.9", "203.0.113.9"),
        (PROXY, "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the left one anybody could write
        (PROXY, "203.0.113.9, 10.0.0.7", "203.0.113.9"),  # two proxies of ours in a row
        (PROXY, "203.0.113.9, fd00::3, 10.0.0.7", "203.0.113.9"),
        (PROXY, "10.0.0.7, fd00::3", "10.0.0.7"),  # ours all the way
        ("fd00::1", "2001:db8::5", "2001:db8::5"),
        ("::ffff:10.0.0.7", "203.0.113.9", "203.0.113.9"),
        (PROXY, "203.0.113.9:4711", "203.0.113.9"),
        (PROXY, "[2001:db8::5]:4711", "2001:db8::5"),
        (PROXY, "2001:DB8:0::5", "2001:db8::5"),
        (PROXY, "::ffff:203.0.113.9", "203.0.113.9"),
        (PROXY, "fe80::1%eth0", "fe80::1"),
        (PROXY, "unknown", PROXY),
        (PROXY, "203.0.113.9, unknown", PROXY),  # what stands left of garbage is not believed
        (PROXY, "203.0.113.9, ", PROXY),
        (PROXY, "203.0.113.999", PROXY),
        (PROXY, "", PROXY),
        (PROXY, ", ".join(["1.2.3.4"] * 5000), "1.2.3.4"),
        (PROXY, ", ".join(["203.0.113.9", *[PROXY] * 50]), PROXY),  # nobody stands behind fifty proxies
        (PROXY, "é\x00[[", PROXY),
        ("203.0.113.1", "198.51.100.1", "203.0.113.1"),  # a stranger is not believed
        ("10.0.0.8", "198.51.100.1", "10.0.0.8"),
        ("127.0.0.1", "198.51.100.1", "127.0.0.1"),  # others are named, so loopback is no proxy
        (None, "198.51.100.1", "198.51.100.1"),  # a Unix socket
        (None, "unknown", ""),
    ],
)
def test_the_rightmost_address_that_is_no_proxy_of_ours_counts(peer: str | None, value: str, client: str) -> None:
    for kind in ("http", "websocket"):
        assert address_of(seen(scope_of(peer, told(value), kind=kind))) == client


def test_headers_of_one_name_are_one_list() -> None:
    scope = scope_of(PROXY, told("198.51.100.1"), told("203.0.113.9"), told(PROXY))
    assert address_of(seen(scope)) == "203.0.113.9"


def test_without_a_header_the_peer_counts() -> None:
    for peer in (PROXY, "203.0.113.1", None):
        assert address_of(seen(scope_of(peer))) == (peer or "")


@pytest.mark.parametrize(
    ("value", "client"),
    [
        ("for=203.0.113.9", "203.0.113.9"),
        ('For="[2001:db8::5]:4711";proto=https;by=10.0.0.7', "2001:db8::5"),
        ("for=198.51.100.1, for=203.0.113.9;proto=https", "203.0.113.9"),
        ("for=_hidden", PROXY),
        ("proto=https", PROXY),
        ("for=203.0.113.9, garbage", PROXY),
        ("xfor=203.0.113.9", PROXY),
    ],
)
def test_the_newer_header_is_read_where_the_older_is_not_written(value: str, client: str) -> None:
    assert address_of(seen(scope_of(PROXY, ("forwarded", value)))) == client
    both = scope_of(PROXY, ("forwarded", value), told("192.0.2.1"))
    assert address_of(seen(both)) == "192.0.2.1"
    assert address_of(seen(scope_of("203.0.113.1", ("forwarded", value)))) == "203.0.113.1"


@pytest.mark.parametrize("name", ["x-forwarded-proto", "forwarded"])
def test_a_trusted_proxy_says_how_it_was_asked(name: str) -> None:
    value = "https" if name != "forwarded" else "for=203.0.113.9;proto=https"
    assert seen(scope_of(PROXY, (name, value)))["scheme"] == "https"
    assert seen(scope_of(PROXY, (name, value), kind="websocket"))["scheme"] == "wss"
    assert seen(scope_of("203.0.113.1", (name, value)))["scheme"] == "http"
    assert seen(scope_of(PROXY, (name, "gopher")))["scheme"] == "http"


def test_loopback_is_trusted_if_nobody_is_named() -> None:
    for peer in ("127.0.0.1", "127.8.9.10", "::1"):
        assert address_of(seen(scope_of(peer, told("203.0.113.9")), TrustedProxies())) == "203.0.113.9"
    assert address_of(seen(scope_of(PROXY, told("203.0.113.9")), TrustedProxies())) == PROXY


@pytest.mark.parametrize("wrong", ["", "proxy", "10.0.0.0/33", "1.2.3", "10.0.0.1:80", "*"])
def test_a_proxy_that_is_no_address_is_refused_at_the_start(wrong: str) -> None:
    with pytest.raises(ValueError, match="no address and no network"):
        TrustedProxies([wrong])
    with pytest.raises(ValueError, match=r"10\.0\.0\.0/8"):
        read_network(wrong)


def test_whatever_is_written_an_address_or_the_peer_is_found() -> None:
    rng = random.Random("addresses")
    for _ in range(3000):
        value = "".join(rng.choice('0123456789abcdef.:,[]" =;%for_\xe9') for _ in range(rng.randrange(60)))
        for name in ("x-forwarded-for", "forwarded"):
            found = address_of(seen(scope_of(PROXY, (name, value))))
            assert read_address(found) is not None


def test_lifespan_passes_untouched() -> None:
    assert seen({"type": "lifespan"}) == {"type": "lifespan"}
