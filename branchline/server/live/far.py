"""Tables that other processes hold, and readers at other processes' sockets.

A process whose socket a reader has (the *edge*) passes its commands to the process that holds the table (the *holder*)
and its texts back. Whatever gets lost on the way is noticed by the links: then the edge joins its readers anew, and
they are sent the present state. A command is never sent twice without a key by which the holder knows it again.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import msgspec

from branchline.server import wire
from branchline.server.bus.links import Links, Unreachable
from branchline.server.live.held import HeldElsewhere, HeldTables
from branchline.server.live.readers import Reader
from branchline.server.live.refusal_wire import RefusalWire, refusal_of, to_wire
from branchline.server.live.table import Elsewhere, LiveTable
from branchline.server.live.telling import stand
from branchline.server.operate.logs import log
from branchline.server.tables import commands
from branchline.server.tables.course import SeenPosition
from branchline.server.wire.refusals import BadRequest

CALL_SECONDS: Final = 5.0


class Uncertain(Exception):
    """No answer came: whether it was done is not known."""


# ---------------------------------------------------------------- what is said


class Do(msgspec.Struct, frozen=True, tag=True):
    table: str
    command: commands.Any


class Look(msgspec.Struct, frozen=True, tag=True):
    table: str
    user: str | None


class Price(msgspec.Struct, frozen=True, tag=True):
    table: str
    user: str
    ask: wire.Ask
    seat: int | None


class SeeAs(msgspec.Struct, frozen=True, tag=True):
    """The position as somebody's seat may know it."""

    table: str
    user: str
    seat: int | None


class Attach(msgspec.Struct, frozen=True, tag=True):
    """Tell this stream what happens at a table; `again`: it has been told before."""

    table: str
    stream: int
    user: str | None
    wish: int | None
    again: bool
    looks: bool = True  # the reader's page can be seen


Call: TypeAlias = Do | Look | Price | SeeAs | Attach


class Done(msgspec.Struct, frozen=True, tag=True):
    body: bytes = b""


class NotMine(msgspec.Struct, frozen=True, tag=True):
    """The table is not held by who was asked."""


Reply: TypeAlias = Done | NotMine | RefusalWire


class Texts(msgspec.Struct, frozen=True, tag=True):
    """Texts for streams, in order."""

    texts: list[tuple[list[int], str]]


class EndStreams(msgspec.Struct, frozen=True, tag=True):
    streams: list[int]


class JoinAgain(msgspec.Struct, frozen=True, tag=True):
    """Join your readers anew: those of a table that has changed hands, or all of them."""

    table: str | None


class Detach(msgspec.Struct, frozen=True, tag=True):
    table: str
    stream: int


class Resync(msgspec.Struct, frozen=True, tag=True):
    table: str
    stream: int


class Looks(msgspec.Struct, frozen=True, tag=True):
    """Whether a reader's page can be seen."""

    stream: int
    looks: bool


Post: TypeAlias = Texts | EndStreams | JoinAgain | Detach | Resync | Looks

_encode = msgspec.msgpack.Encoder().encode
_CALLS = msgspec.msgpack.Decoder(Call)
_REPLIES = msgspec.msgpack.Decoder(Reply)
_POSTS = msgspec.msgpack.Decoder(Post)
_SEAT: msgspec.msgpack.Decoder[int | None] = msgspec.msgpack.Decoder(int | None)


# ---------------------------------------------------------------- the holder's side


class FarReader(Reader):
    """A reader at another process's socket."""

    def __init__(self, user: str | None, wish: int | None, edge: str, stream: int, outbox: Outbox) -> None:
        super().__init__(user, wish)
        self.edge = edge
        self.stream = stream
        self._outbox = outbox

    def send(self, text: str, received: float = 0.0) -> None:
        self._outbox.put(self.edge, self.stream, text)

    def end(self) -> None:
        self._outbox.end(self.edge, self.stream)


