"""One connection to a Redis, in the second version of its protocol, which all servers of this kind speak.

Written here, because the service needs four commands of it, as often as there are moves, in as little time as possible:
what is written goes to the transport at once, and what comes is handed on as it comes, without a task for a message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from branchline.server.bus.redis_address import Address

Reply = bytes | int | list["Reply"] | None
_CLOSED: Final = "the connection was closed"
_PASSING: Final = (_CLOSED, "LOADING", "MASTERDOWN", "ERR max number of clients")  # errors that go away by themselves
_END: Final = b"\r\n"
_MOST_UNSENT: Final = 8 << 20  # bytes that wait for a slow bus; what comes after them is dropped
_MOST_UNREAD: Final = 64 << 20  # bytes of one message: more cannot be ours


class Refused(Exception):
    """What the server said instead of doing what was asked."""


class Garbled(Exception):
    """What came is not what a Redis says."""


class Refusal(NamedTuple):
    """An error among the answers."""

    text: str


class Line(asyncio.Protocol):
    """Ask and be answered, until `hand_on` is set: then everything that comes goes there."""

    def __init__(self) -> None:
        self.hand_on: Callable[[Reply], None] | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked: asyncio.Future[Reply | Refusal] | None = None
        self._unread = b""
        self._full = False
        self._transport: asyncio.Transport | None = None

    # ------------------------------------------------------------ what one does with it
    async def ask(self, *words: bytes) -> Reply:
        """The answer to a command; raises `Refused`, or `ConnectionError` if the connection ends before."""
        self._asked = asyncio.get_running_loop().create_future()
        if not self.tell(command(*words)):
            raise ConnectionError(_CLOSED)
        answer = await self._asked
        if not isinstance(answer, Refusal):
            return answer
        if answer.text.startswith(_PASSING):
            raise ConnectionError(answer.text)
        raise Refused(answer.text)

    def tell(self, packed: bytes) -> bool:
        """Send commands, as bytes, without waiting; False if they cannot be sent."""
        if self._full or self._transport is None:
            return False
        self._transport.write(packed)
        return True

    def end(self) -> None:
        """At once; what was not sent yet is lost."""
        if self._transport is not None:
            self._transport.abort()

    async def finish(self, seconds: float) -> None:
        """Send the rest, then end."""
        if self._transport is not None:
            self._transport.close()
            await asyncio.wait((self.closed,), timeout=seconds)

    # ------------------------------------------------------------ what the event loop tells
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_MOST_UNSENT)

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    def data_received(self, data: bytes) -> None:
        unread, at = self._unread + data if self._unread else data, 0
        try:
            while found := read(unread, at):
                reply, at = found
                self._take(reply)
        except Garbled:
            self._answer(Refusal("what answers there is no Redis"))
            self.end()
        self._unread = unread[at:]
        if len(self._unread) > _MOST_UNREAD:
            self.end()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = self.hand_on = None
        self._answer(Refusal(_CLOSED))
        if not self.closed.done():
            self.closed.set_result(None)

    def _take(self, reply: Reply | Refusal) -> None:
        if self.hand_on is not None and not isinstance(reply, Refusal):
            self.hand_on(reply)
        else:
            self._answer(reply)

    def _answer(self, reply: Reply | Refusal) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            asked.set_result(reply)


async def connect(address: Address) -> Line:
    """A connection on which one may ask; raises `OSError`, or `Refused` for a wrong name or password."""
    loop = asyncio.get_running_loop()
    if address.path:
        _, line = await loop.create_unix_connection(Line, address.path)
    else:
        name = address.host if address.tls else None
        _, line = await loop.create_connection(Line, address.host, address.port, ssl=address.tls, server_hostname=name)
    try:
        await _introduce(line, address)
    except BaseException:
        line.end()
        raise
    return line


async def _introduce(line: Line, address: Address) -> None:
    if address.password:
        user = [address.user.encode()] if address.user else []
        await line.ask(b"AUTH", *user, address.password.encode())
    if await line.ask(b"PING") != b"PONG":
        raise Refused("what answers there is no Redis")


# ---------------------------------------------------------------- the protocol


def command(*words: bytes) -> bytes:
    """A command as it is sent."""
    return b"*%d\r\n%s" % (len(words), b"".join([b"$%d\r\n%s\r\n" % (len(word), word) for word in words]))


def read(data: bytes, at: int) -> tuple[Reply | Refusal, int] | None:
    """What stands at this place, and where it ends; None if not all of it is there yet."""
    end = data.find(_END, at)
    if end < 0:
        return None
    sign, text, after = data[at : at + 1], data[at + 1 : end], end + 2
    if sign == b"$":
        return _bulk(data, _number(text), after)
    if sign == b"*":
        return _array(data, _number(text), after)
    if sign == b":":
        return _number(text), after
    if sign == b"+":
        return text, after
    if sign == b"-":
        return Refusal(text.decode(errors="replace")), after
    raise Garbled


def _number(text: bytes) -> int:
    try:
        return int(text)
    except ValueError:
        raise Garbled from None


def _bulk(data: bytes, length: int, at: int) -> tuple[Reply, int] | None:
    if length < 0:
        return None, at
    end = at + length
    return (data[at:end], end + 2) if len(data) >= end + 2 else None


def _array(data: bytes, length: int, at: int) -> tuple[Reply, int] | None:
    items: list[Reply] = []
    for _ in range(length):
        found = read(data, at)
        if found is None:
            return None
        item, at = found
        if isinstance(item, Refusal):
            raise Garbled
        items.append(item)
    return items, at
