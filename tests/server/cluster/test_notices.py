"""Two processes on one database: each notice is sent by one of them, a stream at one is known to the other, and what
friends decide, plans and phrases go through a process that does not hold the table."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from branchline.server.store.contract import MailRow
from tests.server.cluster.conftest import start
from tests.server.cluster.pair import Pair
from tests.server.notices.kit import ALL, DAYS, Browser, PushService, days_game, device, settings
from tests.server.notices.test_push import test_a_nudge_is_told_with_who_waits
from tests.server.service import Person, eventually, seated
from tests.server.test_carries import become
from tests.server.test_carries import device as browser_at
from tests.server.test_leavers import (
    GRACE,
    test_the_others_decide_together_and_who_has_gone_too_is_not_waited_for,
    test_who_waits_votes_for_a_bot_and_the_owner_takes_over_again,
)
from tests.server.test_plans import BLIND, apart
from tests.servers import Postgres, Redis

__all__ = [
    "test_a_nudge_is_told_with_who_waits",
    "test_the_others_decide_together_and_who_has_gone_too_is_not_waited_for",
    "test_who_waits_votes_for_a_bot_and_the_owner_takes_over_again",
]


@pytest.fixture(scope="module")
def push() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.close()


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, postgres_of_worker: Postgres, redis_of_worker: Redis, push: PushService
) -> Iterator[Pair]:
    start(postgres_of_worker, redis_of_worker)
    url = postgres_of_worker.fresh()
    options: dict[str, Any] = {"push_allow": (push.place,), "call_after": 0.0, "grace": GRACE}
    with Pair(tmp_path_factory.mktemp("pair"), url, redis_of_worker, **options) as up:
        yield up
    postgres_of_worker.drop(url)


@pytest.fixture(scope="module")
def quick(running: Pair) -> Pair:
    return running


def at_edge(pair: Pair, person: Person) -> Person:
    """The same person, who asks the process that does not hold the table."""
    return Person(pair.edge.url, token=person.token)


def test_one_message_of_two_processes(running: Pair, push: PushService) -> None:
    ada, bo, cy, browser = running.person("Ada"), running.person("Bo"), running.person("Cy"), Browser()
    push.subscribe(bo, browser)
    bo.post("/me/calls", settings(push=ALL))
    tables = [days_game(ada, bo) for _ in range(6)]
    told = [browser.read(push.next().body)["tag"] for _ in tables]
    assert sorted(told) == sorted(tables)
    for service in (running, running.edge):
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
        eventually(lambda: not running.live(table).looking())
        cy.post(f"/tables/{table}/sit")
        assert browser.read(push.next().body)["title"] == "At your table: Cy"
    push.nothing_more()


def test_a_plan_written_at_another_process_is_played_once(running: Pair) -> None:
    with seated(running, seed=5, clock=DAYS) as (people, streams):
        mover, waits = apart(streams)
        table, owner = mover.table["id"], at_edge(running, people[waits.table["you"]])
        assert owner.post(f"/tables/{table}/plan", {"turns": [[BLIND], [BLIND]]})["plan"]["turns"]
        reply = mover.move("draw deck", "draw deck")
        assert reply["t"] == "ack", reply
        plan = owner.get(f"/tables/{table}")["plan"]
        assert plan["result"]["kind"] == "played" and plan["turns"] == [[BLIND]]
        history = owner.get(f"/tables/{table}/history")
        assert [step["by"] for step in history[-4:]] == ["player", "player", "plan", "plan"]


def test_a_phrase_of_one_process_is_good_once_at_the_other(running: Pair) -> None:
    ada = running.person("Ada")
    table = ada.table("open")["id"]
    words = ada.post("/me/carry")["words"]
    with browser_at(running.edge.url) as other, browser_at(running.holder_url) as third:
        assert become(other, words, "k1").json()["id"] == ada.id
        assert other.get(f"/tables/{table}").json()["you"] is not None
        assert become(third, words, "k2").status_code == 404


def test_two_processes_at_once_let_nobody_have_more_than_there_is_room_for(running: Pair, push: PushService) -> None:
    """Ten devices of one person, three questions to one address: who comes at the same moment is counted."""
    ada = running.person("Ada")
    key = ada.get("/me/calls")["key"]
    stores = [each.service.store for each in (running, running.edge)]
    people = [ada, at_edge(running, ada)]
    replies: list[int] = []

    def ask(n: int) -> None:
        body = device(f"{push.origin}/push/{n}", Browser(), key)
        replies.append(people[n % 2].http.post("/me/devices", json=body).status_code)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(replies) == [200] * 10 + [409] * 6
    assert len(ada.get("/me/calls")["devices"]) == 10

    async def questions() -> list[str]:
        rows = [MailRow(f"u{n}", "victim@example.org", 1.0, None) for n in range(12)]
        asked = (stores[n % 2].ask_mail(row, f"t{n}", "digest", 0.0, 3, 5) for n, row in enumerate(rows))
        return await asyncio.gather(*asked)

    assert sorted(running.run(questions())) == ["asked"] * 3 + ["too often"] * 9
