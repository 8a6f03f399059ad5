"""The page's types are written from the wire's structures, and every event fits on the wire."""

from __future__ import annotations

import dataclasses
import json
import typing

import msgspec
import pytest

from branchline import events
from branchline.phases import PHASES, Phase
from branchline.refusals import Refusal
from branchline.server import wire
from branchline.server.wire.derived import EVENTS as EVENT_STRUCTS
from branchline.server.wire.derived import REFUSALS, Told, event_wire, why_wire
from branchline.server.wire.typescript import TARGET, typescript

KINDS = (*typing.get_args(Told), *typing.get_args(Refusal))


def test_the_pages_types_are_those_of_the_wire() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(), "run python -m branchline.server.wire.typescript"


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_every_event_and_refusal_crosses_the_wire_with_its_own_fields(kind: type) -> None:
    hints = typing.get_type_hints(kind)
    given = {field.name: example(hints[field.name]) for field in dataclasses.fields(kind)}
    is_event = kind in EVENT_STRUCTS
    told = event_wire(kind(**given)) if is_event else why_wire(kind(**given))
    union: typing.Any = wire.EventWire if is_event else wire.WhyWire
    assert msgspec.json.decode(msgspec.json.encode(told), type=union) == told
    plain = json.loads(msgspec.json.encode(told))
    assert plain.pop("kind") == kind.__name__
    assert plain == {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(json.dumps({"kind": kind.__name__, **plain, "colours": 1}), type=union)


def test_no_two_events_or_refusals_have_the_same_name() -> None:
    names = [kind.__name__ for kind in (*EVENT_STRUCTS.values(), *REFUSALS.values())]
    assert len(set(names)) == len(names) > 60
    assert not set(names) & set(vars(wire))


def test_what_is_hidden_from_a_reader_is_null_and_not_left_out() -> None:
    hidden = event_wire(events.DrewBlind(1, "red").seen_by(0))
    assert json.loads(msgspec.json.encode(hidden)) == {"kind": "DrewBlind", "seat": 1, "card": None}


def example(hint: object) -> object:
    """A value of this type that is not None."""
    choices = [one for one in typing.get_args(hint) if one is not type(None)]
    if typing.get_origin(hint) is typing.Literal:
        return choices[0]
    if typing.get_origin(hint) is tuple:
        return (example(choices[0]), example(choices[0]))
    if choices:
        return example(choices[0])
    return {int: 3, str: "red", bool: True}[typing.cast(type, hint)]


def test_every_phase_has_its_name() -> None:
    assert set(PHASES.values()) == set(typing.get_args(Phase))


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
