"""Work that takes long, in other processes: bots think there, finished games are scored and told there.

What runs in a worker imports neither the web framework nor the store: a worker starts fast and stays small.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any, TypeVar

import msgspec

from branchline.bots import make_bot
from branchline.events import Event
from branchline.fair import FairDeal
from branchline.game import Game
from branchline.kernel.state import Position
from branchline.notation import write_action
from branchline.record import BadRecord, Fault, Player, read_game, record_of, replay, verify, write_game
from branchline.server import wire
from branchline.server.course import Course, Entry, effective, history
from branchline.server.facts import map_of
from branchline.server.views import event_wire, score_wire, view_wire
from branchline.view import View

T = TypeVar("T")

MOST_MOVES = 3000  # of a game file to look at; a long game of five has some 600
BOT_SECONDS = 10.0  # no bot of ours takes a tenth of a second; one that hangs is given up


# ---------------------------------------------------------------- in a worker


def choose(map_id: str, bot: str, seed: int, reader: int, position: bytes) -> str:
    """The line a bot chooses from what its seat may know."""
    view = View(map_of(map_id), Position.from_bytes(position), reader)
    return write_action(make_bot(bot, seed).choose(view, view.legal_actions()))


def finale(map_id: str, position: bytes) -> bytes:
    """The score sheets of a finished game, as they cross the wire."""
    return msgspec.json.encode(score_wire(Game.at(map_of(map_id), Position.from_bytes(position))))


def told_history(map_id: str, players: int, seed: int, log: list[Entry], reader: int | None) -> bytes:
    """What a reader may know to have happened."""
    return msgspec.json.encode(history(map_of(map_id), players, seed, log, reader))


def replay_steps(map_id: str, players: int, seed: int, log: list[tuple[Entry, float]]) -> bytes:
    """Every position of a finished game, all hands open."""
    course = Course.begin(map_of(map_id), players, seed)
    at = {entry.seq: when for entry, when in log}
    steps = [wire.ReplayStep(0, None, "deal", "", 0.0, _all(course.game.first_events), _open(course.game))]
    for number, entry in enumerate(effective(entry for entry, _ in log), 1):
        assert entry.seat is not None
        done = course.play(entry.seat, entry.line, entry.by)
        events = _all(done.events)
        steps.append(
            wire.ReplayStep(number, entry.seat, entry.by, entry.line, at[entry.seq], events, _open(course.game))
        )
    return msgspec.json.encode(steps)


def replay_file(text: bytes) -> tuple[bytes, str]:
    """A game file played again, as it crosses the wire; or nothing, and why it cannot be."""
    try:
        record = read_game(text, source="the file")
    except BadRecord as error:
        return b"", str(error)
    if len(record.moves) > MOST_MOVES:
        return b"", f"the file has {len(record.moves)} moves; {MOST_MOVES} can be shown"
    steps: list[wire.ReplayStep] = []
    scores: list[wire.ScoreWire] = []
    fault: Fault | None = None
    try:
        for step in replay(record):
            by = "deal" if step.seat is None else "bot" if record.players[step.seat].bot else "player"
            steps.append(
                wire.ReplayStep(step.number, step.seat, by, step.line, 0.0, _all(step.events), _open(step.game))
            )
            if step.game.is_over:
                scores = score_wire(step.game)
    except Fault as found:
        fault = found
    if not steps:
        return b"", str(fault)
    fault = fault or verify(record)
    players = [wire.FilePlayer(player.name, player.bot) for player in record.players]
    verdict = str(fault) if fault else ""
    return msgspec.json.encode(wire.ReplayFile(record.map.id, players, steps, scores, verdict)), ""


def _all(events: Iterable[Event]) -> list[wire.EventWire]:
    """The events with everything in them: the game is over."""
    return [event_wire(event) for event in events]


def _open(game: Game) -> wire.ViewWire:
    """The spectator's view with every hand and ticket that its own seat knows: the game is over, all may look."""
    views = [view_wire(game.view(seat)) for seat in range(game.players)]
    players = [view.players[seat] for seat, view in enumerate(views)]
    on_turn = views[game.to_act[0]] if game.to_act else views[0]
    return msgspec.structs.replace(
        view_wire(game.view(None)),
        players=players,
        phase=on_turn.phase,
        tunnel=on_turn.tunnel,
        pending=on_turn.pending,
        offered=on_turn.offered,
        pack=on_turn.pack,
    )


def write_record(
    map_id: str, players: list[Player], seed: int, log: list[Entry], fair: FairDeal | None, meta: dict[str, Any]
) -> str:
    """The game file."""
    game = Game.new(map_of(map_id), len(players), seed=seed)
    for entry in effective(log):
        game.play(entry.line, entry.seat)
    return write_game(replace(record_of(game, players, meta=meta), fair=fair))


def follow_parent() -> None:
    """End with the service, however it ends: a worker would else wait for work for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def ready() -> bool:
    """Does nothing, in a worker that is up."""
    return True


# ---------------------------------------------------------------- in the service


class Workers:
    """A few processes; one that dies or hangs is replaced, and its work is asked again or refused in words."""

    def __init__(self, count: int = 1) -> None:
        self._count = count
        self._pool = self._new_pool()
        self.on_bot: Callable[[float], None] | None = None

    def _new_pool(self) -> ProcessPoolExecutor:
        # Not "fork": a child of a process with threads and sockets would inherit them in an unknown state.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, mp_context=context, initializer=follow_parent)

    async def run(self, job: Callable[..., T], *args: Any, seconds: float = BOT_SECONDS) -> T:
        """The job's result from a worker. Raises TimeoutError or BrokenProcessPool; the pool is then a new one."""
        pool = self._pool
        try:
            return await asyncio.wait_for(asyncio.wrap_future(pool.submit(job, *args)), seconds)
        except (TimeoutError, BrokenProcessPool):
            if pool is self._pool:
                self._pool = self._new_pool()
                _end(pool)
            raise

    async def choose(self, view: View, bot: str, seed: int) -> str:
        """A bot's line; one that fails is replaced for this move by `path`, and that by the first legal line."""
        assert view.reader is not None
        began = time.perf_counter()
        for name in (bot, "path"):
            try:
                line = await self.run(choose, view.map.id, name, seed, view.reader, view.to_bytes())
                if self.on_bot:
                    self.on_bot(time.perf_counter() - began)
                return line
            except Exception:  # whatever a bot does wrong, the table goes on
                continue
        return write_action(view.legal_actions()[0])

    async def warm(self) -> None:
        await self.run(ready, seconds=120)

    def close(self) -> None:
        _end(self._pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Let go of a pool whose workers may hang."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)
