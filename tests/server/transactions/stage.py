"""A service with a store that can be broken, and the people of all scenes: Ada, Bo and Cy."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from branchline.server import service as service_module
from branchline.server.live.table import LiveTable
from branchline.server.tables import commands
from branchline.server.tables.loading import table_of
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of
from tests.server.notices.kit import MailServer, PushService
from tests.server.service import Json, Person, Running, Stream, eventually
from tests.server.transactions.breaking import Breaker, PostgresBreaker, SqliteBreaker
from tests.server.transactions.comparing import plain, same, value_of
from tests.server.transactions.proxy import Proxy
from tests.servers import Postgres

ANSWERS = ("pong", "ack", "refused", "trouble", "answer")  # to who asked; all else is told
LATER = 3600.0


class Reader(Stream):
    """A stream that may miss something, as the protocol allows: `since` says so."""

    _mark = 0  # of what was said, so much was asked for

    def _note(self, message: Json) -> None:
        if message["t"] == "update":
            self.update = {}
        super()._note(message)

    def stands(self) -> list[Any]:
        """The table and the game as this reader has them."""
        return [self.table, self.update and self.update | {"since": 0, "steps": []}]

    def told(self) -> list[Json]:
        """What was said to this reader since it was last asked, but for answers."""
        begin = self._mark
        self.settled()
        self._mark = len(self.raw)
        found = [json.loads(text) for text in self.raw[begin:]]
        return [message for message in found if message["t"] not in ANSWERS]


@dataclass(frozen=True)
class Reply:
    """What who asked was answered."""

    ok: bool
    code: str = ""
    body: Any = None


@dataclass
class Scene:
    """A moment at which something can be asked, with its readers; `ask` sends the same each time, with the same key."""

    ask: Callable[[], Reply]
    readers: list[Reader] = field(default_factory=list)
    table: str = ""
    passes: float = 0.0  # seconds that pass just before something is asked
    look: Callable[[], Any] = lambda: None  # what else somebody can see of it
    person: bool = False  # it changes a person, and no table
    ours: bool = False  # nobody asks for it: it comes of our own accord and needs no key
    newcomer: str = ""  # the name somebody was told of: a first write makes it theirs


class Outside:
    """Where notices are sent: a push service and a mail server."""

    def __init__(self) -> None:
        self.push, self.post = PushService(), MailServer()

    @property
    def options(self) -> dict[str, Any]:
        """What a service is told of them."""
        mail = {
            "smtp": self.post.url,
            "mail_from": "post@trains.example",
            "origins": frozenset({"https://trains.example"}),
        }
        return {"push_allow": (self.push.place,), "call_after": 0.0, **mail}

    def close(self) -> None:
        self.push.close()
        self.post.close()


class Stage:
    """All scenes of one store are played on one service."""

    def __init__(self, running: Running, breaker: Breaker, outside: Outside) -> None:
        self.running = running
        self.breaker = breaker
        self.outside = outside
        self.cast = [running.person(name) for name in ("Ada", "Bo", "Cy")]
        self.ada, self.bo, self.cy = self.cast
        self._users = breaker.dump()["users"]
        self.known: dict[str, Any] = {}  # what comes of a scene without a fault

    @property
    def service(self) -> service_module.Service:
        return self.running.service

    # ------------------------------------------------------------ setting a scene

    def table(self, **options: Any) -> str:
        """Ada's table, with an open chair."""
        made: str = self.ada.table("open", **{"seed": 1900, **options})["id"]
        return made

    def full(self, **options: Any) -> str:
        """Ada and Bo sit."""
        table = self.table(**options)
        self.bo.post(f"/tables/{table}/sit")
        return table

    def game(self, **options: Any) -> str:
        """Ada and Bo play, each on the seat of their chair."""
        table = self.full(**options)
        self.ada.post(f"/tables/{table}/start")
        return table

    def readers(self, table: str, *people: Person) -> list[Reader]:
        """The streams of these people, and last a spectator's."""
        found = [Reader(self.running.url, table, person.token) for person in (*people, self.cy)]
        for reader in found:
            reader.begin()
        for reader in found:
            reader.told()
        return found

    def live(self, table: str) -> LiveTable:
        return self.running.live(table)

    def hold_bots_back(self, table: str) -> None:
        hold_bots_back(self.running, table)

    def let_pass(self, seconds: float) -> None:
        """So much time has passed for everybody."""

        async def jump() -> None:
            self.service.steady._then -= seconds
            await self.service.store.beat(self.service.steady.now())

        if seconds:
            self.running.run(jump())

    # ------------------------------------------------------------ asking

    def post(self, person: Person, path: str, body: Json | None = None, key: str = "key") -> Callable[[], Reply]:
        def ask() -> Reply:
            reply = person.http.post(path, json=body or {}, headers={"idempotency-key": key} if key else {})
            told = reply.json()
            return Reply(reply.status_code == 200, told.get("code", "") if isinstance(told, dict) else "", told)

        return ask

    def move(self, reader: Reader, **message: Any) -> Callable[[], Reply]:
        sent = {"t": "move", "cid": "key", "seq": reader.update["asked"], **message}

        def ask() -> Reply:
            reader.send(sent)
            told = reader.answered("key")
            return Reply(told["t"] == "ack", told.get("code", ""), told)

        return ask

    def message(self, reader: Reader, **message: Any) -> Callable[[], Reply]:
        """What has no answer but trouble."""

        def ask() -> Reply:
            reader.send({"cid": "key", **message})
            told = [m for m in reader.settled() if m["t"] == "trouble"]
            return Reply(not told, told[0]["code"] if told else "")

        return ask

    def do(self, table: str, command: commands.Any) -> Callable[[], Reply]:
        live = self.live(table)

        def ask() -> Reply:
            try:
                self.running.run(live.do(command))
            except BadRequest as error:
                return Reply(False, code_of(error.reason)[0])
            return Reply(True)

        return ask

    # ------------------------------------------------------------ looking

    def memory(self) -> dict[str, Any]:
        """All tables as they stand in memory."""
        return self.running.call(lambda: {i: value_of(live.table) for i, live in self.service.tables.held.live.items()})

    def names(self) -> dict[str, str]:
        return {person.id: name for person, name in zip(self.cast, ("Ada's id", "Bo's id", "Cy's id"), strict=True)}

    def memory_is_database(self) -> None:
        """Every table in memory is what would be read back."""

        async def compare() -> None:
            for table, live in list(self.service.tables.held.live.items()):
                stored, now = await self.service.store.read(table), self.service.steady.now()
                assert stored is not None
                same(live.table, table_of(stored, now, self.service.steady.started), now)

        self.running.run(compare())

    def calm(self) -> None:
        """What follows by itself from what was asked is done."""

        async def wait() -> None:
            for _ in range(3):
                wiring: Any = self.service.people.on_change
                lives = self.service.tables.held.live.values()
                tasks = {*wiring.__self__._tasks, *(task for live in lives for task in live._tasks)}
                if tasks:
                    await asyncio.wait(tasks, timeout=2)

        self.running.run(wait())

    def late_joiner(self, table: str) -> tuple[list[Json], list[float]]:
        """What somebody is told who opens a stream now; and the clocks, as numbers that stay the same meanwhile."""
        live = self.live(table)
        present = len(live.readers)
        with Reader(self.running.url, table) as reader:
            reader.begin()
            told = [plain(json.loads(text), {}) for text in reader.raw]
        eventually(lambda: len(live.readers) == present)
        return [message for message in told if message["t"] != "pong"], _clocks(reader.update.get("clock"))

    # ------------------------------------------------------------ striking a scene

    def strike(self, scene: Scene | None) -> None:
        """Clear the stage for the next scene."""
        self.breaker.end()
        for reader in scene.readers if scene else ():
            reader.socket.close()

        def forget() -> None:
            held = self.service.tables.held
            for live in held.live.values():
                live.close()
            held.live.clear()
            self.service.people._rows.clear()

        self.running.call(forget)
        self.breaker.empty()
        for row in self._users:
            self.breaker.ask(
                "INSERT INTO users (id, name, created, seen, lang) VALUES"
                f" ('{row['id']}', '{row['name']}', {row['created']}, {row['seen']}, '{row['lang']}')"
            )


