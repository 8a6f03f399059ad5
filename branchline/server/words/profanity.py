"""A short list of coarse words: veiled in talk, refused in a name. Whole words count, whatever the accents."""

from __future__ import annotations

import re
import unicodedata
from importlib.resources import files
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")  # accents that stand alone belong to their word


def _words() -> frozenset[str]:
    text = files("branchline.server.words").joinpath("profanity.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))


def folded(word: str) -> str:
    """A word without capitals and accents."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


PROFANITY: Final = _words()


def has_profanity(text: str) -> bool:
    """Whether there is a coarse word in it."""
    return any(folded(word) in PROFANITY for word in _WORD.findall(text))


def veiled(text: str) -> str:
    """The text with only the first letter of each coarse word, and an asterisk for every other."""
    return _WORD.sub(_veil, text)


def _veil(found: re.Match[str]) -> str:
    word = found[0]
    return word[0] + "*" * (len(folded(word)) - 1) if folded(word) in PROFANITY else word
