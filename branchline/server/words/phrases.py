"""Phrases of words, to be read from one screen and typed at another: five words of a list of 256, forty bits.

The words of a list differ by two letters or more once capitals and accents are gone, and none is coarse.
"""

from __future__ import annotations

import re
import secrets
from functools import cache
from importlib.resources import files
from typing import Final

from branchline.server.words.profanity import folded

WORDS: Final = 5
LISTS: Final = ("en", "ro", "pt")
_WORD: Final = re.compile(r"[a-z]+")


@cache
def words_of(language: str) -> tuple[str, ...]:
    """The words of a list, as they are shown."""
    text = files("branchline.server.words").joinpath(f"phrase_{language}.txt").read_text(encoding="utf-8")
    return tuple(text.split())


@cache
def _known() -> frozenset[str]:
    return frozenset(folded(word) for language in LISTS for word in words_of(language))


def new_phrase(lang: str) -> str:
    """A phrase for a reader of this language."""
    words = words_of(next((name for name in LISTS if lang.startswith(name)), "en"))
    return " ".join(secrets.choice(words) for _ in range(WORDS))


def read_phrase(text: str) -> list[str]:
    """The words as they were meant: without accents and capitals, whatever stands between them."""
    return _WORD.findall(folded(text))


def unknown_word(words: list[str]) -> int | None:
    """Which word, counted from 1, stands in no list."""
    return next((at for at, word in enumerate(words, 1) if word not in _known()), None)
