"""`python -m branchline.kernel.warm`: compile the kernel now, so that nobody waits later."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

from branchline.kernel import backend


def warm(
    what: str = "the rules kernel", module: str = "branchline.kernel.compiled", sources: tuple[Path, ...] = ()
) -> None:
    """Load a module of compiled code; say so where this version of its sources has to be compiled first."""
    new = not any(backend.cache_folder(sources).glob("**/*.nbi"))
    if new:
        _say(f"compiling {what}, once for this version (about a minute) …")
    start = time.perf_counter()
    importlib.import_module(module)
    if new:
        _say(f"{what}: compiled in {time.perf_counter() - start:.0f} s")


def _say(text: str) -> None:
    print(f"branchline: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    warm()
