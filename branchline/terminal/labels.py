"""What things are called on the screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from branchline.maps.model import LOCO, MapData, Ticket
from branchline.words import Words
from branchline.words.labels import Labels

LETTERS = {
    "purple": "P",
    "blue": "B",
    "orange": "O",
    "white": "W",
    "green": "G",
    "yellow": "Y",
    "black": "K",
    "red": "R",
    LOCO: "L",
}
_NOT_DECOMPOSED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe"})


def folded(text: str) -> str:
    """Text without capitals, accents and punctuation, one blank between words."""
    bare = unicodedata.normalize("NFKD", text.casefold()).translate(_NOT_DECOMPOSED)
    bare = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join(re.split(r"[^a-z0-9?#]+", bare)).strip()


def counted(n: int, what: str) -> str:
    """ "1 train", "2 trains"; a word of another plural is given as "city/cities"."""
    one, _, many = what.partition("/")
    return f"{n} {one if n == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a, b and c"."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def card_word(card: str, n: int = 1) -> str:
    return card if card != LOCO else "locomotive" if n == 1 else "locomotives"


def cards_in_words(cards: dict[str, int]) -> str:
    """ "3 red and 1 locomotive"."""
    return listed([f"{n} {card_word(card, n)}" for card, n in cards.items() if n]) or "no cards"


def numbers_table(numbers: Sequence[int]) -> str:
    """ "1: 1, 2: 2, 3: 4", without what is worth nothing."""
    return ", ".join(f"{n}: {worth}" for n, worth in enumerate(numbers) if worth)


class ScreenLabels(Labels):
    """The names of a map with what a player at a screen reads beside them.

    `plain` writes "Denver to Omaha" where the screen has "Denver–Omaha".
    """

    def __init__(self, data: MapData, plain: bool, words: Words | None = None) -> None:
        super().__init__(data, words, joint=" to " if plain else "–")

    def ticket_note(self, ticket: Ticket) -> str:
        """What a player should know beside the two ends."""
        notes = ["long ticket"] if ticket.long else []
        return ", ".join(notes + (["reconstructed"] if "reconstruction" in ticket.provenance else []))


def reconstruction_note(data: MapData) -> str:
    """A sentence on what is not the printed game, or nothing."""
    if not data.reconstructed:
        return ""
    parts = listed([part.replace("_", " ") for part in data.reconstructed])
    return f"On this map these are our reconstruction, not the printed game: {parts}."
