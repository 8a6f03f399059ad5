"""Notation: every action has one line of text, and the line reads back.

    draw 3        draw deck      tickets     claim TRACK red     locos 2
    keep A B      return A       pass

and the lines of the mechanics, which stand in their faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from branchline.actions import Action
from branchline.codec import names_of
from branchline.faces import Move
from branchline.files import did_you_mean, printable
from branchline.maps.model import CARDS, MapData
from branchline.mechanics.composed_face import FACES, Names

LONGEST_LINE = 1000
SEVERAL = "…"


class BadNotation(ValueError):
    """A line that is no action; says what would be one."""


class _Line:
    """The line of one class of actions, as its face writes it: small words as they are, capitals for the fields."""

    def __init__(self, move: Move[Any]) -> None:
        self.kind = move.kind
        self.verb, *words = move.line.split()
        self.form = move.form or move.line
        self.several = words[-1:] == [SEVERAL]
        self.words = words[:-1] if self.several else words
        self.fields = [field.name for field in fields(move.kind)]
        self.text = " ".join([self.verb, *("{}" if word.isupper() else word for word in self.words)])

    def write(self, action: Action) -> str:
        values = [getattr(action, name) for name in self.fields]
        return " ".join([self.verb, *values[0]]) if self.several else self.text.format(*values)

    def read(self, words: Sequence[str]) -> Action | None:
        if self.several:
            made: Action = self.kind(tuple(words))
            return made if words else None
        if len(words) != len(self.words):
            return None
        values: list[str | int] = []
        for word, wanted in zip(words, self.words, strict=True):
            if wanted == "NUMBER":
                values.append(_number(word))
            elif wanted.isupper():
                values.append(word)
            elif word != wanted:
                return None
        action: Action = self.kind(*values)
        return None if -1 in values else action

    def check(self, action: Action, names: Names) -> None:
        """Refuse a name that is not on the map."""
        wanted = [word for word in self.words if word.isupper() and word != "NUMBER"]
        values = [getattr(action, name) for name in self.fields if not isinstance(getattr(action, name), int)]
        for word, value in zip(wanted, values, strict=True):
            for name in value if self.several else (value,):
                _known(word, name, names)


_LINES: dict[type, _Line] = {move.kind: _Line(move) for face in FACES for move in face.moves}
_VERBS: dict[str, list[_Line]] = {}
for _line in _LINES.values():
    _VERBS.setdefault(_line.verb, []).append(_line)


def write_action(action: Action) -> str:
    """The line of an action."""
    return _LINES[type(action)].write(action)


def read_action(line: str, data: MapData | None = None) -> Action:
    """The action of a line. With a map, its names are checked and the nearest right one is told."""
    if not isinstance(line, str):
        raise BadNotation(f"a line of text is needed, not {type(line).__name__}")
    if len(line) > LONGEST_LINE:
        raise BadNotation(f"the line has {len(line)} characters, {LONGEST_LINE} at the most")
    verb, *words = line.split() or [""]
    if verb not in _VERBS:
        raise BadNotation(
            f'no action begins with "{verb[:40]}"{did_you_mean(verb, _VERBS)}; one of: {", ".join(_VERBS)}'
        )
    action = next((read for one in _VERBS[verb] if (read := one.read(words)) is not None), None)
    if action is None:
        forms = ", or ".join(one.form for one in _VERBS[verb])
        raise BadNotation(f'"{printable(line.strip()[:80])}": write {forms}')
    if data is not None:
        _LINES[type(action)].check(action, names_of(data))
    return action


def _number(word: str) -> int:
    """A number of one or two digits, or -1."""
    plain = word.isascii() and word.isdigit() and len(word) <= 2 and str(int(word)) == word
    return int(word) if plain else -1


def _known(word: str, name: str, names: Names) -> None:
    kinds: Mapping[str, tuple[str, Mapping[str, int] | Sequence[str]]] = {
        "TRACK": ("track", names.track),
        "CITY": ("place", names.place),
        "TICKET": ("ticket", names.ticket),
        "COLOUR": ("colour", CARDS),
    }
    what, known = kinds[word]
    if name not in known:
        raise BadNotation(f'no {what} "{printable(name[:60])}" on this map{did_you_mean(name, known)}')
