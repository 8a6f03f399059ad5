"""Guests: a token cannot be made up, a secret is made once, a name can be shown to anybody."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest

from branchline.record import Player
from branchline.server.guests import _WORDS, BadName, Guests, clean_name, load_secret, new_user_id, suggested_name

GUESTS = Guests(bytes(32))


# ---------------------------------------------------------------- tokens


def test_a_token_tells_its_user() -> None:
    for _ in range(50):
        user = new_user_id()
        token = GUESTS.token(user)
        assert GUESTS.user_of(token) == user
        assert token.isascii()
        assert all(letter.isalnum() or letter in "-_." for letter in token)


def test_users_are_all_different() -> None:
    users = {new_user_id() for _ in range(1000)}
    assert len(users) == 1000
    assert {len(user) for user in users} == {22}


def test_a_token_that_was_not_made_here_is_nobodys() -> None:
    user = new_user_id()
    token = GUESTS.token(user)
    proof = token.partition(".")[2]
    for at in range(len(token)):
        other = "A" if token[at] != "A" else "B"
        assert GUESTS.user_of(token[:at] + other + token[at + 1 :]) is None
    for wrong in ("", ".", user, f"{user}.", f".{proof}", f"{token}A", f"{token}=", token[:-1], token + "\n", "é" * 66):
        assert GUESTS.user_of(wrong) is None
    assert GUESTS.user_of(f"{new_user_id()}.{proof}") is None
    assert GUESTS.user_of(f"{user}.\ud800") is None
    assert Guests(b"\x01" * 32).user_of(token) is None


def test_only_ids_get_tokens_and_only_long_secrets_are_taken() -> None:
    for wrong in ("", "ada", "x" * 23, "é" * 22, "a.b" + "x" * 19):
        with pytest.raises(ValueError, match="not the id of a user"):
            GUESTS.token(wrong)
    with pytest.raises(ValueError, match="it needs 32"):
        Guests(b"short")


def test_the_secret_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    secret = load_secret(tmp_path)
    assert load_secret(tmp_path) == secret
    assert len(secret) == 32
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    (tmp_path / "secret").chmod(0o644)
    load_secret(tmp_path)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    (tmp_path / "secret").write_bytes(b"half")
    with pytest.raises(ValueError, match="has 4 bytes, 32 are needed"):
        load_secret(tmp_path)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace\t", "Ada Lovelace"),
        ("Ștefan cel Mare", "Ștefan cel Mare"),
        ("S\u0326tefan", "Ștefan"),
        ("João Não-Sei", "João Não-Sei"),
        ("Nguyễn Thị Minh Khai", "Nguyễn Thị Minh Khai"),
        ("อัครเดช", "อัครเดช"),
        ("شهرزاد", "شهرزاد"),
        ("李雷", "李雷"),
        ("Zoë 🚂", "Zoë 🚂"),
        ("O'Neill & Söhne", "O'Neill & Söhne"),
        ("x" * 24, "x" * 24),
        ("<b>Ada</b>", "<b>Ada</b>"),  # text, not markup: the page writes it as text
    ],
)
def test_names_of_many_kinds_are_kept(given: str, kept: str) -> None:
    assert clean_name(given) == unicodedata.normalize("NFC", kept)
    assert clean_name(clean_name(given)) == clean_name(given)
    Player(clean_name(given))  # a game file takes it too


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("\u0301", "empty"),
        ("\ufe0f\ufe0f", "empty"),
        ("x" * 25, "long"),
        ("e\u0323\u0301" * 24 + "x" * 24, "long"),
        ("Ada\u202eadB", "hidden"),
        ("Ada\u2066x", "hidden"),
        ("Ada\x00", "hidden"),
        ("Ada\x1b[2J", "hidden"),
        ("A\u200bda", "hidden"),
        ("\u3164", "hidden"),
        ("\u2800\u2800", "hidden"),
        ("\ud800", "hidden"),
        ("\ue000", "hidden"),
        ("Z\u0335\u0336\u0337\u0338a", "marks"),
        ("\u0301Ada", "marks"),
    ],
)
def test_names_that_cannot_be_shown_are_refused(given: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(given)
    assert refused.value.said.code == f"name_{code}"
    assert str(refused.value).startswith("a name has ")


def test_any_text_is_kept_or_refused() -> None:
    rng = random.Random("names")
    for _ in range(3000):
        text = "".join(chr(rng.choice((rng.randrange(0x300), rng.randrange(0x3000), rng.randrange(0x110000))))
                       for _ in range(rng.randrange(30)))  # fmt: skip
        try:
            name = clean_name(text)
        except BadName:
            continue
        assert name.isprintable()
        assert name == name.strip()
        Player(name)


def test_suggested_names_are_names_in_every_language() -> None:
    rng = random.Random(1)
    for lang, words in _WORDS.items():
        found = {suggested_name(rng, lang) for _ in range(2000)}
        assert len(found) > 150
        assert all(clean_name(name) == name for name in found)
        assert len(words.adjectives) == len(set(words.adjectives))
    assert suggested_name(random.Random(3), "en") == suggested_name(random.Random(3), "xx")
    romanian = {suggested_name(rng, "ro") for _ in range(2000)}
    assert {"Gară Veselă", "Semafor Vesel"} <= romanian
    assert not any(letter in name for name in romanian for letter in "şţŞŢ")
