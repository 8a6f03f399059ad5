"""The kernel on a GPU: the same source, one game a thread, byte-identical to the CPU.

    python bench/gpu.py [--games 2000000] [--check 4000] [--json FILE]

Needs torch, Numba and a CUDA device. First every final position of a batch of random games is compared with the CPU's,
byte for byte, on all maps with 2 to 5 players, with details settled and with every detail chosen; then larger batches
are timed (the compiled kernel is warmed first; copies to the device are not counted).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch

from branchline.kernel.board import make_board
from branchline.kernel.machine import board_at, position_at, words_at, work_at
from branchline.maps import load_map, shipped_maps
from branchline.mechanics.composed import Position, Work
from branchline.training.driver import Launcher
from branchline.training.ptx import Program

WORDS = Position.SIZE // 8
# Few registers leave room for many threads, and threads are what hides the latency of local memory: on one H200 the
# USA map gave 333 M decisions/s with 152 registers and 405 with 96, and in a second sweep 504 with 64 and 609 with 32.
RANDOM_GAMES = Program(
    "branchline_random_games",
    "bench.gpu",
    "_play_games",
    ("random_game",),
    (Position.SIZE, Work.SIZE),
    (Path(__file__),),
    registers=32,
)
_random_game: Any = None


def _play_games(i, n, board, players, seed, games, defaults, finals, decisions, p, w):  # type: ignore[no-untyped-def]
    """Thread i of n plays `games` games of its own seeds; its last position and its number of decisions are kept."""
    words, kept = words_at(p), words_at(finals)
    s, work = position_at(p), work_at(w)
    work.listening = 0
    count = 0
    for game in range(games):
        for k in range(WORDS):
            words[k] = 0
        count += _random_game(s, board_at(board), work, players, seed + game * n + i, defaults)
    for k in range(WORDS):
        kept[k * n + i] = words[k]
    words_at(decisions)[i] = count
    return 0


class Batch(NamedTuple):
    """What a batch of random games came to."""

    finals: Any  # the last position of every thread
    decisions: int
    seconds: float


def run(launcher: Launcher, board: bytes, players: int, threads: int, games: int, defaults: int) -> Batch:
    """threads × games random games."""
    table = torch.frombuffer(bytearray(board), dtype=torch.uint8).cuda()
    finals = torch.zeros(WORDS, threads, dtype=torch.int64, device="cuda")
    counts = torch.zeros(threads, dtype=torch.int64, device="cuda")
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    numbers = [threads, table.data_ptr(), players, 0, games, defaults, finals.data_ptr(), counts.data_ptr()]
    start.record()
    launcher.launch(threads, numbers, torch.cuda.current_stream().cuda_stream)
    end.record()
    torch.cuda.synchronize()
    return Batch(finals.t().contiguous().cpu().numpy(), int(counts.sum()), start.elapsed_time(end) / 1000)


def cpu_finals(board: bytes, players: int, games: int, defaults: int) -> Any:
    """The same games on the CPU."""
    from branchline.kernel import compiled

    table = np.frombuffer(bytearray(board), np.uint8)
    finals = np.zeros((games, WORDS), np.int64)
    position, work = np.zeros(1, Position.dtype()), np.zeros(1, Work.dtype())
    for seed in range(games):
        work["codes"][0][0] = defaults
        compiled.run(compiled.RANDOM_GAMES, position.ctypes.data, table.ctypes.data, work.ctypes.data, players, seed, 1)
        finals[seed] = position.view(np.int64)
    return finals


def is_same(launcher: Launcher, board: bytes, players: int, games: int, defaults: int) -> bool:
    gpu = run(launcher, board, players, games, 1, defaults).finals
    return bool(gpu.tobytes() == cpu_finals(board, players, games, defaults).tobytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000_000, help="games of each timed batch; 0: time nothing")
    parser.add_argument("--threads", type=int, default=262_144)
    parser.add_argument(
        "--check", type=int, default=4_000, help="games compared with the CPU for each map and players; 0: none"
    )
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    torch.zeros(1, device="cuda")
    start = time.perf_counter()
    launcher = Launcher(RANDOM_GAMES)
    print(f"{torch.cuda.get_device_name()}: ready after {time.perf_counter() - start:.1f} s", flush=True)
    rows = [row_of(launcher, name, players, args) for name in shipped_maps() for players in (2, 3, 4, 5)]
    if args.json:
        args.json.write_text(json.dumps({"device": torch.cuda.get_device_name(), "rows": rows}, indent=1))
    return 0 if all(row["identical"] for row in rows) else 1


def row_of(launcher: Launcher, name: str, players: int, args: argparse.Namespace) -> dict[str, Any]:
    """One map and number of players, compared and timed."""
    board = make_board(load_map(name)).to_bytes()
    compared = {defaults: args.check // (2 - defaults) for defaults in (1, 0)}
    identical = all(is_same(launcher, board, players, games, defaults) for defaults, games in compared.items() if games)
    row: dict[str, Any] = {"map": name, "players": players, "identical": identical, "compared": sum(compared.values())}
    told = ""
    if args.games:
        games = max(1, args.games // args.threads)
        best = min((run(launcher, board, players, args.threads, games, 1) for _ in range(3)), key=lambda b: b.seconds)
        row |= {"games": games * args.threads, "decisions_per_s": best.decisions / best.seconds}
        row["games_per_s"] = games * args.threads / best.seconds
        told = f"{row['decisions_per_s'] / 1e6:8.1f} M decisions/s  {row['games_per_s'] / 1e6:6.2f} M games/s  "
    verdict = "identical" if identical else "DIFFERENT"
    print(f"{name:7} {players} players  {told}{row['compared']} games {verdict} to the CPU", flush=True)
    return row


if __name__ == "__main__":
    sys.exit(main())
