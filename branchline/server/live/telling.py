"""Telling the readers of a live table: texts are made once for all who may know the same."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Protocol, assert_never

from branchline.server import wire
from branchline.server.live.crowd import BUNCH_SECONDS, READERS_AT_ONCE, SMALL, Pending, spectators
from branchline.server.live.pacing import in_turns
from branchline.server.live.readers import Reader
from branchline.server.tables.outcome import Ended, Moved, News, PlanChanged, Spoke, Stands, TableChanged, Voted
from branchline.server.tables.state import Over, Playing, Table
from branchline.server.tables.talk import is_aside
from branchline.server.tables.telling import (
    Audience,
    encode,
    finale_text,
    moved_text,
    stands_texts,
    steps_of,
    table_wire,
    update_text,
)
from branchline.version import __version__


class Told(Protocol):
    """A table with its readers."""

    table: Table
    readers: set[Reader]
    pending: Pending
    bunch: asyncio.TimerHandle | None  # when the crowd is told next
    is_closed: bool

    @property
    def spectators(self) -> int: ...

    def readers_changed(self) -> None: ...

    def audience(self) -> Audience: ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...


async def tell(live: Told, news: Iterable[News], received: float) -> None:
    """Tell what came of a command, in this order."""
    for piece in news:
        match piece:
            case TableChanged():
                _reseat(live)
                tell_table(live)
            case Moved():
                await _tell_moved(live, piece, received)
            case Stands(anew=anew):
                await _stand_all(live, anew)
            case Voted(vote=vote):
                _tell_all(live, encode(vote).decode())
            case Spoke(chat=chat, user=user, aside=aside):
                _tell_all(live, encode(wire.ChatNews(chat)).decode(), user, aside=aside)
            case Ended():
                assert isinstance(live.table, Over)
                _tell_all(live, finale_text(live.table))
            case PlanChanged(seats=seats):
                _send_table(live, [reader for reader in live.readers if reader.seat in seats])
            case _:
                assert_never(piece)


# ---------------------------------------------------------------- one reader


def greet(live: Told, reader: Reader, talk: Sequence[tuple[str, wire.ChatWire]]) -> None:
    """First on a stream: the table, what was said of late, and the game as it stands."""
    heard = [
        chat
        for speaker, chat in talk
        if speaker not in reader.blocked and not (reader.seated and is_aside(live.table, chat))
    ]
    seen = table_wire(live.table, reader.user, live.audience(), reader.blocked, reader.wish)
    reader.tell(wire.Hello(seen, __version__, heard))
    stand(live, reader)


def remind(live: Told, reader: Reader) -> None:
    """To a reader whose stream goes on, but may have missed something: the table and the game as they stand."""
    seen = table_wire(live.table, reader.user, live.audience(), reader.blocked, reader.wish)
    reader.tell(wire.TableNews(seen))
    stand(live, reader)


def stand(live: Told, reader: Reader, *, anew: bool = False) -> None:
    """The present state, whatever the reader knew."""
    if isinstance(live.table, Playing | Over):
        reader.at = live.table.course.reader_number(reader.seat)
        for text in stands_texts(live.table, reader.seat, live.audience(), anew=anew):
            reader.send(text)


# ---------------------------------------------------------------- all readers


def tell_table(live: Told, but: Reader | None = None) -> None:
    """The table as each reader sees it; a crowd hears of it with the next bunch."""
    close = [reader for reader in _close_readers(live) if reader is not but]
    _send_table(live, close)
    if _is_crowd(live):
        live.pending.table = True
        _set_bunch(live)


def _send_table(live: Told, readers: Iterable[Reader]) -> None:
    texts = _TableTexts(live)
    for reader in readers:
        reader.send(texts.of(reader))


class _TableTexts:
    """The table as readers see it, made once for all who see the same."""

    def __init__(self, live: Told) -> None:
        self._live, self._audience = live, live.audience()
        self._texts: dict[object, str] = {}

    def of(self, reader: Reader) -> str:
        table = self._live.table
        alike = (reader.seat, reader.seated, reader.user == table.owner, reader.blocked)
        if alike not in self._texts:  # a thousand spectators see the same
            seen = table_wire(table, reader.user, self._audience, reader.blocked, reader.wish)
            self._texts[alike] = encode(wire.TableNews(seen)).decode()
        return self._texts[alike]


def _reseat(live: Told) -> None:
    """Every stream learns where its reader sits."""
    for reader in live.readers:
        reader.sit(live.table)
    live.readers_changed()


async def _tell_moved(live: Told, moved: Moved, received: float) -> None:
    """What happened, to every reader who may know that something did; one reader's message at a time."""
    table = live.table
    assert isinstance(table, Playing)
    audience, close = live.audience(), _close_readers(live)
    if _is_crowd(live):
        live.pending.moved(moved.before[-1], steps_of(moved.dones, None))
        _set_bunch(live)
    async for seat in in_turns({reader.seat for reader in close}):
        text = moved_text(table, moved, seat, audience)
        if text is not None:
            _send_moved(live, seat, text, table.course.reader_number(seat), received)


