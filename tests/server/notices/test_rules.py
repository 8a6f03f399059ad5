"""What a notice may be: when it is true, in which hours it waits, and to whom nothing is sent."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
from base64 import urlsafe_b64decode
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from branchline.server import wire
from branchline.server.notices import reaching
from branchline.server.notices.book import device_id
from branchline.server.notices.mail import Mailer, checked_address, read_sender, read_server
from branchline.server.notices.push import b64, encrypted
from branchline.server.notices.reaching import BadEndpoint, Reaching, Unreached, is_public
from branchline.server.notices.sender import why_void
from branchline.server.people.calls import check_quiet, quiet_until, read_calls, write_calls
from branchline.server.store.contract import Notice, NoticeFacts
from branchline.server.wire.refusals import BadRequest
from branchline.server.words.notices import WORDS, told, where


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_example_of_rfc_8291_is_encrypted_as_it_says() -> None:
    secret = int.from_bytes(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    found = encrypted(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        unb64("DGv6ra1nlYgDCS1FRnbzlw"),
        ec.derive_private_key(secret, ec.SECP256R1()),
        padded=1,
    )
    assert b64(found) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
        "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_device_is_called_what_its_page_works_out() -> None:
    assert device_id("https://push.example.org/one") == "82l3gzFtd4wu-b0kpP0SfA"  # web/tests/calls.test.ts


# ---------------------------------------------------------------- where nothing is sent

PRIVATE = (
    "127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1", "fc00::1",
    "fd12::1", "ff02::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
    "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "3fff::1", "3fff:fff:ffff::1", "192.88.99.1",
    "::ffff:192.88.99.1",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_of_a_network_of_ones_own_is_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "142.250.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_those_of_the_world_are(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


BAD = (
    "http://push.example.org/x", "https://push.example.org:8443/x", "https://127.0.0.1/x", "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x", "https://10.0.0.1/x", "https://user:pw@push.example.org/x", "ftp://push.example.org/",
    "https:///x", "https://push.example.org/x#y", "https://push.example.org/a b",
    "https://push.example.org/\r\nHost: x",
    "https://pu\nsh.example.org/", "https://push.example.org:99999/", "", "x" * 2000, "https://[::1", "https://exämple.org/",
)  # fmt: skip


@pytest.mark.parametrize("url", BAD)
def test_an_endpoint_is_https_of_a_host_and_nothing_else(url: str) -> None:
    with pytest.raises(BadEndpoint):
        Reaching().endpoint(url)


def test_an_endpoint_of_the_world_is_taken_apart() -> None:
    found = Reaching().endpoint("https://push.example.org/a/b?c=d")
    assert (found.host, found.port, found.path, found.origin) == (
        "push.example.org", 443, "/a/b?c=d", "https://push.example.org")  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_inside_is_not_followed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever subscribed may have a name that has a public address and an inner one, or another one each time."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET

    def resolve(host: str, port: int, **how: Any) -> list[Any]:
        public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("1.1.1.1", port))
        return [public, (family, socket.SOCK_STREAM, 6, "", (address, port))]

    def connect(*args: Any, **how: Any) -> None:
        raise AssertionError("a connection to an address inside")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(BadEndpoint):
        Reaching().post(Reaching().endpoint("https://rebound.example.org/x"), {}, b"")


def test_localhost_by_name_is_not_reached() -> None:
    with pytest.raises(BadEndpoint):
        Reaching().post(Reaching().endpoint("https://localhost/x"), {}, b"")


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def resolve(host: str, port: int, **how: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("1.1.1.1", port))]

    def connect(address: Any, timeout: float) -> None:
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Unreached):
        Reaching().post(Reaching().endpoint("https://push.example.org/x"), {}, b"")
    assert asked == [("1.1.1.1", 443)]


def test_one_who_says_nothing_is_waited_for_no_longer_than_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        ours = Reaching(frozenset({place}))
        with pytest.raises(reaching.Unanswered):
            ours.post(ours.endpoint(f"http://{place}/x"), {}, b"")


def test_a_name_that_nobody_answers_for_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do those that hang take the look-ups of others without end."""
    over = threading.Event()
    monkeypatch.setattr(reaching, "LOOK_UP_SECONDS", 0.2)
    monkeypatch.setattr(reaching, "LOOK_UPS", 2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **how: over.wait(20.0) and [])
    ours, began = Reaching(), time.monotonic()
    try:
        for _ in range(3):
            with pytest.raises(Unreached):
                ours.post(ours.endpoint("https://tarpit.example.org/x"), {}, b"")
        assert time.monotonic() - began < 5.0
        assert sum(thread.name == "look-up" for thread in threading.enumerate()) == 2
    finally:
        over.set()


