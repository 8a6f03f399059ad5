"""Somebody who is away is told by push: once, if they want it, and nothing that is not true any more."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest

from branchline.server import service
from branchline.server.notices import reaching, sender
from branchline.server.notices.sender import AN_HOUR
from branchline.server.store.contract import Lease
from branchline.server.store.shared import SharedStore
from branchline.server.tables.rows import Change, NoticeRow
from branchline.server.words.notices import words
from tests.server.notices.kit import (
    ALL,
    Browser,
    PushService,
    change,
    days_game,
    device,
    night,
    put_off,
    settings,
    wait_two_hours,
)
from tests.server.service import PATIENCE, ROOT, Running, eventually
from tests.server.store.kit import new, row, using


@pytest.fixture(scope="module")
def push() -> Iterator[PushService]:
    there = PushService()
    yield there
    there.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, push: PushService) -> Iterator[Running]:
    with (
        patch.object(service, "NOTICE_SECONDS", 0.1),
        Running(tmp_path_factory.mktemp("push"), push_allow=(push.place,), call_after=0.0) as up,
    ):
        yield up


def outcomes(running: Running, user: str) -> list[str]:
    """What came of all notices to somebody, as they are told when they ask for all that is kept."""
    kept = running.run(running.service.store.export(user))
    return [row["outcome"] for row in kept["notices"]]  # type: ignore[attr-defined]


def settled(running: Running, user: str, count: int) -> list[str]:
    eventually(lambda: len(outcomes(running, user)) >= count and None not in outcomes(running, user))
    return outcomes(running, user)


def test_a_turn_is_told_to_who_is_away(running: Running, push: PushService) -> None:
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    push.subscribe(bo, browser)
    bo.post("/me/calls", settings(push=ALL))
    table = days_game(ada, bo)
    arrived = push.next()
    assert arrived.check_sender(push.origin) == bo.get("/me/calls")["key"]
    assert arrived.headers["content-encoding"] == "aes128gcm" and int(arrived.headers["ttl"]) > 0
    told = browser.read(arrived.body)
    assert table not in str(arrived.headers) and len(arrived.headers["topic"]) == 32  # whoever has its id can sit down
    assert table not in arrived.path
    assert told == {
        "title": "Your turn",
        "body": "United States, with Ada",
        "tag": table,
        "url": f"/t/{table}",
        "kind": "turn",
    }
    assert settled(running, bo.id, 1) == ["sent"]
    assert outcomes(running, ada.id) == []
    push.nothing_more()


def test_who_sits_down_is_told_and_nothing_to_who_looks(running: Running, push: PushService) -> None:
    ada, bo, cy, browser = running.person("Ada"), running.person("Bo"), running.person("Cy"), Browser()
    push.subscribe(ada, browser)
    ada.post("/me", {"lang": "pt-BR"})
    ada.post("/me/calls", settings(push=["friend"]))
    table = ada.table("open", seed=1900)["id"]
    bo.post(f"/tables/{table}/sit")
    told = browser.read(push.next().body)
    assert (told["title"], told["body"]) == ("Na sua mesa: Bo", "Estados Unidos, com Bo")
    bo.post(f"/tables/{table}/leave")
    with ada.live(table) as page:  # an open page counts as looking until it says otherwise
        page.begin()
        cy.post(f"/tables/{table}/sit")
        cy.post(f"/tables/{table}/leave")
        page.send({"t": "looks", "visible": False})
        page.settled()
        cy.post(f"/tables/{table}/sit")
        assert browser.read(push.next().body)["kind"] == "friend"
    assert settled(running, ada.id, 2) == ["sent", "sent"]
    push.nothing_more()


def test_who_gets_up_and_sits_down_again_is_told_once_and_takes_nothing_from_games(
    running: Running, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_IN_AN_HOUR", 1)
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    push.subscribe(ada, browser)
    ada.post("/me/calls", settings(push=ALL))
    table = ada.table("open", seed=1900)["id"]
    for n in range(20):
        bo.post(f"/tables/{table}/sit")
        if n in (0, 10):  # before it is sent, and after
            settled(running, ada.id, 1)
        bo.post(f"/tables/{table}/leave")
    assert browser.read(push.next().body)["kind"] == "friend"
    assert settled(running, ada.id, 1) == ["sent"]
    days_game(bo, ada)
    assert browser.read(push.next().body)["kind"] == "turn"
    push.nothing_more()


def test_whoever_sits_down_again_leaves_the_word_of_another_friend(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        lease, opened = Lease("t", 1), row("t")
        await store.write(new("t", "ada"))

        async def sits(who: int, at: float) -> None:
            await store.write((lease, Change(opened, notices=(NoticeRow("ada", "friend", who, "", at),))))

        await sits(1, 1.0)
        assert [notice.seq for notice in await store.take_notices(2.0, 2.0, 9)] == [1]
        await sits(2, 3.0)
        await sits(1, 4.0)  # told already
        assert [notice.seq for notice in await store.take_notices(5.0, 5.0, 9)] == [2]

    using(tmp_path, work)


def test_the_end_is_told_to_all_who_are_away(running: Running, push: PushService) -> None:
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    push.subscribe(bo, browser)
    bo.post("/me", {"lang": "ro"})
    bo.post("/me/calls", settings(push=["over"]))
    table = days_game(ada, bo)
    for person in (ada, bo):  # bots play on, to the end
        person.post(f"/tables/{table}/leave")
    told = browser.read(push.next().body)
    assert (told["kind"], told["tag"], told["title"]) == ("over", table, words("ro")["over"])
    assert ada.get(f"/tables/{table}")["state"] == "over"
    assert settled(running, bo.id, 1) == ["sent"]
    push.nothing_more()


def test_a_nudge_is_told_with_who_waits(running: Running, push: PushService) -> None:
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    push.subscribe(bo, browser)
    bo.post("/me/calls", settings(push=["nudge"]))
    table = days_game(ada, bo)
    with ada.live(table) as page:
        page.begin()
        page.move(page.offers[0])
        running.call(lambda: wait_two_hours(running, table))
        page.send({"t": "nudge", "seat": 1})
        told = browser.read(push.next().body)
    assert (told["kind"], told["title"]) == ("nudge", words("en")["nudge"].format(name="Ada"))
    assert settled(running, bo.id, 1) == ["sent"]
    push.nothing_more()


def test_in_quiet_hours_a_notice_waits(running: Running, push: PushService) -> None:
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    push.subscribe(bo, browser)
    bo.post("/me/calls", settings(push=ALL, quiet=night()))
    days_game(ada, bo)
    eventually(lambda: _due(running, bo.id) > time.time() + AN_HOUR)
    push.nothing_more()
    bo.post("/me/calls", settings(push=ALL))
    assert put_off(running)
    assert browser.read(push.next().body)["kind"] == "turn"
    assert settled(running, bo.id, 1) == ["sent"]


def test_nobody_is_told_more_than_so_much_in_an_hour(
    running: Running, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_IN_AN_HOUR", 2)
    ada, bo, cy = (running.person(name) for name in ("Ada", "Bo", "Cy"))
    for one in (bo, cy):
        push.subscribe(one, Browser(), path=f"/push/{one.id}")
        one.post("/me/calls", settings(push=ALL))
    for _ in range(3):
        days_game(ada, bo)
    eventually(lambda: sorted(outcomes(running, bo.id), key=str) == [None, "sent", "sent"])
    eventually(lambda: _due(running, bo.id) > time.time() + 60)  # two are enough: the third waits
    days_game(ada, cy)  # the others are told
    assert [push.next().path for _ in range(3)] == [f"/push/{one.id}" for one in (bo, bo, cy)]
    assert put_off(running)
    eventually(lambda: _due(running, bo.id) > time.time() + 60)  # the hour is not over
    push.nothing_more()
    change(running, "UPDATE notices SET done = done - 3700 WHERE done IS NOT NULL")
    assert put_off(running)
    assert push.next().path == f"/push/{bo.id}"
    assert settled(running, bo.id, 3) == ["sent"] * 3


def test_nobody_is_told_who_wants_nothing_or_has_blocked_who_did_it(running: Running, push: PushService) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    push.subscribe(ada, Browser())
    ada.post("/me/calls", settings(push=["over", "turn"]))
    table = ada.table("open", seed=1900)["id"]
    bo.post(f"/tables/{table}/sit")
    ada.post(f"/tables/{table}/block", {"seat": 1, "blocked": True})
    ada.post("/me/calls", settings(push=ALL))
    bo.post(f"/tables/{table}/leave")
    bo.post(f"/tables/{table}/sit")
    assert outcomes(running, ada.id) == []


def test_a_subscription_that_is_gone_is_removed_and_a_redirect_is_not_followed(
    running: Running, push: PushService
) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    gone, moved = Browser(), Browser()
    push.subscribe(bo, gone, path="/push/gone")
    push.subscribe(bo, moved, path="/push/moved")
    bo.post("/me/calls", settings(push=ALL))
    answers = {"/push/gone": (410, {}), "/push/moved": (307, {"location": f"{push.origin}/push/elsewhere"})}
    push.answer = lambda path: answers[path]
    try:
        days_game(ada, bo)
        assert {push.next().path, push.next().path} == {"/push/gone", "/push/moved"}
        assert settled(running, bo.id, 1) == ["failed"]
        push.nothing_more()
    finally:
        push.answer = lambda path: (201, {})
    assert len(bo.get("/me/calls")["devices"]) == 1


def test_one_that_is_down_is_tried_again_later_and_given_up_at_last(running: Running, push: PushService) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    push.subscribe(bo, Browser())
    bo.post("/me/calls", settings(push=ALL))
    push.answer = lambda path: (503, {})
    try:
        days_game(ada, bo)
        for _ in range(4):
            push.next()
            eventually(lambda: put_off(running) or outcomes(running, bo.id) == ["failed"])
        assert settled(running, bo.id, 1) == ["failed"]
    finally:
        push.answer = lambda path: (201, {})
    push.nothing_more()


def test_nobody_waits_for_devices_of_somebody_else_that_take_messages_and_never_answer(
    running: Running, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, tar = (running.person(name) for name in ("Ada", "Bo", "Tar"))
    for n in range(10):
        push.subscribe(tar, Browser(), path=f"/push/tar{n}")
    push.subscribe(bo, Browser(), path="/push/bo")
    for one in (bo, tar):
        one.post("/me/calls", settings(push=ALL))
    over = Event()
    push.answer = lambda path: (over.wait(PATIENCE if "tar" in path else 0), (201, {}))[1]
    try:
        days_game(ada, tar)
        assert push.next().path == "/push/tar0"
        days_game(ada, bo)
        assert push.next(5.0).path == "/push/bo"  # one of Tar's at a time, and Bo's beside it
    finally:
        over.set()
    assert settled(running, tar.id, 1) == ["sent"]
    assert sorted(push.next().path for _ in range(9)) == [f"/push/tar{n}" for n in range(1, 10)]
    push.answer = lambda path: (201, {})


def test_a_device_that_never_answers_is_forgotten_and_one_that_does_now_and_then_is_kept(
    running: Running, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reaching, "SECONDS", 0.3)
    ada, bo = running.person("Ada"), running.person("Bo")
    for name in ("dead", "slow"):
        push.subscribe(bo, Browser(), name, path=f"/push/{name}")
    bo.post("/me/calls", settings(push=ALL))
    over, turns = Event(), count(1)

    def answer(path: str) -> tuple[int, dict[str, str]]:
        if path == "/push/dead" or next(turns) != 2:
            over.wait(PATIENCE)
        return 201, {}

    push.answer = answer
    try:
        for told in range(1, 4):
            assert len(bo.get("/me/calls")["devices"]) == 2
            days_game(ada, bo)
            assert settled(running, bo.id, told) == ["sent"] * told
        assert [device["name"] for device in bo.get("/me/calls")["devices"]] == ["slow"]
    finally:
        over.set()
        push.answer = lambda path: (201, {})
    assert [push.next().path for _ in range(6)].count("/push/dead") == 3


def test_what_another_process_is_sending_counts_as_told(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.put_user("bo", "Bo", None, 1.0)
        for table in ("t", "u"):
            await store.write(new(table, "ada", "bo", state="playing", started=2.0))
            told = Change(row(table, state="playing"), notices=(NoticeRow("bo", "turn", 1, "", 3.0),))
            await store.write((Lease(table, 1), told))
        (here,) = await store.take_notices(9.0, 9.0, 9)  # of each person one
        (there,) = await store.take_notices(9.0, 9.0, 9)
        for notice in (here, there):
            facts = await store.notice_facts(notice, 0.0)
            assert facts is not None and facts.told == 1

    using(tmp_path, work)


def test_a_nudge_by_push_takes_nothing_from_a_turn_by_mail(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        for user in ("bo", "cy"):
            await store.put_user(user, user, None, 1.0)
        lease, playing = Lease("t", 1), row("t", state="playing")
        await store.write(new("t", "bo", "cy", state="playing", started=2.0))
        for kind, at in (("turn", 3.0), ("nudge", 4.0)):
            await store.write((lease, Change(playing, notices=(NoticeRow("bo", kind, 1, "", at),))))
        (turn,) = await store.take_notices(9.0, 9.0, 9)
        facts = await store.notice_facts(turn, 0.0)
        assert turn.kind == "turn" and facts is not None and facts.nudged
        await store.put_off_notice(turn, 12.0, None, 0)  # it is quiet: both wait
        (nudge,) = await store.take_notices(10.0, 10.0, 9)
        assert nudge.kind == "nudge"
        await store.settle_notice(nudge, "sent")
        (turn,) = await store.take_notices(12.0, 12.0, 9)
        assert turn.kind == "turn"
        await store.write((lease, Change(playing, notices=(NoticeRow("bo", "over", 9, "", 13.0),))))
        assert [notice.kind for notice in await store.take_notices(14.0, 14.0, 9)] == ["over"]

    using(tmp_path, work)


def _due(running: Running, user: str) -> float:
    """When somebody's notice is looked at again; 0 if none waits."""
    sql = "SELECT due FROM notices WHERE user_id = ? AND done IS NULL AND taken IS NULL"
    store = running.service.store
    assert isinstance(store, SharedStore)
    return max((row[0] for row in running.run(store._look(lambda db: db.rows(sql, (user,))))), default=0.0)


