"""`python -m branchline.server.wire.typescript`: the page's types, written from `wire`: the two cannot drift."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from branchline.server import wire
from branchline.server.wire.derived import EVENTS, REFUSALS

TARGET = Path(__file__).parents[3] / "web" / "src" / "wire.ts"
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", object: "unknown"}


def typescript() -> str:
    """The text of web/src/wire.ts."""
    parts = ["// Written by `python -m branchline.server.wire.typescript` from branchline/server/wire: do not edit.\n"]
    for name, value in vars(wire).items():
        if isinstance(value, type) and issubclass(value, wire.Wire) and value is not wire.Wire:
            parts.append(_interface(name, value))
        elif typing.get_origin(value) is typing.Literal:
            parts.append(f"export type {name} = {_type(value)};\n")
    for name, kinds in (("EventWire", EVENTS), ("WhyWire", REFUSALS)):
        parts += [_interface(kind.__name__, kind) for kind in kinds.values()]
        parts.append(f"export type {name} =\n{_lines(kinds.values())};\n")
    parts += [f"export type {name} = {_type(getattr(wire, name))};\n" for name in ("FromServer", "ToServer")]
    return "\n".join(parts)


def _lines(kinds: Iterable[type]) -> str:
    return "\n".join(f"  | {kind.__name__}" for kind in kinds)


def _interface(name: str, struct: type[msgspec.Struct]) -> str:
    lines = []
    tag = struct.__struct_config__.tag
    if tag is not None:
        lines.append(f'  {struct.__struct_config__.tag_field}: "{tag}";')
    optional = struct.__struct_config__.omit_defaults
    hints = typing.get_type_hints(struct)
    for field in msgspec.structs.fields(struct):
        can_lack = optional or (struct.__name__ in _REQUESTS and not field.required)
        lines.append(
            f"  {field.encode_name}{'?' if can_lack and not field.required else ''}: {_type(hints[field.name])};"
        )
    doc = (struct.__doc__ or "").split("\n")[0]
    head = f"/** {doc} */\n" if doc and not doc.startswith(f"{name}(") else ""
    return head + f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


_REQUESTS = {
    "NewTable",
    "SitDown",
    "Rematch",
    "MeChange",
    "SeatRequest",
    "SeatChange",
    "Report",
    "Say",
    "BotVote",
    "Nudge",
    "TakeBack",
    "Pause",
}


def _type(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " | ".join(f'"{value}"' for value in args)
    if origin in (typing.Union, types.UnionType):
        return _union(args)
    if origin in (list, tuple):
        inner = _type(args[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {_type(args[1])}>"
    assert isinstance(hint, type), hint
    return hint.__name__


def _union(args: tuple[Any, ...]) -> str:
    names = [_type(arg) for arg in args if arg is not msgspec.UnsetType]
    for name, kinds in (("EventWire", EVENTS), ("WhyWire", REFUSALS)):
        named = [kind.__name__ for kind in kinds.values()]
        if set(named) <= set(names):
            names = [name, *(one for one in names if one not in named)]
    return " | ".join(names)


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
