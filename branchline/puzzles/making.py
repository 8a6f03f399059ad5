"""Makes puzzles: game after game is looked through, in as many processes as asked for, and each row is kept at once.

What is found lies in a file of JSON lines, so that it can be stopped and gone on with: a row for each puzzle found, for
each position that was nearly one, and for each game that is done, with what was counted in it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Final, TextIO

from branchline.maps.model import MapData
from branchline.puzzles.finding import PROOF
from branchline.puzzles.model import Option
from branchline.record import Record

FORMAT: Final = "branchline-puzzles-found/1"
KIND_SHARE: Final = 0.4  # of the puzzles of a map may be of one kind
A_GAME: Final = 2
ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

Row = dict[str, Any]


@dataclass(frozen=True)
class Order:
    """What is to be made."""

    maps: tuple[MapData, ...]
    many: int  # puzzles of all maps together
    seed: int = 1
    processes: int = 1
    end: float | None = None  # when to stop, in seconds since the epoch
    proof: float = PROOF
    records: tuple[Record, ...] = ()  # to look through, instead of games between bots


@dataclass(frozen=True)
class Task:
    """One game to be looked through."""

    map: MapData
    players: int
    number: int
    seed: int
    proof: float
    most: int
    full: frozenset[str]  # kinds of which there are enough
    end: float | None
    record: Record | None = None

    @property
    def key(self) -> str:
        return f"{self.map.id}-{self.players}-{self.number}" if self.record is None else f"record-{self.number}"


@dataclass
class Stock:
    """What there is so far, by map."""

    found: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    begun: Counter[tuple[str, int]] = field(default_factory=Counter)
    done: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)

    def note(self, row: Row) -> bool:
        """Take a row in; whether it is new."""
        if row["row"] == "game":
            self.done.add(row["game"])
        if row["row"] != "found":
            return True
        if row["id"] in self.ids:
            return False
        self.ids.add(row["id"])
        self.found[row["map"]["id"]] += 1
        self.kinds[row["map"]["id"], row["kind"]] += 1
        self.seats[row["map"]["id"], row["players"]] += 1
        return True


def rows_in(path: Path) -> Iterator[Row]:
    """The rows of a file of what was found; the last may be cut short."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            if isinstance(row, dict) and row.get("format") == FORMAT:
                yield row


def make(order: Order, out: Path, on_row: Callable[[Row, Stock], None] | None = None) -> Stock:
    """Find puzzles until there are enough or the time is up; what lies in `out` counts, and is gone on with."""
    stock = Stock()
    for row in rows_in(out):
        stock.note(row)
    with out.open("a", encoding="utf-8") as file:
        for row in _results(order, stock, order.end):
            if stock.note(row):
                _keep(row, file)
                if on_row:
                    on_row(row, stock)
    return stock


def _keep(row: Row, file: TextIO) -> None:
    file.write(json.dumps({"format": FORMAT, **row}, ensure_ascii=False, separators=(",", ":")) + "\n")
    file.flush()


def _results(order: Order, stock: Stock, end: float | None) -> Iterator[Row]:
    """The rows of games as they are done, one after the other or in processes."""
    if order.processes == 1:
        while task := _next(order, stock, end):
            yield from look_through(task)
        return
    with _single_threaded():
        pool = ProcessPoolExecutor(order.processes, mp_context=multiprocessing.get_context("spawn"))
        running: set[Future[list[Row]]] = set()
        try:
            while True:
                while len(running) < order.processes and (task := _next(order, stock, end)):
                    running.add(pool.submit(look_through, task))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from _rows_of(future)
        finally:
            pool.shutdown(cancel_futures=True)


def _rows_of(future: Future[list[Row]]) -> list[Row]:
    """The rows of a game; of one that failed the fault, for hours of work must not go with it."""
    try:
        return future.result()
    except Exception:
        return [{"row": "failed", "fault": traceback.format_exc()}]


