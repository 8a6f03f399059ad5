"""Does the review find what is proven best? Rigged positions of at least eight kinds, on every map, for 2 to 5 seats.

    python bench/review_rigged.py --positions 200 --out results/review/rigged.json

Kinds that come up often are cut short, so that none outweighs the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from branchline.maps.loader import shipped_maps  # noqa: E402
from branchline.notation import read_action, write_action  # noqa: E402
from branchline.review.alike import likeness  # noqa: E402
from branchline.review.decisions import decide  # noqa: E402
from branchline.review.settings import SETTINGS, Setting  # noqa: E402
from tests.review.rigged import Rigged, rigged  # noqa: E402


def finds(one: Rigged, setting: Setting, seed: int) -> str:
    """What the review calls best; "" where that is what is proven."""
    found = decide(one.moment(), setting, seed)
    best = read_action(found.best, one.view.map) if found else None
    if best is not None and likeness(best, one.view) == likeness(one.best, one.view):
        return ""
    return write_action(best) if best else "nothing"


def positions(first: int, most: int) -> Iterator[tuple[str, int, int, Rigged]]:
    """Game after game, maps and numbers of players by turns; `most` of a kind from one game."""
    for seed in count(first):
        for n, name in enumerate(shipped_maps()):
            players = 2 + (seed + n) % 4
            kinds: Counter[str] = Counter()
            for one in rigged(name, players, seed):
                kinds[one.kind] += 1
                if kinds[one.kind] <= most:
                    yield name, players, seed, one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--each", type=int, default=2, help="of a kind, from one game")
    parser.add_argument("--most", type=int, default=32, help="of a kind")
    parser.add_argument("--first", type=int, default=1000, help="the seed of the first game")
    parser.add_argument("--setting", choices=SETTINGS, default="full")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    begun, told, right = time.perf_counter(), Counter[str](), Counter[str]()
    missed: list[dict[str, object]] = []
    for name, players, seed, one in positions(args.first, args.each):
        if told["all"] >= args.positions or time.perf_counter() - begun > 60 * args.minutes:
            break
        if told[f"kind {one.kind}"] >= args.most:
            continue
        wrong = finds(one, SETTINGS[args.setting], 0)
        for key in ("all", f"kind {one.kind}", f"map {name}", f"players {players}"):
            told[key] += 1
            right[key] += not wrong
        if wrong:
            best = write_action(one.best)
            missed.append(
                {"map": name, "players": players, "seed": seed, "kind": one.kind, "best": best, "said": wrong}
            )
    rows = {key: [right[key], told[key]] for key in sorted(told)}
    for key, (found, of) in rows.items():
        print(f"{found:4d} of {of:4d}  {key}")
    result = {"setting": args.setting, "first": args.first, "found": rows, "missed": missed}
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
