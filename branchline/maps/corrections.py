"""A file of differences: whoever owns the printed box corrects a shipped map by what is other on its cards.

It is laid over the shipped file and read as a map, so that all checks are those of a map; only paths are told as they
stand in the file of differences. What was corrected carries the file's mark, all else keeps its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from branchline.files import did_you_mean, join_path, quoted, told
from branchline.maps.parts import Row
from branchline.maps.reading import Faults
from branchline.maps.schema import MAP
from branchline.maps.shapes import MARKS, ListOf, Record, Shape, Table, Texts

SCHEMA_NAME: Final = "branchline-correction/1"
ADDED: Final = "+"  # no id is written like this
MARK: Final = "official-1-source"  # a box is one source
_HEAD: Final = ("$schema", "schema", "corrects", "mark", "id", "name")


def is_correction(raw: object) -> bool:
    return isinstance(raw, dict) and "corrects" in raw


def corrected(new: Row, shipped: Mapping[str, Row], faults: Faults) -> Row:
    """The file of the corrected map; `faults` then tells paths as they stand in the file of differences."""
    _check_head(new, tuple(shipped), faults)
    if faults.found:
        return {}
    old = shipped[new["corrects"]]
    body = {key: value for key, value in new.items() if key not in _HEAD}
    result: Row = _Correcting(new.get("mark", MARK), faults).record(MAP, old, body, "", "")
    result["id"] = new.get("id", f"{old['id']}_corrected")
    result["name"] = new.get("name", f"{old['name']} (corrected)")
    if result["id"] in tuple(shipped):
        faults.add("id", f"{quoted(result['id'])} is a shipped map: the corrected one needs an id of its own")
    return result


def _check_head(new: Row, shipped: tuple[str, ...], faults: Faults) -> None:
    for key in getattr(new, "repeated", ()):
        faults.add(key, f"{quoted(key)} is written twice")
    if new.get("schema") != SCHEMA_NAME:
        faults.add("schema", f"must be {quoted(SCHEMA_NAME)}")
    if new["corrects"] not in shipped:
        name = new["corrects"] if isinstance(new["corrects"], str) else ""
        faults.add("corrects", f"no shipped map {told(new['corrects'])}{did_you_mean(name, shipped)}")
    if new.get("mark", MARK) not in MARKS:
        faults.add("mark", f"no provenance mark {told(new['mark'])}{did_you_mean(str(new['mark']), MARKS)}")


class _Correcting:
    """Values laid over those of a shipped file, shape by shape. `path` is a place in the corrected map, `place` the
    one in the file of differences."""

    def __init__(self, mark: str, faults: Faults) -> None:
        self.mark = mark
        self.faults = faults

    def value(self, shape: Shape, old: Any, new: Any, path: str, place: str) -> Any:
        match shape:
            case Record() if isinstance(old, dict) and isinstance(new, dict):
                return self.record(shape, old, new, path, place)
            case Table() | Texts() if isinstance(old, dict) and isinstance(new, dict):
                return {**old, **new}
            case ListOf(item=Record() as item) if isinstance(old, list) and isinstance(new, dict):
                return self.entries(shape, item, old, new, path, place)
            case ListOf(item=Record() as item) if isinstance(new, list):
                return [self.marked(item, row) for row in new]
            case ListOf() if isinstance(old, list) and isinstance(new, dict) and set(new) == {ADDED}:
                return [*old, *self.added(new[ADDED], f"{place}.{ADDED}")]
        return new

    def record(self, shape: Record, old: Row, new: Row, path: str, place: str) -> Row:
        """Keys that nobody knows are kept: reading the whole refuses them."""
        for key in getattr(new, "repeated", ()):
            self.faults.add(join_path(place, key), f"{quoted(key)} is written twice")
        result = dict(old)
        for key, value in new.items():
            if key in shape.fields:
                where = (join_path(path, key), join_path(place, key))
                value = self.value(shape.fields[key].shape, old.get(key), value, *where)
            result[key] = value
        return result

    def entries(self, shape: ListOf, item: Record, old: list[Row], new: Row, path: str, place: str) -> list[Any]:
        """A list of facts, changed by their ids: what is other, null for one that is not there, + for more."""
        rows = {_id_of(row): row for row in old}
        for name, change in new.items():
            if name != ADDED:
                self.entry(shape, item, rows, name, change, join_path(place, name))
        result = list(rows.values())
        for i, name in enumerate(rows):
            self.faults.places[f"{path}[{i}]"] = join_path(place, name)
        for i, row in enumerate(self.added(new.get(ADDED, []), f"{place}.{ADDED}")):
            self.faults.places[f"{path}[{len(result)}]"] = f"{place}.{ADDED}[{i}]"
            result.append(self.marked(item, row))
        return result

    def entry(self, shape: ListOf, item: Record, rows: dict[str, Row], name: str, change: Any, place: str) -> None:
        if name not in rows:
            hint = did_you_mean(name, rows) or f'; a new one goes under "{ADDED}"'
            self.faults.add(place, f"not one of the {shape.what} of the shipped map{hint}")
        elif change is None:
            del rows[name]
        elif isinstance(change, dict):
            rows[name] = self.marked(item, self.record(item, _without_mark(rows[name]), change, "", place))
        else:
            self.faults.add(place, f"must be an object, or null for one that is not there, not {told(change)}")

    def added(self, rows: Any, place: str) -> list[Any]:
        if isinstance(rows, list):
            return rows
        self.faults.add(place, f"must be a list, not {told(rows)}")
        return []

    def marked(self, item: Record, row: Any) -> Any:
        """A fact with the mark of the file, unless it has one of its own or cannot have one."""
        if "provenance" in item.fields and isinstance(row, dict):
            return {"provenance": self.mark, **row}
        return row


def _without_mark(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "provenance"}


def _id_of(row: Row) -> str:
    return str(row.get("id") or f"{row.get('a')}-{row.get('b')}")
