"""`branchline check-map FILE …`: is this map file right, and if not, what is wrong where?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from branchline.maps import check_file, load_map


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a map file, or a file of differences to a shipped map (.json)"
    )


def run(args: argparse.Namespace) -> int:
    return max(_check(file) for file in args.files)


def _check(file: str) -> int:
    faults = check_file(Path(file))
    for fault in faults:
        print(f"BadMap: {fault}", file=sys.stderr)
    if faults:
        print(f"{file}: {len(faults)} fault{'s' if len(faults) > 1 else ''}", file=sys.stderr)
        return 1
    data = load_map(file)
    print(
        f"{file}: {data.name} is right: "
        f"{len(data.places)} places, {len(data.tracks)} tracks, {len(data.tickets)} tickets"
    )
    if data.reconstructed:
        print(f"  reconstruction, not the printed game: {', '.join(data.reconstructed)}")
    return 0
