"""Words for players: catalogues in four languages, read by the terminal, the service and the page alike.

    words/<language>.json                       what every map needs
    mechanics/<mechanic>/words/<language>.json  what is said about one mechanic
    words/maps.json                             what the shipped maps are called

A catalogue gives each key a message: a text, or one text for each form of a number (Unicode CLDR's categories). In a
text, braces name parameters; `Telling` says how facts of a game become sentences, and web/src/text/telling.ts does the
same on the page. Keys begin with what they are for:

    event.KIND   an event of the log       why.KIND    a refusal         thing.NOUN   what is counted or named
    brief.KIND   an event in a few words   due.PHASE   what is awaited   ask.PHASE    the question for it
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, Literal, TypeAlias, cast, get_args

from branchline.mechanics import MECHANICS

Language: TypeAlias = Literal["en", "ro", "pt-PT", "pt-BR"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
Message: TypeAlias = str | dict[str, str]


class Words:
    """All messages of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._messages = catalogue(language)

    def __contains__(self, key: object) -> bool:
        return key in self._messages

    def __getitem__(self, key: str) -> Message:
        return self._messages[key]

    def bent(self, message: Message, n: int) -> str:
        """The form of a message that goes with a number."""
        if isinstance(message, str):
            return message
        return message.get(plural(self.language, n), message["other"])

    def counted(self, key: str, n: int, **params: str) -> str:
        """The words for a number of things; `{n}` stands for the number."""
        text = self.bent(self[key], n)
        for name, value in {"n": str(n), **params}.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def joined(self, parts: list[str]) -> str:
        """ "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        text = cast(str, self["thing.list"])
        return text.replace("{all}", ", ".join(parts[:-1])).replace("{last}", parts[-1])


@lru_cache(maxsize=len(LANGUAGES))
def words_of(language: Language) -> Words:
    """The words of a language, read once."""
    return Words(language)


def map_name(map: str, language: str) -> str:
    """What players call a map in a language; the name given where the catalogue has none, as for a fan map."""
    return _map_names().get(map, {}).get(language, map)


@lru_cache(maxsize=1)
def _map_names() -> dict[str, dict[str, str]]:
    file = resources.files("branchline").joinpath("words", "maps.json")
    names: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return names


def spoken(wish: str) -> Language:
    """The language we speak that comes nearest to a wish like `pt_BR.UTF-8`; English if none does."""
    wanted = wish.split(".")[0].replace("_", "-").lower()
    near: list[Language] = [language for language in LANGUAGES if language[:2] == wanted[:2]]
    return next((language for language in near if language.lower() == wanted), near[0] if near else "en")


def plural(language: Language, n: int) -> str:
    """The form of words a number takes: CLDR's categories, for whole numbers below a million.

    CLDR gives Brazil the singular for 0; Brazilians write "0 pontos".
    """
    if n == 1:
        return "one"
    few = language == "ro" and (n == 0 or 1 <= n % 100 <= 19)
    return "few" if few else "other"


def catalogue(language: Language) -> dict[str, Message]:
    """Every message of a language, of the core and of all mechanics in the list."""
    merged: dict[str, Message] = {}
    for file in _files(language):
        part = json.loads(file.read_text(encoding="utf-8"))
        twice = merged.keys() & part.keys()
        assert not twice, f"{file}: {', '.join(sorted(twice))} stand in another catalogue too"
        merged |= part
    return merged


def _files(language: Language) -> Iterator[Traversable]:
    root = resources.files("branchline")
    yield root.joinpath("words", f"{language}.json")
    for mechanic in MECHANICS:
        file = root.joinpath("mechanics", mechanic, "words", f"{language}.json")
        if file.is_file():
            yield file
