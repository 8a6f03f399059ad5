"""The argument that names a map: a shipped one, or a file."""

from __future__ import annotations

import argparse

from branchline.maps import shipped_maps


def add_map(parser: argparse.ArgumentParser, name: str = "--map") -> None:
    """An option is the first shipped map by default; a name without dashes has to be given."""
    first, *others = shipped_maps()
    if name.startswith("-"):
        words = ", ".join([f"{first} (the default)", *others])
        parser.add_argument(name, default=first, metavar="MAP", help=f"{words}, or a map file (.json)")
    else:
        words = ", ".join([first, *others])
        parser.add_argument(name, metavar="MAP", help=f"{words}, or a map file (.json)")
