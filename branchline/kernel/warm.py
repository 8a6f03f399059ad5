"""`python -m branchline.kernel.warm`: compile the kernel now, so that nobody waits later."""

from __future__ import annotations

import sys
import time


def warm() -> None:
    """Load the compiled kernel, compiling it where this version has not been compiled yet; say so if it takes long."""
    from branchline.kernel import backend

    folder = backend.cache_folder()
    new = not any(folder.glob("**/*.nbi"))
    if new:
        print(
            "branchline: compiling the rules kernel, once for this version (about a minute) …",
            file=sys.stderr,
            flush=True,
        )
    start = time.perf_counter()
    import branchline.kernel.compiled  # noqa: F401

    if new:
        print(f"branchline: the kernel is compiled ({time.perf_counter() - start:.0f} s)", file=sys.stderr, flush=True)


if __name__ == "__main__":
    warm()
