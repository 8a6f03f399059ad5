"""What is compared: a table's state in memory, rows, and messages, each as plain values that say all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

import msgspec
import pytest

from branchline.game import Game
from branchline.maps.model import MapData
from branchline.server.tables.state import Over, Playing, Table
from tests.server.transactions.breaking import Dump

_ID: Final = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])")
# Other in every run of the same scene: times, secrets, numbers that only grow.
_TIMES: Final = {"created", "started", "ended", "updated", "at", "seen", "now", "left", "used", "until", "refused_at"}
_PRESENCE: Final = {"away", "missed"}  # a second may lie between two who look
_SECRETS: Final = {"commitment", "server_seed", "deal_key", "version", "token"}
_CARRY: Final = {"words", "picture", "by_words", "by_link"}
_HOLDING: Final = {"lease", "holder", "written_by"}
_VARYING: Final = _TIMES | _SECRETS | _CARRY | _HOLDING


def value_of(thing: object) -> Any:
    """All that a state says, by value."""
    match thing:
        case Game():
            return ["game", thing.map.hash, thing.position.to_bytes()]
        case MapData():
            return ["map", thing.hash]
        case msgspec.Struct():
            return [type(thing).__name__, msgspec.to_builtins(thing)]
        case frozenset():
            return sorted(thing)
        case list() | tuple():
            return [value_of(one) for one in thing]
        case _ if is_dataclass(thing):
            return [type(thing).__name__, {f.name: value_of(getattr(thing, f.name)) for f in fields(thing)}]
        case _:
            return thing


def same(one: Table, two: Table, now: float) -> None:
    """Two tables say the same, and their clocks nearly do: each was read at a moment of its own."""
    (value, clock), (other, other_clock) = _apart(one, now), _apart(two, now)
    assert value == other
    assert clock == pytest.approx(other_clock, abs=2.0)


def _apart(table: Table, now: float) -> tuple[Any, list[float]]:
    """What a table says without the seconds of its clocks, and those."""
    if not isinstance(table, Playing | Over) or table.clock is None:
        return value_of(table), []
    clock = table.clock.counted(now)
    seconds = [*clock.left_then, *clock.used]
    return value_of(replace(table, clock=replace(clock, left_then=(), used=(), since=0.0))), seconds


# ---------------------------------------------------------------- rows


def effect(before: Dump, after: Dump, names: Mapping[str, str]) -> dict[str, Any]:
    """The rows that came and went, in a form that is the same in every run of a scene."""
    found: dict[str, Any] = {}
    for table in after:
        then, now = _kept(before[table]), _kept(after[table])
        came = [row for row in now if row not in then]
        went = [row for row in then if row not in now]
        if came or went:
            found[table] = [sorted((_row(row, names) for row in some), key=repr) for some in (went, came)]
    return found


def _kept(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without who holds it: a table that was read again has another lease."""
    return [{column: value for column, value in row.items() if column not in _HOLDING} for row in rows]


def _row(row: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    said = {column: _cell(column, value, names) for column, value in row.items()}
    if "text" in row or "reason" in row:  # numbered by the database
        said.pop("id", None)
    if "due" in row:  # of a notice, numbered by the time
        said |= {"seq": "some", "due": "some"}
    return said


def _cell(column: str, value: Any, names: Mapping[str, str]) -> Any:
    if value is None:
        return None
    if column == "moment":
        return plain(json.loads(value) | {"since": 0}, names)
    if column == "body" and isinstance(value, str):  # a plan, with when it was played
        return plain(json.loads(value), names)
    if column in _VARYING:
        return "some"
    if isinstance(value, memoryview):
        return bytes(value)
    return plain(value, names)


# ---------------------------------------------------------------- messages


def _said(key: str, value: Any, names: Mapping[str, str]) -> Any:
    if (key in _VARYING and value) or (key in _PRESENCE and value is not None):
        return "some"
    return plain(value, names)


def plain(said: Any, names: Mapping[str, str]) -> Any:
    """Without what is other in every run; `names` says who and what an id is."""
    match said:
        case dict():
            return {key: _said(key, value, names) for key, value in said.items()}
        case list():
            return [plain(one, names) for one in said]
        case str():
            for known, name in names.items():
                said = said.replace(known, name)
            return _ID.sub("(id)", said)
        case _:
            return said
