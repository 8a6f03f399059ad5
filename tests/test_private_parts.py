"""Where we reach into parts of a library that are its own, and the versions for which that is known to be right.

A new version of one of these is not taken by itself: pyproject.toml ends below it. To take it, read its source beside
the places named here, run every test, and write it down in KNOWN.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "branchline"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# By package: the versions that are known, and the first one that is not.
KNOWN: dict[str, tuple[tuple[str, ...], str]] = {
    # What compiles the kernel steps in before a library is optimised; before, LLVM gives up over it.
    "numba": (("0.66", "0.67", "0.68"), "0.69"),
    # Connections have times and sizes that uvicorn does not know (transport/serving.py).
    "uvicorn": (("0.54",), "0.55"),
    # A socket forgets the error of its connection, which would hold it (transport/serving.py).
    "websockets": (("17",), "18"),
}
# A process of a pool is killed (thinking/process.py). From 3.14 on there is `kill_workers` for it.
PYTHONS = ((3, 11), (3, 12), (3, 13))

# Names with an underscore that are not ours, by the file that uses them.
PRIVATE = {
    ("kernel/machine.py", "_optimize_final_module"),
    ("kernel/machine.py", "_final_module"),
    ("training/ptx.py", "_optimize_final_module"),
    ("training/ptx.py", "_final_module"),
    ("server/thinking/process.py", "_processes"),
    # Not patched: a type for annotations, and leaving at once, which the documents describe.
    ("commands/admin.py", "_SubParsersAction"),
    ("server/thinking/process.py", "_exit"),
    ("arena/running.py", "_exit"),
    # What the documents of named tuples call theirs.
    ("mechanics/composing.py", "_replace"),
    # What PettingZoo's documents have an environment call.
    ("envs/petting_zoo.py", "_accumulate_rewards"),
    ("envs/petting_zoo.py", "_clear_rewards"),
    ("envs/petting_zoo.py", "_was_dead_step"),
    # Ours, in a module beside.
}
# Modules of the patched libraries beyond what they document.
INNER_MODULES = {
    ("kernel/machine.py", "numba.core.codegen"),
    ("kernel/machine.py", "numba.core.errors"),
    ("bots/compiled/entry.py", "numba.core"),
    ("training/ptx.py", "numba.core.codegen"),
    ("server/transport/serving.py", "uvicorn.protocols.http.httptools_impl"),
    ("server/transport/serving.py", "uvicorn.protocols.websockets.websockets_sansio_impl"),
}
PUBLIC_MODULES = {"numba", "numba.extending", "uvicorn", "websockets"}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def names_given(tree: ast.Module) -> set[str]:
    """Every name that a module gives to something."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value):
            found.add(node.attr)
    return found


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def test_private_names_of_others_are_used_only_where_it_is_written_down() -> None:
    anywhere = set().union(*(names_given(tree) for _, tree in trees()))
    used: set[tuple[str, str]] = set()
    for path, tree in trees():
        here = names_given(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr):
                ours = anywhere if is_self(node.value) else here
                used |= {(path, node.attr)} - {(path, name) for name in ours}
    assert used == PRIVATE


def test_inner_modules_are_imported_only_where_it_is_written_down() -> None:
    used = {
        (path, node.module)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.module.partition(".")[0] in KNOWN
        and node.module not in PUBLIC_MODULES
    }
    assert used == INNER_MODULES


@pytest.mark.parametrize("package", KNOWN)
def test_the_version_that_is_installed_is_known(package: str) -> None:
    versions, _ = KNOWN[package]
    found = version(package)
    assert any(found == known or found.startswith(f"{known}.") for known in versions), (
        f"{package} {found} is not known: tests/test_private_parts.py says what to do"
    )


@pytest.mark.parametrize("package", KNOWN)
def test_the_project_asks_for_known_versions_alone(package: str) -> None:
    versions, unknown = KNOWN[package]
    asked = [
        want
        for lines in PROJECT["optional-dependencies"].values()
        for want in map(Requirement, lines)
        if want.name == package
    ]
    assert asked
    for want in asked:
        assert all(want.specifier.contains(known) for known in versions)
        assert not want.specifier.contains(unknown)
        oldest = min(map(Version, versions))
        before = f"{oldest.major}.{oldest.minor - 1}" if oldest.minor else str(oldest.major - 1)
        assert not want.specifier.contains(before), f"{package} {before} was never tried"


def test_this_python_keeps_the_processes_of_a_pool_where_they_are_looked_for() -> None:
    assert sys.version_info[:2] in PYTHONS, "look at concurrent.futures.process, then name this version in PYTHONS"
    with ProcessPoolExecutor(1) as executor:
        executor.submit(int).result()
        assert [process.is_alive() for process in executor._processes.values()] == [True]


def test_numba_optimises_a_library_where_the_compiler_steps_in() -> None:
    """`_optimize_final_module` is called once for each library, which has its name and its module by then."""
    from numba import njit
    from numba.core.codegen import CPUCodeLibrary

    seen: list[str] = []
    optimise = CPUCodeLibrary._optimize_final_module

    def watch(library: Any) -> None:
        defined = [function.name for function in library._final_module.functions if not function.is_declaration]
        seen.append(f"{library.name} {len(defined)}")
        optimise(library)

    CPUCodeLibrary._optimize_final_module = watch
    try:
        twice = njit("int64(int64)")(_twice)
    finally:
        CPUCodeLibrary._optimize_final_module = optimise
    assert twice(21) == 42
    mine = [line for line in seen if line.startswith("_twice")]
    assert len(mine) == 1 and not mine[0].endswith(" 0")


def _twice(n):  # type: ignore[no-untyped-def]
    return 2 * n


def test_a_websocket_keeps_its_errors_where_they_are_forgotten() -> None:
    from websockets.server import ServerProtocol

    protocol = ServerProtocol()
    assert protocol.parser_exc is None and protocol.handshake_exc is None
