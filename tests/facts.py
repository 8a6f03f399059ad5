"""Facts to be told: examples of every event and every refusal.

`python -m tests.facts` writes web/tests/telling.vectors.json, by which the page's sentences are held to the library's.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from pathlib import Path
from typing import Any

from branchline import events, load_map
from branchline.phases import Phase
from branchline.refusals import Refusal
from branchline.server.wire.derived import Told
from branchline.words import LANGUAGES
from branchline.words.telling import Telling

NAMES = ("Ana", "Rui")
VALUES: dict[str, list[object]] = {  # what a parameter can be, by its name
    "seat": [0, 1],
    "track": ["paris-zurich-1"],
    "ticket": ["paris-wien", None],
    "tickets": [("paris-wien", "berlin-roma"), None],
    "card": ["red", "loco", None],
    "colour": ["red"],
    "needed": [1, 2],
    "terrain": ["desert"],
    "group": ["porto"],
    "label": ["wien", None],
    "origin": ["berlin"],
    "known_to": [(0,), (1,)],
    "reason": list(typing.get_args(events.EndReason)),
    "due": list(typing.get_args(Phase)),
    "twice": [True, False],
    "other": ["blue"],
    "locos": [1, 2],  # never none where there are no cards either
}
FACTS = [("event", kind) for kind in typing.get_args(Told)] + [("why", kind) for kind in typing.get_args(Refusal)]


def examples(kind: type) -> list[dict[str, object]]:
    """Facts of a kind: each value of each field at least once."""
    hints = typing.get_type_hints(kind)
    choices = {field.name: _values(field.name, hints[field.name]) for field in dataclasses.fields(kind)}
    most = max((len(values) for values in choices.values()), default=1)
    return [{name: values[n % len(values)] for name, values in choices.items()} for n in range(most)]


def _values(name: str, hint: object) -> list[object]:
    plain = {one for one in (typing.get_args(hint) or (hint,)) if one is not type(None)}
    if plain == {int} and name in ("seat", "locos"):
        return VALUES[name]
    if plain == {int}:
        return [0, 1, 2, 20] if type(None) not in typing.get_args(hint) else [3, None]
    if plain == {str} or typing.get_origin(hint) is typing.Literal or plain == {bool}:
        return {"place": ["paris"], "needed": ["red"]}.get(name) or VALUES[name]  # type: ignore[return-value]
    return [("red", "red", "loco"), ()] if name == "cards" else VALUES[name]


def vectors() -> list[dict[str, Any]]:
    """What the player on seat 0 is told of each example, in every language."""
    tellings = {language: Telling.of(load_map("europe"), NAMES, 0, language) for language in LANGUAGES}
    return [
        {
            "prefix": prefix,
            "fact": {"kind": kind.__name__} | {k: list(v) if isinstance(v, tuple) else v for k, v in params.items()},
            "told": {language: telling.tell(prefix, kind(**params)) for language, telling in tellings.items()},
        }
        for prefix, kind in FACTS
        for params in examples(kind)
    ]


if __name__ == "__main__":
    target = Path(__file__).parent.parent / "web" / "tests" / "telling.vectors.json"
    lines = [json.dumps(vector, ensure_ascii=False) for vector in vectors()]
    target.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
