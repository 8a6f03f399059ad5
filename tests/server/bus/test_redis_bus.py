"""The bus on Redis: its addresses, its refusals, its protocol."""

from __future__ import annotations

import asyncio
import gc
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.server.bus.contract import BadBus
from branchline.server.bus.local import LocalBus
from branchline.server.bus.opening import bus_at
from branchline.server.bus.redis import RedisBus
from branchline.server.bus.redis_address import read_address
from branchline.server.bus.redis_line import Garbled, Refusal, command, read
from tests.server.bus.ears import Ear, eventually, opened, run
from tests.server.bus.test_links import found
from tests.servers import Nginx, Redis, free_port

SECRET = "pass:wörd/@"
SECRET_QUOTED = "pass%3Aw%C3%B6rd%2F%40"


async def talk(*urls: str) -> None:
    """Two processes understand each other, each by an address of its own."""
    a, b = (Ear(RedisBus(url, name)) for url, name in zip((urls[0], urls[-1]), "ab", strict=True))
    async with opened(a, b):
        assert await a.call("b", b"ab", seconds=5) == b"ba"


async def refusal_of(url: str) -> str:
    bus = RedisBus(url, "a")
    with pytest.raises(BadBus) as refusal:
        await bus.open(lambda peer, message: None)
    await bus.close()
    return str(refusal.value)


# ---------------------------------------------------------------- addresses


def test_every_form_of_an_address_leads_there(redis: Redis) -> None:
    run(talk(redis.url, redis.unix_url))
    run(talk(f"redis://localhost:{redis.port}", f"redis://127.0.0.1:{redis.port}/3"))


def test_it_works_on_the_event_loop_of_python_too(redis: Redis) -> None:
    asyncio.run(talk(redis.url, redis.unix_url))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "without a scheme"),
        ("localhost", "without a scheme"),
        ("http://localhost", "http"),
        ("redis://", "redis://"),
        ("unix://", "unix://"),
        ("redis://localhost:notaport", "cannot be read"),
        ("redis://[::1", "cannot be read"),
        ("redis://localhost?timeout=3", "no option timeout"),
        ("rediss://localhost?ssl_ca_certs=/nowhere", "certificates"),
        ("rediss://localhost?ssl_cert_reqs=maybe", "maybe"),
    ],
)
def test_what_is_no_address_is_refused_by_name(url: str, said: str) -> None:
    with pytest.raises(BadBus) as refusal:
        RedisBus(url, "a")
    assert said in str(refusal.value)


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a\r\nb", "é", "a" * 101])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(BadBus):
        RedisBus("redis://localhost", name)
    with pytest.raises(BadBus):
        RedisBus("redis://localhost", "a", name)


def test_a_password_stands_in_no_text() -> None:
    address = read_address(f"redis://me:{SECRET_QUOTED}@host/1")
    assert address.password == SECRET and address.user == "me"
    assert "rd/" not in f"{address} {address!r}"
    with pytest.raises(BadBus) as refusal:
        read_address(f"redis://me:{SECRET_QUOTED}@host:port")
    assert SECRET_QUOTED not in str(refusal.value)


def test_without_an_address_a_process_is_alone() -> None:
    assert isinstance(bus_at("", "a"), LocalBus)
    assert isinstance(bus_at("redis://localhost", "a"), RedisBus)
    with pytest.raises(BadBus):
        bus_at("memcached://localhost", "a")


# ---------------------------------------------------------------- passwords, certificates, strangers


def test_a_wrong_password_is_said_at_the_start() -> None:
    with Redis(password=SECRET) as redis:
        at = f"127.0.0.1:{redis.port}"
        run(talk(f"redis://:{SECRET_QUOTED}@{at}", f"redis://default:{SECRET_QUOTED}@{at}"))
        for url in (f"redis://{at}", f"redis://:secret7@{at}", f"redis://nobody:secret7@{at}"):
            said = run(refusal_of(url))
            assert at in said and ("WRONGPASS" in said or "NOAUTH" in said)
            assert "secret7" not in said


