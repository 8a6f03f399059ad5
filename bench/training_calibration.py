"""Whether the network's win probabilities can be trusted.

    python bench/training_calibration.py net.npz [--map usa,europe] [--players 2] [--games 40000] [--seed 9000]

The network plays all seats, what it thinks best and without dice. Of every game one position is taken at random, and
what it said there of the seat to act is compared with who won, in tenths. Every slot plays the same number of games, so
that short ones are not counted more often. Needs torch; a GPU makes it quick (--device cpu does without).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

from branchline.kernel.state import SEATS
from branchline.maps.loader import load_map, shipped_maps
from branchline.training.checkpoint import load
from branchline.training.games import Games
from branchline.training.torch_network import TorchNetwork

TENTHS = 10


class Table:
    """Games on several maps with one number of players, and a position of each that was kept."""

    def __init__(self, path: Path, maps: list[str], players: int, slots: int, seed: int, device: str) -> None:
        dtype = torch.bfloat16 if device != "cpu" else torch.float32
        start = load(path)
        data = [load_map(name) for name in maps]
        self.network = TorchNetwork(data, start.shape, device, dtype)
        self.network.load(start)
        self.games = Games(data, [players], slots, seed, device)
        self.games.step()
        self.known = torch.ones((), device=device, dtype=dtype)
        self.shape = (len(maps), slots)
        self.moves = torch.zeros(self.shape, device=device)
        self.said = torch.zeros(self.shape, device=device)  # of the position kept
        self.seat = torch.zeros(self.shape, dtype=torch.int64, device=device)
        self.played = torch.zeros(self.shape, dtype=torch.int64, device=device)

    def step(self) -> tuple[Any, Any, Any]:
        """One choice in every game: which ended now, what had been said, what the seat it was said of won."""
        words = self.games.seen.view(-1, *self.shape).permute(1, 2, 0).contiguous()
        with torch.no_grad():
            _, _, codes, _, wins, _ = self.network.act(words, self.network.weights, self.known, dice=False)
        self.moves += 1
        kept = torch.rand_like(self.moves) * self.moves < 1  # each position of a game is as likely
        self.said = torch.where(kept, wins[..., 0], self.said)
        self.seat = torch.where(kept, self.network.seat_of(words), self.seat)
        self.games.codes.copy_(codes.flatten())
        self.games.step()
        result = self.games.results.view(-1, *self.shape)
        ended = result[0] > 0
        won = (result[1] >> self.seat & 1) / sum((result[1] >> q & 1) for q in range(SEATS)).clamp_min(1)
        self.moves *= ~ended
        self.played += ended
        return ended, self.said, won


def count(table: Table, each: int) -> Any:
    """Play until every slot has had its games: [maps, tenths, (games, said, won, squares)]."""
    sums = torch.zeros(table.shape[0], TENTHS, 4, dtype=torch.float64, device=table.said.device)
    while bool((table.played < each).any()):
        ended, said, won = table.step()
        ended &= table.played <= each
        parts = torch.stack([torch.ones_like(said), said, won, (said - won) ** 2], -1).double() * ended[..., None]
        at = (said * TENTHS).long().clamp(0, TENTHS - 1)
        sums.scatter_add_(1, at[..., None].expand_as(parts), parts)
    return sums.cpu()


def report(sums: Any, name: str, players: int) -> dict[str, Any]:
    """Print and return the tenths of one map."""
    total = sums.sum(0)
    base = float(total[2] / total[0])
    print(f"{name}, {players} players, {int(total[0])} games: Brier score {float(total[3] / total[0]):.4f}")
    rows = []
    for games, said, won, _ in sums.tolist():
        if games:
            rows.append({"games": int(games), "said": round(said / games, 4), "won": round(won / games, 4)})
            print(f"  said {100 * said / games:5.1f} %  won {100 * won / games:5.1f} %  {int(games)} games")
    sys.stdout.flush()
    brier = round(float(total[3] / total[0]), 5)
    return {"map": name, "players": players, "mean won": round(base, 4), "brier": brier, "tenths": rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--map", default=",".join(shipped_maps()), help="maps, by comma")
    parser.add_argument("--players", default="2", help="numbers of players, by comma")
    parser.add_argument("--games", type=int, default=40_000, help="games a map")
    parser.add_argument("--slots", type=int, default=8192, help="games a map at once")
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    maps, rows = args.map.split(","), []
    torch.manual_seed(args.seed)
    for players in (int(n) for n in args.players.split(",")):
        table = Table(args.checkpoint, maps, players, args.slots, args.seed + players, args.device)
        sums = count(table, -(-args.games // args.slots))
        rows += [report(sums[m], name, players) for m, name in enumerate(maps)]
    if args.json:
        args.json.write_text(json.dumps({"seed": args.seed, "rows": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