# ---------------------------------------------------------------- names


LINKS = re.compile(r"(?i)\w+://|\w[.\u3002\uff0e\uff61]\w|\w@\w|[/\\\\]")  # what a mail program makes links of


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("http://evil.example/x", "http evil. example x"),
        ("www.evil.example", "www. evil. example"),
        ("evil。example", "evil. example"),
        ("ada@evil.example", "ada evil. example"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien"),
        ("Ada L.", "Ada L."),
        ("Ștefan / Ană", "Ștefan Ană"),
        ("//", "?"),
    ],
)
@pytest.mark.parametrize("lang", WORDS)
def test_no_name_is_a_link_in_a_message(name: str, shown: str, lang: str) -> None:
    said = f"{told(lang, 'friend', name)} | {where(lang, 'usa', [name, 'Bo'])}"
    assert said.count(shown) == 2
    assert not LINKS.search(said)


# ---------------------------------------------------------------- hours


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


NIGHT = wire.QuietHours("22:00", "08:00", "Europe/Bucharest")  # UTC+2 in winter, +3 in summer


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-01-10 19:59", None),
        ("2026-01-10 20:00", "2026-01-11 06:00"),
        ("2026-01-11 05:59", "2026-01-11 06:00"),
        ("2026-01-11 06:00", None),
        ("2026-07-10 18:59", None),
        ("2026-07-10 19:00", "2026-07-11 05:00"),
        ("2026-03-28 21:00", "2026-03-29 05:00"),  # the night in which summer time begins
    ],
)
def test_quiet_hours_are_those_of_the_clock_on_the_wall(now: str, until: str | None) -> None:
    assert quiet_until(NIGHT, at(now)) == (at(until) if until else None)


def test_quiet_hours_of_a_day_and_of_none() -> None:
    noon = wire.QuietHours("12:00", "14:00", "UTC")
    assert quiet_until(noon, at("2026-01-10 13:00")) == at("2026-01-10 14:00")
    assert quiet_until(noon, at("2026-01-10 14:00")) is None
    assert quiet_until(wire.QuietHours("12:00", "12:00", "UTC"), at("2026-01-10 12:00")) is None
    assert quiet_until(None, 0.0) is None


@pytest.mark.parametrize(
    "quiet",
    [("24:00", "08:00", "UTC"), ("8:00", "09:00", "UTC"), ("08:00", "9", "UTC"), ("08:00", "09:00", "Nowhere/Land"),
     ("08:00", "09:00", "../../etc/passwd"), ("08:00", "09:00", ""), ("08:00", "09:00", "x" * 200)],
)  # fmt: skip
def test_hours_that_cannot_be_are_refused(quiet: tuple[str, str, str]) -> None:
    with pytest.raises(BadRequest):
        check_quiet(wire.QuietHours(*quiet))


def test_settings_are_kept_as_they_are_and_nonsense_is_none() -> None:
    settings = wire.CallSettings(["turn"], ["over"], NIGHT)
    assert read_calls(write_calls(settings)) == settings
    assert read_calls(None) == read_calls("{") == read_calls('{"push": ["hat"]}') == wire.CallSettings()


# ---------------------------------------------------------------- what is true


def facts(**changed: Any) -> NoticeFacts:
    usual: dict[str, Any] = {
        "lang": "en", "calls": None, "banned": False, "map": "usa", "state": "playing", "to_act": "[1]",
        "seats": ((0, "ada", "Ada"), (1, "bo", "Bo")), "by": "", "devices": (), "mail": None, "told": 0,
    }  # fmt: skip
    return NoticeFacts(**{**usual, **changed})


