"""What links for others begin with: an address they can reach, told to nobody but who sits at the machine."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from starlette.requests import Request

from branchline.server.transport import reach
from branchline.server.transport.reach import Reachable, base_of, is_this_machine
from tests.server.service import Running

LAN = "192.168.1.7"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "_address_in_network", lambda: LAN)


def base(reachable: Reachable, host: str = "localhost:8000", client: str = "127.0.0.1") -> str:
    app = SimpleNamespace(state=SimpleNamespace(reachable=reachable))
    scope = {
        "type": "http", "method": "GET", "path": "/", "root_path": "", "query_string": b"", "scheme": "http",
        "headers": [(b"host", host.encode())], "server": ("127.0.0.1", 8000), "client": (client, 1), "app": app,
    }  # fmt: skip
    return base_of(Request(scope))


@pytest.mark.parametrize(
    ("reachable", "told"),
    [
        (Reachable("127.0.0.1:8000"), "http://localhost:8000"),  # nobody else can come: the page says so
        (Reachable("[::1]:8000"), "http://localhost:8000"),
        (Reachable("0.0.0.0:8000"), f"http://{LAN}:8000"),
        (Reachable("[::]:8000"), f"http://{LAN}:8000"),
        (Reachable("10.0.0.5:8000"), "http://10.0.0.5:8000"),
        (Reachable("[fd00::7]:8000"), "http://[fd00::7]:8000"),
        (Reachable("0.0.0.0:8000", hosts=("localhost", "trains.example")), "http://trains.example:8000"),
        (Reachable("0.0.0.0:8000", hosts=("localhost",)), "http://localhost:8000"),  # under another name none is served
        (Reachable("127.0.0.1:8000", hosts=("trains.example",), secure=True), "https://trains.example"),
        (Reachable("127.0.0.1:8000", frozenset({"https://a.example/"})), "https://a.example"),
        (Reachable("0.0.0.0:8000", secure=True), "http://localhost:8000"),  # a cookie would not come back over http
        (Reachable(""), "http://localhost:8000"),
    ],
)
def test_who_sits_at_the_machine_invites_by_an_address_of_it(reachable: Reachable, told: str) -> None:
    assert base(reachable) == told


def test_nobody_else_is_told_the_address_of_the_machine() -> None:
    everywhere = Reachable("0.0.0.0:8000")
    assert base(everywhere, client="203.0.113.9") == "http://localhost:8000"
    assert base(everywhere, "trains.example") == "http://trains.example"
    assert base(everywhere, "192.168.1.9:8000") == "http://192.168.1.9:8000"


@pytest.mark.parametrize(
    ("host", "here"),
    [("localhost", True), ("a.localhost", True), ("127.0.0.2", True), ("[::1]", True), ("::1", True), ("", False),
     ("localhost.example", False), ("10.0.0.1", False), ("127.example", False)],
)  # fmt: skip
def test_which_names_mean_this_machine(host: str, here: bool) -> None:
    assert is_this_machine(host) is here


def test_the_page_and_the_codes_use_it(tmp_path: Path) -> None:
    with Running(tmp_path, address="0.0.0.0:1") as running:
        port = running.url.rpartition(":")[2]
        assert httpx.get(f"{running.url}/api/reach").json() == {"base": f"http://{LAN}:{port}"}
        ada = running.person("Ada")
        assert ada.post("/me/carry")["link"].startswith(f"http://{LAN}:{port}/carry#")
        table = ada.table("open")["id"]
        codes = {
            httpx.get(f"{running.url}/api/tables/{table}/qr.svg", headers=h).content for h in ({}, {"host": "x.y"})
        }
        assert len(codes) == 2
