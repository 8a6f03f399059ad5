"""Limits: how often somebody may ask, and what a message may look like before anybody reads it."""

from __future__ import annotations

import json
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final

_SAFE_NUMBER: Final = 1 << 53  # a browser holds no larger whole number exactly
_MOST_DIGITS: Final = 25  # of a number as it is written
# A string, or a bracket. A string without an end reaches to the end of the text, so that no place is looked at twice.
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


class Bucket:
    """A token bucket: `burst` at once, `rate` a second in the long run."""

    __slots__ = ("_at", "_clock", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        if rate <= 0 or burst < 1:
            raise ValueError("a bucket needs a rate above 0 and a burst of at least 1")
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self, cost: float = 1.0) -> bool:
        """Whether this may be done now; if so, it is counted."""
        self._fill()
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until this may be done."""
        self._fill()
        return max(0.0, (cost - self._left) / self.rate)

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self.burst, self._left + max(0.0, now - self._at) * self.rate)
        self._at = now


class Limits:
    """A bucket for each key, of at most `keys`: the one unused for longest is forgotten."""

    def __init__(
        self, rate: float, burst: float, *, keys: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.keys = keys
        self._clock = clock
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: Hashable, cost: float = 1.0) -> bool:
        """Whether `key` may do this now; if so, it is counted."""
        return self._bucket(key).take(cost)

    def wait(self, key: Hashable, cost: float = 1.0) -> float:
        """Seconds until `key` may do this."""
        return self._bucket(key).wait(cost)

    def _bucket(self, key: Hashable) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self.rate, self.burst, self._clock)
            if len(self._buckets) > self.keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket


# --- messages -----------------------------------------------------------------------------------------------


class BadFrame(ValueError):
    """A message that is not read; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def loads_frame(text: str | bytes, max_bytes: int = 4096, max_depth: int = 4) -> dict[str, Any]:
    """The JSON object a message holds; raises `BadFrame` and nothing else, whatever the message is."""
    words = _decoded(text, max_bytes)
    if _depth(words) > max_depth:
        raise BadFrame(f"nested more than {max_depth} deep")
    try:
        value = json.loads(
            words, object_pairs_hook=_object, parse_int=_whole, parse_float=_float, parse_constant=_constant
        )
        if "\\u" in words:  # half a character can be written this way only
            json.dumps(value, ensure_ascii=False).encode()
    except (json.JSONDecodeError, RecursionError):
        raise BadFrame("not JSON") from None
    except UnicodeEncodeError:
        raise BadFrame("half a character") from None
    if not isinstance(value, dict):
        raise BadFrame("not an object")
    return value


def _decoded(text: str | bytes, max_bytes: int) -> str:
    if len(text) > max_bytes:
        raise BadFrame(f"over {max_bytes} bytes")
    try:
        if isinstance(text, bytes):
            return text.decode()
        if not text.isascii() and len(text.encode()) > max_bytes:
            raise BadFrame(f"over {max_bytes} bytes")
        return text
    except UnicodeError:
        raise BadFrame("not UTF-8 text") from None


def _depth(text: str) -> int:
    """How deep lists and objects stand in one another, without building them."""
    deepest = depth = 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        depth += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadFrame("a key is written twice")
    return found


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS or abs(int(text)) > _SAFE_NUMBER:
        raise BadFrame("a number is too large")
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or len(text) > _MOST_DIGITS:
        raise BadFrame("a number is too large")
    return number


def _constant(text: str) -> float:
    raise BadFrame(f"{text} is not a number")
