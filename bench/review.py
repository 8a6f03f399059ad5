"""What a review is worth: its cost, luck and skill, calibration, and whether two seeds agree. One row a game.

    python bench/review.py play --maps usa europe --bots planner,planner --games 100 --out rows.jsonl
    python bench/review.py play --bots planner,conductor --games 100 --out levels.jsonl
    python bench/review.py play --games 4 --setting full --again 1 --processes 16 --out steady.jsonl
    python bench/review.py tell rows.jsonl

`--bots`: who plays, the seats changed from game to game. `--again N`: reviewed a second time with that seed;
`--against full`: a second time at that setting. Rows that lie in the file already are not made again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from branchline.bots.net.player import network  # noqa: E402
from branchline.bots.players import engine  # noqa: E402
from branchline.bots.registry import BOT_NUMBERS  # noqa: E402
from branchline.codec import action_of, names_of  # noqa: E402
from branchline.fast import FastGame  # noqa: E402
from branchline.game import Game  # noqa: E402
from branchline.maps.loader import load_map, shipped_maps  # noqa: E402
from branchline.record import Record, record_of  # noqa: E402
from branchline.review import SETTINGS, Review, review  # noqa: E402
from branchline.review.verdicts import MISTAKES  # noqa: E402
from branchline.view import View  # noqa: E402

Row = dict[str, Any]
Job = tuple[str, tuple[str, ...], int]
SAMPLES, MATCH = 2000, 100  # resampled matches, and games of each
DECILES = 10


# --- playing --------------------------------------------------------------------------------------------------


def played(name: str, bots: Sequence[str], seed: int) -> Record:
    """A game between bots."""
    data = load_map(name)
    fast, game, names = FastGame(data, len(bots), seed), Game.new(data, len(bots), seed=seed), names_of(data)
    while not fast.is_over:
        seat, position = fast.seat, fast.position
        code = choice(bots[seat], View.of(data, position, seat), seed, len(game.history))
        game.play(action_of(code, position, names, seat), seat)
        fast.step(code)
    return record_of(game, bots)


def choice(bot: str, view: View, seed: int, n: int) -> int:
    assert view.reader is not None
    net = network()
    if bot == "net" and net is not None:
        code = net.choose(view.map, view.to_bytes(), view.reader)
        if code is not None:
            return code
    return engine().choose(view, BOT_NUMBERS["planner" if bot == "net" else bot], seed, n)


def row_of(setting: str, again: int | None, against: str | None, job: Job) -> Row:
    name, bots, seed = job
    record = played(name, bots, seed)
    curve: list[float] = []
    start, cpu = time.perf_counter(), time.process_time()
    first = review(
        record,
        setting=SETTINGS[setting],
        on_progress=lambda p: curve.append(time.process_time() - cpu) if p.done == 0 else None,
    )
    row = {
        "map": name,
        "bots": bots,
        "seed": seed,
        "setting": setting,
        "weights": first.weights,
        "moves": len(first.moves),
        "cpu": round(time.process_time() - cpu, 2),
        "wall": round(time.perf_counter() - start, 2),
        "curve_cpu": round(curve[0], 2),
        "players": [_player(first, seat) for seat in range(len(bots))],
        "chances": [[round(first.curve[m.number - 1].win[m.seat], 4), m.seat] for m in first.moves[::4]],
        "verdicts": _verdicts(first),
    }
    if again is not None or against is not None:
        other = review(record, setting=SETTINGS[against or setting], seed=again or 0)
        row |= {"other": {"setting": against or setting, "seed": again or 0, "verdicts": _verdicts(other)}}
    return row


def _player(found: Review, seat: int) -> Row:
    player: Row = found.to_json()["players"][seat]
    told: Row = {key: player[key] for key in ("name", "accuracy", "result", "verdicts")}
    return {**told, **player["ledger"]}


def _verdicts(found: Review) -> dict[str, list[Any]]:
    decided = [move.decided for move in found.moves if move.decided is not None]
    return {str(one.number): [one.verdict, round(one.loss, 4), round(one.error, 4)] for one in decided}


def jobs(maps: Sequence[str], bots: Sequence[str], games: int, first: int) -> Iterator[Job]:
    for seed in range(first, first + games):
        for name in maps:
            turn = seed % len(bots)
            yield name, (*bots[turn:], *bots[:turn]), seed


def play(args: argparse.Namespace) -> None:
    rows = list(read(args.out)) if args.out.exists() else []
    there = {(row["map"], tuple(row["bots"]), row["seed"]) for row in rows}
    todo = [job for job in jobs(args.maps, args.bots.split(","), args.games, args.first) if job not in there]
    make = partial(row_of, args.setting, args.again, args.against)
    end = time.perf_counter() + 60 * args.minutes
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with args.out.open("a", encoding="utf-8") as file:
        for row in _made(make, todo, args.processes):
            file.write(json.dumps(row) + "\n")
            file.flush()
            if time.perf_counter() > end:
                return


def _made(make: Any, todo: Sequence[Job], processes: int) -> Iterator[Row]:
    if processes <= 1:
        yield from map(make, todo)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(make, todo)
        pool.shutdown(cancel_futures=True)


def read(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


# --- telling --------------------------------------------------------------------------------------------------


def tell(rows: Sequence[Row]) -> None:
    print(f"{len(rows)} games; setting {', '.join(sorted({row['setting'] for row in rows}))}")
    for players in sorted({len(row["bots"]) for row in rows}):
        of = [row for row in rows if len(row["bots"]) == players]
        print(f"{players} players, {len(of)} games: a review takes {spread([row['cpu'] for row in of])} CPU s,")
        print(f"    the curve {spread([row['curve_cpu'] for row in of])}; {spread([row['moves'] for row in of])} moves")
    _tell_ledger(rows)
    _tell_levels(rows)
    _tell_calibration(rows)
    if any("other" in row for row in rows):
        _tell_agreement([row for row in rows if "other" in row])


def spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.1f} (at most {max(values):.1f})"


def interval(values: Sequence[float]) -> str:
    """The mean, with its 95 % interval."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{100 * statistics.mean(values):+.2f} ± {196 * error:.2f} points"


