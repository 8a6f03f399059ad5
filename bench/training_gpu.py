"""The games of the trainer on a GPU: the same bytes as the interpreted kernel, and how fast they step.

    python bench/training_gpu.py [--check 12] [--games 16384,65536]

Needs torch and a CUDA device. Steps with observations are timed; then random games are played on the GPU and by plain
Python with the same codes, and every position and every eighth observation is compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

from branchline.kernel.board import make_board
from branchline.kernel.primitives import lowest
from branchline.kernel.rollout import play_defaults
from branchline.kernel.setup import set_up
from branchline.kernel.state import MENU, Position, Work
from branchline.kernel.turn import apply_action
from branchline.maps.loader import load_map
from branchline.training.games import Games
from branchline.training.observation import Observation, Paths, held_tickets, observe

MAPS = ("usa", "europe", "iberia", "africa")


def random_codes(games: Games) -> torch.Tensor:
    """A legal code for every game, each as likely."""
    bits = (games.seen[:MENU, None] >> torch.arange(63, device=games.seen.device)[:, None]) & 1
    flat = bits.flatten(0, 1).t().float()
    at = torch.multinomial(flat, 1).squeeze(1)
    return at // 63 * 64 + at % 63


def check(n: int, steps: int) -> bool:
    """Play n games a map on the GPU and interpreted; whether all bytes are equal."""
    maps = [load_map(name) for name in MAPS]
    games = Games(maps, [2, 3, 4, 5], n, 7, "cuda")
    boards = [make_board(data) for data in maps]
    twins = [Position() for _ in range(games.codes.numel())]
    seeds = games._seeds.tolist()
    work, paths, seen = Work(), Paths(), Observation()
    same = True
    for step in range(steps):
        codes = games.codes.tolist()
        games.step()
        store, sights = games._store.t().contiguous().cpu().numpy(), games.seen.t().contiguous().cpu().numpy()
        hidden = games.hidden.t().tolist()
        for i, code in enumerate(codes):
            s, b = twins[i], boards[i // n]
            if code >= 0:
                apply_action(s, b, work, lowest(s.awaited), code)
                play_defaults(s, b, work)
            if code < 0 or s.awaited == 0:
                seeds[i] += len(codes)
                s = twins[i] = Position()
                set_up(s, b, work, int(games.players[i]), seeds[i])
            same &= store[i].tobytes() == s.to_bytes()
            if step % 8 == i % 8:
                observe(s, b, work, seen, paths, lowest(s.awaited))
                same &= sights[i].tobytes() == seen.to_bytes()
                others = [(lowest(s.awaited) + j) % s.players for j in range(1, s.players)]
                held = [held_tickets(s, b, other, word) for other in others for word in (0, 1)]
                same &= hidden[i][: len(held)] == held and not any(hidden[i][len(held) :])
        games.codes.copy_(random_codes(games))
    return same


def rate(n: int, steps: int = 30) -> float:
    """Steps with observations a second, the choice of random codes not counted."""
    games = Games([load_map(name) for name in MAPS], [2, 4], n // 4, 1, "cuda")
    seconds = 0.0
    for _ in range(steps):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        games.step()
        end.record()
        torch.cuda.synchronize()
        seconds += start.elapsed_time(end) / 1000
        games.codes.copy_(random_codes(games))
    return steps * games.codes.numel() / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=int, default=12, help="games a map compared with the interpreted kernel")
    parser.add_argument("--games", default="16384,65536")
    args = parser.parse_args()
    start = time.perf_counter()
    Games([load_map("usa")], [2], 64, 1, "cuda").step()
    torch.cuda.synchronize()
    print(f"{torch.cuda.get_device_name()}: first step after {time.perf_counter() - start:.1f} s", flush=True)
    for n in args.games.split(","):
        print(f"{int(n)} games: {rate(int(n)) / 1e6:.1f} M decisions/s with observations", flush=True)
    same = check(args.check, 120)
    print("GPU and interpreted kernel:", "the same bytes" if same else "DIFFERENT", flush=True)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
