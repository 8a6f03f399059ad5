"""How cards and short answers are written by players, and the nearest known word to one that is not."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from branchline.maps.model import COLOURS, LOCO
from branchline.terminal.labels import LETTERS

LOCO_WORDS = frozenset(
    ("l", "loco", "locos", "locomotive", "locomotives", "wild", "wilds", "joker", "jokers", "engine", "engines")
)
DECK_WORDS = frozenset(("deck", "blind", "top"))
YES, NO = frozenset(("y", "yes", "pay", "ok")), frozenset(("n", "no", "nothing", "none"))
_OTHER_NAMES = {"pink": "purple", "violet": "purple", "magenta": "purple"}


def colour_of(word: str, least: int = 1) -> str | None:
    """The card a word means: its name, its letter, or a beginning of at least three letters."""
    if word in LOCO_WORDS and len(word) >= least:
        return LOCO
    if len(word) < least:
        return None
    letter = next((c for c in COLOURS if LETTERS[c].lower() == word), None)
    name = _OTHER_NAMES.get(word, word)
    long = [c for c in COLOURS if c.startswith(name)] if len(name) >= 3 else []
    return letter or (long[0] if len(long) == 1 else None)


def near(word: str, known: Sequence[str]) -> str:
    """A hint at the known word most like this one."""
    found = difflib.get_close_matches(word, known, 1, 0.6)
    return f' (did you mean "{found[0]}"?)' if found else ""