class Outbox:
    """What waits to be sent to other processes: a text that many streams get is sent once to each process."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._waiting: dict[str, list[tuple[list[int], str]]] = {}

    def put(self, edge: str, stream: int, text: str) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        texts = self._waiting.setdefault(edge, [])
        if texts and texts[-1][1] is text:
            texts[-1][0].append(stream)
        else:
            texts.append(([stream], text))

    def end(self, edge: str, stream: int) -> None:
        self.flush()
        self._links.post(edge, _encode(EndStreams([stream])))

    def flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for edge, texts in waiting.items():
            self._links.post(edge, _encode(Texts(texts)))


Seen: TypeAlias = Callable[[LiveTable, str | None], Awaitable[bytes]]
PriceAt: TypeAlias = Callable[[LiveTable, str, wire.Ask, int | None], Awaitable[wire.Answer]]


class Holder:
    """Answers for the tables held here."""

    def __init__(self, links: Links, held: HeldTables, seen: Seen, price_at: PriceAt) -> None:
        self._links = links
        self._held = held
        self._seen = seen
        self._price_at = price_at
        self.outbox = Outbox(links)
        self._readers: dict[tuple[str, int], tuple[str, FarReader]] = {}  # by edge and stream: table, reader

    async def answer(self, edge: str, body: bytes) -> bytes:
        """Do what another process asks."""
        call = _CALLS.decode(body)
        try:
            live = await self._mine(call.table)
            return _encode(Done(await self._done(live, edge, call)))
        except (HeldElsewhere, Elsewhere):
            return _encode(NotMine())
        except BadRequest as error:
            return _encode(to_wire(error))
        finally:
            self.outbox.flush()  # what came of it is told before the answer

    async def _mine(self, table_id: str) -> LiveTable:
        """A table held here; one that nobody holds is not taken because another process thinks that we have it.

        Nor is one given out that may be another's by now: who asks can take it, if the store is there for them.
        """
        live = self._held.live.get(table_id)
        if live is None or self._held.has_lapsed:
            raise Elsewhere
        return live

    async def _done(self, live: LiveTable, edge: str, call: Call) -> bytes:
        match call:
            case Do(command=command):
                await live.do(command)
                return b""
            case Look(user=user):
                return await self._seen(live, user)
            case Price(user=user, ask=ask, seat=seat):
                return _encode(await self._price_at(live, user, ask, seat))
            case SeeAs(user=user, seat=seat):
                return _encode(live.seen_as(user, seat))
            case Attach():
                return _encode(await self._attach(live, edge, call))

    async def _attach(self, live: LiveTable, edge: str, call: Attach) -> int | None:
        self.detach(edge, call.stream)
        reader = FarReader(call.user, call.wish, edge, call.stream, self.outbox)
        reader.looks = call.looks
        seat = await live.join(reader, again=call.again)
        self._readers[edge, call.stream] = live.id, reader
        if edge not in self._links.peers:  # it was lost meanwhile: nobody would ever take its reader away
            self.detach(edge, call.stream)
        return seat

    def detach(self, edge: str, stream: int) -> None:
        table_id, reader = self._readers.pop((edge, stream), ("", None))
        live = self._held.live.get(table_id)
        if live is not None and reader in live.readers:
            live.leave(reader)

    def resync(self, edge: str, stream: int) -> None:
        table_id, reader = self._readers.get((edge, stream), ("", None))
        live = self._held.live.get(table_id)
        if live is not None and reader is not None:
            stand(live, reader)

    def looks(self, edge: str, stream: int, looks: bool) -> None:
        _, reader = self._readers.get((edge, stream), ("", None))
        if reader is not None:
            reader.looks = looks

    def lost(self, edge: str) -> None:
        """A process is gone, and its readers with it."""
        for peer, stream in [key for key in self._readers if key[0] == edge]:
            self.detach(peer, stream)

    def gave_up(self, live: LiveTable) -> None:
        """A table is another process's now: those who had its readers join them there."""
        edges = {reader.edge for reader in live.readers if isinstance(reader, FarReader)}
        for edge in edges:
            self._links.post(edge, _encode(JoinAgain(live.id)))
        for key in [key for key, (table_id, _) in self._readers.items() if table_id == live.id]:
            del self._readers[key]


# ---------------------------------------------------------------- the edge's side


class _Attached:
    """A reader of ours at a far table."""

    __slots__ = ("holder", "reader", "table")

    def __init__(self, table: str, holder: str, reader: Reader) -> None:
        self.table = table
        self.holder = holder
        self.reader = reader


