"""Power cuts under load: what was acknowledged must be there, though only fsynced bytes are kept.

    python bench/power_cuts.py                ten cuts under 60 games on four maps
    python bench/power_cuts.py --prove        a service that does not wait for its disk must be found out

The service (one process, one SQLite file) runs with `only_fsynced.c`, which keeps beside its folder what a disk would
surely hold. A cut kills it, throws its folder away and puts in its place what was safe. A disk may have written more
than it had to, so in most cuts some of the blocks that were not safe are kept too, chosen at random, and in half of
them the index of SQLite's log. Then the service starts again: every acknowledged move must be in the log, none twice
and none that was refused; every game must be read back and played on. Talks to 127.0.0.1 only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.generator import Http, Load, address
from bench.services import ROOT, Embedded, verdict

HERE = Path(__file__).parent
SLOW_MS = 8  # a disk that turns: so that a cut finds something on its way
BLOCK = 512  # what a disk writes whole or not at all
INDEX = "branchline.sqlite3-shm"
Row = dict[str, Any]


class CutOff(Embedded):
    """A service whose power can be cut."""

    def __init__(self, seed: int, program: tuple[str, ...] = ("-m", "branchline")) -> None:
        super().__init__(program=program)
        self._rng = random.Random(seed)
        self._beside = tempfile.TemporaryDirectory(prefix="branchline-shadow-")
        self.shadow = Path(self._beside.name) / "shadow"
        self.folder = self.folder.resolve()
        library = Path(self._beside.name) / "only_fsynced.so"
        compiler = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-o", str(library), str(HERE / "only_fsynced.c")]
        subprocess.run([*compiler, "-lpthread"], check=True)
        self.service.environment = {
            "LD_PRELOAD": str(library),
            "ONLY_FSYNCED_FOLDER": str(self.folder),
            "ONLY_FSYNCED_SHADOW": str(self.shadow),
            "ONLY_FSYNCED_MS": str(SLOW_MS),
        }
        self.shadow.mkdir()

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._beside.cleanup()

    def cut(self, torn: float, keep_index: bool) -> Row:
        """Cut the power; of the blocks that were not safe, each is kept with this probability."""
        self.service.kill()
        found = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        safe = self._safe()
        unsafe = {name: _unsafe(found.get(name, b""), safe[name]) for name in safe}
        left = {name: self._torn(found.get(name, b""), safe[name], unsafe[name], torn) for name in safe}
        if keep_index and INDEX in found:
            left[INDEX] = found[INDEX]
        self._put(left)
        kept = sum(map(len, left.values()))
        return {"safe_bytes": kept, "unsafe_blocks": sum(map(len, unsafe.values())), "torn": torn, "index": keep_index}

    def _safe(self) -> dict[str, bytes]:
        lines = (self.shadow / "names").read_text().splitlines()
        numbers = [line.split(" ", 1) for line in lines]
        return {name: (self.shadow / number).read_bytes() for number, name in numbers}

    def _torn(self, found: bytes, safe: bytes, unsafe: list[int], torn: float) -> bytes:
        """What was safe, and some of what was not; a file that had been cut short may still be as long as before."""
        kept = [at for at in unsafe if self._rng.random() < torn]
        left = bytearray(safe)
        for at in kept:
            block = found[at : at + BLOCK]
            left.extend(bytes(max(0, at + len(block) - len(left))))
            left[at : at + len(block)] = block
        return bytes(left)

    def _put(self, left: dict[str, bytes]) -> None:
        for folder in (self.folder, self.shadow):
            shutil.rmtree(folder)
            folder.mkdir(mode=0o700)
        for name, content in left.items():
            (self.folder / name).write_bytes(content)


def _unsafe(found: bytes, safe: bytes) -> list[int]:
    return [at for at in range(0, len(found), BLOCK) if found[at : at + BLOCK] != safe[at : at + BLOCK]]


# ---------------------------------------------------------------- runs


async def ready(service: CutOff, games: int, seed: int) -> Load:
    load = Load(service.port, seed)
    await load.set_up(games)
    await load.connect()
    return load


async def one_cut(service: CutOff, load: Load, number: int, rate: float, seconds: float) -> Row:
    """Play, cut the power with moves on their way, start again, compare, play on."""
    load.back.clear()
    playing = asyncio.create_task(load.play(rate, 600))
    await asyncio.sleep(seconds * (1 + load.rng.random()))
    row = service.cut(torn=(0.0, 0.5, 0.9, 1.0, 0.1)[number % 5], keep_index=number % 2 == 1)
    load.prove()
    at_cut, began = len(load.keys), time.perf_counter()
    await asyncio.to_thread(service.service.start)
    row["up_s"] = round(time.perf_counter() - began, 2)
    not_back = await load.all_back()
    played_on, told_again, failed = await load.proved()
    playing.cancel()
    await load.answered()
    compared = verdict(service.stored(), load.keys, load.refused)
    row |= {"cut": number + 1, "acknowledged": at_cut, "lost": compared.lost, "twice": compared.twice}
    row |= {"ghosts": compared.ghosts, "not_back": not_back, "not_played_on": failed}
    row |= {"unread": await unread(load), "back_s": round(max(load.back, default=0.0), 2)}
    row |= {"told_again_s": round(told_again, 2), "played_on_s": round(played_on, 2)}
    print(json.dumps(row), flush=True)
    return row


async def unread(load: Load) -> int:
    """Games whose history cannot be read."""
    failed = 0
    async with Http(load.port, address(0)) as http:
        for game in load.games:
            try:
                history = await http.ask("GET", f"/api/tables/{game.table}/history", token=game.players[0].token)
                failed += not history
            except RuntimeError as error:
                print(error, flush=True)
                failed += 1
    return failed


async def cuts(args: argparse.Namespace) -> Row:
    with CutOff(args.seed) as service:
        load = await ready(service, args.games, args.seed)
        rows = [await one_cut(service, load, number, args.rate, args.seconds) for number in range(args.cuts)]
        load.stop()
    c = load.counts
    return {
        "what": "power cuts, only fsynced bytes kept",
        "cuts": len(rows),
        "games": len(load.games),
        "acknowledged": len(load.keys),
        **{key: max(row[key] for row in rows) for key in ("lost", "twice", "ghosts")},
        **{key: sum(row[key] for row in rows) for key in ("not_back", "not_played_on", "unread")},
        **{key: max(row[key] for row in rows) for key in ("up_s", "back_s", "told_again_s", "played_on_s")},
        "unsafe_blocks": sum(row["unsafe_blocks"] for row in rows),
        "sent_again": c.again,
        "stale": c.stale,
        "refused": c.refused,
        "each": rows,
    }


async def prove(args: argparse.Namespace) -> Row:
    """The instrument must find the loss of a service that does not wait for its disk."""
    with CutOff(args.seed, program=("bench/careless.py",)) as service:
        load = await ready(service, args.games, args.seed)
        await load.play(args.rate, args.seconds)
        row = service.cut(torn=0.0, keep_index=False)
        load.stop()
        service.service.start()
        lost = verdict(service.stored(), load.keys, load.refused).lost
    return {"what": "a power cut of a careless service", "acknowledged": len(load.keys), "lost": lost, **row}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rate", type=float, default=60, help="moves a second")
    parser.add_argument("--seconds", type=float, default=3, help="before a cut, and up to twice that")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--prove", action="store_true", help="that the instrument finds what is lost")
    parser.add_argument("--json", type=Path, default=None, help="default: results/service/power_cuts.json")
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    row = asyncio.run(prove(args) if args.prove else cuts(args))
    print(json.dumps({key: value for key, value in row.items() if key != "each"}), flush=True)
    if args.prove:
        raise SystemExit(0 if row["lost"] else "the instrument found nothing lost: it does not work")
    path = args.json or ROOT / "results" / "service" / "power_cuts.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    bad = [key for key in ("lost", "twice", "ghosts", "not_back", "not_played_on", "unread") if row[key]]
    raise SystemExit(f"failed: {bad}" if bad else 0)


if __name__ == "__main__":
    main()
