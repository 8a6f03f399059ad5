"""`python -m branchline.bots.warm`: compile the games between bots now, so that nobody waits later."""

from __future__ import annotations

from pathlib import Path

from branchline.kernel import warm as kernel_warm

FOLDER = Path(__file__).parent

# Only what is compiled: a change of anything else must not cost a compilation.
PACKAGES = ("blocks", "conductor", "styles", "gentle", "planner", "games")
ROLLOUTS = ("evaluation", "guess", "trials")
PARTS = ("bots", "tuning", "columns")  # of the mechanics
SOURCES = (
    *(path for package in PACKAGES for path in sorted((FOLDER / package).glob("*.py"))),
    *(FOLDER / "rollout" / f"{name}.py" for name in ROLLOUTS),
    *(FOLDER / name for name in ("kernel.py", "hooks.py", "composed.py")),
    *(path for part in PARTS for path in sorted((FOLDER.parent / "mechanics").glob(f"*/{part}.py"))),
    FOLDER.parent / "graph" / "chains.py",
    FOLDER / "compiled" / "entry.py",
)


def warm() -> None:
    """Load the compiled games, compiling them where this version has not been compiled yet, and say so."""
    kernel_warm.warm("the bots", "branchline.bots.compiled.entry", SOURCES)


if __name__ == "__main__":
    warm()
    from branchline.bots.search import SearchBot  # not above: it loads this module again

    SearchBot(0)  # it loads, or compiles, what it needs