class Edge:
    """Our readers at tables that other processes hold, and where those are thought to be."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._numbers = itertools.count(1)
        self._streams: dict[int, _Attached] = {}
        self._by_reader: dict[Reader, int] = {}
        self.holders: dict[str, str] = {}  # table: process; a hint, no more

    # ------------------------------------------------------------ asking

    async def do(self, holder: str, table_id: str, command: commands.Any) -> None:
        await self._call(holder, Do(table_id, command))

    async def look(self, holder: str, table_id: str, user: str | None) -> bytes:
        return await self._call(holder, Look(table_id, user))

    async def price(self, holder: str, table_id: str, user: str, ask: wire.Ask, seat: int | None) -> wire.Answer:
        return msgspec.msgpack.decode(await self._call(holder, Price(table_id, user, ask, seat)), type=wire.Answer)

    async def seen_as(self, holder: str, table_id: str, user: str, seat: int | None) -> SeenPosition:
        return msgspec.msgpack.decode(await self._call(holder, SeeAs(table_id, user, seat)), type=SeenPosition)

    async def _call(self, holder: str, call: Call) -> bytes:
        """What the holder answers; raises what it refused, `Elsewhere`, or `Uncertain`."""
        try:
            reply = _REPLIES.decode(await self._links.call(holder, _encode(call), CALL_SECONDS))
        except Unreachable:
            raise Uncertain from None
        if isinstance(reply, Done):
            return reply.body
        raise Elsewhere if isinstance(reply, NotMine) else refusal_of(reply)

    # ------------------------------------------------------------ readers

    async def join(self, holder: str, table_id: str, reader: Reader, *, again: bool) -> int | None:
        """Join a reader of ours; its seat."""
        stream = self._by_reader.get(reader) or next(self._numbers)
        self._streams[stream] = _Attached(table_id, holder, reader)
        self._by_reader[reader] = stream
        try:
            attach = Attach(table_id, stream, reader.user, reader.wish, again, reader.looks)
            return _SEAT.decode(await self._call(holder, attach))
        except BaseException:
            self._drop(stream)
            raise

    def leave(self, reader: Reader) -> bool:
        stream = self._by_reader.get(reader)
        if stream is None:
            return False
        attached = self._streams[stream]
        self._drop(stream)
        self._links.post(attached.holder, _encode(Detach(attached.table, stream)))
        return True

    def resync(self, reader: Reader) -> bool:
        stream = self._by_reader.get(reader)
        if stream is None:
            return False
        attached = self._streams[stream]
        self._links.post(attached.holder, _encode(Resync(attached.table, stream)))
        return True

    def looks(self, reader: Reader) -> None:
        """Tell the holder whether a reader's page can be seen."""
        stream = self._by_reader.get(reader)
        if stream is not None:
            self._links.post(self._streams[stream].holder, _encode(Looks(stream, reader.looks)))

    def _drop(self, stream: int) -> None:
        attached = self._streams.pop(stream, None)
        if attached is not None and self._by_reader.get(attached.reader) == stream:
            del self._by_reader[attached.reader]

    def hear(self, holder: str, texts: Texts) -> None:
        strays = set()
        for streams, text in texts.texts:
            for stream in streams:
                attached = self._streams.get(stream)
                if attached is not None and attached.holder == holder:
                    attached.reader.send(text)
                else:
                    strays.add(stream)
        for stream in strays:  # whose answer to joining came too late, or never: there it would sit for ever
            self._links.post(holder, _encode(Detach("", stream)))

    def end(self, streams: list[int]) -> None:
        for stream in streams:
            attached = self._streams.get(stream)
            if attached is not None:
                attached.reader.end()

    def readers_at(self, holder: str, table_id: str | None = None) -> list[tuple[str, Reader]]:
        """Our readers at the tables, or one table, of a process; they are let go of, to join anew."""
        found = [
            (stream, attached)
            for stream, attached in self._streams.items()
            if attached.holder == holder and table_id in (None, attached.table)
        ]
        for stream, attached in found:
            self.holders.pop(attached.table, None)
            self._drop(stream)
        return [(attached.table, attached.reader) for _, attached in found]

    def end_streams(self) -> None:
        for attached in list(self._streams.values()):
            attached.reader.end()


Rejoin: TypeAlias = Callable[[str, Reader], None]


class FarTables:
    """Both sides, and what the links tell them."""

    def __init__(self, links: Links, edge: Edge, holder: Holder, rejoin: Rejoin) -> None:
        self.edge = edge
        self.holder = holder
        self._links = links
        self._rejoin = rejoin
        links.on_call = holder.answer
        links.on_post = self._heard
        links.on_gap = self._gap
        links.on_lost = self._lost

    def _heard(self, peer: str, body: bytes) -> None:
        post: Post = _POSTS.decode(body)
        match post:
            case Texts():
                self.edge.hear(peer, post)
            case EndStreams(streams=streams):
                self.edge.end(streams)
            case JoinAgain(table=table):
                self._join_again(peer, table)
            case Detach(stream=stream):
                self.holder.detach(peer, stream)
            case Resync(stream=stream):
                self.holder.resync(peer, stream)
            case Looks(stream=stream, looks=looks):
                self.holder.looks(peer, stream, looks)

    def _gap(self, peer: str) -> None:
        """Something from there was lost: texts for our readers, or word of theirs."""
        log().warning("messages of another process were lost", peer=peer)
        self._join_again(peer, None)
        self.holder.lost(peer)
        self._links.post(peer, _encode(JoinAgain(None)))

    def _lost(self, peer: str) -> None:
        log().warning("another process is silent", peer=peer)
        self.holder.lost(peer)
        self._join_again(peer, None)

    def moved(self, table_id: str, was: str) -> None:
        """A table was found elsewhere than our readers hear of it from."""
        self._join_again(was, table_id)

    def _join_again(self, holder: str, table_id: str | None) -> None:
        for table, reader in self.edge.readers_at(holder, table_id):
            self._rejoin(table, reader)
