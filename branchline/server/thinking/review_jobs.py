"""What the processes that review finished games do: one part of a review each time, so that its progress shows.

What runs in a process imports neither the web framework nor the store.
"""

from __future__ import annotations

import gzip
import json

from branchline.record import read_game
from branchline.review import FULL, Part, Work, begin, judge_part, put_together

ZIPPED = 5


def prepare() -> None:
    """Be ready to review: that needs the compiled kernel and the network."""
    from branchline.bots import make_bot

    make_bot("search", 0)  # it loads what it needs


def begin_review(text: str) -> tuple[bytes, list[Work]]:
    """What can be told at once of a game, as JSON, and the work that is left, piece by piece."""
    beginning, work = begin(read_game(text, source="the game"), FULL)
    return json.dumps(beginning).encode(), work


def review_part(text: str, work: Work) -> Part:
    """One piece of the work."""
    return judge_part(read_game(text, source="the game"), work)


def end_review(text: str, parts: list[Part]) -> tuple[bytes, str]:
    """The whole review as JSON, packed, and what statistics need of it."""
    review = put_together(read_game(text, source="the game"), FULL, parts)
    told = review.to_json()
    return gzip.compress(json.dumps(told).encode(), ZIPPED, mtime=0), json.dumps(told["players"])
