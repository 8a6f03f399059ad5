"""What processes say to each other over a bus that may lose anything: calls, posts in order, words to all.

All that one process sends another is one numbered row. The other notices what is missing from it, also of the end,
since each process tells every second how far its rows go. Nothing is sent again: who missed something asks anew.
What goes to one process within one turn of the event loop is one message.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
import structlog

from branchline.server.bus.contract import Bus

_LOST_AFTER: Final = 5  # beats without a word
_FORGOTTEN_AFTER: Final = 60  # beats without a word in either direction
_POST, _CALL, _ANSWER, _NO_ANSWER = range(4)
_Item = tuple[int, int, bytes]  # kind, number of the call, body


class Unreachable(Exception):
    """No answer came: whether the other did what it was asked to is not known."""


class Parcel(msgspec.Struct, array_like=True, tag=0, gc=False):
    """What one process says to another within one turn: the number of the first, and all of them."""

    life: int
    first: int
    items: list[_Item]


class Spread(msgspec.Struct, array_like=True, tag=1, gc=False):
    """What one process says to all others, and for which part of theirs it is."""

    topic: str
    body: bytes


class Beat(msgspec.Struct, array_like=True, tag=2, gc=False):
    """A process lives; the last number it sent to each of the others."""

    life: int
    last: dict[str, int]


class Farewell(msgspec.Struct, array_like=True, tag=3, gc=False):
    """A process ends in good order."""


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Parcel | Spread | Beat | Farewell).decode


class Counts(msgspec.Struct, gc=False):
    """For the metrics."""

    sent: int = 0  # messages to one other, each with one or more items
    items_sent: int = 0
    received: int = 0  # messages
    gaps: int = 0
    lost: int = 0  # peers
    unreachable: int = 0  # calls
    garbled: int = 0


class _Peer:
    """Another process: how far the rows to it and from it go."""

    __slots__ = ("heard", "last_sent", "life", "lives", "next", "outbox", "spoken")

    def __init__(self, now: float) -> None:
        self.life = 0  # which life of that process its row belongs to; 0: not known
        self.lives = False  # heard of, and not lost since
        self.next = 1  # number in its row to us
        self.last_sent = 0  # number in our row to it
        self.heard = now
        self.spoken = now
        self.outbox: list[_Item] = []


async def _no_handler(peer: str, body: bytes) -> bytes:
    raise NotImplementedError("this process answers no calls")


def _ignore(*_: object) -> None:
    """Nobody wants to know."""


class Links:
    """The ends, in this process, of its links with all others. Set the `on_…` before `open`."""

    def __init__(self, bus: Bus, beat: float = 1.0) -> None:
        self.bus = bus
        self.counts = Counts()
        self.on_call: Callable[[str, bytes], Awaitable[bytes]] = _no_handler
        self.on_post: Callable[[str, bytes], object] = _ignore
        self.on_spread: dict[str, Callable[[str, bytes], object]] = {}  # by topic
        self.on_gap: Callable[[str], object] = _ignore  # something from this peer was lost, or all it held is
        self.on_lost: Callable[[str], object] = _ignore  # this peer is silent: it may be gone
        self._beat_every = beat
        self._life = secrets.randbits(62) + 1
        self._peers: dict[str, _Peer] = {}
        self._full: list[str] = []  # peers with something in their outbox
        self._calls: dict[int, tuple[str, asyncio.Future[bytes | None]]] = {}
        self._called = 0
        self._answering: set[asyncio.Task[None]] = set()
        self._ticking: asyncio.TimerHandle | None = None
        self._tick_due = 0.0

    @property
    def me(self) -> str:
        return self.bus.me

    @property
    def dropped(self) -> int:
        """Messages that the bus did not even take."""
        return self.bus.dropped

    @property
    def peers(self) -> list[str]:
        """All other processes heard of in the last seconds."""
        return [name for name, peer in self._peers.items() if peer.lives]

    # ------------------------------------------------------------ opening and closing
    async def open(self) -> None:
        await self.bus.open(self._hear)
        self._tick_due = time.monotonic()
        self._tick()

    async def close(self) -> None:
        """Say what is to be said, and that this process ends."""
        if self._ticking is not None:
            self._ticking.cancel()
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)
        self._flush()
        self.bus.spread(_encode(Farewell()))
        await self.bus.close()
        for number in list(self._calls):
            self._answered(number, None)

    # ------------------------------------------------------------ speaking
    def post(self, to: str, body: bytes) -> None:
        """One way; what is lost, the other notices."""
        assert to != self.me, "a process need not write to itself"
        self._put(to, (_POST, 0, body))

    def spread(self, body: bytes, topic: str = "") -> None:
        """To all others, whoever they are; what is lost, nobody notices."""
        self.bus.spread(_encode(Spread(topic, body)))

    async def call(self, to: str, body: bytes, seconds: float) -> bytes:
        """The other's answer; raises `Unreachable`. Never sent twice: who tries again says so in the body."""
        assert to != self.me, "a process need not call itself"
        loop = asyncio.get_running_loop()
        self._called = number = self._called + 1
        future: asyncio.Future[bytes | None] = loop.create_future()
        self._calls[number] = to, future
        self._put(to, (_CALL, number, body))
        timer = loop.call_later(seconds, self._answered, number, None)
        try:
            answer = await future
        finally:
            timer.cancel()
            self._calls.pop(number, None)
        if answer is None:
            self.counts.unreachable += 1
            raise Unreachable(f"no answer from {to}")
        return answer

    def _put(self, to: str, item: _Item) -> None:
        peer = self._peer(to)
        if not peer.outbox:
            if not self._full:
                asyncio.get_running_loop().call_soon(self._flush)
            self._full.append(to)
        peer.outbox.append(item)

    def _flush(self) -> None:
        full, self._full = self._full, []
        now = time.monotonic()
        for name in full:
            peer = self._peer(name)
            items, peer.outbox = peer.outbox, []
            peer.spoken = now
            self._send(name, peer, items)

    def _send(self, name: str, peer: _Peer, items: list[_Item]) -> None:
        message = _encode(Parcel(self._life, peer.last_sent + 1, items))
        peer.last_sent += len(items)
        if self.bus.send(name, message):
            self.counts.sent += 1
            self.counts.items_sent += len(items)
        else:
            for kind, number, _ in items:
                if kind == _CALL:
                    self._answered(number, None)

    # ------------------------------------------------------------ hearing
    def _hear(self, name: str, message: bytes) -> None:
        self.counts.received += 1
        try:
            said = _decode(message)
        except msgspec.DecodeError:
            self.counts.garbled += 1
            return
        if isinstance(said, Farewell):
            self._lose(name)
            return
        peer = self._peer(name)
        peer.heard, peer.lives = time.monotonic(), True
        match said:
            case Parcel():
                self._follow(name, peer, said.life, said.first)
                peer.next = said.first + len(said.items)
                self._open_parcel(name, said.items)
            case Beat():
                last = said.last.get(self.me, 0)
                self._follow(name, peer, said.life, last + 1)
                peer.next = last + 1
            case Spread():
                self._tell(self.on_spread.get(said.topic, _ignore), name, said.body)

    def _follow(self, name: str, peer: _Peer, life: int, number: int) -> None:
        """Notice what is missing before this number, or that the other began anew."""
        began_anew = peer.life not in (0, life)
        peer.life = life
        if began_anew or number != peer.next:
            self.counts.gaps += 1
            self._tell(self.on_gap, name)

    def _open_parcel(self, name: str, items: list[_Item]) -> None:
        for kind, number, body in items:
            if kind == _POST:
                self._tell(self.on_post, name, body)
            elif kind == _CALL:
                self._start_answering(name, number, body)
            else:
                self._answered(number, body if kind == _ANSWER else None)

    def _answered(self, number: int, body: bytes | None) -> None:
        """None: no answer will come."""
        _, future = self._calls.get(number, (None, None))
        if future is not None and not future.done():
            future.set_result(body)

    def _start_answering(self, name: str, number: int, body: bytes) -> None:
        task = asyncio.create_task(self._answer(name, number, body))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, name: str, number: int, body: bytes) -> None:
        try:
            self._put(name, (_ANSWER, number, await self.on_call(name, body)))
        except Exception:
            _log().exception("link.call_failed", peer=name)
            self._put(name, (_NO_ANSWER, number, b""))

    def _tell(self, handler: Callable[..., object], *what: object) -> None:
        """An error of who is told is ours to see, and must not stop what else there is to hear."""
        try:
            handler(*what)
        except Exception:
            _log().exception("link.handler_failed", handler=getattr(handler, "__name__", "?"))

    # ------------------------------------------------------------ who is there
    def _tick(self) -> None:
        now = time.monotonic()
        asleep = now - self._tick_due
        self._tick_due = now + self._beat_every
        self._ticking = asyncio.get_running_loop().call_later(self._beat_every, self._tick)
        last = {name: peer.last_sent for name, peer in self._peers.items() if peer.last_sent}
        self.bus.spread(_encode(Beat(self._life, last)))
        self._look_for_lost(now, asleep if asleep > self._beat_every else 0.0)

    def _look_for_lost(self, now: float, asleep: float) -> None:
        """While this process slept (stopped, or its machine), it could hear nobody: that is not their silence."""
        for name, peer in list(self._peers.items()):
            peer.heard = min(now, peer.heard + asleep)
            silent = (now - peer.heard) / self._beat_every
            if peer.lives and silent > _LOST_AFTER:
                self._lose(name)
            elif (
                silent > _FORGOTTEN_AFTER
                and now - peer.spoken > _FORGOTTEN_AFTER * self._beat_every
                and not peer.outbox
            ):
                del self._peers[name]

    def _lose(self, name: str) -> None:
        """Its row is no longer followed: what comes of it later, after a gap, begins with a gap."""
        peer = self._peers.get(name)
        if peer is None or not peer.lives:
            return
        peer.lives, peer.life, peer.next = False, 0, 1
        for number, (to, _) in list(self._calls.items()):
            if to == name:
                self._answered(number, None)
        self.counts.lost += 1
        self._tell(self.on_lost, name)

    def _peer(self, name: str) -> _Peer:
        peer = self._peers.get(name)
        if peer is None:
            peer = self._peers[name] = _Peer(time.monotonic())
        return peer


def _log() -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger("branchline.bus")
    return logger
