"""Mail goes to an address that has said yes, ends when it says no, and nobody can be mailed into a flood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from branchline.server import service
from tests.server.notices.kit import ALL, MailServer, days_game, read_mail, settings
from tests.server.service import Person, Running

SITE = "https://trains.example"


@pytest.fixture(scope="module")
def post() -> Iterator[MailServer]:
    server = MailServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, post: MailServer) -> Iterator[Running]:
    mail: dict[str, Any] = {
        "smtp": post.url,
        "mail_from": "Branchline <post@trains.example>",
        "origins": frozenset({SITE}),
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
    stop = confirmed(running, post, bo, "bo@example.org")
    table = days_game(ada, bo)
    to, head, found = read_mail(post.next())
    assert to == "bo@example.org" and "Subject: Branchline: Your turn (" in head and "with Ada)" in head
    assert found[0] == f"/t/{table}" and found[-1] == stop
    assert f"List-Unsubscribe: <{SITE}{stop}>" in head.replace("\r\n ", " ")
    assert "One-Click" in head
    assert httpx.get(f"{running.url}{stop}").status_code == 200
    assert bo.get("/me/calls")["mail"] is not None  # to look ends nothing
    one_click = httpx.post(f"{running.url}{stop}", data={"List-Unsubscribe": "One-Click"})  # from no page of ours
    assert one_click.status_code == 200
    assert bo.get("/me/calls")["mail"] is None
    assert httpx.post(f"{running.url}{stop}").status_code == 200  # again, and nothing is told of whether there was any


def test_nothing_but_the_question_goes_to_an_address_that_has_not_said_yes(running: Running, post: MailServer) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    bo.post("/me/calls", settings(mail=ALL))
    bo.post("/me/mail", {"address": "stranger@example.org"})
    post.next()
    days_game(ada, bo)
    running.run(running.service.sender.round())
    assert post.arrived.empty()
    forged = f"/api/mail/stop/{bo.id}.x.{'A' * 43}"
    assert at(running, forged).status_code == 200
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
