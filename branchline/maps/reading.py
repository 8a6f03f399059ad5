"""Values of a map file, held against their shapes: each becomes a tidy value with all defaults, or a fault."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, assert_never

from branchline.files import BadFile, did_you_mean, join_path, quoted, told
from branchline.maps.shapes import (
    REQUIRED,
    Choice,
    Field,
    Flag,
    ListOf,
    Ratio,
    Real,
    Record,
    Shape,
    Table,
    Text,
    Texts,
    Whole,
)

MAX_FAULTS: Final = 100  # a file with more is not a map with slips, it is something else


class BadMap(BadFile):
    """A map file that cannot be used."""


class Faults:
    """The faults of one file, in the order found. `places` says where a part of the map stands in the file, if not
    where it would stand in a file of its own."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[BadMap] = []
        self.places: dict[str, str] = {}

    def add(self, path: str, reason: str) -> None:
        self.found.append(BadMap(self.source, self._place(path), reason))
        if len(self.found) >= MAX_FAULTS:
            raise TooMany

    def _place(self, path: str) -> str:
        for part in (path[:end] for end in range(len(path), 0, -1) if self.places and path[end:][:1] in ("", ".", "[")):
            if part in self.places:
                return self.places[part] + path[len(part) :]
        return path

    def add_all(self, found: Iterable[tuple[str, str]]) -> None:
        for path, reason in found:
            self.add(path, reason)


class TooMany(Exception):
    """Enough faults: stop looking."""


_BAD: Final = object()  # stands for a value that was refused


def read(shape: Shape, raw: object, path: str, faults: Faults) -> Any:
    """`raw` as a tidy value with all defaults filled in, or `_BAD`. What is refused goes to `faults`."""
    match shape:
        case Record():
            return _read_record(shape, raw, path, faults)
        case ListOf():
            return _read_list(shape, raw, path, faults)
        case Table():
            return _read_table(shape, raw, path, faults)
        case Texts():
            return _read_texts(shape, raw, path, faults)
        case Whole():
            reason = _whole_fault(shape, raw)
        case Real():
            reason = _real_fault(shape, raw)
        case Flag():
            reason = "" if isinstance(raw, bool) else f"must be true or false, not {told(raw)}"
        case Text():
            reason = _text_fault(shape, raw)
        case Choice():
            reason = _choice_fault(shape, raw)
        case Ratio():
            reason = _ratio_fault(raw)
        case _:
            assert_never(shape)
    if reason:
        faults.add(path, reason)
        return _BAD
    return raw


def _read_record(shape: Record, raw: object, path: str, faults: Faults) -> Any:
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object, not {told(raw)}")
        return _BAD
    _check_keys(shape, raw, path, faults)
    values = {key: _read_field(key, field, raw, path, faults) for key, field in shape.fields.items()}
    return {key: value for key, value in values.items() if value is not _BAD}


def _check_keys(shape: Record, raw: Mapping[str, Any], path: str, faults: Faults) -> None:
    for key in getattr(raw, "repeated", ()):
        faults.add(join_path(path, key), f"{quoted(key)} is written twice")
    for key in raw:
        if key not in shape.fields:
            faults.add(join_path(path, key), f"no {shape.what} {quoted(key)}{did_you_mean(key, shape.fields)}")
    if shape.one_of and sum(key in shape.fields for key in raw) != 1:
        faults.add(path, f"must have exactly one of {', '.join(shape.fields)}")


def _read_field(key: str, field: Field, raw: Mapping[str, Any], path: str, faults: Faults) -> Any:
    if key in raw:
        return read(field.shape, raw[key], join_path(path, key), faults)
    if field.default is REQUIRED:
        faults.add(join_path(path, key), "missing")
        return _BAD
    if field.default is None:
        return None
    return read(field.shape, field.default, join_path(path, key), faults)


