"""A contest is run: its missing games are handed out to threads, processes or machines, its deals kept as they come."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Protocol

import numpy as np

from branchline.arena.contest import MOST_DEALS, Contest, Entrant
from branchline.arena.playing import CHUNK, GameResult, Job, Means, play_job
from branchline.arena.results import DealResult, Ledger
from branchline.arena.statistics import Numbers
from branchline.arena.summary import share_of
from branchline.bots import make_bot
from branchline.bots.warm import warm
from branchline.simulation.series import cores

MOST_PROCESSES = 1024

OnGames = Callable[[int], None]


class Workers(Protocol):
    """Whoever plays jobs, several at a time."""

    many: int

    def submit(self, job: Job) -> Future[list[GameResult]]: ...

    def stop(self) -> None:
        """Let go of what is still being played."""


class Threads:
    """For compiled bots: the kernel does not hold Python's lock."""

    def __init__(self, contest: Contest, means: Means, many: int) -> None:
        self.many = many
        self._contest, self._means = contest, means
        self._pool = ThreadPoolExecutor(many)

    def submit(self, job: Job) -> Future[list[GameResult]]:
        return self._pool.submit(play_job, self._contest, self._means, job)

    def stop(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Here:
    """One job after the other, in this process."""

    many = 1

    def __init__(self, contest: Contest, means: Means) -> None:
        self._contest, self._means = contest, means

    def submit(self, job: Job) -> Future[list[GameResult]]:
        done: Future[list[GameResult]] = Future()
        done.set_result(play_job(self._contest, self._means, job))
        return done

    def stop(self) -> None:
        pass


_TASK: tuple[Contest, Means] | None = None  # of a worker process


def _begin(contest: Contest, means: Means) -> None:
    global _TASK
    _TASK = contest, means
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the worker at once, and without a word
    threading.Thread(target=_end_with_parent, daemon=True).start()
    warm()


def _end_with_parent() -> None:
    """Nobody waits for a worker whose parent was killed."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _play(job: Job) -> list[GameResult]:
    assert _TASK is not None
    return play_job(*_TASK, job)


class Processes:
    """For bots in plain Python; each process is a fresh one, in which nothing of the others can be reached."""

    def __init__(self, contest: Contest, means: Means, many: int) -> None:
        self.many = many
        context = multiprocessing.get_context("spawn")
        self._before = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(many, mp_context=context, initializer=_begin, initargs=(contest, means))

    def submit(self, job: Job) -> Future[list[GameResult]]:
        return self._pool.submit(_play, job)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - self._before:
            process.terminate()


def workers_for(contest: Contest, means: Means, many: int | None, ray: str | None) -> Workers:
    """Who plays a contest: Ray if asked for, threads if all bots are compiled, else processes."""
    many = cores() if many is None else many
    warm()  # once, before others need it at the same time, and before a clock runs
    for entrant in contest.entrants:
        _try_out(entrant)
    if not 1 <= many <= MOST_PROCESSES:
        raise ValueError(f"{many} processes: 1 to {MOST_PROCESSES} are possible")
    if ray is not None:
        from branchline.arena.cluster import Cluster

        return Cluster(contest, replace(means, threads=1), many, ray)
    if all(contest.is_compiled(lineup) for lineup in contest.lineups):
        return Threads(contest, means, many)
    means = replace(means, threads=max(1, cores() // many))
    return Here(contest, means) if many == 1 else Processes(contest, means, many)


def _try_out(entrant: Entrant) -> None:
    """Refuse before the first game a bot that cannot even be made."""
    try:
        make_bot(entrant.spec, 0, seconds=entrant.seconds)
    except Exception as error:
        raise ValueError(f"{entrant.name} cannot be made: {type(error).__name__}: {error}") from error


def missing_jobs(contest: Contest, ledger: Ledger, first: int, deals: int) -> Iterator[Job]:
    """The jobs that fill the gaps in a ledger, deal by deal, so that all line-ups get on alike."""
    block = CHUNK if all(contest.is_compiled(lineup) for lineup in contest.lineups) else 1
    for start in range(first, first + deals, block):
        numbers = range(start, min(start + block, first + deals))
        for lineup in contest.lineups:
            gaps = [deal for deal in numbers if (contest.seed, deal, lineup) not in ledger.deals]
            for begin, length in _runs(gaps):
                for rotation in range(contest.players):
                    yield Job(lineup, rotation, begin, length)


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as runs without a gap: (first, how many)."""
    begin, length = 0, 0
    for number in numbers:
        if length and number == begin + length:
            length += 1
            continue
        if length:
            yield begin, length
        begin, length = number, 1
    if length:
        yield begin, length


class Watch:
    """Follows a sequential test deal by deal in their order, whatever the order in which they are finished.

    Long games are finished late; taking deals as they come would show the test the short ones first.
    """

    def __init__(self, contest: Contest, ledger: Ledger, first: int, deals: int) -> None:
        self._contest, self._ledger = contest, ledger
        self._next, self._end = first, first + deals
        self._shares: list[float] = []

    def decided(self) -> bool:
        """Whether the deals finished so far decide the test."""
        sprt, lineup = self._contest.sprt, self._contest.lineups[0]
        if sprt is None:
            return False
        seen = len(self._shares)
        while self._next < self._end:
            deal = self._ledger.deals.get((self._contest.seed, self._next, lineup))
            if deal is None:
                break
            self._shares.append(share_of(deal, lineup[0]))
            self._next += 1
        path: Numbers = sprt.path(np.array(self._shares), seen)
        return sprt.verdict(path)[0] != "open"


def run(
    contest: Contest,
    ledger: Ledger,
    deals: int,
    *,
    first: int = 0,
    processes: int | None = None,
    ray: str | None = None,
    means: Means | None = None,
    on_games: OnGames | None = None,
) -> None:
    """Play what is missing of deals first .. first + deals - 1, or until the sequential test, if any, is decided."""
    if not 1 <= deals <= MOST_DEALS or not 0 <= first <= MOST_DEALS:
        raise ValueError(f"deals {first} to {first + deals - 1}: a contest has 1 to {MOST_DEALS} deals")
    watch = Watch(contest, ledger, first, deals)
    jobs = missing_jobs(contest, ledger, first, deals)
    job = next(jobs, None)
    if job is None or watch.decided():
        return
    workers = workers_for(contest, means or Means(), processes, ray)
    try:
        _hand_out(contest, ledger, watch, workers, (job, jobs), on_games or (lambda games: None))
    finally:
        workers.stop()


def _hand_out(
    contest: Contest,
    ledger: Ledger,
    watch: Watch,
    workers: Workers,
    jobs: tuple[Job, Iterator[Job]],
    on_games: OnGames,
) -> None:
    """Keep all workers busy, two jobs each, and put the games that come back together to deals."""
    job: Job | None
    job, rest = jobs
    under_way: dict[Future[list[GameResult]], Job] = {}
    games: dict[tuple[tuple[str, ...], int], list[GameResult]] = {}
    while job or under_way:
        while job and len(under_way) < 2 * workers.many:
            under_way[workers.submit(job)] = job
            job = next(rest, None)
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            lineup = under_way.pop(future).lineup
            results = future.result()
            on_games(len(results))
            for game in results:
                found = games.setdefault((lineup, game.deal), [])
                found.append(game)
                if len(found) == contest.players:
                    ledger.add(DealResult.of(contest.seed, lineup, games.pop((lineup, game.deal))))
        if watch.decided():
            return
