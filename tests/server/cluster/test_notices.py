"""Two processes on one database: each notice is sent by one of them, and a stream at one is known to the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.cluster.pair import Pair
from tests.server.notices.kit import ALL, Browser, PushService, days_game, settings
from tests.server.service import eventually
from tests.servers import Postgres, Redis


@pytest.fixture
def push() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.close()


def test_one_message_of_two_processes(tmp_path: Path, postgres: Postgres, redis: Redis, push: PushService) -> None:
    url = postgres.fresh()
    with Pair(tmp_path, url, redis, push_allow=(push.place,), call_after=0.0) as pair:
        ada, bo, browser = pair.person("Ada"), pair.person("Bo"), Browser()
        push.subscribe(bo, browser)
        bo.post("/me/calls", settings(push=ALL))
        tables = [days_game(ada, bo) for _ in range(6)]
        told = [browser.read(push.next().body)["tag"] for _ in tables]
        assert sorted(told) == sorted(tables)
        for service in (pair, pair.edge):
            service.run(service.service.sender.round())
        push.nothing_more()

        table = ada.table("open", seed=1900)["id"]
        ada.post("/me/calls", settings(push=ALL))
        push.subscribe(ada, browser)
        with ada.live(table) as page:  # at the other process: the holder hears that it is looked at
            page.begin()
            bo.post(f"/tables/{table}/sit")
            bo.post(f"/tables/{table}/leave")
            page.send({"t": "looks", "visible": False})
            page.settled()
            eventually(lambda: not pair.live(table).looking())
            bo.post(f"/tables/{table}/sit")
            assert browser.read(push.next().body)["kind"] == "friend"
        push.nothing_more()
    postgres.drop(url)
