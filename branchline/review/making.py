"""Makes a review: the curve first, then every decision and every event of chance, each by itself.

As each follows from its own view, setting and seed, they can be shared out over processes, in any order.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from typing import TypeAlias

from branchline.bots.net.player import network_file
from branchline.record import Record
from branchline.review.curve import Point, curve_of
from branchline.review.decisions import decide
from branchline.review.luck import luck_of
from branchline.review.model import AT_HOME, FORMAT, PLAYED_OUT, Judged, Review, review_of
from branchline.review.moments import Moment, Played, play_again
from branchline.review.open_cards import moments_shown, opened
from branchline.review.settings import FULL, Setting
from branchline.review.worlds import judge_of
from branchline.version import __version__

CODE = 1  # one more whenever the same game would get another review


@dataclass(frozen=True)
class Progress:
    """So many of so many moves are judged; the curve comes first, with none of them."""

    done: int
    moves: int
    curve: tuple[Point, ...]


OnProgress: TypeAlias = Callable[[Progress], None]


def review(
    record: Record,
    *,
    setting: Setting = FULL,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    processes: int = 1,
) -> Review:
    """The review of a finished game. NotOver or TooLong, and the `Fault` of a record that cannot have happened."""
    played = play_again(record)
    tell = on_progress or (lambda progress: None)
    curve = curve_of(played, setting, seed)
    count = len(played.moments)
    tell(Progress(0, count, curve))
    found: list[Judged] = []
    for judged in _judged(played, setting, seed, processes):
        found.append(judged)
        tell(Progress(len(found), count, curve))
    return put_together(played, setting, curve, found)


def put_together(played: Played, setting: Setting, curve: tuple[Point, ...], found: Sequence[Judged]) -> Review:
    """The review, when all moves are judged."""
    return review_of(played, setting, _judge(played), curve, found)


def made_by() -> str:
    """Which code and which weights make reviews here: what they made stays good as long as these do."""
    weights = _digest(str(network_file())) if network_file().exists() else "none"
    return f"{FORMAT} {__version__} {CODE} {weights}"


def judge_moment(moment: Moment, setting: Setting, seed: int, is_shown: bool = False) -> Judged:
    """What is said of one move; with open cards too where it is one of those to be shown."""
    cards = opened(moment, setting, seed) if is_shown else None
    return Judged(decide(moment, setting, seed), luck_of(moment, setting, seed), cards)


def _judged(played: Played, setting: Setting, seed: int, processes: int) -> Iterator[Judged]:
    if processes <= 1:
        shown = {moment.number for moment in moments_shown(played, setting)}
        yield from (judge_moment(moment, setting, seed, moment.number in shown) for moment in played.moments)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_keep, initargs=(played.record,)) as pool:
        yield from pool.map(partial(_nth, setting, seed), range(len(played.moments)), chunksize=1)


_KEPT: list[Record] = []


def _keep(record: Record) -> None:
    """In a process of its own: the record of which it is asked for moves."""
    _KEPT[:] = [record]


@lru_cache(maxsize=1)
def _kept() -> Played:
    return play_again(_KEPT[0])


def _nth(setting: Setting, seed: int, n: int) -> Judged:
    moment = _kept().moments[n]
    return judge_moment(moment, setting, seed, moment in moments_shown(_kept(), setting))


def _judge(played: Played) -> tuple[str, str]:
    if judge_of(played.record.map) is None:
        return "", PLAYED_OUT
    return _digest(str(network_file())), AT_HOME


@lru_cache(maxsize=4)
def _digest(path: str) -> str:
    """Which weights they were."""
    with open(path, "rb") as file:
        return blake2b(file.read(), digest_size=8).hexdigest()
