"""What is asked of the compiled bots, and with what: one record for all that they can do (compiled/entry.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from branchline.bots.kernel import I64, SEATS, Flat

# What can be asked; each is a function that says which fields it reads.
SERIES, CHOOSE, ROLLOUTS, FOLLOW, CLAIMS, TICKET_BINS, SAMPLE, NOTE, ANSWER = range(9)

CANDIDATES = 112  # codes that can be tried at once


class Request(Flat):
    """The numbers of a request. What it does not need stands as it stood."""

    entries: Annotated[list[int], I64, SEATS]  # the bots of a series, in the order in which they were entered
    bots: Annotated[list[int], I64, SEATS]  # the bots at the seats of a game
    codes: Annotated[list[int], I64, CANDIDATES]  # candidates
    codes_n: Annotated[int, I64]
    seed: Annotated[int, I64]  # of a series, a game, a bot or a search
    players: Annotated[int, I64]
    first: Annotated[int, I64]  # the number of the first game of a series, world of a search, or position to answer
    games: Annotated[int, I64]
    rotate: Annotated[int, I64]  # 1: all move one seat on from game to game
    log_n: Annotated[int, I64]  # codes that are written into the log, or that stand in it
    seat: Annotated[int, I64]  # who chooses, or searches
    bot: Annotated[int, I64]  # the bot there
    others: Annotated[int, I64]  # the bot at all other seats
    choice: Annotated[int, I64]  # how many choices the bot has made before
    worlds: Annotated[int, I64]
    turns: Annotated[int, I64]  # that are played on
    most: Annotated[int, I64]  # codes of a line, or rows of samples
    one_in: Annotated[int, I64]  # a sample is taken at one turn in so many
    chaos: Annotated[int, I64]  # and one choice in so many is made by chance


def request(**fields: int | Sequence[int]) -> Request:
    """A request with these fields, for functions that are not compiled."""
    found = Request()
    for name, value in fields.items():
        if isinstance(value, int):
            setattr(found, name, value)
        else:
            getattr(found, name)[: len(value)] = value
    return found