def test_who_may_not_publish_is_told_at_the_start() -> None:
    with Redis() as redis:
        redis.ask("ACL SETUSER deaf on >secret7 +@all -publish &*")
        redis.ask("ACL SETUSER mute on >secret7 +@all resetchannels")
        for name in ("deaf", "mute"):
            assert "NOPERM" in run(refusal_of(f"redis://{name}:secret7@127.0.0.1:{redis.port}"))


def test_what_is_no_redis_is_refused() -> None:
    with Nginx("server { listen @listen@; return 200; }") as nginx:
        assert "no Redis" in run(refusal_of(f"redis://127.0.0.1:{nginx.port}"))


@pytest.fixture
def certificates() -> Iterator[Path]:
    """In a folder that the server can read whoever it runs as."""
    folder = Path(tempfile.mkdtemp(prefix="branchline-certificates-"))
    folder.chmod(0o755)
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(folder / "server.key"), "-out", str(folder / "server.crt")]
    subprocess.run([*make, *names, *files], check=True, capture_output=True)
    shutil.copy(folder / "server.crt", folder / "ca.crt")
    (folder / "server.key").chmod(0o644)
    yield folder
    shutil.rmtree(folder)


def test_with_tls_only_who_is_vouched_for_is_trusted(certificates: Path) -> None:
    with Redis(tls=certificates) as redis:
        run(talk(redis.tls_url))
        run(talk(f"rediss://127.0.0.1:{redis.tls_port}?ssl_cert_reqs=none"))
        assert "trusted" in run(refusal_of(f"rediss://localhost:{redis.tls_port}"))
        assert "trusted" in run(refusal_of(redis.tls_url.replace("localhost", "127.0.0.1")))


# ---------------------------------------------------------------- coming and going


def test_a_redis_that_comes_later_is_found() -> None:
    async def work() -> None:
        redis = Redis()
        a = Ear(RedisBus(redis.url, "a"))
        await a.open()
        assert "efused" in a.bus.trouble
        try:
            await asyncio.to_thread(redis.start)
            await eventually(lambda: not a.bus.trouble)
        finally:
            await a.close()
            redis.close()
        assert a.bus.trouble == "closed"

    run(work())


def test_trying_in_vain_leaves_nothing_behind() -> None:
    async def work() -> dict[str, int]:
        bus = RedisBus(f"redis://127.0.0.1:{free_port()}", "a")
        await bus.open(lambda peer, message: None)
        for _ in range(3):
            await bus._try_to_connect()
        gc.collect()
        gc.disable()
        try:
            for _ in range(20):
                await bus._try_to_connect()
            return found()
        finally:
            gc.enable()
            await bus.close()

    assert run(work()) == {}


# ---------------------------------------------------------------- the protocol


def test_what_comes_in_pieces_is_read_as_what_comes_whole() -> None:
    message = b"*3\r\n$7\r\nmessage\r\n$2\r\nab\r\n$6\r\nx\r\n$1\r\r\n"
    assert read(message, 0) == ([b"message", b"ab", b"x\r\n$1\r"], len(message))
    assert all(read(message[:end], 0) is None for end in range(len(message)))
    assert read(b"?" + message, 1) == ([b"message", b"ab", b"x\r\n$1\r"], len(message) + 1)


def test_every_kind_of_reply_is_read() -> None:
    assert read(b"+OK\r\n", 0) == (b"OK", 5)
    assert read(b":-12\r\n", 0) == (-12, 6)
    assert read(b"$-1\r\n", 0) == (None, 5)
    assert read(b"*0\r\n", 0) == ([], 4)
    assert read(b"-ERR no\r\n", 0) == (Refusal("ERR no"), 9)
    for wrong in (b"?\r\n", b"$x\r\n", b"*\r\n", b"HTTP/1.1 400\r\n", b"*1\r\n-ERR\r\n", b"\r\n"):
        with pytest.raises(Garbled):
            read(wrong, 0)


def test_a_command_is_written_by_its_lengths() -> None:
    assert command(b"PUBLISH", b"", b"a\r\nb") == b"*3\r\n$7\r\nPUBLISH\r\n$0\r\n\r\n$4\r\na\r\nb\r\n"