class _single_threaded:  # noqa: N801
    """Processes begun in here use one thread each for sums: there is one for each core."""

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(dict.fromkeys(ONE_THREAD, "1"))

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _next(order: Order, stock: Stock, end: float | None) -> Task | None:
    """The next game: of the map and number of players of which there is least."""
    if end is not None and time.time() >= end:
        return None
    if order.records:
        return _next_record(order, stock, end)
    each = -(-order.many // len(order.maps))
    lacking = [data for data in order.maps if stock.found[data.id] < each]
    if not lacking or sum(stock.found[data.id] for data in order.maps) >= order.many:
        return None
    data = min(lacking, key=lambda data: (stock.found[data.id], _begun(data, stock)))
    players = min(
        range(data.min_players, data.max_players + 1), key=lambda n: (stock.seats[data.id, n], stock.begun[data.id, n])
    )
    number = stock.begun[data.id, players]
    while f"{data.id}-{players}-{number}" in stock.done:
        number += 1
    stock.begun[data.id, players] = number + 1
    full = frozenset(kind for (name, kind), n in stock.kinds.items() if name == data.id and n >= KIND_SHARE * each)
    return Task(data, players, number, _seed(order.seed, data, players, number), order.proof, A_GAME, full, end)


def _begun(data: MapData, stock: Stock) -> int:
    return sum(n for (name, _), n in stock.begun.items() if name == data.id)


def _next_record(order: Order, stock: Stock, end: float | None) -> Task | None:
    number = next(
        (n for n in range(len(order.records)) if f"record-{n}" not in stock.done and not stock.begun["record", n]), None
    )
    if number is None or sum(stock.found.values()) >= order.many:
        return None
    stock.begun["record", number] += 1
    record = order.records[number]
    return Task(record.map, len(record.players), number, 0, order.proof, A_GAME, frozenset(), end, record)


def _seed(seed: int, data: MapData, players: int, number: int) -> int:
    digest = blake2b(f"{seed} {data.id} {players} {number}".encode(), digest_size=6, person=b"puzzles")
    return int.from_bytes(digest.digest(), "little")


# --- one game ------------------------------------------------------------------------------------------------


def look_through(task: Task) -> list[Row]:
    """The rows of one game."""
    from branchline.puzzles.finding import Found, Search, find
    from branchline.puzzles.positions import of_record, play

    began = time.process_time()
    played = play(task.map, task.players, task.seed) if task.record is None else of_record(task.record)
    search = Search(
        task.proof,
        is_wanted=lambda kind: kind not in task.full,
        is_up=lambda: task.end is not None and time.time() >= task.end,
    )
    rows: list[Row] = []
    about = {"map": {"id": task.map.id, "hash": task.map.hash}, "players": task.players, "game": task.key}
    for one in find(played, search, task.most):
        rows.append(about | (_found(one, played) if isinstance(one, Found) else _rejected(one)))
    if not search.is_up():
        cost = round(time.process_time() - began, 1)
        rows.append(about | {"row": "game", "cpu": cost, "decisions": len(played.situations), "counts": search.counts})
    return rows


def _rejected(one: Any) -> Row:
    told = {"move": one.situation.number, "seat": one.situation.seat, "best": one.best, "second": one.second}
    return {"row": "rejected", "why": one.why, **told, "gap": round(one.gap, 4), "error": round(one.error, 4)}


def _found(one: Any, played: Any) -> Row:
    from branchline.notation import write_action
    from branchline.puzzles.facts import facts_of
    from branchline.puzzles.grading import solved_by_levels
    from branchline.puzzles.reading import deal_json

    view, (first, second) = one.situation.view, one.weighed
    moves = [f"{seat} {write_action(action)}" for seat, action in played.moves[: one.situation.number]]
    best, next_best = first.order[0].group, first.order[1].group
    options = pooled(first, second)
    return {
        "row": "found",
        "id": id_of(played.map, moves, one.situation.seat),
        "seat": one.situation.seat,
        "deal": deal_json(played.deal, played.map, played.players),
        "moves": moves,
        "kind": one.kind,
        "options": [[option.line, round(option.win, 4), round(option.error, 4), option.visits] for option in options],
        "gaps": [round(each.gap, 4) for each in one.weighed],
        "errors": [round(each.error, 4) for each in one.weighed],
        "tries": [each.tries for each in one.weighed],
        "solved": solved_by_levels(view, best.action),
        "careless": one.careless,
        "facts": {"best": facts_of(view, best.code), "second": facts_of(view, next_best.code)},
        "source": played.source,
        "weights": weights(),
    }


def id_of(data: MapData, moves: Sequence[str], seat: int) -> str:
    """A name that follows from the position."""
    digest = blake2b("\n".join([data.id, str(seat), *moves]).encode(), digest_size=4).hexdigest()
    return f"{data.id}-{digest}"


def pooled(*weighed: Any) -> list[Option]:
    """What the weighings found together; the order of the first."""
    from branchline.notation import write_action

    rows: dict[int, list[Any]] = {}
    for each in weighed:
        for weight in each.order:
            rows.setdefault(weight.group.code, []).append(weight)
    found = []
    for several in rows.values():
        visits = sum(one.visits for one in several)
        win = sum(one.win * one.visits for one in several) / visits
        error = sum((one.error * one.visits) ** 2 for one in several) ** 0.5 / visits
        found.append(Option(write_action(several[0].group.action), win, error, visits))
    return found


def weights() -> str:
    """Which network judged: a digest of its file."""
    from branchline.bots.net.player import network_file

    path = network_file()
    return sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else ""


def counted(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Why positions were not taken, over all games of some rows."""
    total: Counter[str] = Counter()
    for row in rows:
        if row["row"] == "game":
            total.update(row["counts"])
        elif row["row"] == "rejected":
            total[row["why"]] += 1
    return total
