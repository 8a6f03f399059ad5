"""How somebody is called back is changed wholly or not at all; and whatever breaks while a notice is sent, nobody is
told twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from branchline.server.notices.sender import LOST_SECONDS
from branchline.server.store.contract import OutcomeUnknown, StoreFailed
from tests.server.notices.kit import ALL, DAYS, Browser, device, night, read_mail, settings
from tests.server.transactions.breaking import Dump, Kind
from tests.server.transactions.comparing import effect
from tests.server.transactions.stage import Reply, Stage
from tests.server.transactions.writers import public_writers

BROWSER: Final = Browser()
ADDRESS: Final = "bo@example.org"
BROKEN: Final[tuple[Kind, ...]] = ("refused", "answer to the commit lost")
both_ways = pytest.mark.parametrize("kind", BROKEN)


# ---------------------------------------------------------------- asking to be called back


@dataclass(frozen=True)
class Asking:
    """What Bo asks, once `ready` has made it possible; `after` is what asking again says if it was done already."""

    of: str
    ask: Callable[[Stage, Any], Reply]
    ready: Callable[[Stage], Any] = lambda stage: None
    after: str = ""
    mails: int = 0


def _subscribe(stage: Stage, _: Any = None) -> Reply:
    key = stage.bo.get("/me/calls")["key"]
    return stage.post(stage.bo, "/me/devices", device(f"{stage.outside.push.origin}/push/one", BROWSER, key))()


def _subscribed(stage: Stage) -> str:
    told: str = _subscribe(stage).body["devices"][0]["id"]
    return told


def _ask_mail(stage: Stage, _: Any = None) -> Reply:
    return stage.post(stage.bo, "/me/mail", {"address": ADDRESS})()


def _asked(stage: Stage) -> list[str]:
    """An address that was asked: the paths of the links that say yes, and no."""
    assert _ask_mail(stage).ok
    return read_mail(stage.outside.post.next())[2][1:]


def _deleted(stage: Stage, path: str) -> Reply:
    reply = stage.bo.http.delete(path)
    return Reply(reply.status_code == 200, reply.json().get("code", ""), reply.json())


def _followed(stage: Stage, path: str) -> Reply:
    reply = httpx.post(f"{stage.running.url}{path}", headers={"origin": stage.running.url})
    is_page = "html" in reply.headers["content-type"]
    return Reply(reply.status_code == 200, "page" if is_page else reply.json()["code"])


ASKED: Final = {
    "a device": Asking("add_device", _subscribe),
    "no device": Asking(
        "drop_device", lambda stage, id: _deleted(stage, f"/me/devices/{id}"), _subscribed, after="no_device"
    ),
    "an address": Asking("ask_mail", _ask_mail, mails=1),
    "yes": Asking("confirm", lambda stage, links: _followed(stage, links[0]), _asked, after="page"),
    "no address": Asking("drop_mail", lambda stage, _: _deleted(stage, "/me/mail"), _asked),
    "stop": Asking("stop", lambda stage, links: _followed(stage, links[1]), _asked),
}


def test_everything_that_can_be_asked_is_broken() -> None:
    assert {asked.of for asked in ASKED.values()} == public_writers("notices/book.py", "CallBook")


@both_ways
@pytest.mark.parametrize("name", ASKED)
def test_how_somebody_is_called_back_changes_wholly_or_not_at_all(stage: Stage, name: str, kind: Kind) -> None:
    asking = ASKED[name]
    usual, rows = _unbroken(stage, asking)
    try:
        made, begun = asking.ready(stage), stage.breaker.dump()
        for at in range(1, rows + 1) if kind == "refused" else [1]:
            stage.breaker.begin(kind, at)
            reply = asking.ask(stage, made)
            stage.breaker.end()
            assert (reply.ok, reply.code) == (False, "cannot_write" if kind == "refused" else "uncertain")
            assert _came(stage, begun) == ({} if kind == "refused" else usual)
        assert stage.outside.post.arrived.empty()  # no link that leads nowhere
        reply = asking.ask(stage, made)
        assert reply.ok or (kind != "refused" and reply.code == asking.after), reply
        assert _came(stage, begun) == usual
        assert stage.outside.post.arrived.qsize() == asking.mails
    finally:
        _strike(stage)


def _unbroken(stage: Stage, asking: Asking) -> tuple[dict[str, Any], int]:
    """What comes of it, and of how many rows."""
    try:
        made, begun = asking.ready(stage), stage.breaker.dump()
        stage.breaker.begin(None)
        assert asking.ask(stage, made).ok
        rows, _ = stage.breaker.counts()
        return _came(stage, begun), rows
    finally:
        _strike(stage)


def _came(stage: Stage, begun: Dump) -> dict[str, Any]:
    """The rows that came and went; a question that may have been asked counts against the bound on questions."""
    found = effect(_undated(begun), _undated(stage.breaker.dump()), stage.names())
    if "mail_asked" in found:
        found["mail_asked"] = [rows[:1] for rows in found["mail_asked"]]
    return found


def _undated(dump: Dump) -> Dump:
    """An address is asked and says yes at another time in each run."""
    said = [row | {when: row[when] and "some" for when in ("asked", "confirmed", "token")} for row in dump["mails"]]
    return {**dump, "mails": said}


def _strike(stage: Stage) -> None:
    stage.strike(None)
    for arrived in (stage.outside.post.arrived, stage.outside.push.arrived):
        while not arrived.empty():
            arrived.get()
    stage.outside.push.answer = lambda path: (201, {})


# ---------------------------------------------------------------- sending


def _bo_is_called(stage: Stage, **how: Any) -> None:
    """A notice for Bo waits."""
    _subscribe(stage)
    stage.bo.post("/me/calls", settings(push=ALL, **how))
    stage.game(clock=DAYS)
    stage.service.sender._tidied = stage.running.run(stage.service.store.now())  # nothing else is to be done
    stage.breaker.ask("UPDATE notices SET due = 0")  # other scenes have set the clock of the process forward
    assert _notice(stage)["taken"] is None


def _notice(stage: Stage) -> dict[str, Any]:
    (row,) = stage.breaker.ask("SELECT * FROM notices")
    return row


def _round(stage: Stage) -> int:
    return stage.running.run(stage.service.sender.round())


def _sent(stage: Stage) -> int:
    """How many messages arrived since this was asked."""
    arrived, count = stage.outside.push.arrived, 0
    while not arrived.empty():
        arrived.get()
        count += 1
    return count


def _tidied(stage: Stage) -> None:
    """So much time goes by that whoever took a notice must have died."""
    stage.breaker.ask(f"UPDATE notices SET taken = taken - {2 * LOST_SECONDS}")
    stage.service.sender._tidied = 0.0


@both_ways
def test_a_notice_that_could_not_be_taken_is_not_sent_by_who_does_not_have_it(stage: Stage, kind: Kind) -> None:
    try:
        _bo_is_called(stage)
        stage.breaker.begin(kind, 1)
        with pytest.raises(StoreFailed if kind == "refused" else OutcomeUnknown):
            _round(stage)
        stage.breaker.end()
        assert _sent(stage) == 0
        if kind == "refused":
            assert _notice(stage)["taken"] is None
            assert (_round(stage), _sent(stage), _notice(stage)["outcome"]) == (1, 1, "sent")
        else:  # taken by somebody who never heard of it, as by a process that died
            assert (_round(stage), _sent(stage)) == (0, 0)
            _tidied(stage)
            assert (_round(stage), _sent(stage), _notice(stage)["outcome"]) == (0, 0, "lost")
        assert (_round(stage), _sent(stage)) == (0, 0)
    finally:
        _strike(stage)


@both_ways
def test_what_was_sent_is_not_sent_again_though_nobody_could_write_that_down(stage: Stage, kind: Kind) -> None:
    try:
        _bo_is_called(stage)
        stage.breaker.begin(kind, 2)
        assert (_round(stage), _sent(stage)) == (1, 1)
        stage.breaker.end()
        assert _notice(stage)["outcome"] == (None if kind == "refused" else "sent")
        assert (_round(stage), _sent(stage)) == (0, 0)
        _tidied(stage)
        assert (_round(stage), _sent(stage)) == (0, 0)
        assert _notice(stage)["outcome"] == ("lost" if kind == "refused" else "sent")
    finally:
        _strike(stage)


@both_ways
@pytest.mark.parametrize("why", ["quiet hours", "a push service that is down"])
def test_what_could_not_be_put_off_is_not_sent_twice(stage: Stage, kind: Kind, why: str) -> None:
    try:
        _bo_is_called(stage, quiet=night() if why == "quiet hours" else None)
        tried = int(why != "quiet hours")
        stage.outside.push.answer = lambda path: (503, {})
        stage.breaker.begin(kind, 2)
        assert (_round(stage), _sent(stage)) == (1, tried)
        stage.breaker.end()
        stage.outside.push.answer = lambda path: (201, {})
        stage.bo.post("/me/calls", settings(push=ALL))
        stage.breaker.ask("UPDATE notices SET due = 0")  # its time has come
        assert (_round(stage), _sent(stage)) == ((0, 0) if kind == "refused" else (1, 1))
        _tidied(stage)
        assert (_round(stage), _sent(stage)) == (0, 0)
        assert _notice(stage)["outcome"] == ("lost" if kind == "refused" else "sent")
    finally:
        _strike(stage)


@both_ways
def test_a_device_that_is_gone_is_forgotten_wholly_or_not_at_all(stage: Stage, kind: Kind) -> None:
    try:
        _bo_is_called(stage)
        stage.outside.push.answer = lambda path: (410, {})
        stage.breaker.begin(kind, 2)
        assert (_round(stage), _sent(stage)) == (1, 1)
        stage.breaker.end()
        devices = stage.bo.get("/me/calls")["devices"]
        assert len(devices) == (1 if kind == "refused" else 0)
        assert (_round(stage), _sent(stage)) == (0, 0)
    finally:
        _strike(stage)


@both_ways
def test_who_cannot_tidy_sends_what_waits_the_next_time(stage: Stage, kind: Kind) -> None:
    try:
        _bo_is_called(stage)
        stage.breaker.ask("INSERT INTO mail_asked (address, user_id, at) VALUES ('x', 'y', 0)")
        stage.service.sender._tidied = 0.0
        stage.breaker.begin(kind, 1)
        with pytest.raises(StoreFailed):
            _round(stage)
        stage.breaker.end()
        assert len(stage.breaker.ask("SELECT * FROM mail_asked")) == (1 if kind == "refused" else 0)
        assert (_round(stage), _sent(stage), _notice(stage)["outcome"]) == (1, 1, "sent")
        stage.service.sender._tidied = 0.0
        assert (_round(stage), stage.breaker.ask("SELECT * FROM mail_asked")) == (0, [])
    finally:
        _strike(stage)
