"""Several processes as the guide sets them up: PostgreSQL, Redis, and the guide's nginx in front."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from branchline.cli import main
from tests.server.operate.running import Serving
from tests.server.operate.site import Site
from tests.server.operate.test_nginx import ANY, BEHIND_NGINX, HOST, new_table, visitor
from tests.servers import Postgres, Redis


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    url = postgres.fresh()
    yield url
    postgres.drop(url)


def greeted(site: Site, browser: httpx.Client, table: str) -> bool:
    """Whether a player's socket opens and is told how the game stands."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    address, headers = f"wss://{HOST}/api/tables/{table}/live", {"cookie": cookie}
    try:
        with (
            socket.create_connection(("127.0.0.1", site.port), 10) as line,
            connect(address, sock=line, ssl=ANY, origin=Origin(f"https://{HOST}"), additional_headers=headers) as live,
        ):
            return bool(json.loads(live.recv(timeout=10))["t"] == "hello")
    except (OSError, WebSocketException):
        return False


def test_two_processes_serve_the_same_games_and_one_goes_on_alone(
    database: str, redis: Redis, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = {"BRANCHLINE_DATABASE": database, "BRANCHLINE_BUS": redis.url}
    with (
        Serving(tmp_path / "one", *BEHIND_NGINX, environment=shared) as one,
        Serving(tmp_path / "two", *BEHIND_NGINX, environment=shared) as two,
        Site(one.port, two.port) as site,
        visitor(site) as browser,
    ):
        tables = [new_table(browser) for _ in range(4)]
        for table in tables * 2:  # whoever is asked, and whoever holds it
            assert browser.get(f"/api/tables/{table}").json()["id"] == table
        assert all(greeted(site, browser, table) for table in tables)
        main(["admin", "--data", str(tmp_path / "one"), "--database", database, "status"])
        assert capsys.readouterr().out.count("\nprocess ") == 2
        one.kill()
        end = time.monotonic() + 60
        for table in tables:
            while not greeted(site, browser, table):
                assert time.monotonic() < end, "the other process did not take the tables over"
        assert all(browser.get(f"/api/tables/{table}").status_code == 200 for table in tables)
