"""Mail goes to an address that has said yes, ends when it says no, and nobody can be mailed into a flood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from branchline.server import service
from branchline.server.operate.admin import AdminFailed, allow_mail
from branchline.server.people.mailboxes import address_digest, folded
from branchline.server.words.notices import words
from tests.server.notices.kit import (
    ALL,
    Browser,
    MailServer,
    PushService,
    count_waiting,
    days_game,
    night,
    put_off,
    read_mail,
    settings,
    wait_two_hours,
)
from tests.server.service import Person, Running, eventually

SITE = "https://trains.example"


@pytest.fixture(scope="module")
def post() -> Iterator[MailServer]:
    server = MailServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def push() -> Iterator[PushService]:
    server = PushService()
    yield server
    server.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, post: MailServer, push: PushService) -> Iterator[Running]:
    mail: dict[str, Any] = {
        "smtp": post.url,
        "mail_from": "Branchline <post@trains.example>",
        "origins": frozenset({SITE}),
        "push_allow": (push.place,),
    }
    with (
        patch.object(service, "NOTICE_SECONDS", 0.1),
        Running(tmp_path_factory.mktemp("mail"), call_after=0.0, **mail) as up,
    ):
        yield up


def at(running: Running, path: str) -> httpx.Response:
    return httpx.post(f"{running.url}{path}", headers={"origin": running.url})


def confirmed(running: Running, post: MailServer, person: Person, address: str) -> str:
    """An address that said yes; the link that ends it."""
    assert person.post("/me/mail", {"address": address})["mail"] == {"address": address, "confirmed": False}
    to, _, (_, yes, stop) = read_mail(post.next())
    assert to == address
    page = httpx.get(f"{running.url}{yes}")
    assert page.status_code == 200 and address in page.text and "<button>" in page.text
    assert person.get("/me/calls")["mail"]["confirmed"] is False  # a program that looks at links confirms nothing
    assert at(running, yes).status_code == 200
    assert at(running, yes).status_code == 404  # once
    assert person.get("/me/calls")["mail"]["confirmed"] is True
    return stop


def test_an_address_is_asked_then_told_and_ended_by_a_link(running: Running, post: MailServer) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    bo.post("/me/calls", settings(mail=ALL))
    confirmed(running, post, bo, "bo@example.org")
    table = days_game(ada, bo)
    to, head, found = read_mail(post.next())
    assert to == "bo@example.org" and "Subject: Branchline: Your turn (" in head and "with Ada)" in head
    assert found[0] == f"/t/{table}" and found[-1].startswith(f"/api/mail/stop/{bo.id}.")
    stop = found[-1]
    assert f"List-Unsubscribe: <{SITE}{stop}>" in head.replace("\r\n ", " ")
    assert "One-Click" in head
    assert httpx.get(f"{running.url}{stop}").status_code == 200
    assert bo.get("/me/calls")["mail"] is not None  # to look ends nothing
    one_click = httpx.post(f"{running.url}{stop}", data={"List-Unsubscribe": "One-Click"})  # from no page of ours
    assert one_click.status_code == 200
    assert bo.get("/me/calls")["mail"] is None
    assert httpx.post(f"{running.url}{stop}").status_code == 200  # again, and nothing is told of whether there was any
    confirmed(running, post, bo, "bo@example.org")  # who has said no to notices may want them again


def test_a_turn_by_mail_is_told_beside_a_nudge_by_push(running: Running, post: MailServer, push: PushService) -> None:
    ada, bo, browser = running.person("Ada"), running.person("Bo"), Browser()
    confirmed(running, post, bo, "beside@example.org")
    push.subscribe(bo, browser)
    bo.post("/me/calls", settings(push=["nudge"], mail=["turn"], quiet=night()))
    table = days_game(ada, bo)
    with ada.live(table) as page:
        page.begin()
        page.move(page.offers[0])
        running.call(lambda: wait_two_hours(running, table))
        page.send({"t": "nudge", "seat": 1})
        eventually(lambda: running.run(count_waiting(running, bo.id)) == 2)
    bo.post("/me/calls", settings(push=["nudge"], mail=["turn"]))
    eventually(lambda: put_off(running) or not post.arrived.empty())
    assert "Subject: Branchline: Your turn (" in post.next()[1]
    eventually(lambda: put_off(running) or not push.arrived.empty())
    assert browser.read(push.next().body)["kind"] == "nudge"


def test_nothing_but_the_question_goes_to_an_address_that_has_not_said_yes(running: Running, post: MailServer) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    bo.post("/me/calls", settings(mail=ALL))
    bo.post("/me/mail", {"address": "stranger@example.org"})
    post.next()
    days_game(ada, bo)
    running.run(running.service.sender.round())
    assert post.arrived.empty()
    key = running.service.keys.signing("mail").id
    for forged in (f"{bo.id}.{key}.{'A' * 43}", f"{bo.id}.{key}.{'A' * 43}.{address_digest('stranger@example.org')}"):
        assert at(running, f"/api/mail/stop/{forged}").status_code == 200
    ended = at(running, f"/api/mail/stop/{bo.id}.x.{'A' * 43}")  # of a key that has ended, or never was
    assert (ended.status_code, words("en")["old_link"] in ended.text) == (404, True)
    assert bo.get("/me/calls")["mail"] is not None  # a token that is not ours ends nothing
    stranger = httpx.get(f"{running.url}/api/mail/stop/x.y.z", headers={"accept-language": "ro-RO,ro"})
    assert "<html lang='ro'>" in stranger.text  # who it names is unknown: the browser's language


def test_nobody_is_mailed_into_a_flood(running: Running, post: MailServer) -> None:
    """One address is asked three times a day whoever asks, and one person asks five."""
    for n in range(3):
        running.person(f"Ada {n}").post("/me/mail", {"address": "Victim@example.org"})
        post.next()
    for address in ("victim@example.org", "VICTIM@EXAMPLE.ORG"):
        reply = running.person("Bo").http.post("/me/mail", json={"address": address})
        assert (reply.status_code, reply.json()["code"]) == (429, "mail_asked")
    cy = running.person("Cy")
    for n in range(5):
        cy.post("/me/mail", {"address": f"cy{n}@example.org"})
        post.next()
    assert cy.refused("/me/mail", {"address": "cy9@example.org"})[0] == 429
    for bad in ("x", "a@b\r\nBcc: c@example.org", "Ada <a@example.org>"):
        assert cy.http.post("/me/mail", json={"address": bad}).json()["code"] == "bad_address"
    assert post.arrived.empty()


def test_one_mailbox_is_one_however_it_is_written_and_whoever_asks(running: Running, post: MailServer) -> None:
    people = [running.person(f"Di {n}") for n in range(20)]
    asked = [one.http.post("/me/mail", json={"address": f"Dora+{n}@example.org"}) for n, one in enumerate(people)]
    assert [reply.status_code for reply in asked] == [200] * 3 + [429] * 17
    assert post.arrived.qsize() == 3
    for _ in range(3):
        post.next()
    assert folded("E.V.A+x@GoogleMail.com") == folded("eva@gmail.com") == "eva@gmail.com"
    assert folded("e.va@example.org") != folded("eva@example.org") and folded("+x@example.org") == "+x@example.org"


def test_who_says_no_to_a_question_is_asked_no_more_by_anybody(running: Running, post: MailServer) -> None:
    ada, bo, cy = (running.person(name) for name in ("Ada", "Bo", "Cy"))
    ada.post("/me/mail", {"address": "no+a@example.com"})
    stop = read_mail(post.next())[2][-1]
    confirmed(running, post, cy, "no@example.com")
    ada.post("/me/mail", {"address": "other@example.com"})  # the link holds, though Ada has another address by now
    post.next()
    assert httpx.get(f"{running.url}{stop}").status_code == 200
    assert cy.get("/me/calls")["mail"] is not None  # to look ends nothing
    assert httpx.post(f"{running.url}{stop}").status_code == 200
    assert cy.get("/me/calls")["mail"] is None  # no more mail is no more mail
    assert ada.get("/me/calls")["mail"]["address"] == "other@example.com"
    for one in (ada, bo, cy):
        assert one.http.post("/me/mail", json={"address": "No+b@example.com"}).json()["code"] == "mail_refused"
    assert post.arrived.empty()
    kept = running.run(running.service.store._list(lambda db: db.rows("SELECT * FROM mail_refused")))  # type: ignore[attr-defined]
    assert len(kept) == 1 and "example" not in str(kept)
    assert running.run(allow_mail(running.service.store, "no@example.com")).endswith("can be asked again")
    with pytest.raises(AdminFailed):
        running.run(allow_mail(running.service.store, "no@example.com"))
    bo.post("/me/mail", {"address": "no@example.com"})
    post.next()


def test_a_link_is_followed_wherever_it_is_opened(running: Running, post: MailServer) -> None:
    """A browser that shows no address to other sites says nothing of where the page's button comes from."""
    ada = running.person("Ada")
    ada.post("/me/mail", {"address": "null@example.org"})
    _, yes, _ = read_mail(post.next())[2]
    assert httpx.post(f"{running.url}{yes}", headers={"origin": "null"}).status_code == 200
    assert ada.get("/me/calls")["mail"]["confirmed"] is True


def test_a_mail_server_that_says_no_is_told_and_one_that_hangs_up_is_not_asked_twice(
    running: Running, post: MailServer
) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    post.refuse = lambda to: "550 nobody"
    assert ada.http.post("/me/mail", json={"address": "no@example.org"}).json()["code"] == "mail_unsent"
    post.refuse = lambda to: ""
    bo.post("/me/calls", settings(mail=ALL))
    confirmed(running, post, bo, "again@example.org")
    post.hang_up = True
    try:
        days_game(ada, bo)
        post.next()
        running.run(running.service.sender.round())
        assert post.arrived.empty()  # it may have arrived: nobody sends it again
    finally:
        post.hang_up = False
