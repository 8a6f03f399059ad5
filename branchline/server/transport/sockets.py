"""Live streams: a WebSocket for pages, lines of JSON over HTTP for programs and bad proxies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec
from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from starlette.responses import StreamingResponse

from branchline.server import wire
from branchline.server.api import TableId, check_cid, room_of
from branchline.server.breath import breath
from branchline.server.chat import BadChat
from branchline.server.connections import Connection
from branchline.server.http import documented, service_of, user_in
from branchline.server.limits import BadFrame, Bucket, loads_frame
from branchline.server.rooms import Room
from branchline.server.said import trouble
from branchline.server.service import Service
from branchline.server.tables import BadRequest, Missing

router = APIRouter(prefix="/api")

NO_TABLE: Final = 4404
TOO_FAST: Final = 4429
TOO_SLOW: Final = 4408
FRAMES_A_SECOND: Final = 20
BURST: Final = 60
MOST_STREAMS: Final = 20  # of one user
QUIET_SECONDS: Final = 15.0  # then a stream of lines says that it still lives

_Streams = dict[str | None, int]


@router.websocket("/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """The live stream of a page."""
    service: Service = socket.app.state.service
    await socket.accept()
    await breath()
    try:
        room = await service.desk.room(table_id)
    except Missing:
        await socket.close(NO_TABLE, "there is no such table")
        return
    connection = Connection(user_in(socket.headers, socket.cookies, service))
    if connection.user is not None and _streams_of(room, connection.user) >= MOST_STREAMS:
        await socket.close(TOO_FAST, "too many streams")
        return
    service.metrics.sockets.inc()
    await breath()
    writer = asyncio.create_task(_write(socket, connection, service))
    try:
        await room.join(connection)
        await _listen(socket, connection, room, service)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        service.metrics.sockets.dec()
        room.leave(connection)
        writer.cancel()


def _streams_of(room: Room, user: str) -> int:
    return sum(connection.user == user for connection in room.connections)


async def _write(socket: WebSocket, connection: Connection, service: Service) -> None:
    """Send what waits; a broken stream is noticed by who listens."""
    try:
        while (item := await connection.outbox.get()) is not None:
            text, received = item
            await socket.send_text(text)
            if received:
                service.metrics.delivered(received)
            await breath()  # who has much to hear does not keep the others waiting
        await socket.close(TOO_SLOW, "too slow to follow: come back")
    except (WebSocketDisconnect, RuntimeError, OSError):
        return


async def _listen(socket: WebSocket, connection: Connection, room: Room, service: Service) -> None:
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
            await heard(room, connection, service, read_message(text))
        except (BadFrame, BadRequest, BadChat) as error:
            connection.tell(trouble(error.args[0]))


def read_message(text: str) -> wire.ToServer:
    """The message of a frame; raises `BadFrame`."""
    try:
        message: wire.ToServer = msgspec.convert(loads_frame(text), wire.ToServer)
        return message
    except msgspec.ValidationError as error:
        raise BadFrame(f"not a message: {error}") from None


async def heard(room: Room, connection: Connection, service: Service, message: wire.ToServer) -> None:
    """Do what a reader asks for; the answer goes to its own stream."""
    match message:
        case wire.Ping():
            connection.tell(wire.Pong(time.time()))
        case wire.Resync():
            room.resync(connection)
        case wire.Say():
            if connection.user is None:
                raise BadFrame("a spectator cannot do that")
            await service.chat.say(room, connection.user, service.known_name(connection.user)[0], message)
        case _:
            await _play(room, connection, message)


async def _play(
    room: Room, connection: Connection, message: wire.Move | wire.Undo | wire.Ask | wire.TakeBack | wire.Pause
) -> None:
    seat = connection.seat
    if seat is None:
        raise BadFrame("a spectator cannot do that")
    match message:
        case wire.TakeBack(agree):
            _tell_why_not(connection, await room.takeback.hear(seat, agree))
        case wire.Pause(agree, resume):
            _tell_why_not(connection, await room.pause.hear(seat, agree, resume))
        case wire.Move():
            check_cid(message.cid)
            connection.tell(await room.move(seat, message))
        case wire.Undo():
            check_cid(message.cid)
            connection.tell(await room.undo(seat, message))
        case wire.Ask():
            check_cid(message.cid)
            connection.tell(await room.ask(seat, message))


def _tell_why_not(connection: Connection, reason: str) -> None:
    if reason:
        connection.tell(trouble(reason))


# ---------------------------------------------------------------- lines of JSON


@documented(router, "GET", "/tables/{table_id}/stream", reply=bytes, tag="play")
async def stream(request: Request, table_id: TableId) -> Response:
    """The live stream as lines of JSON, the same messages as on the WebSocket; an empty line says it still lives."""
    service, room = service_of(request), await room_of(request, table_id)
    connection = Connection(user_in(request.headers, request.cookies, service))
    if connection.user is not None and _streams_of(room, connection.user) >= MOST_STREAMS:
        raise BadRequest("too many streams")
    leave = await _joined(room, connection, service)
    return StreamingResponse(
        _lines(connection, leave), media_type="application/x-ndjson", headers={"cache-control": "no-store"}
    )


async def _joined(room: Room, connection: Connection, service: Service) -> Callable[[], None]:
    service.metrics.sockets.inc()
    await room.join(connection)

    def leave() -> None:
        service.metrics.sockets.dec()
        room.leave(connection)

    return leave


async def _lines(connection: Connection, leave: Callable[[], None]) -> AsyncIterator[str]:
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
        leave()
