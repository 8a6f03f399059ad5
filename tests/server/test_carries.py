"""A guest at another device: words that can be read out and typed, good once and not for long, and never guessed."""

from __future__ import annotations

import re
import threading
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.server.people import carries as carries_module
from branchline.server.people.keys import rotate
from branchline.server.transport.bound_settings import BoundSettings, Rate
from branchline.server.transport.http import COOKIE
from branchline.server.words.phrases import LISTS, WORDS, new_phrase, read_phrase, unknown_word, words_of
from branchline.server.words.profanity import folded, has_profanity
from tests.server.service import Person, Process, Running


def device(url: str) -> httpx.Client:
    """Another browser, with no cookie yet."""
    return httpx.Client(base_url=f"{url}/api", headers={"origin": url, "accept-language": "en"}, timeout=20)


def become(client: httpx.Client, secret: str, key: str = "") -> httpx.Response:
    return client.post("/carry", json={"secret": secret}, headers={"idempotency-key": key} if key else {})


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("language", LISTS)
def test_a_list_has_words_that_are_told_apart_and_offend_nobody(language: str) -> None:
    words = words_of(language)
    plain = [folded(word) for word in words]
    assert len(words) == len(set(plain)) == 256  # eight bits each: five are forty
    assert all(re.fullmatch("[a-z]{4,9}", word) for word in plain)
    assert not [word for word in words if has_profanity(word)]
    assert not [(one, two) for one, two in combinations(plain, 2) if _one_letter_apart(one, two)]


def _one_letter_apart(one: str, two: str) -> bool:
    """One is the other with a letter changed, put in or left out."""
    if len(one) > len(two):
        one, two = two, one
    if len(two) - len(one) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    return one[at + (len(one) == len(two)) :] == two[at + 1 :]


@pytest.mark.parametrize(("lang", "language"), [("en", "en"), ("ro", "ro"), ("pt-PT", "pt"), ("pt-BR", "pt")])
def test_a_phrase_is_read_whatever_is_done_to_it(lang: str, language: str) -> None:
    phrase = new_phrase(lang)
    words = phrase.split()
    assert len(words) == WORDS and set(words) <= set(words_of(language))
    meant = [folded(word) for word in words]
    for typed in (phrase, phrase.upper(), f"  {'  '.join(words)}. ", "-".join(words), ",\n".join(meant)):
        assert read_phrase(typed) == meant
    assert unknown_word(meant) is None
    assert unknown_word([*meant[:2], "xyzzy"]) == 3


# ---------------------------------------------------------------- carrying


def test_a_second_device_is_the_same_guest_and_both_go_on(running: Running) -> None:
    ada = running.person("Ada")
    table = ada.table("conductor", start=True)["id"]
    made = ada.post("/me/carry")
    assert made["seconds"] == 600 and made["picture"].startswith("<svg")
    with device(running.url) as other:
        found = other.post("/carry/look", json={"secret": made["words"].upper()}).json()
        assert found == {"name": "Ada", "games": 1, "leaves": 0, "same": False}
        me = become(other, made["words"]).json()
        assert me["id"] == ada.id and me["name"] == "Ada"
        assert other.cookies[COOKIE] == me["token"]
        assert [line["id"] for line in other.get("/me/tables").json()] == [table]
        assert other.get(f"/tables/{table}").json()["you"] is not None
    assert ada.get(f"/tables/{table}")["you"] is not None


def test_the_link_does_the_same_and_holds_its_secret_behind_the_sign_that_is_not_sent(running: Running) -> None:
    ada = running.person("Ada")
    link = ada.post("/me/carry")["link"]
    before, _, secret = link.partition("#")
    assert before == f"{running.url}/carry" and re.fullmatch(r"[\w-]{22}", secret)
    with device(running.url) as other:
        assert become(other, secret).json()["id"] == ada.id


def test_it_is_good_once_but_for_who_missed_the_answer(running: Running) -> None:
    ada = running.person("Ada")
    made = ada.post("/me/carry")
    with device(running.url) as one, device(running.url) as two:
        assert become(one, made["words"], "k1").status_code == 200
        assert become(one, made["words"], "k1").json()["id"] == ada.id
        for secret in (made["words"], made["link"].split("#")[1]):
            refused = become(two, secret, "k2")
            assert (refused.status_code, refused.json()["code"]) == (404, "carry_unknown")
            assert two.post("/carry/look", json={"secret": secret}).status_code == 404
        assert COOKIE not in two.cookies


