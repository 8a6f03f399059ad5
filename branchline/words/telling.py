"""Facts of a game as sentences: `event.TrackClaimed` with an event's fields, `why.TooFewTrains` with a refusal's.

A fact is a frozen value; its kind is the key and its fields are the parameters. In a message

    {track}                  the thing that a parameter names: a place, track, ticket, card, colour … of this map
    {length:trains}          so many of a thing that is counted: "3 trains"
    {cards:card.colour}      so many of the kind that another parameter (or the word itself) names: "3 red cards"
    {a:noun + b:noun}        those of which there are any, joined: "3 red cards and a locomotive"

and the key is the most particular there is: with `.you` or `.they` by whose fact it is, and with `.field=value` (or
`.field=none` for nothing) for each field that has such a message. A message with forms bends with the fact's number.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from branchline.files import printable, shown
from branchline.maps.model import MapData
from branchline.mechanics import modules
from branchline.words import Language, Words, words_of
from branchline.words.labels import Labels, labels_of

Params: TypeAlias = Mapping[str, Any]
_BRACES = re.compile(r"\{([^{}]+)\}")


class Telling:
    """How facts are told to one reader: in a language, with the names of a map and of its players."""

    def __init__(
        self, words: Words, labels: Labels | None = None, names: Sequence[str] = (), reader: int | None = None
    ) -> None:
        self.words, self.labels, self.names, self.reader = words, labels, names, reader

    @classmethod
    def of(
        cls, data: MapData, names: Sequence[str] = (), reader: int | None = None, language: Language = "en"
    ) -> Telling:
        words = words_of(language)
        return cls(words, labels_of(data, words), names, reader)

    def tell(self, prefix: str, fact: Any) -> str:
        """The sentence of a fact."""
        return self.sentence(f"{prefix}.{type(fact).__name__}", params_of(fact))

    def sentence(self, key: str, params: Params) -> str:
        """The message of a key, or of the most particular key under it, with its parameters in words."""
        message = self.words[self._case(key, params)]
        number = next((value for name, value in params.items() if _is_count(name, value)), 1)
        text = self.words.bent(message, number)
        return _BRACES.sub(lambda found: self._filled(found[1], {"n": number, **params}), text)

    def _case(self, key: str, params: Params) -> str:
        if "seat" in params and f"{key}.you" in self.words:
            key += ".you" if params["seat"] == self.reader else ".they"
        for name, value in params.items():
            case = f"{key}.{name}={_case_of(value)}"
            key = case if case in self.words else key
        return key

    def _filled(self, braces: str, params: Params) -> str:
        terms = [term.partition(":") for term in braces.split(" + ")]
        told = [self._worded(name, noun, params) for name, _, noun in terms if len(terms) == 1 or params[name]]
        return self.words.joined(told)

    def _worded(self, name: str, noun: str, params: Params) -> str:
        match params[name]:
            case int(n):
                return self.seat(n) if name == "seat" else self._counted(n, noun, params)
            case str(one):
                return self.thing(noun or name, one)
            case tuple(several):
                counts = Counter(several).items()
                return self.words.joined([self.thing(noun or name, one or "any", n) for one, n in counts])
            case _:
                return self.thing(noun or name, "any")

    def _counted(self, n: int, noun: str, params: Params) -> str:
        noun, _, kind = noun.partition(".")
        if kind:
            return self.thing(noun, params.get(kind, kind), n)
        return self.words.counted(self._key(noun), n) if noun else str(n)

    def thing(self, noun: str, name: str, n: int = 1) -> str:
        """So many of a thing by its name: a place by its label, "a red card", "2 red cards"."""
        key = self._key(f"{noun}.{name}")
        if key:
            return self.words.counted(key, n)
        label = _LABELLED.get(noun) if self.labels is not None else None
        own = printable(label(self.labels, name)) if label else shown(name)
        other = self._key(f"{noun}.other")
        return self.words.counted(other, n, name=own) if other else own

    def _key(self, noun: str) -> str:
        return next((key for key in (f"thing.{noun}", f"common.{noun}", noun) if key in self.words), "")

    def seat(self, seat: int) -> str:
        """What the player on a seat is called."""
        return self.names[seat] if seat < len(self.names) else self.words.counted("thing.seat", seat)


# What the map names itself, by noun: the words of the catalogues come first. A mechanic's labels.py adds its own.
_LABELLED: dict[str, Callable[[Any, str], str]] = {
    "place": Labels.place,
    "track": Labels.track,
    "ticket": Labels.valued_ticket,
}
for _part in modules("labels"):
    _LABELLED |= _part.LABELLED


def params_of(fact: Any) -> dict[str, Any]:
    """The fields of a frozen fact, in the order in which they are declared."""
    return {field.name: getattr(fact, field.name) for field in dataclasses.fields(fact)}


def _is_count(name: str, value: object) -> bool:
    return name != "seat" and isinstance(value, int) and not isinstance(value, bool)


def _case_of(value: object) -> str:
    return "none" if not value else "true" if value is True else str(value)