def _send_moved(live: Told, seat: int | None, text: str, number: int, received: float) -> None:
    for reader in live.readers:
        if reader.seat == seat and reader.at < number:
            reader.at = number
            reader.send(text, received)


async def _stand_all(live: Told, anew: bool) -> None:
    if _is_crowd(live):
        live.pending = Pending()
        live.pending.stands = live.pending.table = True
        _set_bunch(live)
    async for reader in in_turns(_close_readers(live)):
        stand(live, reader, anew=anew)


def _tell_all(live: Told, text: str, speaker: str | None = None, *, aside: bool = False) -> None:
    """The same to every reader (`aside`: who does not sit here), but nothing of a speaker to who has blocked them."""
    for reader in _close_readers(live):
        if (speaker is None or speaker not in reader.blocked) and not (aside and reader.seated):
            reader.send(text)
    if _is_crowd(live):
        live.pending.texts.append((text, speaker))
        _set_bunch(live)


# ---------------------------------------------------------------- a crowd


def _is_crowd(live: Told) -> bool:
    return live.spectators > SMALL


def _close_readers(live: Told) -> list[Reader]:
    """Those who are told at once: the players, and spectators while they are few."""
    if _is_crowd(live):
        return [reader for reader in live.readers if reader.seated]
    return list(live.readers)


def spectator_moved(live: Told) -> None:
    """A spectator came or went: all hear of it, of many at once."""
    if not _is_crowd(live) and live.bunch is None:
        tell_table(live)
        return
    live.pending.table = True
    _set_bunch(live)


def _set_bunch(live: Told) -> None:
    if live.bunch is None and not live.is_closed:
        live.bunch = asyncio.get_running_loop().call_later(BUNCH_SECONDS, _bunch_is_due, live)


def _bunch_is_due(live: Told) -> None:
    live.bunch = None
    if live.pending.table:
        _send_table(live, [reader for reader in live.readers if reader.seated])
    live.spawn(_tell_crowd(live))


async def _tell_crowd(live: Told) -> None:
    """The crowd, some readers at a time."""
    pending, live.pending = live.pending, Pending()
    crowd = spectators(live.readers)
    texts = _CrowdTexts(live, pending, crowd)
    async for reader in in_turns(crowd, READERS_AT_ONCE):
        texts.send(reader)


def flush(live: Told) -> None:
    """Before somebody comes: tell the crowd what was said and what stands anew, which the newcomer hears otherwise.

    Who came and what was played can wait for the bunch: newcomers are told only what is new to them.
    """
    if not live.pending.texts and not live.pending.stands:
        return
    pending, live.pending = live.pending, Pending()
    crowd = spectators(live.readers)
    texts = _CrowdTexts(live, pending, crowd)
    for reader in crowd:
        texts.send(reader)


class _CrowdTexts:
    """What a crowd is sent of what it waits for, made now and once for all who know the same."""

    def __init__(self, live: Told, pending: Pending, crowd: Iterable[Reader]) -> None:
        self._said = pending.texts
        self._table = _TableTexts(live) if pending.table else None
        self._stands: list[str] = []
        self._updates: dict[int, str] = {}  # by the number a reader was told up to
        self._number = -1
        if isinstance(live.table, Playing | Over) and (pending.stands or pending.since is not None):
            self._number = live.table.course.reader_number(None)
            if pending.stands:
                self._stands = stands_texts(live.table, None, live.audience(), anew=True)
            else:
                self._updates = _updates(live, live.table, pending, {reader.at for reader in crowd})

    def send(self, reader: Reader) -> None:
        if self._table is not None:
            reader.send(self._table.of(reader))
        for text in self._stands:
            reader.send(text)
        if reader.at in self._updates:
            reader.send(self._updates[reader.at])
        reader.at = max(reader.at, self._number)
        for text, speaker in self._said:
            if speaker is None or speaker not in reader.blocked:
                reader.send(text)


def _updates(live: Told, table: Playing | Over, pending: Pending, told: set[int]) -> dict[int, str]:
    """What was played, for each number up to which a reader was told: who came meanwhile knows some of it."""
    number, audience = table.course.reader_number(None), live.audience()
    return {
        at: update_text(table, None, audience, at, [step for step in pending.steps if step.seq > at])
        for at in told
        if at < number
    }
