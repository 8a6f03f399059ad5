"""Limits: nobody asks faster than allowed, and no message is read that could do harm."""

from __future__ import annotations

import json
import random
import time

import pytest

from branchline.server.transport.limits import BadFrame, Bucket, Limits, loads_frame


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


# ---------------------------------------------------------------- how often


def test_a_bucket_allows_a_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(2, 5, clock)
    assert [bucket.take() for _ in range(7)] == [True] * 5 + [False] * 2
    assert bucket.wait() == pytest.approx(0.5)
    clock.now += 0.5
    assert bucket.wait() == 0
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000
    assert [bucket.take() for _ in range(7)] == [True] * 5 + [False] * 2
    clock.now += 1
    assert not bucket.take(3)
    assert bucket.take(2)


def test_a_clock_that_steps_back_gives_nothing() -> None:
    clock = Clock()
    bucket = Bucket(1, 1, clock)
    assert bucket.take()
    clock.now -= 50
    assert not bucket.take()


def test_in_the_long_run_the_rate_holds() -> None:
    clock, rng, taken = Clock(), random.Random(2), 0
    bucket = Bucket(10, 20, clock)
    for _ in range(20_000):
        clock.now += rng.random() * 0.02
        taken += bucket.take()
    assert taken <= 20 + 10 * (clock.now - 100)
    assert taken > 0.98 * 10 * (clock.now - 100)


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0)])
def test_a_bucket_that_never_allows_anything_is_refused(rate: float, burst: float) -> None:
    with pytest.raises(ValueError, match="bucket"):
        Bucket(rate, burst)


def test_keys_do_not_share_a_bucket() -> None:
    limits = Limits(1, 2, clock=Clock())
    assert [limits.take("ada") for _ in range(3)] == [True, True, False]
    assert limits.take("bo")
    assert limits.wait("ada") == pytest.approx(1)


def test_the_key_unused_for_longest_is_forgotten() -> None:
    limits = Limits(1, 1, keys=3, clock=Clock())
    for key in ("a", "b", "c", "a", "d"):
        limits.take(key)
    assert len(limits) == 3
    assert [limits.take(key) for key in ("a", "c", "d", "b")] == [False, False, False, True]
    for n in range(1000):
        limits.take(n)
    assert len(limits) == 3


# ---------------------------------------------------------------- what a message looks like


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"t": "move", "seq": 7, "cid": "a-1", "lines": ["claim paris-zurich-1 blue", "locos 2"]},
        {"a": {"b": {"c": [1, 2.5, -3, True, None, "é 🚂 \" \\ [[[[[ {{{{{"]}}},
        {"n": 1 << 53, "m": -(1 << 53), "x": 1e-300},
    ],
)  # fmt: skip
def test_a_good_message_is_read(value: object) -> None:
    assert loads_frame(json.dumps(value)) == value
    assert loads_frame(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a": 1} x', "not JSON"),
        ("\ufeff{}", "not JSON"),
        ("[]", "not an object"),
        ("7", "not an object"),
        ("null", "not an object"),
        (b'{"a": "\xff"}', "not UTF-8 text"),
        ('{"a": "\ud800é"}', "not UTF-8 text"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
        ('{"a": 1, "a": 1}', "a key is written twice"),
        ('{"a": {"b": 1, "b": 2}}', "a key is written twice"),
        ('{"a": 9007199254740993}', "a number is too large"),
        ('{"a": -9007199254740993}', "a number is too large"),
        ('{"a": ' + "9" * 4000 + "}", "a number is too large"),
        ('{"a": 1e999}', "a number is too large"),
        ('{"a": 0.' + "1" * 100 + "}", "a number is too large"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": -Infinity}', "-Infinity is not a number"),
        ('{"a": [[[[]]]]}', "nested more than 4 deep"),
        ('{"a":' * 5 + "1" + "}" * 5, "nested more than 4 deep"),
        ("[" * 4000, "nested more than 4 deep"),
        ('{"a": "' + "x" * 4096 + '"}', "over 4096 bytes"),
        ('{"a": "' + "é" * 2100 + '"}', "over 4096 bytes"),
        (b"x" * 5000, "over 4096 bytes"),
    ],
)
def test_a_bad_message_is_refused_with_a_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(BadFrame) as refused:
        loads_frame(text)
    assert refused.value.reason == reason


def test_the_limits_can_be_set() -> None:
    deep = '{"a": [[[[1]]]]}'
    assert loads_frame(deep, max_depth=5) == {"a": [[[[1]]]]}
    assert len(loads_frame('{"a": "' + "x" * 5000 + '"}', max_bytes=6000)["a"]) == 5000


def test_no_message_fails_in_another_way() -> None:
    rng = random.Random("frames")
    good = json.dumps({"t": "move", "lines": ["draw 1", "x"], "n": {"a": [1.5, -2, None, True, "é"]}})
    for _ in range(5000):
        text = bytearray(good.encode())
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = rng.choice([b'"', b"\\", b"{", b"]", b"\xff", b"\\u", b"9" * 30, b":"])
        try:
            assert isinstance(loads_frame(bytes(text)), dict)
        except BadFrame as bad:
            assert bad.reason


@pytest.mark.parametrize("piece", ['\\"', '"', "\\", '"\\', "[", "{", '{"a":', "\\u", "9", "-", '"a",'])
def test_no_message_takes_long(piece: str) -> None:
    for opening in ("", '"', '{"', '{"a":"', "{", "["):
        text = (opening + piece * 200_000)[: 64 << 10]
        began = time.perf_counter()
        with pytest.raises(BadFrame):
            loads_frame(text, max_bytes=64 << 10)
        assert time.perf_counter() - began < 0.5