def _tell_ledger(rows: Sequence[Row]) -> None:
    """Of one seat of each game, or the seats' terms would only cancel out."""
    first = [row["players"][row["seed"] % len(row["bots"])] for row in rows]
    for term in ("own_luck", "own_skill", "others_luck", "others_skill", "remainder"):
        print(f"{term:13s} {interval([player[term] for player in first])}")
    rest = [player["remainder"] for player in first]
    size = statistics.median(abs(one) for one in rest)
    print(f"remainder: median {100 * statistics.median(rest):+.2f} points, median size {100 * size:.1f}")


def _tell_levels(rows: Sequence[Row]) -> None:
    """How often the stronger has the higher skill in matches of 100 games, drawn from those that were played."""
    skills: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for player in row["players"]:
            skills[player["name"]].append(player["own_skill"])
    for name, values in skills.items():
        print(f"skill of {name:12s} {interval(values)}")
    if len(skills) != 2 or any(len(row["bots"]) != 2 for row in rows):
        return
    one, two = skills
    leads = [_of(row, one) - _of(row, two) for row in rows]
    rng = Random(1)
    won = sum(sum(rng.choices(leads, k=MATCH)) > 0 for _ in range(SAMPLES))
    print(f"{one} has the higher skill in {100 * won / SAMPLES:.1f} % of resampled matches of {MATCH} games")


def _of(row: Row, name: str) -> float:
    return sum(float(player["own_skill"]) for player in row["players"] if player["name"] == name)


def _tell_calibration(rows: Sequence[Row]) -> None:
    said: dict[int, list[float]] = defaultdict(list)
    came: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        for chance, seat in row["chances"]:
            tenth = min(DECILES - 1, int(DECILES * chance))
            said[tenth].append(chance)
            came[tenth].append(row["players"][seat]["result"])
    total = sum(len(values) for values in said.values())
    off = sum(len(v) * abs(statistics.mean(v) - statistics.mean(came[t])) for t, v in said.items()) / total
    print(f"calibration, {total} positions: off by {100 * off:.1f} points on the average (said > came)")
    told = (f"{100 * statistics.mean(said[t]):.0f}>{100 * statistics.mean(came[t]):.0f}" for t in sorted(said))
    print("    " + "  ".join(told))


def _tell_agreement(rows: Sequence[Row]) -> None:
    """Of the moves that either review calls a mistake or worse, how many both do; by those where the loss is large."""
    counts: Counter[str] = Counter()
    for row in rows:
        for number, (verdict, loss, _) in row["verdicts"].items():
            there, other, _ = row["other"]["verdicts"][number]
            for says, holds, size in ((verdict, there, other), (there, verdict, loss)):
                if says in MISTAKES:
                    counts["said"] += 1
                    counts["same"] += holds in MISTAKES
                    counts["at least an inaccuracy"] += holds in MISTAKES or holds == "inaccuracy"
                    counts["within"] += size >= 0.02
    if counts["said"]:
        parts = [f"{100 * counts[key] / counts['said']:.0f} % {key}" for key in counts if key != "said"]
        print(f"of {counts['said']} verdicts of mistake or worse, the other review: " + ", ".join(parts))


def main(argv: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    add = what.add_parser("play").add_argument
    add("--maps", nargs="+", choices=shipped_maps(), default=["usa", "europe", "iberia", "africa"])
    add("--bots", default="planner,planner")
    add("--games", type=int, default=10, help="of each map")
    add("--first", type=int, default=5000, help="the seed of the first")
    add("--setting", choices=SETTINGS, default="quick")
    add("--again", type=int)
    add("--against", choices=SETTINGS)
    add("--processes", type=int, default=1)
    add("--minutes", type=float, default=1e6)
    add("--out", type=Path, required=True)
    what.add_parser("tell").add_argument("files", type=Path, nargs="+")
    args = parser.parse_args(list(argv) if argv is not None else None)
    if args.what == "play":
        play(args)
    else:
        tell([row for path in args.files for row in read(path)])


if __name__ == "__main__":
    main()
