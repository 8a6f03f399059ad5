"""Whether other seeds agree with the puzzles: each is weighed once more, by a seed that had no part in its proof.

python bench/puzzles.py [--work 3] [--seed 3] [--map usa]
"""

from __future__ import annotations

import argparse
import time

from branchline.puzzles import Puzzle, shipped
from branchline.puzzles.finding import FAR
from branchline.puzzles.model import LEAST_GAP
from branchline.review.weighing import Weighed, Weighing, groups_of, worlds_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=float, default=3.0, help="seconds' worth for each")
    parser.add_argument("--seed", type=int, default=3, help="3 or more: 1 and 2 proved them")
    parser.add_argument("--map", help="those of one map alone")
    args = parser.parse_args()
    began, same, wide, all_of_them = time.process_time(), 0, 0, 0
    for puzzle in shipped():
        if args.map in (None, puzzle.map.id):
            weighed = weigh(puzzle, args.seed, args.work)
            right = puzzle.is_right(weighed.order[0].group.action)
            all_of_them, same, wide = all_of_them + 1, same + right, wide + (right and weighed.gap >= LEAST_GAP)
            print(
                f"{puzzle.id}  {puzzle.gap:.3f}  {weighed.gap:.3f} ± {weighed.error:.3f}  {'' if right else 'another'}"
            )
    cost = time.process_time() - began
    print(f"{all_of_them} puzzles: the same choice in {same}, by {LEAST_GAP} or more in {wide}; {cost:.0f} CPU seconds")


def weigh(puzzle: Puzzle, seed: int, work: float) -> Weighed:
    view = puzzle.view()
    return Weighing(groups_of(view), worlds_of(view, seed, FAR)).run(work)


if __name__ == "__main__":
    main()
