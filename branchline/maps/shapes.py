"""The shapes of values in a map file: what one value looks like, what a record's keys are, mean and default to.

The loader reads values by their shapes and `schema` prints these as a JSON Schema, so a key that is documented is a key
that is read, and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

MIN_PLAYERS: Final = 2  # C-01
MAX_POINTS: Final = 100
MAX_NAME: Final = 80
MAX_NOTE: Final = 2000
MAX_NOTES: Final = 100
LANGUAGES: Final = ("en", "ro", "pt-PT", "pt-BR")  # those of `words`, which stands above the maps
MARKS: Final = ("official-2-sources", "official-1-source", "reconstruction", "own")
OWN: Final = "own"

REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number. `limit` names the head-room constant that its upper bound is, if it is one."""

    low: int
    high: int
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Real:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Flag:
    pass


@dataclass(frozen=True, slots=True)
class Text:
    longest: int
    pattern: str = ""
    letters: str = ""  # the pattern in words, for a refusal


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words; `what` is what a refusal calls them."""

    what: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction between 0 and 1, written "2/3"."""


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Shape
    low: int
    high: int
    what: str
    limit: str = ""
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A value for each of some numbers from `low` to `high`: {"1": 1, "2": 2}."""

    low: int
    high: int
    value: Whole | Ratio | ListOf


@dataclass(frozen=True, slots=True)
class Texts:
    """A text for each of some ids: {"west": "Dealul de Vest"}. `what` is what they are ids of."""

    value: Text
    most: int
    what: str


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a record. Without a default it must be there; a default of None means "none of it"."""

    shape: Shape
    doc: str
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Record:
    fields: Mapping[str, Field]
    what: str = "key"
    one_of: bool = False  # exactly one of the keys


Shape: TypeAlias = Whole | Real | Flag | Text | Choice | Ratio | ListOf | Table | Texts | Record

PLACE_ID: Final = Text(40, "[a-z0-9_]+", "a-z, 0-9 and _")
FACT_ID: Final = Text(90, "[a-z0-9_-]+", "a-z, 0-9, _ and -")
NAME: Final = Text(MAX_NAME)
CLAUSE: Final = Text(8, "[A-Z]{1,4}-[0-9]{2}", "a clause of the rulebook, such as C-06")
NOTES: Final = ListOf(Text(MAX_NOTE), 0, MAX_NOTES, "notes")
MARK: Final = Choice("provenance mark", MARKS)
POINTS: Final = Whole(0, MAX_POINTS)

OWN_MARK: Final = Field(MARK, "Where this one fact comes from, if not from where its part does.", None)


def shape_schema(shape: Shape) -> dict[str, Any]:
    match shape:
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Real(low, high):
            return {"type": "number", "minimum": low, "maximum": high}
        case Flag():
            return {"type": "boolean"}
        case Text(longest, pattern):
            limits: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": longest}
            return limits | ({"pattern": f"^{pattern}$"} if pattern else {})
        case Choice(_, values):
            return {"enum": list(values)}
        case Ratio():
            return {"type": "string", "pattern": "^[1-9][0-9]?/[1-9][0-9]?$"}
        case ListOf():
            return _list_schema(shape)
        case Table(low, high, value):
            keys = {str(number): shape_schema(value) for number in range(low, high + 1)}
            return {"type": "object", "properties": keys, "additionalProperties": False}
        case Texts(text, most):
            return {"type": "object", "maxProperties": most, "additionalProperties": shape_schema(text)}
        case Record():
            return _record_schema(shape)
        case _:
            assert_never(shape)


def _list_schema(shape: ListOf) -> dict[str, Any]:
    limits: dict[str, Any] = {"type": "array", "minItems": shape.low, "maxItems": shape.high}
    if shape.unique:
        limits["uniqueItems"] = True
    return limits | {"items": shape_schema(shape.item)}


def _record_schema(shape: Record) -> dict[str, Any]:
    required = [key for key, field in shape.fields.items() if field.default is REQUIRED]
    schema: dict[str, Any] = {"type": "object"}
    if required:
        schema["required"] = required
    if shape.one_of:
        schema |= {"minProperties": 1, "maxProperties": 1}
    schema["properties"] = {key: _field_schema(field) for key, field in shape.fields.items()}
    return schema | {"additionalProperties": False}


def _field_schema(field: Field) -> dict[str, Any]:
    schema = {"description": field.doc} | shape_schema(field.shape)
    if field.default is not REQUIRED and field.default is not None:
        schema["default"] = field.default
    return schema