def test_a_turn_answered_meanwhile_is_not_told_and_the_latest_takes_the_place_of_all(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.put_user("bo", "Bo", None, 1.0)
        lease, playing = Lease("t", 1), row("t", state="playing")
        await store.write(new("t", "ada", "bo", state="playing", started=2.0))
        for seq in (1, 2, 2, 3):
            kind = "turn" if seq < 3 else "over"
            await store.write((lease, Change(playing, notices=(NoticeRow("bo", kind, seq, "", float(seq)),))))
        assert await store.take_notices(9.0, 9.0, 9, ["bo"]) == []  # something is on its way to them
        assert not await store.are_notices_due(9.0, ["bo"])
        taken = await store.take_notices(9.0, 9.0, 9)
        assert [(notice.kind, notice.seq, notice.tries) for notice in taken] == [("over", 3, 1)]
        assert await store.take_notices(9.0, 9.0, 9) == []  # nobody is given it again
        await store.write((lease, Change(playing, notices=(NoticeRow("bo", "over", 3, "", 3.0),))))
        assert await store.take_notices(9.0, 9.0, 9) == []  # nor the same event once more
        await store.put_off_notice(taken[0], 20.0, ("d",), 1)
        assert await store.take_notices(19.0, 19.0, 9) == []
        (again,) = await store.take_notices(20.0, 20.0, 9)
        assert (again.tries, again.only) == (2, ("d",))
        assert await store.tidy_notices(0.0, 21.0, 0.0) == 1  # its process died: it is not sent again
        assert await store.take_notices(99.0, 99.0, 9) == []

    using(tmp_path, work)


def test_what_cannot_be_sent_to_is_refused_and_devices_are_bounded(running: Running, push: PushService) -> None:
    ada, browser = running.person("Ada"), Browser()
    key = ada.get("/me/calls")["key"]
    for endpoint in ("http://push.example.org/x", "https://127.0.0.1/x", "https://push.example.org:22/x"):
        assert ada.http.post("/me/devices", json=device(endpoint, browser, key)).json()["code"] == "bad_endpoint"
    good = device(f"{push.origin}/push/x", browser, key)
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": good["p256dh"][:-4] + "AAAA"}):
        assert ada.http.post("/me/devices", json={**good, **wrong}).json()["code"] == "bad_device_keys"
    assert ada.refused("/me/devices", {**good, "name": ""})[0] == 400
    assert ada.refused("/me/devices", {**good, "key": "another"})[0] == 409
    for n in range(10):
        ada.post("/me/devices", device(f"{push.origin}/push/{n}", browser, key))
    ada.post("/me/devices", device(f"{push.origin}/push/3", browser, key, "again"))  # known already
    assert ada.http.post("/me/devices", json=good).json()["code"] == "many_devices"
    devices = ada.get("/me/calls")["devices"]
    assert len(devices) == 10 and not any("endpoint" in each for each in devices)
    assert len(ada.http.delete(f"/me/devices/{devices[0]['id']}").json()["devices"]) == 9
    assert ada.http.delete(f"/me/devices/{devices[0]['id']}").status_code == 404


def test_who_asks_too_often_is_told_so_in_their_language(tmp_path: Path) -> None:
    """The code is what the page has a sentence for, in every language; the number stands in it."""
    with Running(tmp_path, limited=True) as up:
        ada = up.person("Ada")
        wrong = device("https://127.0.0.1/x", Browser(), ada.get("/me/calls")["key"])
        for path, body, most, code in (
            ("/me/devices", wrong, 10, "too_fast"),
            ("/me/mail", {"address": "a@example.org"}, 3, "mails"),
        ):
            replies = [ada.http.post(path, json=body) for _ in range(most + 1)]
            assert all(reply.status_code < 429 for reply in replies[:-1])
            told = replies[-1].json()
            assert (replies[-1].status_code, told["code"]) == (429, code)
            assert 0 < told["n"] <= 60 and int(replies[-1].headers["retry-after"]) >= told["n"]
            for lang in ("en", "ro", "pt-PT", "pt-BR"):
                said = json.loads((ROOT / "web" / "src" / "i18n" / "said" / f"{lang}.json").read_text(encoding="utf-8"))
                assert "{n" in str(said[f"said.{code}"])
