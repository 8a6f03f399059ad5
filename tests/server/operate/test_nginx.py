"""docs/deploy/nginx.conf under the real nginx, in front of the real service."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.server.operate.running import Serving
from tests.server.operate.site import Site
from tests.servers import free_port

HOST = "play.example.org"
BEHIND_NGINX = ("--https", "--allowed-host", HOST, "--trusted-proxy", "127.0.0.1")


def any_certificate() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


ANY = any_certificate()
# The client of websockets reads in a thread of its own. With TLS 1.3 it wakes for the server's session tickets and
# reads while the request is written, which OpenSSL does not allow on one connection: a request in thousands is lost.
ANY_SOCKET = any_certificate()
ANY_SOCKET.maximum_version = ssl.TLSVersion.TLSv1_2


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("service") / "data"
    with Serving(folder, *BEHIND_NGINX) as serving:
        yield serving


@pytest.fixture(scope="module")
def site(service: Serving) -> Iterator[Site]:
    """The proxy, with one process away: what is asked of that one goes to the other."""
    with Site(free_port(), service.port) as site:
        yield site


@pytest.fixture
def browser(site: Site) -> Iterator[httpx.Client]:
    with visitor(site) as client:
        yield client


def visitor(site: Site, address: str = "127.0.0.1") -> httpx.Client:
    """Somebody who comes by the name of the site, from an address of their own."""
    transport = httpx.HTTPTransport(verify=ANY, local_address=address)
    headers = {"host": HOST, "origin": f"https://{HOST}"}
    return httpx.Client(base_url=site.url, headers=headers, transport=transport, timeout=30)


def new_table(browser: httpx.Client) -> str:
    """The id of a table that a guest made."""
    browser.get("/api/me")
    game = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "passenger"}]}
    asked = browser.post("/api/tables", json=game)
    assert asked.status_code == 200, asked.text
    return str(asked.json()["id"])


# ---------------------------------------------------------------- what a visitor gets


def test_plain_http_leads_to_https(site: Site) -> None:
    answer = httpx.get(f"http://127.0.0.1:{site.plain_port}/rules/usa?x=1", headers={"host": HOST})
    assert (answer.status_code, answer.headers["location"]) == (301, f"https://{HOST}/rules/usa?x=1")


def test_the_page_comes_by_https_and_asks_for_it_from_now_on(browser: httpx.Client) -> None:
    answer = browser.get("/about")
    assert answer.status_code in (200, 503)  # 503: the page is not built in this clone
    assert "max-age=31536000" in answer.headers["strict-transport-security"]
    assert all("secure" in cookie.lower() for cookie in answer.headers.get_list("set-cookie"))


def test_the_interface_answers_and_a_table_is_made(browser: httpx.Client) -> None:
    assert "europe" in browser.get("/api/maps").json()
    table = new_table(browser)
    assert browser.get(f"/api/tables/{table}").json()["id"] == table


def test_a_socket_is_upgraded_and_greeted(site: Site, browser: httpx.Client) -> None:
    table = new_table(browser)
    with live_at(site, table, browser) as live:
        assert json.loads(live.recv(timeout=10))["t"] == "hello"


@contextmanager
def live_at(site: Site, table: str, browser: httpx.Client) -> Iterator[ClientConnection]:
    """A socket of this visitor at a table."""
    address = f"wss://{HOST}/api/tables/{table}/live"
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    with (
        socket.create_connection(("127.0.0.1", site.port), 10) as line,
        connect(
            address, sock=line, ssl=ANY_SOCKET, origin=Origin(f"https://{HOST}"), additional_headers={"cookie": cookie}
        ) as live,
    ):
        yield live


def test_a_stream_of_lines_is_not_held_back(browser: httpx.Client) -> None:
    table = new_table(browser)
    with browser.stream("GET", f"/api/tables/{table}/stream") as stream:
        assert json.loads(next(line for line in stream.iter_lines() if line))["t"] == "hello"


def test_another_host_name_is_refused(site: Site) -> None:
    with visitor(site) as browser:
        assert browser.get("/api/maps", headers={"host": "evil.example"}).status_code >= 400


def test_the_metrics_are_not_for_visitors(browser: httpx.Client) -> None:
    assert browser.get("/metrics").status_code == 404


# ---------------------------------------------------------------- what it refuses by itself


def test_a_large_header_is_refused(browser: httpx.Client) -> None:
    assert browser.get("/api/maps", headers={"x-large": "x" * 40_000}).status_code in (400, 431)
    assert browser.get("/" + "x" * 40_000).status_code == 414


def test_a_large_body_is_refused_but_a_game_file_is_not_too_large(browser: httpx.Client) -> None:
    browser.get("/api/me")
    assert browser.post("/api/tables", content=b"x" * 100_000).status_code == 413
    assert browser.post("/api/replay", content=b"x" * 1_000_000).status_code in (400, 422)
    assert browser.post("/api/replay", content=b"x" * 3_000_000).status_code == 413


def test_who_never_ends_their_header_is_sent_away(service: Serving) -> None:
    with Site(service.port, changes={"client_header_timeout 10s": "client_header_timeout 1s"}) as site:
        line = ANY.wrap_socket(socket.create_connection(("127.0.0.1", site.port), 20))
        with line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: play.example.org\r\n")
            assert line.recv(100) == b"" or b"408" in line.recv(100)


# ---------------------------------------------------------------- what the service hears, and what is written down


@contextmanager
def mirror() -> Iterator[int]:
    """A server that answers with the headers it was sent."""

    class Mirror(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Mirror)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def test_the_service_hears_the_visitors_address_and_nothing_they_claim() -> None:
    with mirror() as port, Site(port) as site, visitor(site, "127.0.0.7") as browser:
        claimed = {"x-forwarded-for": "9.9.9.9", "x-forwarded-proto": "http", "x-request-id": "mine"}
        heard = browser.get("/", headers=claimed).json()
    assert heard["x-forwarded-for"] == "127.0.0.7"
    assert heard["x-forwarded-proto"] == "https"
    assert heard["x-request-id"] != "mine" and len(heard["x-request-id"]) == 32
    assert heard["host"] == HOST
    assert "upgrade" not in heard


def logged(site: Site, words: str) -> str:
    """The log once these words stand in it: nginx answers first and writes then."""
    end = time.monotonic() + 10
    while words not in site.access_log and time.monotonic() < end:
        time.sleep(0.01)
    return site.access_log


def test_links_of_tables_are_not_in_the_log(site: Site, browser: httpx.Client) -> None:
    table = new_table(browser)
    for path in (f"/t/{table}", f"/api/tables/{table}", f"/replay/{table}", f"/fair/{table}", f"/lobby?t={table}"):
        browser.get(path)
    log = logged(site, " /lobby ")
    assert " /t/* " in log and " /api/tables/* " in log
    assert table not in log and table not in site.error_log


# ---------------------------------------------------------------- several processes


def test_a_process_that_is_away_is_skipped(site: Site) -> None:
    """The first of the two does not run: nobody notices, whatever they ask."""
    with ExitStack() as stack:
        browsers = [stack.enter_context(visitor(site)) for _ in range(4)]
        answers = [browser.get("/api/maps").status_code for _ in range(5) for browser in browsers]
        assert answers == [200] * 20
        assert all(new_table(browser) for browser in browsers)


def test_a_process_killed_under_way_is_skipped(service: Serving, tmp_path: Path) -> None:
    with (
        Serving(tmp_path / "data", *BEHIND_NGINX) as other,
        Site(other.port, service.port) as site,
        visitor(site) as browser,
    ):
        assert {browser.get("/api/maps").status_code for _ in range(6)} == {200}
        other.kill()
        assert {browser.get("/api/maps").status_code for _ in range(12)} == {200}


def test_sockets_come_back_at_once_after_all_processes_were_away(tmp_path: Path) -> None:
    """Each was tried in vain, many times; from the moment one is there every socket finds it."""
    serving = Serving(tmp_path / "data", *BEHIND_NGINX)
    with Site(serving.port, free_port()) as site, visitor(site) as browser, ExitStack() as stack:
        for _ in range(12):
            with pytest.raises(InvalidStatus):
                stack.enter_context(live_at(site, "A" * 22, browser))
        stack.enter_context(serving)
        table = new_table(browser)
        for _ in range(6):
            live = stack.enter_context(live_at(site, table, browser))
            assert json.loads(live.recv(timeout=10))["t"] == "hello"


def guests_until_refused(site: Site, address: str) -> int:
    """How many new guests an address may make at once."""
    for count in range(1000):
        with visitor(site, address) as stranger:
            if stranger.get("/api/me").status_code == 429:
                return count
    raise AssertionError("no bound was met")


def test_the_service_counts_visitors_by_the_address_the_proxy_tells(site: Site) -> None:
    """One address makes guests until it is refused; its neighbour notices nothing."""
    assert guests_until_refused(site, "127.0.0.8") >= 40  # a class behind one school's address
    with visitor(site, "127.0.0.9") as other:
        assert other.get("/api/me", headers={"x-forwarded-for": "127.0.0.8"}).status_code == 200
