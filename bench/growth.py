"""How the cost of a decision grows with the number of players and with the size of a hand.

    python bench/growth.py [--out docs/img/growth.svg]

Left: decisions a second of random games inside the kernel, by players. Right: the time to list a turn's legal actions
for hands of growing size (an equal share of every card), and how many there are; the cost of the call itself is
measured and taken off.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import matplotlib.pyplot as plt

from bench.ink import INK, MARK, keep
from branchline.kernel import compiled
from branchline.kernel.state import CARDS, HAND, TURN
from branchline.maps import load_map, shipped_maps
from branchline.measure import Batch, calibration, kernel_rate

CALLS = 20_000


def call_cost(batch: Batch, what: int) -> float:
    """Seconds of one call, the best of five rounds."""
    where = batch.position.ctypes.data, batch.board.ctypes.data, batch.work.ctypes.data
    rounds = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(CALLS):
            compiled.run(what, *where, 0, 0, 0)
        rounds.append(time.process_time() - start)
    return min(rounds) / CALLS


def menu_cost(name: str, cards: int) -> tuple[float, int]:
    """Seconds to list the actions of a player with this many cards at the start of a game, and their number."""
    batch = Batch(name)
    s = batch.position[0]
    s["players"], s["phase"], s["awaited"], s["deck_n"] = 2, TURN, 1, 10
    s["trains"][:2] = load_map(name).trains
    for i in range(cards):
        s["hand"][: HAND - 1][i % CARDS] += 1
    where = batch.position.ctypes.data, batch.board.ctypes.data, batch.work.ctypes.data
    choices = compiled.run(compiled.LEGAL, *where, 0, 0, 0)
    return max(0.0, call_cost(batch, compiled.LEGAL) - call_cost(batch, -1)), choices


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/img/growth.svg"))
    args = parser.parse_args()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.6))
    hands = [0, 5, 10, 20, 30, 45, 60, 80, 100]
    for name in shipped_maps():
        style = {"color": INK[name], "marker": MARK[name], "markersize": 4, "label": load_map(name).name}
        rates = [kernel_rate(name, players, 0.7).decisions_per_s / 1e6 for players in range(2, 6)]
        costs = [menu_cost(name, n) for n in hands]
        left.plot(range(2, 6), rates, **style)
        middle.plot(hands, [cost * 1e9 for cost, _ in costs], **style)
        right.plot(hands, [choices for _, choices in costs], **style)
        print(
            name,
            [f"{rate:.2f} M" for rate in rates],
            [(n, f"{c * 1e9:.0f} ns", k) for n, (c, k) in zip(hands, costs, strict=True)],
        )
    left.set(xlabel="players", ylabel="million decisions a second, one core", xticks=range(2, 6), ylim=(0, None))
    middle.set(xlabel="cards in hand", ylabel="ns to list the legal actions", ylim=(0, None))
    right.set(xlabel="cards in hand", ylabel="legal actions")
    left.legend(frameon=False)
    figure.suptitle(f"What a decision costs (calibration {calibration():.3f} s)")
    keep(figure, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
