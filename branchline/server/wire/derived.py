"""Events and refusals on the wire: closed unions, made from the frozen values they tell of.

Each becomes a structure with the same fields and its name in `kind`. Nothing is written down twice: a new event is on
the wire, in the OpenAPI document and in the page's types as soon as it is declared.
"""

from __future__ import annotations

import dataclasses
import typing
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

import msgspec

from branchline.actions import Seat
from branchline.events import Event
from branchline.refusals import Refusal


@dataclasses.dataclass(frozen=True, slots=True)
class TakenBack:
    """The last move of a seat was taken back, with everybody's consent: told by a table, not by the game."""

    seat: Seat


Told: TypeAlias = Event | TakenBack  # what a log can tell


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something with its name in `kind`."""


def _struct(kind: type) -> type[Fact]:
    hints = typing.get_type_hints(kind)
    fields = [(field.name, hints[field.name]) for field in dataclasses.fields(kind)]
    doc = "" if (kind.__doc__ or "").startswith(f"{kind.__name__}(") else kind.__doc__
    named = {"__doc__": doc}
    made = msgspec.defstruct(kind.__name__, fields, bases=(Fact,), tag=kind.__name__, frozen=True, namespace=named)
    return cast(type[Fact], made)


def _kinds(union: Any) -> tuple[type, ...]:
    """The classes of a union, however it is nested."""
    return tuple(dict.fromkeys(typing.get_args(union)))


EVENTS: dict[type, type[Fact]] = {kind: _struct(kind) for kind in _kinds(Told)}
REFUSALS: dict[type, type[Fact]] = {kind: _struct(kind) for kind in _kinds(Refusal)}

if TYPE_CHECKING:  # the classes are made as the program runs
    EventWire: TypeAlias = Fact
    WhyWire: TypeAlias = Fact
else:
    EventWire = Union[tuple(EVENTS.values())]  # noqa: UP007
    WhyWire = Union[tuple(REFUSALS.values())]  # noqa: UP007


def event_wire(event: Told) -> EventWire:
    """An event as it crosses the wire."""
    return _crossing(EVENTS[type(event)], event)


def why_wire(why: Refusal) -> WhyWire:
    """A refusal as it crosses the wire."""
    return _crossing(REFUSALS[type(why)], why)


def _crossing(struct: type[Fact], fact: Any) -> Fact:
    return struct(*[getattr(fact, name) for name in struct.__struct_fields__])
