"""`python -m branchline.bots.warm`: compile the games between bots now, so that nobody waits later."""

from __future__ import annotations

from pathlib import Path

from branchline.kernel import warm as kernel_warm

# Only what is compiled: a change of anything else must not cost a compilation.
SOURCES = tuple(
    path
    for path in sorted(Path(__file__).parent.glob("*.py"))
    if "@kernel" in path.read_text(encoding="utf-8") or path.stem in ("work", "tuning", "compiled")
)


def warm() -> None:
    """Load the compiled games, compiling them where this version has not been compiled yet, and say so."""
    kernel_warm.warm("the bots", "branchline.bots.compiled", SOURCES)


if __name__ == "__main__":
    warm()
