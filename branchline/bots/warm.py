"""`python -m branchline.bots.warm`: compile the games between bots now, so that nobody waits later."""

from __future__ import annotations

import sys
import time
from pathlib import Path

SOURCES = tuple(sorted(Path(__file__).parent.glob("*.py")))


def warm() -> None:
    """Load the compiled games, compiling them where this version has not been compiled yet, and say so."""
    from branchline.kernel import backend

    new = not any(backend.cache_folder(SOURCES).glob("**/*.nbi"))
    if new:
        print("branchline: compiling the bots, once for this version (about a minute) …", file=sys.stderr, flush=True)
    start = time.perf_counter()
    import branchline.bots.compiled  # noqa: F401

    if new:
        print(f"branchline: the bots are compiled ({time.perf_counter() - start:.0f} s)", file=sys.stderr, flush=True)


if __name__ == "__main__":
    warm()