def _read_list(shape: ListOf, raw: object, path: str, faults: Faults) -> Any:
    if not isinstance(raw, list):
        faults.add(path, f"must be a list, not {told(raw)}")
        return _BAD
    if len(raw) > shape.high:
        limit = f" ({shape.limit})" if shape.limit else ""
        faults.add(path, f"{len(raw)} {shape.what}: at most {shape.high} are allowed{limit}")
    if len(raw) < shape.low:
        faults.add(path, f"{len(raw)} {shape.what}: at least {shape.low} needed")
    items = [read(shape.item, item, f"{path}[{i}]", faults) for i, item in enumerate(raw[: shape.high])]
    if shape.unique:
        _check_unique(items, path, faults)
    return items


def _check_unique(items: list[Any], path: str, faults: Faults) -> None:
    seen: set[str] = set()
    for i, item in enumerate(items):
        if isinstance(item, str) and item in seen:
            faults.add(f"{path}[{i}]", f"{quoted(item)} is in the list twice")
        elif isinstance(item, str):
            seen.add(item)


def _read_table(shape: Table, raw: object, path: str, faults: Faults) -> Any:
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object, not {told(raw)}")
        return _BAD
    numbers = {str(n): n for n in range(shape.low, shape.high + 1)}
    for key in getattr(raw, "repeated", ()):
        faults.add(join_path(path, key), f"{quoted(key)} is written twice")
    result: dict[int, Any] = {}
    for key, value in raw.items():
        if key in numbers:
            result[numbers[key]] = read(shape.value, value, join_path(path, key), faults)
        else:
            faults.add(join_path(path, key), f"keys here go from {quoted(str(shape.low))} to {quoted(str(shape.high))}")
    return result


def _read_texts(shape: Texts, raw: object, path: str, faults: Faults) -> Any:
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object, not {told(raw)}")
        return _BAD
    for key in getattr(raw, "repeated", ()):
        faults.add(join_path(path, key), f"{quoted(key)} is written twice")
    if len(raw) > shape.most:
        faults.add(path, f"{len(raw)} {shape.what}: at most {shape.most} are allowed")
        return _BAD
    return {key: read(shape.value, value, join_path(path, key), faults) for key, value in raw.items()}


def _whole_fault(shape: Whole, raw: object) -> str:
    if not isinstance(raw, int) or isinstance(raw, bool):
        return f"must be a whole number, not {told(raw)}"
    if raw > shape.high:
        return f"{raw} is over the limit of {shape.high}" + (f" ({shape.limit})" if shape.limit else "")
    return f"{raw} is below {shape.low}" if raw < shape.low else ""


def _real_fault(shape: Real, raw: object) -> str:
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not math.isfinite(raw):
        return f"must be a number, not {told(raw)}"
    return "" if shape.low <= raw <= shape.high else f"{raw} is not between {shape.low} and {shape.high}"


def _text_fault(shape: Text, raw: object) -> str:
    if not isinstance(raw, str):
        return f"must be text, not {told(raw)}"
    if not raw.strip():
        return "must not be empty"
    if len(raw) > shape.longest:
        return f"{len(raw)} letters: at most {shape.longest} are allowed"
    if shape.pattern and not re.fullmatch(shape.pattern, raw):
        return f"{quoted(raw)} is not an id: use {shape.letters}"
    return "" if raw.isprintable() else f"{quoted(raw)} has a letter that cannot be printed"


def _choice_fault(shape: Choice, raw: object) -> str:
    if not isinstance(raw, str):
        return f"must be a {shape.what}, not {told(raw)}"
    if raw in shape.values:
        return ""
    return f"no {shape.what} {quoted(raw)}{did_you_mean(raw, shape.values)}"


def _ratio_fault(raw: object) -> str:
    if isinstance(raw, str) and re.fullmatch("[1-9][0-9]?/[1-9][0-9]?", raw) and Fraction(raw) < 1:
        return ""
    return f'must be a fraction below 1 like "2/3", not {told(raw)}'
