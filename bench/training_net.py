"""What a decision costs the trainer on a GPU, split into the step of the games, choosing, and learning.

    python bench/training_net.py [--shapes 64,96,32,512 32,64,16,512] [--games 4096] [--compile] [--profile]

A shape is the widths of token, pool, score and trunk. Each line: milliseconds for all games of four maps.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

from bench.training_gpu import random_codes
from branchline.maps.loader import load_map, shipped_maps
from branchline.training import network as net
from branchline.training.games import Games
from branchline.training.torch_network import TorchNetwork


def timed(work: Any, n: int = 8) -> float:
    """Milliseconds of one call, after two to warm up."""
    work(), work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(n):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / n * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=["64,96,32,512", "32,64,16,512"])
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    maps = [load_map(name) for name in shipped_maps()]
    games = Games(maps, [2, 4], args.games, 1, "cuda")
    for _ in range(40):
        games.step()
        games.codes.copy_(random_codes(games))
    print(f"step {timed(games.step, 1):.2f} ms", flush=True)  # the same codes again: as good as any
    words = games.seen.view(-1, len(maps), args.games).permute(1, 2, 0).contiguous()
    hidden = games.hidden.view(-1, len(maps), args.games).permute(1, 2, 0).contiguous()
    for text in args.shapes:
        network = TorchNetwork(maps, net.Shape(*map(int, text.split(","))), "cuda")
        known = torch.tensor(1.0, device="cuda", dtype=network.dtype)
        with torch.no_grad():
            chosen, colour, *_ = network.act(words, network.weights, known)
            before = network.judge(words, hidden, chosen, colour, network.weights, known).logp
        if args.compile:
            start = time.perf_counter()
            network.evaluate = torch.compile(net.evaluate, dynamic=False)

        def act(network: Any = network, known: Any = known) -> None:
            with torch.no_grad():
                network.act(words, network.weights, known)

        def learn(network: Any = network, known: Any = known, chosen: Any = chosen, colour: Any = colour) -> Any:
            said = network.judge(words, hidden, chosen, colour, network.weights, known)
            (
                said.logp.mean()
                + said.entropy.mean()
                + said.belief.mean()
                + said.wins.square().mean()
                + said.margin.mean()
            ).backward()
            return said.logp.detach()

        if args.compile:
            act()
            off = (learn() - before).abs().max().item()
            print(f"compiled in {time.perf_counter() - start:.1f} s, off by {off:.4f}", flush=True)
        print(f"{text}: act {timed(act):.2f} ms, learn {timed(learn):.2f} ms", flush=True)
        if args.profile:
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
                learn()
                act()
            print(seen.key_averages().table(sort_by="cuda_time_total", row_limit=25, max_name_column_width=60))
    return 0


if __name__ == "__main__":
    sys.exit(main())
