"""Live streams: a WebSocket for pages, lines of JSON over HTTP for programs and bad proxies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Final

import msgspec
from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse

from branchline.server import wire
from branchline.server.live.all_tables import Tables
from branchline.server.live.held import PutAside
from branchline.server.live.pacing import yield_to_loop
from branchline.server.live.table import UNWRITTEN, Unwritten
from branchline.server.operate.metrics import Metrics
from branchline.server.people.people import People
from branchline.server.store.contract import StoreFailed
from branchline.server.tables import commands
from branchline.server.tables.course import SeenPosition
from branchline.server.tables.outcome import NOT_SEATED, MoveRefused
from branchline.server.tables.votes import SPECTATOR
from branchline.server.thinking.askers import Asker, TooBusy
from branchline.server.thinking.thinking import Thinking
from branchline.server.transport.bounds import Bounds
from branchline.server.transport.connections import Connection
from branchline.server.transport.http import documented, guest_in
from branchline.server.transport.limits import BadFrame, Bucket, loads_frame
from branchline.server.transport.parts import address_of, bounds_of, metrics_of, people_of, tables_of, thinking_of
from branchline.server.transport.refusing import refused
from branchline.server.transport.tables_api import TableId, check_cid
from branchline.server.wire.refusals import BadRequest, Conflict, Missing, TooMany
from branchline.server.wire.sentences import Sentence, trouble

router = APIRouter(prefix="/api")

NO_TABLE: Final = 4404
PUT_ASIDE: Final = 4409
TOO_FAST: Final = 4429
TOO_SLOW: Final = 4408
COME_BACK: Final = 1012
LONGEST_CLOSING: Final = 120  # bytes of a reason that a closing frame can hold, about
FRAMES_A_SECOND: Final = 20
BURST: Final = 60
QUIET_SECONDS: Final = 15.0  # then a stream of lines says that it still lives
UNWRITTEN_MOVE: Final = Sentence("move_unwritten", "the move could not be written down and does not count: try again")


class Stream:
    """One reader's open stream at one table."""

    def __init__(self, request: HTTPConnection, table_id: str, user: str | None) -> None:
        self.table_id = table_id
        self.address = address_of(request)
        self.tables: Tables = tables_of(request)
        self.bounds: Bounds = bounds_of(request)
        self.metrics: Metrics = metrics_of(request)
        self.people: People = people_of(request)
        self.thinking: Thinking = thinking_of(request)
        self.connection = Connection(user, _wish(request))
        self._advising: asyncio.Task[None] | None = None

    async def advise(self, user: str) -> None:
        """Find advice while the stream goes on; who asks again wants no other any more.

        Nobody has to have advice: where it cannot be had now, nothing is said.
        """
        try:
            seen = await self.tables.seen_as(self.table_id, user, self.connection.wish)
        except (Unwritten, StoreFailed):
            return
        self.close()
        self._advising = asyncio.create_task(self._advise(user, seen))

    async def _advise(self, user: str, seen: SeenPosition) -> None:
        try:
            told = await self.thinking.advice(Asker(user, self.address), seen)
        except (TooBusy, TimeoutError, BrokenProcessPool):
            return
        self.connection.send(told.decode())

    def close(self) -> None:
        """Nobody waits for advice any more; the task is let go of, or it and the stream would hold each other."""
        if self._advising is not None:
            self._advising.cancel()
            self._advising = None

    async def open(self) -> Callable[[], None]:
        """Join the table; what ends it again. Raises `BadRequest` where there is no place for it."""
        ends = ExitStack()
        ends.callback(self.close)
        try:
            ends.callback(self.bounds.stream(self.connection.user, self.address))
            self.metrics.sockets.inc()
            ends.callback(self.metrics.sockets.dec)
            seat = await self.tables.join(self.table_id, self.connection)
            ends.callback(self.tables.leave, self.table_id, self.connection)
            if seat is None:
                ends.callback(self.bounds.watch(self.connection.user, self.address, self.table_id))
        except BaseException:
            ends.close()
            raise
        return ends.close


