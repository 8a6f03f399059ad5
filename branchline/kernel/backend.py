"""The kernel, interpreted or compiled. Both are the same functions; only what they run on differs.

`compile_kernel` makes compiled twins of every registered function: copies of the code whose globals name the other
twins. The annotations of a function are its types, so each is compiled once.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import tempfile
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import branchline.kernel.audit
import branchline.kernel.batch
import branchline.kernel.imagine
import branchline.kernel.rollout
import branchline.kernel.setup
import branchline.kernel.view
import branchline.mechanics.composed  # noqa: F401  (registers its functions, as those above do)
from branchline.kernel import primitives


class Signature(NamedTuple):
    """The annotations of a kernel function, by name: "Position", "Board", "Work", "int", "list[int]", "None"."""

    arguments: tuple[str, ...]
    result: str


def signature_of(function: Any) -> Signature:
    notes = dict(function.__annotations__)
    result = notes.pop("return")
    return Signature(tuple(notes.values()), result)


def compile_kernel(
    compile: Callable[[Any, Signature], Any], machine: dict[str, Any], functions: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Compiled twins of the kernel's functions by name, with `machine` in the place of the primitives."""
    functions = primitives.KERNEL if functions is None else functions
    names: dict[str, Any] = {}
    for function in functions.values():
        check_numbers(names, function)
        names.update(function.__globals__)
    names.update(machine)
    for name in callees_first(functions):
        function = functions[name]
        twin = types.FunctionType(function.__code__, names, name, function.__defaults__)
        twin.__module__ = function.__module__
        names[name] = compile(twin, signature_of(function))
    return names


def check_numbers(names: dict[str, Any], function: Any) -> None:
    """Refuse a name that means another number here: the twins share one table of names."""
    for name, value in function.__globals__.items():
        if isinstance(value, int) and not name.startswith("__") and names.get(name, value) != value:
            raise AssertionError(f"{name} is {names[name]} elsewhere and {value} in {function.__module__}")


def callees_first(functions: dict[str, Any]) -> list[str]:
    """The names in an order in which each function comes after those it calls. The kernel has no recursion."""
    order: list[str] = []
    waiting: set[str] = set()

    def visit(name: str) -> None:
        if name in order:
            return
        if name in waiting:
            raise AssertionError(f"kernel functions call each other in a circle: {name}")
        waiting.add(name)
        for called in functions[name].__code__.co_names:
            if called in functions:
                visit(called)
        waiting.remove(name)
        order.append(name)

    for name in functions:
        visit(name)
    return order


def kernel_sources() -> list[Path]:
    """The files that decide what the kernel does: its own and those of the mechanics."""
    package = Path(__file__).parent.parent
    mechanics = [*(package / "mechanics").glob("*/state.py"), *(package / "mechanics").glob("*/rules.py")]
    lists = [package / "mechanics" / name for name in ("numbers.json", "composed.py")]
    return [*(package / "kernel").glob("*.py"), *mechanics, *lists, package / "maps" / "model.py"]


def source_hash(more: Iterable[Path] = ()) -> str:
    """A digest of everything compiled code depends on: the kernel's sources, `more`, and the compilers."""
    from importlib.metadata import version

    digest = hashlib.sha256()
    for path in sorted([*kernel_sources(), *more]):
        digest.update(path.read_bytes())
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {version(package)}".encode())
    return digest.hexdigest()[:16]


def cache_folder(more: Iterable[Path] = ()) -> Path:
    """Where compiled code is kept. Numba does not notice a change in a function that is called, so a version of the
    sources has a folder of its own."""
    return _cache_root() / source_hash(more)


def _cache_root() -> Path:
    """BRANCHLINE_CACHE, or the user's cache; where that cannot be written, a temporary folder of the user's."""
    chosen = os.environ.get("BRANCHLINE_CACHE")
    if chosen:
        return Path(chosen)
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "branchline"
    try:
        usual.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return Path(tempfile.gettempdir()) / f"branchline-{getpass.getuser()}"
    return usual if os.access(usual, os.W_OK) else Path(tempfile.gettempdir()) / f"branchline-{getpass.getuser()}"
