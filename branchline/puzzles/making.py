"""Makes puzzles: game after game is looked through, in as many processes as asked for.

What is found lies in a file (rows.py), so that it can be stopped and gone on with: a row for each puzzle found, for
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
from itertools import count
from pathlib import Path
from typing import Any, Final

from branchline.extras import THREADS_OF_SUMS
from branchline.maps.model import MapData
from branchline.puzzles.model import PROOF, Option
from branchline.puzzles.rows import Row, append, mend, rows_in
from branchline.record import Record, write_game

KIND_SHARE: Final = 0.35  # of the puzzles of a map may be of one kind
A_GAME: Final = 2
A_FAILURE: Final = 0.25  # of a puzzle: what a game counts in the choice of the next, so that no map eats all the time


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
    seed: int  # of its cards and bots
    proof: float
    most: int
    full: frozenset[str]  # kinds of which there are enough
    end: float | None
    key: str  # of the game, in the file
    record: Record | None = None


@dataclass
class Stock:
    """What there is so far, by map."""

    found: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    begun: Counter[tuple[str, int]] = field(default_factory=Counter)
    taken: set[str] = field(default_factory=set)  # games that are done or under way
    ids: set[str] = field(default_factory=set)

    def note(self, row: Row) -> bool:
        """Take a row in; whether it is new."""
        if row["row"] != "found":
            return True
        if row["id"] in self.ids:
            return False
        self.ids.add(row["id"])
        self.found[row["map"]["id"]] += 1
        self.kinds[row["map"]["id"], row["kind"]] += 1
        self.seats[row["map"]["id"], row["players"]] += 1
        return True

    def take(self, name: str, players: int, game: str) -> None:
        """Begin a game."""
        self.taken.add(game)
        self.begun[name, players] += 1


def make(order: Order, out: Path, on_row: Callable[[Row, Stock], None] | None = None) -> Stock:
    """Find puzzles until there are enough or the time is up; what lies in `out` counts, and is gone on with."""
    mend(out)
    stock = Stock()
    for row in rows_in(out):
        stock.note(row)
        if row["row"] == "game":
            stock.take(row["map"]["id"], row["players"], row["game"])
    for rows in _results(order, stock, order.end):
        new = [row for row in rows if stock.note(row)]
        append(out, new)
        if on_row is not None:
            for row in new:
                on_row(row, stock)
    return stock


def _results(order: Order, stock: Stock, end: float | None) -> Iterator[list[Row]]:
    """The rows of games as they are done, one after the other or in processes."""
    if order.processes == 1:
        while task := next_task(order, stock, end):
            yield look_through(task)
        return
    with _single_threaded():
        pool = ProcessPoolExecutor(order.processes, mp_context=multiprocessing.get_context("spawn"))
        running: set[Future[list[Row]]] = set()
        try:
            while True:
                while len(running) < order.processes and (task := next_task(order, stock, end)):
                    running.add(pool.submit(look_through, task))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield _rows_of(future)
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
        self._before = {name: os.environ.get(name) for name in THREADS_OF_SUMS}
        os.environ.update(dict.fromkeys(THREADS_OF_SUMS, "1"))

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def next_task(order: Order, stock: Stock, end: float | None) -> Task | None:
    """The next game: of the map and number of players of which there is least."""
    if end is not None and time.time() >= end:
        return None
    if order.records:
        return _next_record(order, stock, end)
    each = -(-order.many // len(order.maps))
    lacking = [data for data in order.maps if stock.found[data.id] < each]
    if not lacking or sum(stock.found[data.id] for data in order.maps) >= order.many:
        return None
    data = min(lacking, key=lambda data: stock.found[data.id] + A_FAILURE * _begun(data, stock))
    players = min(
        range(data.min_players, data.max_players + 1),
        key=lambda n: stock.seats[data.id, n] + A_FAILURE * stock.begun[data.id, n],
    )
    number, key = next(
        (number, key) for number in count() if (key := f"{data.id}-{players}-{order.seed}-{number}") not in stock.taken
    )
    stock.take(data.id, players, key)
    full = frozenset(kind for (name, kind), n in stock.kinds.items() if name == data.id and n >= KIND_SHARE * each)
    return Task(data, players, number, _seed(order.seed, data, players, number), order.proof, A_GAME, full, end, key)


def _begun(data: MapData, stock: Stock) -> int:
    return sum(n for (name, _), n in stock.begun.items() if name == data.id)


def _next_record(order: Order, stock: Stock, end: float | None) -> Task | None:
    """The next of the records; its name follows from what it holds."""
    if sum(stock.found.values()) >= order.many:
        return None
    for number, record in enumerate(order.records):
        digest = blake2b(write_game(record).encode(), digest_size=8, person=b"puzzles").hexdigest()
        key, players = f"record-{digest}", len(record.players)
        if key not in stock.taken:
            stock.take(record.map.id, players, key)
            return Task(record.map, players, number, 0, order.proof, A_GAME, frozenset(), end, key, record)
    return None


def _seed(seed: int, data: MapData, players: int, number: int) -> int:
    digest = blake2b(f"{seed} {data.id} {players} {number}".encode(), digest_size=6, person=b"puzzles")
    return int.from_bytes(digest.digest(), "little")


# --- one game ------------------------------------------------------------------------------------------------


def look_through(task: Task) -> list[Row]:
    """The rows of one game; none if the time is up before it is done."""
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
        rows.append(about | (_found(one, played, task.proof) if isinstance(one, Found) else _rejected(one)))
    cost = round(time.process_time() - began, 1)
    rows.append(about | {"row": "game", "cpu": cost, "decisions": len(played.situations), "counts": search.counts})
    return [] if search.is_up() else rows


def _rejected(one: Any) -> Row:
    told = {"move": one.situation.number, "seat": one.situation.seat, "best": one.best, "second": one.second}
    return {"row": "rejected", "why": one.why, **told, "gap": round(one.gap, 4), "error": round(one.error, 4)}


def _found(one: Any, played: Any, proof: float) -> Row:
    from branchline.notation import write_action
    from branchline.puzzles.facts import facts_of
    from branchline.puzzles.grading import solved_by_levels
    from branchline.puzzles.reading import deal_json
    from branchline.review.weighing import is_at_home

    view, (first, second) = one.situation.view, one.weighed
    moves = [f"{seat} {write_action(action)}" for seat, action in played.moves[: one.situation.number]]
    deal = deal_json(played.deal, played.map, played.players)
    best, next_best = first.order[0].group, first.order[1].group
    options = pooled(first, second)
    return {
        "row": "found",
        "id": id_of(played.map, deal, moves, one.situation.seat),
        "seat": one.situation.seat,
        "deal": deal,
        "moves": moves,
        "kind": one.kind,
        "options": [[option.line, round(option.win, 4), round(option.error, 4), option.visits] for option in options],
        "work": proof,
        "gaps": [round(each.gap, 4) for each in one.weighed],
        "errors": [round(each.error, 4) for each in one.weighed],
        "tries": [each.tries for each in one.weighed],
        "end": [round(one.ended.gap, 4), round(one.ended.error, 4), one.ended.tries],
        "solved": solved_by_levels(view, best.action),
        "careless": one.careless,
        "facts": {"best": facts_of(view, best.code), "second": facts_of(view, next_best.code)},
        "source": played.source,
        "weights": weights() if is_at_home(view) else "",
    }


def id_of(data: MapData, deal: Any, moves: Sequence[str], seat: int) -> str:
    """A name that follows from the position."""
    digest = blake2b("\n".join([data.id, str(seat), json.dumps(deal), *moves]).encode(), digest_size=4).hexdigest()
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
    """Which network there is: a digest of its file. Where it judged no puzzle, fast bots played to the end instead."""
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
