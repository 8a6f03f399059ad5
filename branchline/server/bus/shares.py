"""Bounds that hold over all processes together: how often one may do something, and how much one may hold at once.

Each process decides by itself, at once, by what it has seen and what the others told. They tell every half second, and
sooner when somebody uses much. So a flood over several processes gets in a little more than a bound for a moment, and
pays for it afterwards; nobody is refused what is theirs. While the bus is away, each process counts alone.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from branchline.server.bus.links import Links

_TOPIC: Final = "shares"
_TELL_EVERY: Final = 0.5
_TELL_SOONEST: Final = 0.01
_SLICES: Final = 20  # all that is held is told again within so many times
_STALE_AFTER: Final = 3 * _SLICES * _TELL_EVERY  # it was given back, and the word of it was lost
_URGENT: Final = 4  # this part of one's share of a bound, used since the last word, is to be told soon
Clock = Callable[[], float]
_T = TypeVar("_T")


class Gossip(msgspec.Struct, array_like=True, gc=False):
    """By kind and key: what was used since the last word, and what is held now (changes, and a slice of the rest)."""

    used: dict[str, dict[str, float]]
    held: dict[str, dict[str, int]]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Gossip).decode


class Shared:
    """For each key a bucket of tokens: `burst` at once, `rate` a second in the long run, over all processes together.

    Of at most `keys`: the one unused for longest is forgotten.
    """

    def __init__(self, shares: Shares, kind: str, rate: float, burst: float, keys: int, clock: Clock) -> None:
        if rate <= 0 or burst < 1:
            raise ValueError("a bucket needs a rate above 0 and a burst of at least 1")
        self.kind, self.rate, self.burst, self.keys = kind, rate, burst, keys
        self._shares = shares
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when that was so
        self._untold: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, cost: float = 1.0) -> bool:
        """Whether `key` may do this now; if so, it is counted."""
        left = self._left(key)
        if left < cost:
            return False
        self._put(key, left - cost)
        if self._shares.has_others:
            self._untold[key] = untold = self._untold.get(key, 0.0) + cost
            self._shares.consider(untold, self.burst)
        return True

    def wait(self, key: str, cost: float = 1.0) -> float:
        """Seconds until `key` may do this."""
        return max(0.0, (cost - self._left(key)) / self.rate)

    def hear(self, used: dict[str, float]) -> None:
        """What others used is gone here too; one may owe, but never more than a whole bucket."""
        for key, amount in used.items():
            if 0 < amount < float("inf"):
                self._put(key, max(-self.burst, self._left(key) - amount))

    def tell(self) -> dict[str, float]:
        """What was used here since the last time this was asked."""
        untold, self._untold = self._untold, {}
        return untold

    def _left(self, key: str) -> float:
        left, at = self._buckets.get(key, (self.burst, 0.0))
        return min(self.burst, left + max(0.0, self._clock() - at) * self.rate)

    def _put(self, key: str, left: float) -> None:
        _remember(self._buckets, key, (left, self._clock()), self.keys)


class Held:
    """For each key a count of what it holds now, at most `most`, over all processes together."""

    def __init__(self, shares: Shares, kind: str, most: int, keys: int, clock: Clock) -> None:
        self.kind, self.most, self.keys = kind, most, keys
        self._shares = shares
        self._clock = clock
        self._mine: dict[str, int] = {}
        self._others: dict[str, OrderedDict[str, tuple[int, float]]] = {}  # by process: how many, and when told
        self._untold: dict[str, int] = {}  # by key: how often it changed since the last word
        self._to_tell_again: list[str] = []

    def enter(self, key: str) -> bool:
        """Whether `key` may hold one more; if so, it is counted until `leave`."""
        if self.count(key) >= self.most:
            return False
        self._mine[key] = self._mine.get(key, 0) + 1
        self._changed(key)
        return True

    def leave(self, key: str) -> None:
        left = self._mine[key] - 1
        if left:
            self._mine[key] = left
        else:
            del self._mine[key]
        self._changed(key)

    def count(self, key: str) -> int:
        """What this key holds, here and elsewhere."""
        return self._mine.get(key, 0) + sum(held[key][0] for held in self._others.values() if key in held)

    def hear(self, peer: str, held: dict[str, int]) -> None:
        now, theirs = self._clock(), self._others.setdefault(peer, OrderedDict())
        for key, count in held.items():
            if count > 0:
                _remember(theirs, key, (count, now), self.keys)
            else:
                theirs.pop(key, None)
        while theirs and now - next(iter(theirs.values()))[1] > _STALE_AFTER:  # the oldest word comes first
            theirs.popitem(last=False)

    def forget(self, peer: str) -> None:
        self._others.pop(peer, None)

    def tell(self) -> dict[str, int]:
        """What changed, and a slice of the rest, lest a lost word be wrong for ever."""
        if not self._to_tell_again:
            self._to_tell_again = list(self._mine)
        some = 1 + len(self._mine) // _SLICES
        again, self._to_tell_again = self._to_tell_again[:some], self._to_tell_again[some:]
        changed, self._untold = self._untold, {}
        return {key: self._mine.get(key, 0) for key in (*changed, *again)}

    def tell_all_next(self) -> None:
        self._untold |= dict.fromkeys(self._mine, 1)

    def _changed(self, key: str) -> None:
        if self._shares.has_others:
            self._untold[key] = untold = self._untold.get(key, 0) + 1
            self._shares.consider(untold, self.most)


class Shares:
    """All that is counted together with other processes, and the telling of it."""

    def __init__(self, links: Links, clock: Clock = time.monotonic) -> None:
        self.has_others = False
        self._links = links
        self._clock = clock
        self._buckets: dict[str, Shared] = {}
        self._holdings: dict[str, Held] = {}
        self._others: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._told_at = 0.0
        self._due = 0.0
        links.on_spread[_TOPIC] = self._hear

    def buckets(self, kind: str, rate: float, burst: float, keys: int = 10_000) -> Shared:
        """`kind` is what they are called in all processes."""
        assert kind not in self._buckets, f"there are buckets called {kind} already"
        made = self._buckets[kind] = Shared(self, kind, rate, burst, keys, self._clock)
        return made

    def holdings(self, kind: str, most: int, keys: int = 100_000) -> Held:
        """`keys` bounds what is kept of each other process; what is held here is kept anyway."""
        assert kind not in self._holdings, f"there are holdings called {kind} already"
        made = self._holdings[kind] = Held(self, kind, most, keys, self._clock)
        return made

    def start(self) -> None:
        """Tell from now on; the links are open."""
        self._tell()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def consider(self, untold: float, bound: float) -> None:
        """Tell sooner if one key has used much of what this process may use without a word."""
        if untold >= max(1.0, bound / (_URGENT * (1 + len(self._others)))):
            self._tell_by(self._told_at + _TELL_SOONEST)

    # ------------------------------------------------------------ telling and hearing
    def _tell(self) -> None:
        self._expire()
        gossip = Gossip(
            {kind: used for kind, each in self._buckets.items() if (used := each.tell())},
            {kind: held for kind, each in self._holdings.items() if (held := each.tell())},
        )
        self._links.spread(_encode(gossip), _TOPIC)
        self._told_at = time.monotonic()
        self._timer = None
        self._tell_by(self._told_at + _TELL_EVERY)

    def _tell_by(self, due: float) -> None:
        if self._timer is not None:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = asyncio.get_running_loop().call_later(max(0.0, due - time.monotonic()), self._tell)

    def _hear(self, peer: str, body: bytes) -> None:
        try:
            gossip = _decode(body)
        except msgspec.DecodeError:
            return
        if peer not in self._others:
            self._meet(peer)
        for kind, used in gossip.used.items():
            if kind in self._buckets:
                self._buckets[kind].hear(used)
        for kind, held in gossip.held.items():
            if kind in self._holdings:
                self._holdings[kind].hear(peer, held)

    def _meet(self, peer: str) -> None:
        """Somebody new knows nothing yet of what is held here."""
        self._others.add(peer)
        self.has_others = True
        for each in self._holdings.values():
            each.tell_all_next()

    def _expire(self) -> None:
        """A process that is gone, or silent for seconds, holds nothing."""
        for peer in self._others.difference(self._links.peers):
            self._others.discard(peer)
            for each in self._holdings.values():
                each.forget(peer)
        self.has_others = bool(self._others)


def _remember(kept: OrderedDict[str, _T], key: str, value: _T, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)


@functools.lru_cache(maxsize=4096)
def address_key(host: str) -> str:
    """Whom to count by: an IPv4 address; of IPv6 the /64, which is one household or one rented machine."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0].strip("[]"))
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))
