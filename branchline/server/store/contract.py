"""What every store does: SQLite in one process, PostgreSQL for many. `tests/server/store` holds both to it.

A write is all or nothing and durable when it returns. A table is written only by the process that holds its lease:
each taking over gives the lease a larger number, and a write with another number is refused (`NotHolder`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Final, Protocol

from branchline.server.tables.rows import Change, ChatRow, LogRow, Stored

ALIVE_SECONDS: Final = 4.0  # after its last sign of life a process counts as dead


class StoreFailed(Exception):
    """The disk or the database did not do what was asked: nothing was changed."""


class OutcomeUnknown(StoreFailed):
    """The answer to a commit was lost: whether it counts is known only by reading again."""


class NotHolder(Exception):
    """Another process holds this table: nothing was changed."""


class Known(Exception):
    """A table of this id, or a move or command of this key, is there already: nothing was changed."""


class BadStore(Exception):
    """What cannot be the service's store: which, and why."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one process to write to a table."""

    table: str
    number: int


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A table that a living process holds: its name."""

    holder: str


@dataclass(frozen=True, slots=True)
class UserRow:
    id: str
    name: str
    created: float
    seen: float
    lang: str
    holiday: str | None
    blocks: frozenset[str]
    banned: str | None = None  # why, or None


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A secret of the service. `purpose`: cookie, deal, handle. Retired ones still verify until they end."""

    id: str
    purpose: str
    secret: bytes
    created: float
    retired: float | None
    ends: float | None


@dataclass(frozen=True, slots=True)
class LineRow:
    """A table in a list, without its log."""

    id: str
    map: str
    state: str
    options: str
    listed: bool
    updated: float
    to_act: str
    result: str | None
    broken: str | None
    chairs: tuple[tuple[str | None, str | None, str], ...]  # user, bot, name by seat; names as they are now


@dataclass(frozen=True, slots=True)
class ReportLine:
    id: int
    at: float
    table: str
    by_user: str
    about_seat: int | None
    about_user: str | None
    reason: str
    context: str
    settled: bool


class Store(Protocol):
    """All that is kept. Every method may raise `StoreFailed`; reads see all writes that have returned."""

    me: str  # this process, as other processes know it

    @property
    def trouble(self) -> str:
        """Empty while writes succeed, else what was said to the last that failed."""

    # -------------------------------------------------------- this process
    async def now(self) -> float:
        """The store's time, the same for all processes."""

    async def beat(self, steady: float) -> None:
        """This process lives; `steady` is its own clock, by which it dates what it writes."""

    async def close(self) -> None: ...

    # -------------------------------------------------------- tables
    async def take(self, table: str) -> tuple[Lease, Stored] | Elsewhere | None:
        """Hold a table and read it, unless a living process holds it; None if there is no such table."""

    async def read(self, table: str) -> Stored | None:
        """A table as it stands, whoever holds it."""

    async def release(self, lease: Lease) -> None:
        """Hold a table no longer; not an error if another does by now."""

    async def held(self) -> dict[str, int]:
        """The tables this process holds, each with the number of its lease."""

    async def write(self, *changes: tuple[Lease | None, Change]) -> None:
        """All of these in one transaction; a new table has no lease yet and gets number 1, held by this process.

        Raises `NotHolder`, `Known`, `StoreFailed`, `OutcomeUnknown`.
        """

    async def put_aside(self, table: str, reason: str | None) -> None:
        """Note that a game cannot be played on and why, or (None) that it is to be tried again."""

    async def knows_move(self, table: str, cid: str) -> bool: ...

    async def knows_receipt(self, table: str, key: str) -> bool: ...

    async def log(self, table: str) -> list[LogRow]: ...

    async def chat(self, table: str, most: int) -> list[tuple[ChatRow, str]]:
        """The latest lines, oldest first, each with the speaker's present name."""

    # -------------------------------------------------------- lists
    async def lobby(self, most: int) -> list[LineRow]:
        """Open listed tables with an empty chair, newest first, and of one owner at most a few (a fair lobby)."""

    async def games_of(self, user: str, most: int) -> list[LineRow]: ...

    async def open_tables(self, user: str, since: float) -> int:
        """Tables of this owner that wait, or are played and were touched since."""

    async def pressing(self) -> list[str]:
        """Games that must be in some process's memory because a live clock runs, and that no other living one holds."""

    async def late(self, now: float) -> list[str]:
        """Games with days for a move in which somebody's days may be over, and that no other living process holds."""

    async def overdue(self, opened_before: float, touched_before: float) -> list[str]:
        """Tables that nobody started, and games without a live clock that nobody touched, for so long; no others'."""

    # -------------------------------------------------------- people
    async def user(self, user: str) -> UserRow | None: ...

    async def put_user(
        self, user: str, name: str, lang: str | None, at: float, holiday: str | EllipsisType | None = ...
    ) -> None:
        """Make or change a person, in one write; a language of None stays, and so does a holiday that is left out."""

    async def put_block(self, user: str, other: str, blocked: bool) -> None:
        """Block somebody, or no more."""

    async def names(self, users: Sequence[str]) -> dict[str, str]: ...

    # -------------------------------------------------------- keys
    async def keys(self) -> list[KeyRow]: ...

    async def add_key(self, key: KeyRow, retire: bool, ends: float | None) -> None:
        """A new key of a purpose; `retire`: those of the same purpose before it are retired now and end then."""

    # -------------------------------------------------------- for who runs it (`branchline admin`)
    async def reports(self, most: int, settled: bool = False) -> list[ReportLine]:
        """Newest first; those that nobody has settled yet, or all."""

    async def settle(self, report: int) -> bool: ...

    async def ban(self, user: str, reason: str | None) -> bool:
        """Keep a person out, or (None) no more; False if nobody has this id."""

    async def export(self, user: str) -> dict[str, object]:
        """All that is kept about a person, as JSON can hold it."""

    async def erase(self, user: str) -> bool:
        """Take a person out of everything: the games they played stay, with nobody's name on their seat."""

    async def purge(self, ended_before: float, *, dry_run: bool = False) -> dict[str, int]:
        """Delete dropped tables and games that ended before, with all that belongs to them; how many of each.

        `dry_run` counts them and deletes nothing.
        """

    async def broken(self) -> list[tuple[str, str]]:
        """Games put aside: id and reason."""

    async def facts(self) -> dict[str, object]:
        """Counts, sizes, versions: what `admin check` and `admin status` look at.

        store: "sqlite" or "postgresql"; where; bytes: its size; schema, compatible: the versions of what is stored,
        program: the schema this program writes; tables: {state: count}; users, banned, reports (open ones), broken,
        keys: counts; processes: those alive, each {id, address, seen: seconds ago}. PostgreSQL also what
        it says of itself: postgres_server_version, _fsync, _synchronous_commit, _full_page_writes, _max_connections,
        and postgres_ssl ("on" if this connection is encrypted).
        """
