"""The page's types are written from the wire's structures, and every event fits on the wire."""

from __future__ import annotations

import dataclasses
import json
import typing

import msgspec
import pytest

from branchline import events
from branchline.server import wire
from branchline.server.wire.typescript import TARGET, typescript
from branchline.server.wire.views import PHASE, event_wire
from branchline.view import PHASES

EVENTS = typing.get_args(events.Event)


def test_the_pages_types_are_those_of_the_wire() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(), "run python -m branchline.server.wire.typescript"


@pytest.mark.parametrize("kind", EVENTS, ids=[kind.__name__ for kind in EVENTS])
def test_every_event_has_its_fields_on_the_wire(kind: type) -> None:
    known = {field.name: field.type for field in msgspec.structs.fields(wire.EventWire)}
    hints = typing.get_type_hints(kind)
    given = {field.name: example(hints[field.name]) for field in dataclasses.fields(kind)}
    assert given.keys() <= known.keys()
    told = event_wire(kind(**given))
    crossed = msgspec.json.decode(msgspec.json.encode(told), type=wire.EventWire)
    assert crossed == told  # each field takes the type the event gives it
    plain = json.loads(msgspec.json.encode(told))
    assert plain.pop("kind") == kind.__name__
    assert plain == {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def example(hint: object) -> object:
    """A value of this type that is not None."""
    choices = [one for one in typing.get_args(hint) if one is not type(None)]
    if typing.get_origin(hint) is tuple:
        return ("one", "two")
    if choices:
        return example(choices[0])
    return {int: 3, str: "red", bool: True}[typing.cast(type, hint)]


def test_every_phase_has_its_word_on_the_wire() -> None:
    assert set(PHASE) == set(PHASES.values())
    assert set(PHASE.values()) == set(typing.get_args(wire.Phase))


@pytest.mark.parametrize("union", [wire.FromServer, wire.ToServer], ids=["from server", "to server"])
def test_every_message_is_told_from_the_others_by_its_tag(union: object) -> None:
    tags = [kind.__struct_config__.tag for kind in typing.get_args(union)]
    assert None not in tags
    assert len(set(tags)) == len(tags)


def test_every_structure_is_strict() -> None:
    kinds = [v for v in vars(wire).values() if isinstance(v, type) and issubclass(v, wire.Wire)]
    assert len(kinds) > 40
    for kind in kinds:
        assert kind.__struct_config__.forbid_unknown_fields, kind
        assert kind.__struct_config__.frozen, kind