def test_a_new_one_ends_the_one_before_and_time_ends_all(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = running.person("Ada")
    first, second = ada.post("/me/carry"), ada.post("/me/carry")
    monkeypatch.setattr(carries_module, "GOOD_SECONDS", -1)
    with device(running.url) as other:
        assert become(other, first["words"]).status_code == 404
        assert become(other, second["words"]).status_code == 200
        assert become(other, ada.post("/me/carry")["words"]).status_code == 404


def test_of_many_who_come_at_once_one_gets_it(running: Running) -> None:
    phrase = running.person("Ada").post("/me/carry")["words"]
    replies: list[int] = []

    def come(n: int) -> None:
        with device(running.url) as other:
            replies.append(become(other, phrase, f"k{n}").status_code)

    threads = [threading.Thread(target=come, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(replies) == [200] + [404] * 7


def test_who_has_games_here_is_told_before_they_are_left_behind(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    bo.table("conductor", start=True)
    bo.table("open")
    made = ada.post("/me/carry")
    assert bo.post("/carry/look", {"secret": made["words"]}) == {
        "name": "Ada", "games": 0, "leaves": 2, "same": False,
    }  # fmt: skip
    assert ada.post("/carry/look", {"secret": made["words"]})["same"] is True


def test_a_key_that_is_replaced_meanwhile_does_not_end_a_phrase(running: Running) -> None:
    ada = running.person("Ada")
    phrase = ada.post("/me/carry")["words"]
    running.run(rotate(running.service.store, ["handle"]))
    running.run(running.service.keys.refresh())
    with device(running.url) as other:
        assert become(other, phrase).json()["id"] == ada.id


def test_nothing_readable_is_kept_and_an_erased_person_takes_it_along(running: Running) -> None:
    ada = running.person("Ada")
    made = ada.post("/me/carry")
    told = running.run(running.service.store.export(ada.id))
    assert list(told["carries"][0]) == ["until"]  # type: ignore[index]
    kept = b"".join(path.read_bytes() for path in Path(running.options.data).glob("branchline.sqlite3*"))
    assert made["words"].split()[0].encode() + b" " not in kept
    assert made["link"].split("#")[1].encode() not in kept
    running.run(running.service.store.erase(ada.id))
    with device(running.url) as other:
        assert become(other, made["words"]).status_code == 404


# ---------------------------------------------------------------- bad input, floods


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "carry_words"),
        ("apple banana", "carry_words"),
        ("apple " * 6, "carry_words"),
        ("apple " * 1000, "carry_words"),
        ("apple banana canoe xyzzy lemon", "carry_word"),
        ("apple banana canoe kayak lemon", "carry_unknown"),
        ("A" * 22, "carry_unknown"),
        ("\0\ud7ff 😀", "carry_words"),
    ],
)
def test_what_is_no_phrase_is_refused_with_a_reason(running: Running, typed: str, code: str) -> None:
    with device(running.url) as other:
        for path in ("/carry", "/carry/look"):
            reply = other.post(path, json={"secret": typed})
            assert reply.status_code in (400, 404) and reply.json()["code"] == code
        assert not other.cookies


def test_another_site_cannot_make_somebody_another_guest(running: Running) -> None:
    phrase = running.person("Ada").post("/me/carry")["words"]
    for headers in ({"origin": "https://evil.example"}, {}):
        reply = httpx.post(f"{running.url}/api/carry", json={"secret": phrase}, headers=headers)
        assert reply.status_code == 403


GUESS = "apple banana canoe kayak lemon"


def test_who_guesses_is_stopped_by_guest_by_address_and_in_all(tmp_path: Path) -> None:
    bound = BoundSettings().phrases
    assert bound.person and bound.address and bound.in_all
    # All guesses of ten minutes together, against as many phrases as there may be: less than one in a million hits.
    guesses, phrases = bound.in_all.at_once + 10 * bound.in_all.a_minute, 250
    assert guesses * phrases / 256**WORDS < 1e-6
    with Running(tmp_path, limited=True, proxies=("127.0.0.1",)) as running:
        made = Person(running.url, name="Ada").post("/me/carry")

        def ask(n: int, secret: str) -> httpx.Response:
            headers = {"x-forwarded-for": f"10.{n >> 8}.{n & 255}.1"}
            return other.post("/carry", json={"secret": secret}, headers=headers)

        with device(running.url) as other:
            codes = [ask(1, GUESS).json()["code"] for _ in range(bound.address.at_once + 5)]
            assert codes[: bound.address.at_once] == ["carry_unknown"] * bound.address.at_once
            assert codes[-1] == "phrases"
            assert ask(1, GUESS).headers["retry-after"]
            refused = 0
            for n in range(2, bound.in_all.at_once + 200):
                refused += ask(n, GUESS).status_code == 429
            assert refused > 0  # whatever addresses they come from
            assert ask(9999, made["words"]).status_code == 429
            assert ask(9999, made["link"].split("#")[1]).status_code == 200  # nobody guesses a link


def test_nobody_makes_phrases_without_end(tmp_path: Path) -> None:
    bounds = BoundSettings()
    assert isinstance(bounds.carries.person, Rate)
    with Running(tmp_path, limited=True) as running:
        ada = Person(running.url, name="Ada")
        replies = [ada.http.post("/me/carry", json={}) for _ in range(bounds.carries.person.at_once + 2)]
        assert [reply.status_code for reply in replies][-1] == 429
        assert replies[-1].json()["code"] == "too_fast"


# ---------------------------------------------------------------- kill -9


def test_a_phrase_outlives_the_process_and_its_use_does_too(tmp_path: Path) -> None:
    with Process(tmp_path) as service:
        ada = Person(service.url, name="Ada")
        made: dict[str, Any] = ada.post("/me/carry")
        service.kill()
    with Process(tmp_path) as service, device(service.url) as other:
        assert become(other, made["words"], "k").json()["id"] == ada.id
        service.kill()
    with Process(tmp_path) as service, device(service.url) as same, device(service.url) as third:
        assert become(third, made["words"], "another").status_code == 404
        assert become(same, made["words"], "k").json()["id"] == ada.id
