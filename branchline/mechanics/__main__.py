"""`python -m branchline.mechanics`: write numbers.json and the wholes anew, after a change of a mechanic or of the
list. `--check` writes nothing and fails where they are out of date.

Where a whole is so far out of date that the package cannot be imported any more (a mechanic is gone), run this
file itself: `python branchline/mechanics/__main__.py`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

if not __package__:  # run as a file: the packages, without what their __init__.py imports
    FOLDER = Path(__file__).resolve().parent.parent
    for name, folder in (
        ("branchline", FOLDER),
        ("branchline.maps", FOLDER / "maps"),
        ("branchline.bots", FOLDER / "bots"),
    ):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
    sys.path[0] = str(FOLDER.parent)

from branchline.kernel import numbers
from branchline.mechanics import composing
from branchline.mechanics.wholes import WHOLES, is_up_to_date


def main(arguments: list[str]) -> int:
    new = composing.new_generation()
    if "--check" in arguments:
        return check(bool(new))
    if new:
        numbers.LOCK.write_text(composing.lock_text([*numbers.GENERATIONS, new]), encoding="utf-8")
        start_again()  # sizes follow from the numbers
    for path, text in WHOLES.items():
        if not is_up_to_date(path):
            path.write_text(text(), encoding="utf-8")
            start_again()  # a whole is imported by what makes those after it
    return 0


def check(new: bool) -> int:
    if not new and all(is_up_to_date(path) for path in WHOLES):
        return 0
    print("out of date: run python -m branchline.mechanics", file=sys.stderr)
    return 1


def start_again() -> None:
    """All that was imported is out of date."""
    os.execv(sys.executable, [sys.executable, __file__])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
