"""Names: whatever is given, what is kept can be shown to anybody, stands in a game file, and is told apart."""

from __future__ import annotations

import random
import unicodedata

import pytest

from branchline.record import Player
from branchline.record.model import name_fault
from branchline.server.words.names import _WORDS, MOST_CODES, BadName, clean_name, suggested_name, told_apart


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
    assert refused.value.sentence.code == f"name_{code}"
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


# ---------------------------------------------------------------- two of the same name at one table

LONGEST = "e\u0323\u0302" * 20  # sixty characters, twenty letters: as long as a name can be
NAMES = ["Ada", "x" * 24, LONGEST, "อั" * 24, "🤦🏽" * 12, "x" * 60, "x" * 200, "a" + "\u0301" * 70]


@pytest.mark.parametrize("name", NAMES)
def test_however_many_have_one_name_each_is_told_apart_and_fits_a_record(name: str) -> None:
    taken: list[str] = []
    for _ in range(12):
        found = told_apart(name, taken)
        assert found not in taken
        assert len(found) <= MOST_CODES
        assert not name_fault(found)
        Player(found)
        taken.append(found)


def test_a_name_is_kept_where_nobody_has_it() -> None:
    assert told_apart("Ada", ["Bo", "Ada 2"]) == "Ada"
    assert told_apart("Ada", ["Ada"]) == "Ada 2"
    assert told_apart("Ada", {"Ada", "Ada 2", "Ada 3"}) == "Ada 4"
    assert told_apart(LONGEST, []) == LONGEST


@pytest.mark.parametrize(("name", "letter"), [(LONGEST, "e\u0323\u0302"), ("🤦🏽" * 30, "🤦🏽"), ("กี้" * 20, "กี้")])
def test_a_letter_is_not_cut_from_its_accents(name: str, letter: str) -> None:
    taken = [name]
    for number in range(2, 120):
        taken.append(told_apart(name, taken))
        base, _, end = taken[-1].rpartition(" ")
        assert end == str(number)
        assert base == letter * (len(base) // len(letter))
