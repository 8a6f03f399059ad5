"""Finding places in what a player typed: whole names, initials, beginnings of words, without accents."""

from __future__ import annotations

import difflib
from functools import lru_cache

from branchline.terminal.labels import ScreenLabels, folded

EXACT, INITIALS, BEGINNING, INSIDE = range(4)
LONGEST = 6
# Words that say nothing: left out of what is typed, and so of the names too.
FILLERS = frozenset(
    ("to", "and", "from", "with", "using", "the", "a", "by", "of", "for", "card", "cards", "please", "place")
)


class PlaceFinder:
    """Looks up typed words among the names of a map."""

    def __init__(self, labels: ScreenLabels) -> None:
        self.names: list[tuple[str, tuple[str, ...]]] = []
        for place in labels.data.places:
            named = (place.name, place.id, labels.names[place.id], labels.place(place.id), place.country or "")
            spellings = {folded(text) for text in named}
            self.names += [
                (place.id, tuple(w for w in text.split() if w not in FILLERS)) for text in sorted(spellings) if text
            ]
        self.vocabulary = sorted({word for _, name in self.names for word in name if len(word) > 1})
        self.ranks = lru_cache(maxsize=512)(self._ranks)

    def _ranks(self, words: tuple[str, ...]) -> dict[str, int]:
        """The places these words can mean, with how well they fit (0 is best)."""
        found: dict[str, int] = {}
        words = tuple(word for word in words if word not in FILLERS)
        if not words:
            return found
        for place, name in self.names:
            rank = _rank(words, name)
            if rank is not None:
                found[place] = min(rank, found.get(place, INSIDE))
        return found

    def best(self, words: tuple[str, ...]) -> list[str]:
        """The places that fit best, none if nothing fits."""
        ranks = self.ranks(words)
        return [p for p, rank in ranks.items() if rank == min(ranks.values())]

    def nearest(self, words: tuple[str, ...]) -> str | None:
        """The known word most like the first unknown one."""
        near = [w for word in words for w in difflib.get_close_matches(word, self.vocabulary, 1, 0.7)]
        return near[0] if near else None


def _rank(words: tuple[str, ...], name: tuple[str, ...]) -> int | None:
    if words == name:
        return EXACT
    if len(words) == 1 and len(name) > 1 and words[0] == "".join(word[0] for word in name):
        return INITIALS
    for start in range(len(name) - len(words) + 1):
        if all(full.startswith(word) for word, full in zip(words, name[start:], strict=False)):
            return BEGINNING if start == 0 else INSIDE
    return None
