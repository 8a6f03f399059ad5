"""What the processes that review finished games do: one piece of a review each time, so that its progress shows.

What they need is loaded there and not in the service: it is the network, the compiled bots and a hundred megabytes.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING

from branchline.extras import one_thread_for_sums

if TYPE_CHECKING:
    from branchline.review.curve import Point
    from branchline.review.model import Judged
    from branchline.review.moments import Played

AT_ONCE = 4  # moves of a piece
ZIPPED = 5


def prepare() -> None:
    """Be ready to review: that needs the compiled kernel and the network."""
    one_thread_for_sums()
    from branchline.bots import make_bot

    make_bot("search", 0)  # it loads what it needs


@lru_cache(maxsize=2)
def _played(text: str) -> Played:
    from branchline.record import read_game
    from branchline.review.moments import play_again

    return play_again(read_game(text, source="the game"))


@lru_cache(maxsize=2)
def _curve(text: str) -> tuple[Point, ...]:
    from branchline.review.curve import curve_of
    from branchline.review.settings import FULL

    return curve_of(_played(text), FULL, 0)


def begin_review(text: str) -> tuple[bytes, list[range]]:
    """The curve of a game as JSON, which can be told at once, and which moves are still to be judged, in pieces."""
    moves = len(_played(text).moments)
    pieces = [range(first, min(first + AT_ONCE, moves)) for first in range(0, moves, AT_ONCE)]
    return json.dumps([asdict(point) for point in _curve(text)]).encode(), pieces


def review_piece(text: str, piece: range) -> list[Judged]:
    """What is said of some moves."""
    from branchline.review.making import judge_moment
    from branchline.review.open_cards import moments_shown
    from branchline.review.settings import FULL

    played = _played(text)
    shown = moments_shown(played, FULL)
    return [judge_moment(played.moments[n], FULL, 0, played.moments[n] in shown) for n in piece]


def end_review(text: str, found: list[list[Judged]]) -> tuple[bytes, str]:
    """The whole review as JSON, packed, and what statistics need of it."""
    from branchline.review.making import put_together
    from branchline.review.settings import FULL

    judged = [one for piece in found for one in piece]
    told = put_together(_played(text), FULL, _curve(text), judged).to_json()
    return gzip.compress(json.dumps(told).encode(), ZIPPED, mtime=0), json.dumps(told["players"])


def made_by() -> str:
    """Which code and which weights make reviews here."""
    from branchline.review.making import made_by

    return made_by()
