"""Who writes: found in the code, so that a new writer without a test is noticed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import branchline.server

SERVER: Final = Path(branchline.server.__file__).parent
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def writing_methods() -> set[str]:
    """The methods of a store that change something: `write`, and all that `SharedStore` does as a change."""
    found = {"write"}
    for function, _ in _functions(SERVER / "store" / "shared.py"):
        if function.name != "_change" and "_change" in {node.attr for node in _attributes(function)}:
            found.add(function.name)
    return found


def writers() -> dict[str, set[str]]:
    """Each function outside the store that has it change something, as `file.py:Class.method`, and by which methods."""
    writing, found = writing_methods(), dict[str, set[str]]()
    for file in sorted(SERVER.rglob("*.py")):
        if file.parent.name != "store":
            for function, name in _functions(file):
                used = {node.attr for node in _attributes(function) if node.attr in writing and _is_store(node.value)}
                if used:
                    found[f"{file.relative_to(SERVER).as_posix()}:{name}"] = used
    return found


def public_writers(file: str, of: str) -> set[str]:
    """The public methods of a class that write, by themselves or through others of it."""
    direct = {name.partition(".")[2] for path, name in (one.split(":") for one in writers()) if path == file}
    calls = {
        function.name: {node.attr for node in _attributes(function) if _is_self(node.value)}
        for function, name in _functions(SERVER / file)
        if name.startswith(f"{of}.")
    }
    reached, last = set(direct), set[str]()
    while reached != last:
        last = set(reached)
        reached |= {name for name, called in calls.items() if called & last}
    return {name for name in reached if not name.startswith("_")}


def _functions(file: Path) -> Iterator[tuple[_Function, str]]:
    """Every function, with its class."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, _Function):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            yield from ((one, f"{node.name}.{one.name}") for one in node.body if isinstance(one, _Function))


def _attributes(function: _Function) -> Iterator[ast.Attribute]:
    return (node for node in ast.walk(function) if isinstance(node, ast.Attribute))


def _is_store(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.endswith("store") or (isinstance(node, ast.Call) and _is_store(node.func)) or name == "store_of"


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