def _clocks(told: Json | None) -> list[float]:
    """Of a clock that runs when it will be out, of one that stands what is left."""
    if told is None:
        return []
    return [left + told["now"] * (seat in told["running"]) for seat, left in enumerate(told["left"])]


def hold_bots_back(running: Running, table: str) -> None:
    """No bot plays at this table until all is woken."""
    live = running.live(table)

    def hold() -> None:
        if live.bots is not None:
            live.bots.cancel()
        live.bots = asyncio.ensure_future(asyncio.Event().wait())  # type: ignore[arg-type]

    running.call(hold)


def wake(running: Running, table: str) -> None:
    """Whatever changed at this table is looked at again; bots play."""
    live = running.live(table)

    def look() -> None:
        if live.bots is not None:
            live.bots.cancel()
            live.bots = None
        live.go_on()

    running.call(look)


@contextlib.contextmanager
def sqlite_stage(folder: Path) -> Iterator[Stage]:
    with closing(Outside()) as outside, _quiet(Running(folder, **outside.options)) as running:
        breaker = SqliteBreaker(running.service.store)
        yield Stage(running, breaker, outside)
        breaker.close()


@contextlib.contextmanager
def postgres_stage(folder: Path, postgres: Postgres) -> Iterator[Stage]:
    url, proxy = postgres.fresh(), Proxy(postgres.port)
    through = url.replace(f":{postgres.port}/", f":{proxy.port}/") + "?sslmode=disable&gssencmode=disable"
    with closing(Outside()) as outside, _quiet(Running(folder, database=through, **outside.options)) as running:
        breaker = PostgresBreaker(url, proxy)
        yield Stage(running, breaker, outside)
        breaker.close()
    proxy.close()


@contextlib.contextmanager
def _quiet(running: Running) -> Iterator[Running]:
    """One that writes nothing but what a scene asks for. It reads its pauses when it starts; others have theirs."""
    names = ("BEAT_SECONDS", "BEAT_SECONDS_SHARED", "SWEEP_SECONDS", "SWEEP_SECONDS_SHARED", "NOTICE_SECONDS")
    slow: dict[str, Any] = dict.fromkeys(names, LATER)
    with contextlib.ExitStack() as until_end:
        with patch.multiple(service_module, **slow):
            until_end.enter_context(running)
            running.call(lambda: None)  # all its tasks have begun
        yield running


def photo(stage: Stage, scene: Scene) -> dict[str, Any]:
    """All that could have changed."""
    dump = stage.breaker.dump()
    if scene.newcomer:
        del dump["users"]
    return {"rows": dump, "memory": stage.memory(), "look": scene.look()}
