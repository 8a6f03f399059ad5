"""Writing what the mechanics bring to messages and to the service: composed_wire.py and composed_service.py."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType

from branchline.base import wire as base
from branchline.mechanics.composing_face import defines, head, parts_with

# The structures that mechanics may add to, and fields of the wholes that are made of other wholes.
SHARED = {
    "TrackFact": (),
    "MapFacts": ("tracks: list[TrackFact]",),
    "PlayerWire": (),
    "ViewWire": ("players: list[PlayerWire]",),
    "ClaimWish": (),
    "ScoreWire": (),
}


def composed_wire_text() -> list[str]:
    """The whole of composed_wire.py. A structure has one base, so the fields of the mechanics are written out."""
    modules = parts_with("wire", "PART")
    own = {mechanic: list(own_structures(module)) for mechanic, module in modules.items()}
    wishes = [name for names in own.values() for name in names if name.endswith("Wish")]
    public = sorted([*SHARED, "PARTS", "Wish", *(name for names in own.values() for name in names)])
    return [
        *head("What the base game and the mechanics share on the wire.", "from typing import Literal, TypeAlias"),
        "from branchline.base import wire as base",
        f"from branchline.base.wire import {', '.join(['WirePart', *own_structures(base)])}",
        *(f"from branchline.mechanics.{mechanic} import wire as {mechanic}" for mechanic in modules),
        *(f"from branchline.mechanics.{of}.wire import {', '.join(names)}" for of, names in own.items() if names),
        f"__all__ = {public!r}",
        "PARTS: tuple[WirePart, ...] = (",
        *(f"    {mechanic}.PART," for mechanic in modules),
        ")",
        *(line for name in SHARED for line in structure_text(name, modules)),
        f"Wish: TypeAlias = {' | '.join(['ClaimWish', 'DrawWish', *wishes])}",
    ]


def own_structures(module: ModuleType) -> Iterator[str]:
    """What a mechanic sends that the base game has not."""
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, base.Wire) and defines(module, name) and name not in SHARED:
            yield name


def structure_text(name: str, modules: dict[str, ModuleType]) -> list[str]:
    """One structure: the base game's, and the fields of the mechanics as they write them."""
    doc = vars(getattr(base, name)).get("__doc__")
    lines = [f"class {name}(base.{name}, frozen=True):"]
    if doc and not doc.startswith(f"{name}("):
        lines += [f'    """{doc.splitlines()[0]}"""', ""]
    for mechanic, module in modules.items():
        if defines(module, name):
            lines += [f"    # {mechanic}", *fields_of(getattr(module, name))]
    return ["", "", *lines, *(f"    {field}" for field in SHARED[name])]


def fields_of(part: type) -> list[str]:
    """The lines of a class that declare a field."""
    return [line for line in inspect.getsource(part).splitlines() if re.match(r"    \w+: ", line)]


def composed_service_text() -> list[str]:
    """The whole of composed_service.py."""
    modules = parts_with("service", "PLANS")
    return [
        *head("What the mechanics bring to the service."),
        *(f"from branchline.mechanics.{mechanic} import service as {mechanic}" for mechanic in modules),
        "from branchline.server.tables.planning import PlanPart",
        "PLANS: tuple[PlanPart, ...] = (",
        *(f"    {mechanic}.PLANS," for mechanic in modules),
        ")",
    ]
