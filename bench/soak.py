"""Many random games on every map and with every number of players, audited after every move.

    python bench/soak.py [--games 20000] [--first-seed 10000000] [--compare 300]

Cards, tickets and trains are conserved, running scores equal recomputed ones, closed tracks follow from owned ones,
every game ends. Then the interpreted kernel plays `--compare` games a table and has to end in the same bytes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.kernel import compiled
from branchline.maps import shipped_maps
from branchline.measure import Batch, interpreted_signature, signature


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games a table")
    parser.add_argument("--first-seed", type=int, default=10_000_000)
    parser.add_argument("--compare", type=int, default=300, help="games a table by both kernels")
    args = parser.parse_args()
    start, faults = time.perf_counter(), 0
    for name in shipped_maps():
        for players in range(2, 6):
            batch = Batch(name)
            where = batch.position.ctypes.data, batch.board.ctypes.data, batch.work.ctypes.data
            fault = compiled.run(compiled.AUDIT, *where, players, args.first_seed, args.games)
            verdict = f"fault {fault >> 40} at seed {fault & ((1 << 40) - 1)}" if fault else "sound"
            print(
                f"{name:7} {players} players  {args.games} games  {verdict}  {time.perf_counter() - start:5.0f} s",
                flush=True,
            )
            faults += bool(fault)
    same = interpreted_signature(args.compare) == signature(args.compare)
    print(f"interpreted and compiled {'agree' if same else 'DIFFER'} over {args.compare} games a table")
    return 0 if same and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
