"""The playing of games: inside the kernel where all bots of a line-up are compiled, else through the library.

Every game follows from the contest's seed, the deal's number and the rotation: wherever a job is played, by whichever
thread, process or machine, the same games come of it (as far as the bots do not look at the clock).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from branchline.actions import Action
from branchline.arena.contest import Contest, Entrant, seated
from branchline.bots import Bot, make_bot, short_name
from branchline.bots.games.match import GAME_NOTES, N_DECISIONS, N_END, N_PLACE, N_SCORE, SEAT_NOTES, bot_seed
from branchline.bots.time_limit import TooSlow, time_limit
from branchline.codec import ENDS
from branchline.game import Game
from branchline.record import record_of, write_game
from branchline.record.model import Player, Record
from branchline.simulation.series import Series, SeriesRoom
from branchline.simulation.writing import recorded_game

CHUNK = 50  # deals of a compiled job
PATIENCE = 60.0  # seconds after which a bot that has not chosen is taken to hang, or ten times its own if that is more
LONGEST_FAULT = 300


@dataclass(frozen=True, slots=True)
class Job:
    """Games first .. first + deals - 1 of a line-up, all in one rotation."""

    lineup: tuple[str, ...]
    rotation: int
    first: int
    deals: int = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot that crashed, hung or chose nonsense: in which game, at which of its decisions, and how."""

    rotation: int
    bot: str
    choice: int
    error: str


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game; everything by bot in the order of the line-up, wherever each sat."""

    deal: int
    rotation: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    end: str
    fault: Fault | None = None
    # of each bot: its choices, the seconds they took together and the longest; empty if the kernel played
    clocks: tuple[tuple[int, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Means:
    """What a worker may use: threads for each bot, and a folder for records if any are wanted."""

    threads: int | None = None
    records: Path | None = None


def play_job(contest: Contest, means: Means, job: Job) -> list[GameResult]:
    """Play the games of a job."""
    if contest.is_compiled(job.lineup):
        return _play_compiled(contest, means, job)
    return [_play_at_table(contest, means, job, deal) for deal in range(job.first, job.first + job.deals)]


def _in_entry_order(at_seats: Sequence[int], rotation: int) -> tuple[int, ...]:
    players = len(at_seats)
    return tuple(at_seats[(entry + rotation) % players] for entry in range(players))


# ---------------------------------------------------------------- inside the kernel


def _play_compiled(contest: Contest, means: Means, job: Job) -> list[GameResult]:
    specs = tuple(contest.entrant(name).spec for name in seated(job.lineup, job.rotation))
    series = Series(contest.map, specs, games=job.first + job.deals, seed=contest.seed)
    room = SeriesRoom(series)
    results = []
    for deal, notes in enumerate(room.play(job.first, job.deals).tolist(), job.first):
        seats = [notes[GAME_NOTES + SEAT_NOTES * seat :] for seat in range(contest.players)]
        scores = _in_entry_order([seat[N_SCORE] for seat in seats], job.rotation)
        places = _in_entry_order([seat[N_PLACE] for seat in seats], job.rotation)
        end = ENDS[notes[N_END]]
        results.append(GameResult(deal, job.rotation, scores, places, notes[N_DECISIONS], end))
        if means.records:
            _write_record(contest, means.records, job, deal, recorded_game(series, deal, room))
    return results


# ---------------------------------------------------------------- through the library


class _Seat:
    """A bot at a table: its clock, and what it did wrong."""

    def __init__(self, entrant: Entrant, seed: int, threads: int | None) -> None:
        self.entrant = entrant
        self.choices = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.error = ""
        self._seed = seed
        self._patience = max(PATIENCE, 10 * (entrant.seconds or 0))
        self._make = partial(make_bot, entrant.spec, seed, seconds=entrant.seconds, threads=threads)
        self._bot: Bot | None = None

    def choose(self, game: Game, seat: int) -> Action:
        """The bot's choice; once it has failed, that of a path bot in its place."""
        view, actions = game.view(seat), game.legal_actions(seat)
        if not self.error:
            try:
                with time_limit(self._patience):
                    self._bot = self._bot or self._make()
                    start = time.perf_counter()
                    action = self._bot.choose(view, actions)
                    self._count(time.perf_counter() - start)
                if action in actions:
                    return action
                self.error = f"chose {action!r}, which is not a legal action"
            except (Exception, SystemExit, TooSlow) as error:
                self.error = f"{type(error).__name__}: {error}"
            self.error = self.error[:LONGEST_FAULT]
            self._bot = make_bot("path", self._seed)
        assert self._bot is not None
        return self._bot.choose(view, actions)

    def _count(self, seconds: float) -> None:
        self.choices += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


def _play_at_table(contest: Contest, means: Means, job: Job, deal: int) -> GameResult:
    names = seated(job.lineup, job.rotation)
    seed = contest.deal_seed(deal)
    seats = [_Seat(contest.entrant(name), bot_seed(seed, seat), means.threads) for seat, name in enumerate(names)]
    game = Game.new(contest.map, contest.players, seed=seed)
    fault = None
    while not game.is_over:
        seat = game.to_act[0]
        failed = bool(seats[seat].error)
        game.play(seats[seat].choose(game, seat), seat)
        if seats[seat].error and not failed:
            fault = fault or Fault(job.rotation, names[seat], seats[seat].choices, seats[seat].error)
    if means.records:
        players = [
            Player(f"{short_name(s.entrant.spec)} {n}", bot=short_name(s.entrant.spec)) for n, s in enumerate(seats, 1)
        ]
        meta = {"arena seed": contest.seed, "deal": deal, "rotation": job.rotation}
        _write_record(contest, means.records, job, deal, record_of(game, players, meta=meta))
    return _table_result(game, seats, job, deal, fault)


def _table_result(game: Game, seats: Sequence[_Seat], job: Job, deal: int, fault: Fault | None) -> GameResult:
    sheet = game.scores()
    scores, places = _forfeit([s.total for s in sheet], [s.place for s in sheet], [bool(s.error) for s in seats])
    order = _in_entry_order(range(len(seats)), job.rotation)
    return GameResult(
        deal,
        job.rotation,
        _in_entry_order(scores, job.rotation),
        _in_entry_order(places, job.rotation),
        len(game.history),
        game.end_reason or "",
        fault,
        tuple((seats[i].choices, round(seats[i].seconds, 4), round(seats[i].longest, 4)) for i in order),
    )


def _forfeit(scores: list[int], places: list[int], failed: list[bool]) -> tuple[list[int], list[int]]:
    """A bot that failed comes last with no points; those who stood behind it move up."""
    if not any(failed):
        return scores, places
    kept = sorted(place for place, out in zip(places, failed, strict=True) if not out)
    return (
        [0 if out else score for score, out in zip(scores, failed, strict=True)],
        [len(kept) + 1 if out else kept.index(place) + 1 for place, out in zip(places, failed, strict=True)],
    )


# ---------------------------------------------------------------- records


def record_name(contest: Contest, job: Job, deal: int) -> str:
    """The file of a game; in a pool the line-up's number tells its games from those of others."""
    lineup = f"-lineup{contest.lineups.index(job.lineup)}" if len(contest.lineups) > 1 else ""
    name = f"{contest.map.id}-{contest.players}p-seed{contest.seed}"
    return f"{name}{lineup}-deal{deal:06d}-rotation{job.rotation}.json"


def _write_record(contest: Contest, folder: Path, job: Job, deal: int, record: Record) -> None:
    """Write a game file; a game that is played again, its deal not having been finished, replaces its file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / record_name(contest, job, deal)).write_text(write_game(record), encoding="utf-8")
