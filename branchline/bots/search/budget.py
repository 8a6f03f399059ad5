"""What a search may spend: seconds, or a number of tries."""

from __future__ import annotations

import time

from branchline.bots.rollout.race import RESERVE, RESERVE_MOST, RESERVE_S

GAMES_A_SECOND = 160  # of the budget's games a task holds at once: a pass over them is a small part of it
MOST_GAMES, LEAST_GAMES = 48, 8
FADES = 0.9  # a pass that the machine held up is forgotten by and by


# From so many seconds on a game goes on for so many own turns until it is judged. Later judgements are better ones, but
# there is more chance in them, and each takes as much longer.
ROUNDS = ((2.0, 5), (0.6, 4), (0.08, 3), (0.0, 2))
A_SECOND = 400  # tries that stand for a second


class Clock:
    """A budget in seconds; a pass over many games must end before it is up."""

    def __init__(self, start: float, seconds: float) -> None:
        self._begin = start
        self._end = start + seconds - min(seconds * RESERVE + RESERVE_S, seconds * RESERVE_MOST)
        self._pass = 0.0
        self._task = 0.0
        self.rounds = rounds_in(seconds)
        self.games = int(min(MOST_GAMES, max(LEAST_GAMES, seconds * GAMES_A_SECOND)))

    def note_pass(self, seconds: float) -> None:
        """A pass over the games of a task took so long."""
        self._pass = max(seconds, FADES * self._pass)

    def note(self, tries: int, seconds: float) -> None:
        """So many tries have been made by now; the last task took so long."""
        self._task = seconds

    def fitting(self, worlds: int) -> int:
        """How many of the worlds of a task can still be tried, if it takes as long as the last."""
        left = self._end - time.perf_counter()
        return worlds if self._task <= left else int(worlds * max(0.0, left) / self._task)

    @property
    def wait(self) -> float | None:
        """Seconds until the end."""
        return max(0.0, self._end - time.perf_counter())

    @property
    def used(self) -> float:
        """The part that is spent."""
        return (time.perf_counter() - self._begin) / max(1e-6, self._end - self._begin)

    @property
    def is_up(self) -> bool:
        """Whether one more pass would end too late."""
        return time.perf_counter() + self._pass >= self._end


class Count:
    """A budget in tries; what is done with it does not depend on the time, nor on the threads."""

    is_up = False
    wait = None
    games = MOST_GAMES

    def __init__(self, tries: int) -> None:
        self._most = tries
        self.rounds = rounds_in(tries / A_SECOND)
        self._done = 0

    def note_pass(self, seconds: float) -> None:
        """That does not matter here."""

    def note(self, tries: int, seconds: float) -> None:
        """So many tries have been made by now."""
        self._done = tries

    def fitting(self, worlds: int) -> int:
        """All of them."""
        return worlds

    @property
    def used(self) -> float:
        return self._done / self._most

    @property
    def left(self) -> int:
        return self._most - self._done


Budget = Clock | Count


def rounds_in(seconds: float) -> int:
    """Own turns to come until the network judges, for a budget of so many seconds."""
    return next(rounds for least, rounds in ROUNDS if seconds >= least)
