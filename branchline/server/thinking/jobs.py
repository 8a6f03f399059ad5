"""What the processes of a service do: bots think there, finished games are scored and told there.

What runs in a process imports neither the web framework nor the store: it starts fast and stays small.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import msgspec

from branchline.bots import make_bot, players
from branchline.bots.registry import bot_class
from branchline.events import Event
from branchline.fair import FairDeal
from branchline.game import Game
from branchline.mechanics.composed import Position
from branchline.notation import write_action
from branchline.record import BadRecord, Fault, Player, read_game, record_of, replay, verify, write_game
from branchline.server import wire
from branchline.server.tables.course import Course, Entry, effective, history, told_by
from branchline.server.wire.advice import advice_of
from branchline.server.wire.derived import event_wire
from branchline.server.wire.facts import map_of
from branchline.server.wire.views import score_wire, view_wire
from branchline.view import View

MOST_MOVES = 3000  # of a game file to look at; a long game of five has some 600
LONGEST_FAULT = 300
ZIPPED = 5  # how hard gzip tries


class BotFailed(Exception):
    """A bot crashed, or chose what it was not offered; the message begins with which."""


def prepare_quick() -> None:
    """Be ready for bots that answer at once; what is not compiled is interpreted meanwhile."""
    players.never_wait()


def is_compiled() -> bool:
    """Whether the bots have been compiled on this machine; to look takes milliseconds, so it is asked here."""
    return players.is_compiled()


def load_compiled() -> None:
    """Load the compiled bots now, so that nobody's first move waits for that."""
    if players.is_compiled():
        players.engine()


def prepare_thinker() -> None:
    """Be ready to search: that needs the compiled kernel and the network, however long it takes to compile."""
    players.engine()
    make_bot("search", 0)  # it loads what it needs


def prepare_own(bot: str) -> None:
    """Be ready for a bot of the owner's: what it imports may take long."""
    bot_class(bot)


def choose(
    map_id: str,
    bot: str,
    seed: int,
    reader: int,
    position: bytes,
    seconds: float | None = None,
    threads: int | None = None,
) -> str:
    """The line a bot chooses from what its seat may know."""
    view = View(map_of(map_id), Position.from_bytes(position), reader)
    legal = [write_action(action) for action in view.legal_actions()]
    try:
        action = make_bot(bot, seed, seconds=seconds, threads=threads).choose(view, view.legal_actions())
    except BaseException as error:  # one that wants to leave does not take the process with it
        raise BotFailed(f"crashed: {type(error).__name__}: {error}"[:LONGEST_FAULT]) from None
    try:
        line = write_action(action)
    except Exception:
        line = ""
    if line not in legal:
        raise BotFailed(f"nonsense: {action!r}"[:LONGEST_FAULT])
    return line


def zipped(tell: Callable[..., bytes | str], *args: Any) -> bytes:
    """What a job tells, packed where it is made: a replay is fifty times smaller then."""
    return _zip(tell(*args))


def zipped_file(text: bytes) -> tuple[bytes, str]:
    """A game file played again, packed; or nothing, and why it cannot be."""
    body, wrong = replay_file(text)
    return _zip(body), wrong


def _zip(told: bytes | str) -> bytes:
    return gzip.compress(told.encode() if isinstance(told, str) else told, ZIPPED, mtime=0)


def finale(map_id: str, position: bytes) -> bytes:
    """The score sheets of a finished game, as they cross the wire."""
    return msgspec.json.encode(score_wire(Game.at(map_of(map_id), Position.from_bytes(position))))


def advice(map_id: str, reader: int, position: bytes, seq: int) -> bytes:
    """What a reader's tickets take and what would help them, from what the seat may know; as it crosses the wire."""
    view = View(map_of(map_id), Position.from_bytes(position), reader)
    return msgspec.json.encode(advice_of(view, seq))


def told_history(map_id: str, players: int, seed: int, log: list[Entry], reader: int | None, since: int = 0) -> bytes:
    """What a reader may know to have happened after the step of this number."""
    steps = history(map_of(map_id), players, seed, log, reader)
    return msgspec.json.encode([step for step in steps if step.seq > since] if since else steps)


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
            wire.ReplayStep(
                number, entry.seat, told_by(entry, None), entry.line, at[entry.seq], events, _open(course.game)
            )
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
    public = view_wire(game.view(None))
    return msgspec.structs.replace(on_turn, reader=None, to_act=public.to_act, closed=public.closed, players=players)


def write_record(
    map_id: str, players: list[Player], seed: int, log: list[Entry], fair: FairDeal | None, meta: dict[str, Any]
) -> str:
    """The game file."""
    game = Game.new(map_of(map_id), len(players), seed=seed)
    for entry in effective(log):
        game.play(entry.line, entry.seat)
    return write_game(replace(record_of(game, players, meta=meta), fair=fair))
