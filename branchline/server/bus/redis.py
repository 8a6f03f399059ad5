"""The bus of a service in several processes: Redis carries the messages, and nothing is kept there."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import ssl
import time
from typing import Final

import structlog

from branchline.server.bus.contract import BadBus, Heard
from branchline.server.bus.redis_address import read_address
from branchline.server.bus.redis_line import Line, Refused, Reply, command, connect

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_ANSWER_WITHIN: Final = 1.0  # seconds: a connection that takes longer is tried anew
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 0.5
_CHECK_EVERY: Final = 1.0
_DEAF_AFTER: Final = 3.0  # seconds without hearing oneself
_SCATTER: Final = random.Random()  # how long each process waits, so that not all come at once


class RedisBus:
    """One connection to listen on, for all and for this process alone, and one to speak on.

    It sends itself a message every second: who does not hear itself is cut off, though the connection looks open.
    """

    def __init__(self, url: str, me: str, prefix: str = "branchline") -> None:
        for name in (me, prefix):
            if not _NAME.fullmatch(name):
                raise BadBus(f"{name!r} is no name on a bus: letters, digits, dots and dashes, 100 at most")
        self.me = me
        self.trouble = "not open yet"
        self.dropped = 0
        self._address = read_address(url)
        self._prefix = f"{prefix}:".encode()
        self._mine, self._all = self._channel(me), self._prefix + b"all"
        self._signature = bytes((len(me),)) + me.encode()
        self._heard: Heard = _nobody
        self._heard_myself = 0.0
        self._speaking: Line | None = None
        self._listening: Line | None = None
        self._keeping: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ the contract
    async def open(self, heard: Heard) -> None:
        self._heard = heard
        try:
            await self._connect()
        except Refused as refusal:
            raise BadBus(f"the bus at {self._address} refuses: {refusal}") from None
        except ssl.SSLError as error:
            raise BadBus(f"the bus at {self._address} cannot be trusted: {error}") from None
        except (OSError, TimeoutError) as error:
            self._say_trouble(error)
        self._keeping = asyncio.create_task(self._keep(), name="bus")

    def send(self, to: str, message: bytes) -> bool:
        return self._publish(self._channel(to), message)

    def spread(self, message: bytes) -> bool:
        return self._publish(self._all, message)

    async def close(self) -> None:
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping
        if self._speaking is not None:
            await self._speaking.finish(_ANSWER_WITHIN)
        self._disconnect()
        self.trouble = "closed"

    # ------------------------------------------------------------ speaking and listening
    def _publish(self, channel: bytes, message: bytes) -> bool:
        line = self._speaking
        if line is not None and line.tell(command(b"PUBLISH", channel, self._signature + message)):
            return True
        self.dropped += 1
        return False

    def _channel(self, name: str) -> bytes:
        return self._prefix + b"to:" + name.encode()

    def _hear(self, reply: Reply) -> None:
        """`[b"message", channel, what one of us published]`, or the receipt of a subscription."""
        match reply:
            case [b"message", bytes(), bytes(message)] if message:
                after = 1 + message[0]
                sender = message[1:after].decode(errors="replace")
                if sender == self.me:
                    self._heard_myself = time.monotonic()
                else:
                    self._heard(sender, message[after:])
            case _:
                pass

    # ------------------------------------------------------------ being connected
    async def _keep(self) -> None:
        """Connect again, for ever, whenever the connection is gone or deaf."""
        pause = _FIRST_PAUSE
        while True:
            if self._speaking is not None:
                pause = _FIRST_PAUSE
                await self._while_connected()
                self._disconnect()
                self._say_trouble(ConnectionError("the connection was lost"))
            await asyncio.sleep(pause * _SCATTER.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)
            await self._try_to_connect()

    async def _while_connected(self) -> None:
        speaking, listening = self._speaking, self._listening
        assert speaking is not None and listening is not None
        while not (speaking.closed.done() or listening.closed.done()):
            self._publish(self._mine, b"")
            await asyncio.wait((speaking.closed, listening.closed), timeout=_CHECK_EVERY, return_when="FIRST_COMPLETED")
            if time.monotonic() - self._heard_myself > _DEAF_AFTER:
                return

    async def _try_to_connect(self) -> None:
        try:
            await self._connect()
        except (OSError, TimeoutError, Refused) as error:
            self._say_trouble(error)

    async def _connect(self) -> None:
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                await self._listen()
                await self._speak()
        except BaseException:
            self._disconnect()
            raise
        self._heard_myself = time.monotonic()
        if self.trouble:
            _log().info("bus.connected", address=str(self._address))
        self.trouble = ""

    async def _listen(self) -> None:
        line = self._listening = await connect(self._address)
        await line.ask(b"SUBSCRIBE", self._mine, self._all)
        line.hand_on = self._hear

    async def _speak(self) -> None:
        line = await connect(self._address)
        try:
            await line.ask(b"PUBLISH", self._mine, self._signature)  # it may not be allowed, and would not say so later
            line.tell(command(b"CLIENT", b"REPLY", b"OFF"))
        except BaseException:
            line.end()
            raise
        self._speaking = line

    def _disconnect(self) -> None:
        for line in (self._speaking, self._listening):
            if line is not None:
                line.end()
        self._speaking = self._listening = None

    def _say_trouble(self, error: Exception) -> None:
        said = str(error) or f"no answer within {_ANSWER_WITHIN:g} s"
        if not self.trouble or self.trouble == "not open yet":
            _log().warning("bus.away", address=str(self._address), reason=said)
        self.trouble = said


def _nobody(peer: str, message: bytes) -> None:
    """Hears nothing."""


def _log() -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger("branchline.bus")
    return logger
