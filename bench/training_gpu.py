"""The games of the trainer on a GPU: the same bytes as on the CPU, and how fast they step.

    python bench/training_gpu.py [--check 64] [--steps 400] [--games 16384,65536,262144]

Needs torch and a CUDA device, and Numba for the comparison. Steps are timed with menus alone and with whole
observations; then random games are played on the GPU and on the CPU with the same codes, on all maps with 2 to 5
players, and every position, observation, result and every other's ticket is compared after each step.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

from branchline.kernel.state import MENU
from branchline.maps.loader import load_map, shipped_maps
from branchline.training.games import Games


def random_codes(games: Games) -> torch.Tensor:
    """A legal code for every game, each as likely."""
    bits = (games.seen[:MENU, None] >> torch.arange(63, device=games.seen.device)[:, None]) & 1
    flat = bits.flatten(0, 1).t().float()
    at = torch.multinomial(flat, 1).squeeze(1)
    return at // 63 * 64 + at % 63


def check(n: int, steps: int, device: str = "cuda", menus_only: bool = False) -> bool:
    """Play n games a map and number of players on a device and on the CPU; whether all bytes are equal."""
    maps = [load_map(name) for name in shipped_maps()]
    here = Games(maps, [2, 3, 4, 5], 4 * n, 7, device, menus_only)
    there = Games(maps, [2, 3, 4, 5], 4 * n, 7, "cpu", menus_only)
    ended = 0
    for _ in range(steps):
        here.step()
        there.step()
        for name in ("positions", "seen", "results", "hidden", "_seeds"):
            if not torch.equal(getattr(here, name).cpu(), getattr(there, name)):
                print(f"{name} differs", flush=True)
                return False
        ended += int(there.results[0].sum())
        codes = random_codes(there)
        there.codes.copy_(codes)
        here.codes.copy_(codes)
    print(f"{steps * there.codes.numel()} steps compared, {ended} games to their end", flush=True)
    return True


def rate(n: int, menus_only: bool, steps: int = 200) -> float:
    """Steps a second, the choice of random codes not counted; the games are under way by then."""
    maps = [load_map(name) for name in shipped_maps()]
    games = Games(maps, [2, 4], n // len(maps), 1, "cuda", menus_only)
    seconds = 0.0
    for step in range(steps):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        games.step()
        end.record()
        torch.cuda.synchronize()
        seconds += start.elapsed_time(end) / 1000 if step >= steps // 2 else 0
        games.codes.copy_(random_codes(games))
    return float((steps - steps // 2) * games.codes.numel() / seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=int, default=64, help="games a map and number of players compared; 0: none")
    parser.add_argument("--steps", type=int, default=400, help="steps compared")
    parser.add_argument("--games", default="16384,65536,262144", help="so many at once are timed; empty: none")
    args = parser.parse_args()
    start = time.perf_counter()
    Games([load_map("usa")], [2], 64, 1, "cuda").step()
    torch.cuda.synchronize()
    print(f"{torch.cuda.get_device_name()}: first step after {time.perf_counter() - start:.1f} s", flush=True)
    for n in (int(text) for text in args.games.split(",") if text):
        menus, whole = rate(n, True) / 1e6, rate(n, False) / 1e6
        print(f"{n} games: {menus:.1f} M decisions/s with menus, {whole:.1f} with observations", flush=True)
    if not args.check:
        return 0
    same = check(args.check, args.steps) and check(args.check, args.steps, menus_only=True)
    print("GPU and CPU:", "the same bytes" if same else "DIFFERENT", flush=True)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
