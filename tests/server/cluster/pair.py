"""Two processes' worth of a service, in threads: one holds the tables, and everybody's stream is at the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.service import Json, Person, Running, Stream, new_cid
from tests.servers import Redis


class Pair(Running):
    """Looks like one service to a test: tables are made and looked at in the holder, streams are at the edge."""

    def __init__(self, folder: Path, database: str, redis: Redis, way: str = "", **options: Any) -> None:
        """`way`: by which the holder reaches the database."""
        shared = {"bus": redis.url, **options}
        super().__init__(folder / "holder", database=way or database, **shared)
        self.edge = Running(folder / "edge", database=database, **shared)
        self.holder_url = self.url

    def __enter__(self) -> Pair:
        super().__enter__()
        self.edge.__enter__()
        self.url = self.edge.url
        return self

    def __exit__(self, *error: object) -> None:
        self.edge.__exit__()
        super().__exit__()

    def person(self, name: str | None = None) -> Traveller:
        return Traveller(self.holder_url, self.edge.url, name)


class Traveller(Person):
    """Asks the holder, and has its streams at the edge."""

    def __init__(self, holder: str, edge: str, name: str | None = None) -> None:
        super().__init__(holder, name)
        self._edge = edge

    def live(self, table: str, *, paced: bool = False) -> Stream:
        return FarStream(self._edge, table, self.token, paced=paced)


class FarStream(Stream):
    """A stream at a process that does not hold its table: only the holder knows whether all has been told."""

    def settled(self) -> list[Json]:
        """All that was sent until now: the holder's answer comes after all that it told before."""
        cid, found = new_cid(), []
        self.send({"t": "ask", "cid": cid, "about": "nowhere"})
        while not self._is_answer(message := self.next(), cid):
            found.append(message)
        self.raw.pop()
        return found + super().settled()

    def _is_answer(self, message: Json, cid: str) -> bool:
        seated = self.table.get("you") is not None
        if not seated and message["t"] == "trouble":
            return bool(message["reason"] == "a spectator cannot do that")
        return bool(message["t"] == "answer" and message["cid"] == cid)
