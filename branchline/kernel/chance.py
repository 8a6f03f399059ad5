"""Chance: counter-based random numbers, the same on every back end, and shuffles that tests can rig.

A number is a function of a key and a counter and of nothing else. Words have 63 bits, so that signed
64-bit arithmetic and Python's own agree to the last bit.
"""

from __future__ import annotations

from branchline.kernel.primitives import kernel, times

GOLDEN = 0x1E3779B97F4A7C15
MIX_1 = 0x3F58476D1CE4E5B9
MIX_2 = 0x14D049BB133111EB
RETRY = 1 << 32


@kernel
def mix(x: int) -> int:
    """Scramble a 63-bit word; every input bit reaches every output bit."""
    x = times(x ^ (x >> 30), MIX_1)
    x = times(x ^ (x >> 27), MIX_2)
    return x ^ (x >> 31)


@kernel
def stream_key(seed: int, stream: int, n: int) -> int:
    """The key of the n-th use of a stream."""
    return mix(mix(seed ^ times(stream, GOLDEN)) ^ times(n + 1, GOLDEN))


@kernel
def below(key: int, i: int, n: int) -> int:
    """The i-th number of a key, uniform in 0 .. n - 1, without bias."""
    product = (mix(key ^ times(i + 1, GOLDEN)) >> 31) * n
    if (product & 0xFFFFFFFF) < n:
        floor = 0x100000000 % n
        while (product & 0xFFFFFFFF) < floor:
            i += RETRY
            product = (mix(key ^ times(i + 1, GOLDEN)) >> 31) * n
    return product >> 32


@kernel
def shuffle(cards: list[int], n: int, key: int) -> None:
    """Fisher and Yates over the first n cards."""
    for i in range(n - 1, 0, -1):
        j = below(key, i, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def arrange(cards: list[int], n: int, rig: list[int], first: int, last: int) -> int:
    """Bring the cards rig[first:last] to the top, in that order; the top is cards[n - 1]. 1 if one is missing."""
    for k in range(first, last):
        top = n - 1 - (k - first)
        j = top
        while j >= 0 and cards[j] != rig[k]:
            j -= 1
        if j < 0:
            return 1
        cards[j] = cards[top]
        cards[top] = rig[k]
    return 0
