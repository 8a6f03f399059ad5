"""How strong a checkpoint is: contests in the arena, every deal played with all seatings.

    python bench/training_arena.py net.npz [--out contests.jsonl] [--processes 16] [--share 1] [--only planner]

One pass a move, the likeliest choice, against the planner at tables of two to five, against the styles, and on maps it
has never seen: small ones of the tests, and some made up from seeds that training does not use. Each contest is one
line of the file; those that are there already are not played again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.maps import BadMap, read_map, shipped_maps
from branchline.training.fanmaps import changed

ROOT = Path(__file__).parent.parent
NET = "net"
STYLES = ("conductor", "path", "onestep", "longroute", "hungry")
SMALL = ("tiny", "e_halts", "a_plateau")
SEED = 52_000
DEALS = {2: 1000, 3: 200, 4: 250, 5: 200}


class Contest(NamedTuple):
    map: str
    rivals: tuple[str, ...]
    deals: int

    @property
    def name(self) -> str:
        return f"{Path(self.map).stem} {len(self.rivals) + 1} {self.rivals[0]}"


def made_up(base: str, folder: Path) -> str:
    """A map made up from a shipped one, as a file; its seed is no seed of training."""
    chance = random.Random(f"unseen {base}")
    raw = json.loads((files("branchline.maps") / f"{base}.json").read_text(encoding="utf-8"))
    while True:
        found = json.dumps(changed(json.loads(json.dumps(raw)), f"made_up_{base}", chance))
        try:
            read_map(found, source=base)
        except BadMap:
            continue
        path = folder / f"made_up_{base}.json"
        path.write_text(found)
        return str(path)


def contests(folder: Path) -> dict[str, list[Contest]]:
    """By kind."""
    planner = [Contest(m, ("planner",) * (n - 1), DEALS[n]) for n in DEALS for m in shipped_maps()]
    unseen = [str(ROOT / f"tests/data/maps/{name}.json") for name in SMALL]
    unseen += [made_up(base, folder) for base in shipped_maps()]
    styles = [Contest(m, (style,), 100) for style in STYLES for m in shipped_maps()]
    return {"planner": planner, "unseen": [Contest(m, ("planner",), 300) for m in unseen], "styles": styles}


def play(contest: Contest, checkpoint: Path, deals: int, processes: int) -> dict[str, Any]:
    """One contest: how often the network won, with its interval."""
    bots = ["--bots", ",".join((*contest.rivals, NET))]
    size = ["--players", str(len(contest.rivals) + 1), "--deals", str(deals), "--seed", str(SEED)]
    command = [sys.executable, "-m", "branchline", "arena", "--map", contest.map, *bots, *size]
    own = {"BRANCHLINE_NETWORK": str(checkpoint.resolve()), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, "--processes", str(processes), "--json"],
        env=os.environ | own,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"contest": contest.name, "failed": done.stderr[-500:]}
    told = json.loads(done.stdout)
    points = {bot: round(mean, 1) for bot, mean in told["mean_score"].items()}
    return {
        "contest": contest.name,
        "seed": SEED,
        "deals": deals,
        "games": told["games"],
        "wins": round(told["win_rate"][NET], 4),
        "interval": [round(end, 4) for end in told["win_rate_interval"][NET]],
        "points": [points.pop(NET), *points.values()],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--share", type=float, default=1.0, help="of the deals")
    parser.add_argument("--only", default="", help="contests with this in their name")
    parser.add_argument("--kinds", default="planner,unseen,styles", help="against planners, on unseen maps, styles")
    parser.add_argument("--tables", default="2,3,4,5", help="numbers of players")
    args = parser.parse_args()
    before = args.out.read_text().splitlines() if args.out and args.out.exists() else []
    there = {json.loads(line)["contest"] for line in before}
    with tempfile.TemporaryDirectory() as folder:
        by_kind, tables = contests(Path(folder)), [int(n) for n in args.tables.split(",")]
        for contest in (contest for kind in args.kinds.split(",") for contest in by_kind[kind]):
            wanted = args.only in contest.name and 1 + len(contest.rivals) in tables
            if wanted and contest.name not in there:
                row = play(contest, args.checkpoint, max(2, round(contest.deals * args.share)), args.processes)
                print(json.dumps(row), flush=True)
                if args.out:
                    with args.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