@pytest.mark.parametrize(
    ("kind", "changed", "why"),
    [
        ("turn", {}, ""),
        ("turn", {"to_act": "[0]"}, "answered"),
        ("turn", {"state": "over", "to_act": "[]"}, "answered"),
        ("nudge", {"to_act": "[0]"}, "answered"),
        ("turn", {"banned": True}, "gone"),
        ("turn", {"seats": ((0, "ada", "Ada"),)}, "answered"),
        ("over", {"state": "over", "to_act": "[]"}, ""),
        ("friend", {"state": "open"}, ""),
        ("friend", {"state": "dropped"}, "closed"),
    ],
)
def test_what_is_not_true_any_more_is_not_told(kind: str, changed: dict[str, Any], why: str) -> None:
    assert why_void(Notice("t", "bo", kind, 1, "", 100.0, 1), facts(**changed), 110.0) == why


def test_what_is_days_old_is_not_told_and_nobody_who_is_gone() -> None:
    notice = Notice("t", "bo", "turn", 1, "", 0.0, 1)
    assert why_void(notice, facts(), 4 * 86400.0) == "late"
    assert why_void(notice, None, 1.0) == "gone"


# ---------------------------------------------------------------- mail

BAD_ADDRESSES = (
    "", "ada", "ada@", "@example.org", "ada@localhost", "ada@example", "ada@example..org", "a b@example.org",
    "ada@example.org\nBcc: bo@example.org", "ada@example.org\r\nSubject: x",
    "Ada <ada@example.org>", "ada@ex_ample.org",
    "ada@[127.0.0.1]", "ada@127.0.0.1", "ada@example.org,bo@example.org", "ada.@example.org", f"{'a' * 65}@example.org",
    f"ada@{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org",
    "ăda@example.org", "ada@example.org>", "\0@example.org",
)  # fmt: skip


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadRequest):
        checked_address(address)


def test_an_address_is_kept_as_it_was_written() -> None:
    assert checked_address(" Ada.L+games@mail.example.org ") == "Ada.L+games@mail.example.org"


def test_no_name_adds_a_header() -> None:
    mailer = Mailer(
        read_server("smtp://localhost:25"), read_sender("Branchline <post@example.org>"), "https://x.example"
    )
    mail = mailer.notice("ada@example.org", "en", "At your table: Bo\r\nBcc: cy@example.org", "USA", "t" * 22, "stop")
    message = mailer.message(mail)
    assert message["Bcc"] is None and "Bcc:" in message["Subject"]
    assert message["List-Unsubscribe"] == "<https://x.example/api/mail/stop/stop>"
    text = message.get_content()
    assert text.rstrip().endswith("https://x.example/api/mail/stop/stop")
    assert f"https://x.example/t/{'t' * 22}" in text


def test_servers_and_senders_as_they_are_written() -> None:
    assert read_server("smtp://a%40b:p%3Aq@mail.example.org").security == "starttls"
    assert read_server("smtp://a%40b:p%3Aq@mail.example.org").user == "a@b"
    assert read_server("smtps://mail.example.org").port == 465 and read_server("smtp://localhost").security == "none"
    for bad in ("mail.example.org", "http://x", "smtp://"):
        with pytest.raises(ValueError, match="mail server"):
            read_server(bad)
    for bad in ("nobody", "x <y>", "a@b.org\nX: y"):
        with pytest.raises(ValueError, match="sender"):
            read_sender(bad)


def test_every_language_says_everything() -> None:
    for lang, words in WORDS.items():
        assert words.keys() == WORDS["en"].keys(), lang
        for key, text in words.items():
            assert text.strip()
            assert {part for part in ("{name}", "{map}", "{names}", "{origin}", "{address}") if part in text} == {
                part for part in ("{name}", "{map}", "{names}", "{origin}", "{address}") if part in WORDS["en"][key]
            }, (lang, key)
