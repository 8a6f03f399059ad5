"""The kernel, interpreted or compiled. Both are the same functions; only what they run on differs.

`kernel_functions(compile)` makes compiled twins of every registered function: copies of the code whose globals
name the other twins. Entry points take addresses, because unpacking a NumPy record at each call would cost more
than most moves.
"""

from __future__ import annotations

import hashlib
import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import branchline.kernel.batch
import branchline.kernel.imagine
import branchline.kernel.rollout
import branchline.kernel.setup
import branchline.kernel.view  # noqa: F401  (registers its functions)
from branchline.kernel import primitives


def namespace() -> dict[str, Any]:
    """All names the kernel's functions use: constants and one another."""
    names: dict[str, Any] = {}
    for function in primitives.KERNEL.values():
        names.update(function.__globals__)
    return names


def kernel_functions(compile: Callable[[Any], Any], machine: dict[str, Any]) -> dict[str, Any]:
    """Compiled twins of the kernel's functions by name, with `machine` in the place of the primitives."""
    names = namespace() | machine
    for name, function in primitives.KERNEL.items():
        twin = types.FunctionType(function.__code__, names, name, function.__defaults__)
        twin.__module__ = function.__module__
        names[name] = compile(twin)
    return names


def source_hash() -> str:
    """A digest of everything the compiled kernel depends on; the compiler's cache is named after it."""
    import llvmlite
    import numba
    import numpy

    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), folder.parent / "maps" / "model.py"]):
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {llvmlite.__version__} {numpy.__version__}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    root = os.environ.get("BRANCHLINE_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "branchline"
    return Path(root) / source_hash()


