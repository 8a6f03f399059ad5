"""Writing the wholes of the face from the list of mechanics: actions.py, events.py, phases.py and composed_face.py.

The unions are closed, so that a type checker sees every kind; nothing here runs while a game is played.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import typing
from types import ModuleType
from typing import Any

from branchline.base import actions as base_actions
from branchline.base import events as base_events
from branchline.base import face as base_face
from branchline.mechanics import MECHANICS

BY = "Written by `python -m branchline.mechanics`: do not edit."


def part_of(mechanic: str, layer: str) -> ModuleType | None:
    """The module of a mechanic for a layer, such as "face" or "view", where it has one."""
    name = f"branchline.mechanics.{mechanic}.{layer}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def parts_with(layer: str, name: str) -> dict[str, ModuleType]:
    """By mechanic the modules of a layer in which a name is defined."""
    found = {mechanic: part_of(mechanic, layer) for mechanic in MECHANICS}
    return {mechanic: module for mechanic, module in found.items() if module is not None and hasattr(module, name)}


def head(doc: str, *imports: str) -> list[str]:
    """How a generated module begins."""
    return [f'"""{doc}\n\n{BY}\n"""', "", "from __future__ import annotations", "", *imports, ""]


# ---------------------------------------------------------------- unions


def kinds_of(module: ModuleType, union: str) -> list[type]:
    """The classes of a module's union, which may be of one."""
    value = getattr(module, union)
    return list(typing.get_args(value) or (value,))


def public_names(module: ModuleType, union: str) -> list[str]:
    """The classes and type aliases a module defines, but for the union."""
    found = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return [name for name in found if name != union]


def union_text(doc: str, base: ModuleType, union: str) -> list[str]:
    """A module with all kinds of the base game and of the mechanics, and the union of them."""
    kinds = kinds_of(base, union)
    for module in parts_with("face", union).values():
        kinds += kinds_of(module, union)
    twice = {kind.__name__ for kind in kinds if sum(kind.__name__ == other.__name__ for other in kinds) > 1}
    if twice:
        raise AssertionError(f"two mechanics have an {union} {', '.join(sorted(twice))}")
    shared = public_names(base, union)
    names = [kind.__name__ for kind in kinds]
    return [
        *head(doc, "from typing import TypeAlias", f"from {base.__name__} import {', '.join(shared)}"),
        *(f"from {kind.__module__} import {kind.__name__}" for kind in kinds if kind.__module__ != base.__name__),
        f"__all__ = {sorted({*shared, *names, union})!r}",
        f"{union}: TypeAlias = (\n    {' | '.join(names)}\n)",
    ]


def actions_text() -> list[str]:
    """The whole of actions.py."""
    doc = "Actions: everything a player can choose, as small frozen values of a closed union."
    return union_text(doc, base_actions, "Action")


def events_text() -> list[str]:
    """The whole of events.py."""
    doc = (
        "Events: what happened, as facts with an audience. `seen_by` gives what a reader may know of it.\n\n"
        "A reader is a seat, or None for a spectator. What a reader may not even know to have happened gives None."
    )
    return union_text(doc, base_events, "Event")


# ---------------------------------------------------------------- phases


def phases_text() -> list[str]:
    """The whole of phases.py: it comes before all faces, so it holds the numbers themselves."""
    doc = (
        "Phases: what is awaited of those who have to choose, by names that programs can rely on.\n\n"
        "How a phase is called in a language stands in the catalogues of words, under `due`."
    )
    phases: dict[int, str] = dict(base_face.FACE.phases)
    for module in parts_with("face", "FACE").values():
        phases |= module.FACE.phases
    ordered = dict(sorted(phases.items()))
    return [
        *head(doc, "from typing import Literal, TypeAlias"),
        f"Phase: TypeAlias = Literal[{', '.join(repr(name) for name in ordered.values())},]",
        "# By the number that mechanics/numbers.json keeps.",
        f"PHASES: dict[int, Phase] = {ordered!r}",
    ]


# ---------------------------------------------------------------- the faces together

DEAL_DOC = '''    """How chance falls. Each deck is a string of names or a sequence of names.

    What is left empty follows from the seed. Into `train_deck` mechanics mix cards of their own, after those of the
    first deal. `reshuffles` and the like are the decks shuffled later, in order (C-18).
    """'''


def composed_face_text() -> list[str]:
    """The whole of composed_face.py."""
    faces = parts_with("face", "FACE")
    named = [f"{name}.Names" for name in parts_with("face", "Names") if defines(faces[name], "Names")]
    dealing = [f"{name}.Deal" for name in reversed(parts_with("face", "Deal"))]
    refusing = [f"{name}.Refusal" for name in parts_with("face", "Refusal")]
    return [
        *head("The faces of the base game and of the mechanics together.", "from typing import TypeAlias"),
        "from branchline import objections",
        "from branchline.base import face as base",
        "from branchline.base import deal, names",
        "from dataclasses import dataclass",
        *(f"from {module.__name__.rpartition('.')[0]} import face as {name}" for name, module in faces.items()),
        "from branchline.faces import Face",
        "FACES: tuple[Face, ...] = (",
        *(f"    {name}.FACE," for name in ["base", *faces]),
        ")",
        f"Refusal: TypeAlias = (\n    {' | '.join(['objections.Refusal', *refusing])}\n)",
        f"class Names({', '.join(named) or 'names.Names'}):",
        '    """The names of one map, by number and back."""',
        "@dataclass(frozen=True)",
        f"class Deal({', '.join([*dealing, 'deal.Deal'])}):",
        DEAL_DOC,
    ]


def defines(module: ModuleType, name: str) -> bool:
    """Whether a module defines this class itself, and does not only import it."""
    value: Any = getattr(module, name, None)
    return value is not None and value.__module__ == module.__name__
