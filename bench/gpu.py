"""The kernel on a GPU: the same source, one game a thread, byte-identical to the CPU.

    python bench/gpu.py [--games 2000000] [--check 20000] [--json FILE]

Needs numba-cuda and a CUDA device. First every final position of a batch is compared with the CPU's, byte for byte,
on all maps; then larger batches are timed (the compiled kernel is warmed first; copies to the device are not counted).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

np.row_stack = np.vstack  # type: ignore[attr-defined]  # numba-cuda asks for a name that NumPy 2.5 no longer has

from numba import cuda, from_dtype, int64, uint64  # noqa: E402

from branchline.kernel import backend  # noqa: E402
from branchline.kernel.board import make_board  # noqa: E402
from branchline.kernel.state import Board, Position, Work  # noqa: E402
from branchline.maps import load_map, shipped_maps  # noqa: E402

# Few registers leave room for many threads, and threads are what hides the latency of local memory: on one H200 the
# USA map gave 333 M decisions/s with 152 registers and 405 with 96, and in a second sweep 504 with 64 and 609 with 32.
REGISTERS = 32
BLOCK = 128
POSITION, WORK = from_dtype(Position.dtype()), from_dtype(Work.dtype())


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def popcount(word):  # type: ignore[no-untyped-def]
    return int64(cuda.popc(int64(word)))


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def lowest(word):  # type: ignore[no-untyped-def]
    return int64(cuda.ffs(int64(word))) - 1


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def times(a, b):  # type: ignore[no-untyped-def]
    return int64((uint64(a) * uint64(b)) & uint64(0x7FFFFFFFFFFFFFFF))


twins = backend.compile_kernel(
    lambda function, signature: cuda.jit(device=True)(function),
    {"popcount": popcount, "lowest": lowest, "times": times},
)
random_game = twins["random_game"]


@cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
def play_games(blank, boards, players, first_seed, games, defaults, finals, decisions):  # type: ignore[no-untyped-def]
    """Each thread plays `games` games of its own seeds; its last position and its number of decisions are kept."""
    thread = cuda.grid(1)
    if thread >= decisions.size:
        return
    position = cuda.local.array(1, POSITION)
    work = cuda.local.array(1, WORK)
    work[0].listening = 0
    n = 0
    for i in range(games):
        position[0] = blank[0]
        n += random_game(position[0], boards[0], work[0], players, first_seed + i * decisions.size + thread, defaults)
    finals[thread % finals.size] = position[0]
    decisions[thread] = n


def run(board: Any, players: int, threads: int, games: int, finals: int, defaults: int) -> tuple[Any, int, float]:
    """Final positions, decisions and seconds of threads × games random games."""
    blank = cuda.to_device(np.zeros(1, Position.dtype()))
    out = cuda.device_array(finals, Position.dtype())
    counts = cuda.device_array(threads, np.int64)
    grid = (threads + BLOCK - 1) // BLOCK
    start, end = cuda.event(), cuda.event()
    start.record()
    play_games[grid, BLOCK](blank, board, players, 0, games, defaults, out, counts)
    end.record()
    end.synchronize()
    return out.copy_to_host(), int(counts.copy_to_host().sum()), cuda.event_elapsed_time(start, end) / 1000


def cpu_finals(board: Any, players: int, games: int, defaults: int) -> Any:
    """The same games on the CPU."""
    from branchline.kernel import compiled

    finals = np.zeros(games, Position.dtype())
    position, work = np.zeros(1, Position.dtype()), np.zeros(1, Work.dtype())
    for seed in range(games):
        work["codes"][0][0] = defaults
        compiled.run(compiled.RANDOM_GAMES, position.ctypes.data, board.ctypes.data, work.ctypes.data, players, seed, 1)
        finals[seed] = position[0]
    return finals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000_000, help="games of each timed batch")
    parser.add_argument("--threads", type=int, default=262_144)
    parser.add_argument(
        "--check", type=int, default=20_000, help="games compared with the CPU for each map and players"
    )
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    print(cuda.get_current_device().name, flush=True)
    rows, same = [], True
    for name in shipped_maps():
        host = np.frombuffer(bytearray(make_board(load_map(name)).to_bytes()), Board.dtype())
        board = cuda.to_device(host)
        for players in (2, 4):
            start = time.perf_counter()
            gpu, _, _ = run(board, players, args.check, 1, args.check, 1)
            first = time.perf_counter() - start
            equal = bool(gpu.tobytes() == cpu_finals(host, players, args.check, 1).tobytes())
            full, _, _ = run(board, players, 2048, 1, 2048, 0)
            equal &= bool(full.tobytes() == cpu_finals(host, players, 2048, 0).tobytes())
            same &= equal
            per_thread = max(1, args.games // args.threads)
            best = min((run(board, players, args.threads, per_thread, 1, 1) for _ in range(3)), key=lambda r: r[2])
            _, decisions, seconds = best
            row = {
                "map": name,
                "players": players,
                "identical": equal,
                "games": per_thread * args.threads,
                "decisions_per_s": decisions / seconds,
                "games_per_s": per_thread * args.threads / seconds,
            }
            rows.append(row)
            verdict = "identical" if equal else "DIFFERENT"
            print(
                f"{name:7} {players} players  {decisions / seconds / 1e6:8.1f} M decisions/s  "
                f"{row['games_per_s'] / 1e6:6.2f} M games/s  {verdict} to the CPU  (first launch {first:.1f} s)",
                flush=True,
            )
    if args.json:
        args.json.write_text(json.dumps({"device": str(cuda.get_current_device().name), "rows": rows}, indent=1))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