@router.websocket("/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """The live stream of a page."""
    await socket.accept()
    stream = Stream(socket, table_id, await _reader(socket))
    writer = asyncio.create_task(_write(socket, stream))
    try:
        close = await stream.open()
    except (BadRequest, StoreFailed) as error:
        writer.cancel()
        await socket.close(*_closing(error))
        return
    try:
        await _listen(socket, stream)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        close()
        writer.cancel()


def _wish(request: HTTPConnection) -> int | None:
    """Through which of several chairs of mine I look; without it, or with nonsense, through none."""
    said = request.query_params.get("seat", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 3 else None


async def _reader(request: HTTPConnection) -> str | None:
    """Who reads; somebody who is kept out reads as a stranger."""
    user = await guest_in(request)
    return None if user is None or await people_of(request).banned(user) else user


def _closing(error: Exception) -> tuple[int, str]:
    """How a stream that cannot be is ended: the code, and why."""
    match error:
        case Missing():
            return NO_TABLE, "there is no such table"
        case PutAside():
            return PUT_ASIDE, str(error.reason).encode()[:LONGEST_CLOSING].decode(errors="ignore")
        case TooMany():
            return TOO_FAST, "too many streams"
        case _:
            return COME_BACK, "not now: come back"


async def _write(socket: WebSocket, stream: Stream) -> None:
    """Send what waits; a broken stream is noticed by who listens."""
    try:
        while (item := await stream.connection.outbox.get()) is not None:
            text, received = item
            await socket.send_text(text)
            if received:
                stream.metrics.delivered(received)
            await yield_to_loop()  # who has much to hear does not keep the others waiting
        await socket.close(TOO_SLOW, "too slow to follow: come back")
    except (WebSocketDisconnect, RuntimeError, OSError):
        return


async def _listen(socket: WebSocket, stream: Stream) -> None:
    bucket = Bucket(FRAMES_A_SECOND, BURST)
    while True:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect":
            return
        if not bucket.take():
            await socket.close(TOO_FAST, "too many messages")
            return
        text = frame.get("text")
        try:
            if text is None:
                raise BadFrame("text messages only")
            await heard(stream, read_message(text))
        except (BadFrame, BadRequest) as error:
            stream.connection.tell(trouble(error.reason))
        except StoreFailed:
            stream.connection.tell(trouble(UNWRITTEN))


def read_message(text: str) -> wire.ToServer:
    """The message of a frame; raises `BadFrame`."""
    try:
        message: wire.ToServer = msgspec.convert(loads_frame(text), wire.ToServer)
        return message
    except msgspec.ValidationError as error:
        raise BadFrame(f"not a message: {error}") from None


async def heard(stream: Stream, message: wire.ToServer) -> None:
    """Do what a reader asks for; the answer goes to its own stream."""
    connection, user = stream.connection, stream.connection.user
    match message:
        case wire.Ping():
            connection.tell(wire.Pong(stream.tables.now()))
            return
        case wire.Resync():
            stream.tables.resync(stream.table_id, connection)
            return
        case wire.Looks(visible=visible):
            await stream.tables.looks(stream.table_id, connection, visible)
            return
    if user is None:
        raise BadFrame(SPECTATOR)
    match message:
        case wire.Ask():
            check_cid(message.cid)
            connection.tell(await stream.tables.price(stream.table_id, user, message, connection.wish))
        case wire.Advise():
            await stream.advise(user)
        case wire.Move() | wire.Undo():
            await _play(stream, user, message)
        case _:
            if isinstance(message, wire.Say | wire.Nudge):
                stream.bounds.say(user, stream.address)
            await stream.tables.do(stream.table_id, _command(user, message, connection.wish))


async def _play(stream: Stream, user: str, message: wire.Move | wire.Undo) -> None:
    check_cid(message.cid)
    command: commands.Move | commands.Undo
    own = stream.connection.wish
    if isinstance(message, wire.Move):
        lines, lag = message.lines, message.lag
        command = commands.Move(user=user, cid=message.cid, own=own, seq=message.seq, lines=lines, lag=lag)
    else:
        command = commands.Undo(user=user, cid=message.cid, own=own, seq=message.seq)
    try:
        await stream.tables.do(stream.table_id, command)
    except Unwritten as error:
        error = error if error.is_uncertain else Unwritten(UNWRITTEN_MOVE)
        stream.connection.tell(refused(message.cid, error))
    except MoveRefused as error:
        stream.connection.tell(refused(message.cid, error))
    except Conflict as error:
        if error.reason == NOT_SEATED:
            raise BadFrame(SPECTATOR) from None
        raise
    else:
        stream.connection.tell(wire.Ack(message.cid, message.seq))


def _command(
    user: str, message: wire.Say | wire.TakeBack | wire.Pause | wire.BotVote | wire.Nudge, own: int | None
) -> commands.Any:
    cid = message.cid
    if cid:
        check_cid(cid)
    match message:
        case wire.Say(phrase, text):
            return commands.Say(user=user, phrase=phrase, text=text, cid=cid, own=own)
        case wire.TakeBack(agree=None):
            return commands.AskBack(user=user, cid=cid, own=own)
        case wire.TakeBack(agree=agree):
            return commands.Answer(user=user, kind="back", agree=bool(agree), cid=cid, own=own)
        case wire.Pause(resume=True):
            return commands.Resume(user=user, cid=cid, own=own)
        case wire.Pause(agree=None):
            return commands.AskPause(user=user, cid=cid, own=own)
        case wire.Pause(agree=agree):
            return commands.Answer(user=user, kind="pause", agree=bool(agree), cid=cid, own=own)
        case wire.BotVote(seat=seat, agree=None):
            return commands.AskBot(user=user, seat=seat, cid=cid, own=own)
        case wire.BotVote(agree=agree):
            return commands.Answer(user=user, kind="bot", agree=bool(agree), cid=cid, own=own)
        case wire.Nudge(seat=seat):
            return commands.Nudge(user=user, seat=seat, cid=cid, own=own)


# ---------------------------------------------------------------- lines of JSON


@documented(router, "GET", "/tables/{table_id}/stream", reply=bytes, tag="play")
async def stream(request: Request, table_id: TableId) -> Response:
    """The live stream as lines of JSON, the same messages as on the WebSocket; an empty line says it still lives."""
    opened = Stream(request, table_id, await _reader(request))
    close = await opened.open()
    return StreamingResponse(
        _lines(opened.connection, close), media_type="application/x-ndjson", headers={"cache-control": "no-store"}
    )


async def _lines(connection: Connection, close: Callable[[], None]) -> AsyncIterator[str]:
    try:
        while True:
            try:
                item = await asyncio.wait_for(connection.outbox.get(), QUIET_SECONDS)
            except TimeoutError:
                yield "\n"
                continue
            if item is None:
                return
            yield item[0] + "\n"
    finally:
        close()
