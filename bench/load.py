"""The service under load: many games over real sockets, with the generator on the same machine.

    python bench/load.py                            1,000 games, 4,000 sockets, 150 moves/s, then 300
    python bench/load.py --before DIR               the same, turn by turn with the version in that folder
    python bench/load.py --processes 3              three processes behind nginx, on PostgreSQL and Redis
    python bench/load.py --processes 1 --processes 2 --processes 3     one after the other, in one run
    python bench/load.py --kills 20                 the load, the service killed (-9) twenty times
    python bench/load.py --processes 3 --kills 20 --kill redis --kill postgres     five times each, and processes

Talks to 127.0.0.1 only. Times are in milliseconds; CPU time is in milliseconds a move, by part.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.generator import Counts, Load
from bench.services import Cluster, Embedded, verdict

Service = Embedded | Cluster
Row = dict[str, Any]


def share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


async def ready(service: Service, games: int, seed: int, warm: float = 5) -> Load:
    """A load set up, and warm after so many seconds."""
    load = Load(service.port, seed)
    began = time.perf_counter()
    await load.set_up(games)
    print(f"{len(load.games)} tables in {time.perf_counter() - began:.1f} s", flush=True)
    print(f"{len(load.players)} sockets in {await load.connect():.1f} s", flush=True)
    await load.play(100, warm)
    return load


async def measure(name: str, service: Service, load: Load, rate: float, seconds: float) -> Row:
    load.counts, known = Counts(), len(load.keys)
    before, generator = service.parts(), time.process_time()
    await load.play(rate, seconds)
    await asyncio.sleep(1)
    moves, c = len(load.keys) - known, load.counts
    spent = {part: cpu - before[part] for part, cpu in service.parts().items()}
    row: Row = {
        "what": name,
        "games": len(load.games),
        "sockets": len(load.players),
        "asked_rate": rate,
        "moves": moves,
        "acked_p50": share(c.acked, 0.5),
        "acked_p99": share(c.acked, 0.99),
        "delivered_p50": share(c.delivered, 0.5),
        "delivered_p99": share(c.delivered, 0.99),
        "delivered_max": share(c.delivered, 1),
        "cpu_ms_a_move": {part: round(1000 * cpu / max(1, moves), 3) for part, cpu in spent.items()},
        "cpu_ms_a_move_in_all": 1000 * sum(spent.values()) / max(1, moves),
        "generator_cpu_ms": 1000 * (time.process_time() - generator) / max(1, moves),
        "stale": c.stale,
        "refused": c.refused,
        "cut": c.cut,
        "again": c.again,
        "skipped": c.skipped,
        "memory_mb": service.memory(),
    }
    return told(row)


def told(row: Row) -> Row:
    row = {key: round(value, 2) if isinstance(value, float) else value for key, value in row.items()}
    print(json.dumps(row), flush=True)
    return row


# ---------------------------------------------------------------- kinds of runs


async def alone(args: argparse.Namespace) -> list[Row]:
    with Embedded(program=("bench/loop.py",) if args.loop else ("-m", "branchline")) as service:
        load = await ready(service, args.games, args.seed)
        rows = [await measure("embedded", service, load, rate, args.seconds) for rate in args.rates]
        load.stop()
        return rows


async def beside_the_version_before(args: argparse.Namespace) -> list[Row]:
    """Turn by turn, so that a noisy machine is as noisy for both; the ratios of the pooled figures."""
    with Embedded() as now, Embedded(root=args.before.resolve()) as before:
        loads = {"now": await ready(now, args.games, args.seed), "before": await ready(before, args.games, args.seed)}
        services: dict[str, Embedded] = {"now": now, "before": before}
        rows = []
        for rate in args.rates:
            turns: dict[str, list[Row]] = {"now": [], "before": []}
            for turn in range(args.turns):
                for name in ("before", "now") if turn % 2 == 0 else ("now", "before"):
                    row = await measure(name, services[name], loads[name], rate, args.seconds / args.turns)
                    turns[name].append(row)
            rows += [*turns["before"], *turns["now"], told(_ratio(rate, turns))]
        for load in loads.values():
            load.stop()
        return rows


def _ratio(rate: float, turns: dict[str, list[Row]]) -> Row:
    def mean(name: str, key: str) -> float:
        return sum(float(row[key]) for row in turns[name]) / len(turns[name])

    def median(name: str, key: str) -> float:
        return sorted(float(row[key]) for row in turns[name])[len(turns[name]) // 2]

    row: Row = {"what": "now : before", "asked_rate": rate}
    for key in ("cpu_ms_a_move_in_all", "memory_mb"):
        row[key] = mean("now", key) / mean("before", key)
    for key in ("acked_p99", "delivered_p50", "delivered_p99"):
        row[key] = median("now", key) / median("before", key)
    return row


async def with_processes(args: argparse.Namespace) -> list[Row]:
    rows = []
    for processes in args.processes:
        with Cluster(processes) as service:
            load = await ready(service, args.games, args.seed)
            for rate in args.rates:
                rows.append(await measure(f"{processes} processes", service, load, rate, args.seconds))
            load.stop()
    return rows


async def killing(args: argparse.Namespace) -> list[Row]:
    """Kill under load, again and again; nothing acknowledged may be missing, every socket comes back."""
    if not args.processes:
        with Embedded() as service:
            load = await ready(service, args.games, args.seed, warm=0)
            rows = [await _kill(service, load, [service.service], args.kills, args.rates[0], "the service")]
            load.stop()
            return rows
    with Cluster(args.processes[0]) as cluster:
        load = await ready(cluster, args.games, args.seed, warm=0)
        rows = [await _kill(cluster, load, cluster.services, args.kills, args.rates[0], "a process")]
        for name in args.kill:
            server = cluster.redis if name == "redis" else cluster.postgres
            rows.append(await _kill(cluster, load, [server], args.others, args.rates[0], name))
        load.stop()
        return rows


async def _kill(service: Service, load: Load, victims: Any, times: int, rate: float, name: str) -> Row:
    load.counts, known = Counts(), len(load.keys)
    each = []
    for number in range(times):
        each.append(await kill_once(service, load, victims[number % len(victims)], rate))
        print(f"{name} {number + 1}: {len(load.keys)} acknowledged, {json.dumps(each[-1])}", flush=True)
    c = load.counts
    return told(
        {
            "what": f"kill -9 of {name}",
            "times": times,
            "games": len(load.games),
            "sockets": len(load.players),
            "acknowledged": len(load.keys) - known,
            **{key: max(row[key] for row in each) for key in ("lost", "twice", "ghosts")},
            **{key: sum(row[key] for row in each) for key in ("not_back", "not_played_on")},
            **{key: max(row[key] for row in each) for key in ("up_s", "back_s", "told_again_s", "played_on_s")},
            "sockets_cut": c.cut,
            "sent_again": c.again,
            "unwritten": c.unwritten,
            "stale": c.stale,
            "refused": c.refused,
        }
    )


async def kill_once(service: Service, load: Load, victim: Any, rate: float) -> Row:
    """Kill with moves on their way; then every socket comes back and every game goes on. Seconds from the kill."""
    load.back.clear()
    load.failures.clear()
    playing = asyncio.create_task(load.play(rate, 600))
    await asyncio.sleep(2 + load.rng.random())
    victim.kill()
    load.prove()
    began = time.perf_counter()
    await asyncio.to_thread(victim.start)
    up = time.perf_counter() - began
    not_back = await load.all_back()
    played_on, told_again, failed = await load.proved()
    print(*load.stuck(), sep="\n", end="\n" if failed else "", flush=True)
    playing.cancel()
    await load.answered()
    compared = await asyncio.to_thread(lambda: verdict(service.stored(), load.keys, load.refused))
    return {
        "lost": compared.lost,
        "twice": compared.twice,
        "ghosts": compared.ghosts,
        "not_back": not_back,
        "not_played_on": failed,
        "failures": dict(load.failures.most_common(5)),
        "up_s": round(up, 2),  # until what was killed answered again
        "back_s": round(max(load.back, default=0.0), 2),
        "told_again_s": round(told_again, 2),
        "played_on_s": round(played_on, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, action="append", dest="rates", help="moves a second; default 150 and 300")
    parser.add_argument("--seconds", type=float, default=60, help="at each rate")
    parser.add_argument("--before", type=Path, metavar="DIR", help="a checkout of the version before")
    parser.add_argument("--turns", type=int, default=3, help="with --before: of each version at each rate")
    parser.add_argument("--processes", type=int, action="append", default=[], metavar="N")
    parser.add_argument("--kills", type=int, default=0, help="kill so often, in the place of measuring")
    parser.add_argument("--kill", action="append", default=[], choices=["redis", "postgres"], help="then these too")
    parser.add_argument("--others", type=int, default=5, help="how often these are killed")
    parser.add_argument("--loop", action="store_true", help="time every callback of the service's event loop")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures here")
    args = parser.parse_args()
    args.rates = args.rates or [150.0, 300.0]
    run = killing if args.kills else with_processes if args.processes else beside_the_version_before
    rows = asyncio.run((alone if args.before is None and run is beside_the_version_before else run)(args))
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
