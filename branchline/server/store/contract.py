"""What every store does: SQLite in one process, PostgreSQL for many. `tests/server/store` holds both to it.

A write is all or nothing and durable when it returns. A table is written only by the process that holds its lease:
each taking over gives the lease a larger number, and a write with another number is refused (`NotHolder`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Final, Literal, Protocol

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
    calls: str | None = None  # which notices they want, as JSON


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """Where a browser of somebody's is told something: an address at a push service, and the browser's keys."""

    user: str
    id: str
    endpoint: str
    p256dh: str
    auth: str
    vapid: str  # our key that it knows
    name: str
    created: float
    seen: float
    silent: int = 0  # messages in a row that it took and said nothing to


MailAsked = Literal["asked", "too often", "refused"]  # what came of asking an address


@dataclass(frozen=True, slots=True)
class MailRow:
    user: str
    address: str
    asked: float
    confirmed: float | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What a review told of a finished game."""

    table: str
    made_by: str  # which code and which weights
    at: float
    summary: str  # by seat, as JSON: what statistics are made of
    body: bytes  # all of it, as it crosses the wire, packed


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice that this process has taken, to send it."""

    table: str
    user: str
    kind: str
    seq: int
    by: str
    at: float
    tries: int
    only: tuple[str, ...] | None = None  # the places that could not be reached before


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """How things stand when a notice is to be sent."""

    lang: str
    calls: str | None
    banned: bool
    map: str
    state: str
    to_act: str
    seats: tuple[tuple[int, str | None, str], ...]  # seat, user, present name; of people and bots
    by: str  # the name of who did it
    devices: tuple[DeviceRow, ...]
    mail: MailRow | None
    told: int  # notices like this one, sent to this person of late or on their way
    nudged: bool = False  # about this turn a nudge is told as well


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A secret of the service (people/keys.py). Retired ones still verify until they end."""

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
    chairs: tuple[tuple[str | None, str | None, str, int | None], ...]  # user, bot, name (as it is now), colour by seat


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
        """The latest lines, oldest first, as many of players as of spectators, each with the speaker's present name."""

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

    async def put_calls(self, user: str, calls: str) -> None:
        """Which notices somebody wants, as JSON; of a person who is there already."""

    # -------------------------------------------------------- notices
    async def are_notices_due(self, due: float, busy: Sequence[str] = ()) -> bool:
        """Whether any is; asked often, so that nothing is written while there is nothing to do."""

    async def take_notices(self, due: float, now: float, most: int, busy: Sequence[str] = ()) -> list[Notice]:
        """Notices due until then, the oldest first, for this process alone: nobody else is given them. Of each person
        one at the most, and none of those to whom this process is sending something."""

    async def notice_facts(self, notice: Notice, told_since: float) -> NoticeFacts | None:
        """How things stand with a notice; None if the person or the table is gone."""

    async def settle_notice(self, notice: Notice, outcome: str) -> None:
        """What came of a notice; it is never sent again."""

    async def put_off_notice(self, notice: Notice, due: float, only: tuple[str, ...] | None, tries: int) -> None:
        """A taken notice waits again, unless a later one at the same table does."""

    async def waits_notice(self, table: str, user: str) -> bool: ...

    async def forget_notices(self, table: str, user: str) -> None:
        """What waits for somebody at a table is not told; what is being sent is."""

    async def tidy_notices(self, done_before: float, taken_before: float, asked_before: float) -> int:
        """Forget what is past; how many were taken by a process that never said what came of them."""

    async def devices(self, user: str) -> list[DeviceRow]: ...

    async def put_device(self, device: DeviceRow, most: int) -> bool: ...

    async def drop_device(self, user: str, device: str) -> bool: ...

    async def silent_device(self, user: str, device: str, most: int) -> None:
        """A device took a message and said nothing; after so many in a row it is forgotten."""

    async def heard_device(self, user: str, device: str) -> None:
        """It answers again."""

    async def mail(self, user: str) -> MailRow | None: ...

    async def ask_mail(
        self, row: MailRow, token: str, digest: str, since: float, of_address: int, of_person: int
    ) -> MailAsked:
        """An address waits to be confirmed with this token (hashed), unless it was asked for too often since then, or
        whose it is wants none; `digest` is the address as it is counted (hashed)."""

    async def refuse_mail(self, digest: str, until: float) -> None:
        """An address wants no question before then, and no mail."""

    async def allow_mail(self, digest: str) -> bool:
        """It can be asked again; whether it had refused."""

    async def asked_mail(self, token: str, since: float) -> MailRow | None: ...

    async def confirm_mail(self, token: str, since: float, at: float) -> bool: ...

    async def drop_mail(self, user: str, address: str | None = None) -> bool:
        """No more mail to somebody; an `address` must still be theirs."""

    async def put_carry(self, user: str, phrase: str, link: str, until: float) -> None:
        """Digests by which another device can become this guest; the ones before are good no more.

        Raises `Known` where somebody else's are the same.
        """

    async def carried(self, digest: str) -> str | None:
        """Whose it is, if it is good."""

    async def use_carry(self, digest: str, key: str) -> str | None:
        """The same, and it is used: good for nobody but who asks again with this key."""

    # -------------------------------------------------------- reviews
    async def put_review(self, row: ReviewRow, most: int) -> None:
        """Keep what a review told, and no more than so many: the oldest go; of a game that is gone none is kept."""

    async def review(self, table: str, made_by: str) -> ReviewRow | None: ...

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
