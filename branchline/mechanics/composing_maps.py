"""Writing maps/model.py from the list of mechanics: the facts of a map file, whole."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path
from types import ModuleType

from branchline.maps import core
from branchline.mechanics import MECHANICS
from branchline.mechanics.composing import formatted

MODEL = Path(core.__file__).with_name("model.py")
RECORDS = {
    "Place": "Whatever a track ends at.",
    "Track": "One claimable line of spaces between two places.",
    "MapData": "One map, checked: every name resolves, every number is in range, every total suffices.",
}


def map_of(mechanic: str) -> ModuleType:
    return importlib.import_module(f"branchline.mechanics.{mechanic}.map")


def model_text() -> str:
    """The whole of maps/model.py."""
    homes = {name: core.__name__ for name in vars(core) if _is_public(core, name) and name not in RECORDS}
    for mechanic in MECHANICS:
        module = map_of(mechanic)
        homes |= {name: module.__name__ for name in vars(module) if _is_fact(module, name) and name not in RECORDS}
    lines = [
        '"""What a map file says, whole: the facts every map has, and those of the mechanics of the list.',
        "",
        "Written by `python -m branchline.mechanics`: do not edit.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass",
        "from typing import Any",
        "",
        "from branchline.maps import core",
        "from branchline.maps.parts import MapPart",
        *(f"from {home} import {name}" for name, home in homes.items()),
        *(f"from branchline.mechanics.{name} import map as {name}" for name in MECHANICS),
        "",
        f"__all__ = {sorted([*homes, *RECORDS, 'PARTS'])!r}",
        "",
        "PARTS: dict[str, MapPart[Any]] = {",
        *(f'    "{name}": {name}.PART,' for name in MECHANICS),
        "}",
        *("\n\n" + _record_text(record) for record in RECORDS),
    ]
    return formatted(MODEL, "\n".join(lines) + "\n")


def _record_text(record: str) -> str:
    bases = [f"{name}.{record}" for name in MECHANICS if _is_fact(map_of(name), record)] or [f"core.{record}"]
    lines = [
        "@dataclass(frozen=True, kw_only=True)",
        f"class {record}({', '.join(bases)}):",
        f'    """{RECORDS[record]}"""',
    ]
    if record == "MapData":
        lines += [
            "",
            "    places: tuple[Place, ...]",
            "    tracks: tuple[Track, ...]",
            f"    first_tickets: {' | '.join(_ways_to_first_tickets())}",
            "",
            "    __hash__ = core.MapData.__hash__",
        ]
    return "\n".join(lines)


def _ways_to_first_tickets() -> list[str]:
    """A deal, and what mechanics have instead: a closed union."""
    ways = [core.TicketDeal.__name__]
    for mechanic in MECHANICS:
        for name, value in vars(map_of(mechanic)).items():
            if isinstance(value, type) and issubclass(value, core.FirstTickets) and _is_fact(map_of(mechanic), name):
                ways.append(name)
    return ways


def _is_public(module: ModuleType, name: str) -> bool:
    """Constants, types and classes of the module's own."""
    value = vars(module)[name]
    return name.isupper() or name in ("PlaceKind", "Unkept") or getattr(value, "__module__", "") == module.__name__


def _is_fact(module: ModuleType, name: str) -> bool:
    """A dataclass of the module's own, or a limit."""
    value = vars(module).get(name)
    own = isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
    return own or (name.startswith("MAX_") and name not in vars(core))
