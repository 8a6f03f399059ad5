"""The results file: a line that says what was played, then a line for each deal.

It is written while games are played, each deal once it is finished, so whatever stops a run costs no more than the
deals under way. Started again, a run plays what is missing; files of several machines are merged, unless they do not
belong together, which is refused in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from branchline.arena.contest import Contest, Entrant, code_of_package
from branchline.arena.playing import Fault, GameResult
from branchline.arena.statistics import Sprt
from branchline.files import BadFile, shown
from branchline.version import RULES_VERSION, __version__

FORMAT = "branchline arena 1"
MOST_BYTES = 2_000_000_000


class BadResults(BadFile):
    """A results file that cannot be read, or cannot be counted together with another."""


@dataclass(frozen=True, slots=True)
class Header:
    """What must be equal where results are counted together; bots, line-ups and seeds add up."""

    map: str
    map_hash: str
    map_name: str
    players: int
    bots: tuple[Entrant, ...]
    lineups: tuple[tuple[str, ...], ...]
    seeds: tuple[int, ...]
    rules_version: int = RULES_VERSION
    version: str = __version__
    code: str = ""
    sprt: Sprt | None = None

    @classmethod
    def of(cls, contest: Contest) -> Header:
        data = contest.map
        return cls(
            map=data.id,
            map_hash=data.hash,
            map_name=data.name,
            players=contest.players,
            bots=contest.entrants,
            lineups=contest.lineups,
            seeds=(contest.seed,),
            code=code_of_package(),
            sprt=contest.sprt,
        )

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Header:
        """Raises KeyError, TypeError or ValueError for what no header can be."""
        fields = {key: item for key, item in value.items() if key != "format"}
        fields["bots"] = tuple(Entrant(**bot) for bot in fields["bots"])
        fields["lineups"] = tuple(tuple(lineup) for lineup in fields["lineups"])
        fields["seeds"] = tuple(fields["seeds"])
        fields["sprt"] = Sprt(**fields["sprt"]) if fields["sprt"] else None
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class DealResult:
    """All games of a line-up on one deal, by rotation; scores and places by bot in the order of the line-up."""

    seed: int
    deal: int
    lineup: tuple[str, ...]
    scores: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]
    ends: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    clocks: tuple[tuple[int, float, float], ...] = ()  # of each bot in all games: choices, seconds, the longest

    @property
    def key(self) -> tuple[int, int, tuple[str, ...]]:
        return self.seed, self.deal, self.lineup

    @classmethod
    def of(cls, seed: int, lineup: tuple[str, ...], games: Sequence[GameResult]) -> DealResult:
        """The games of a deal put together, in the order of their rotations."""
        games = sorted(games, key=lambda game: game.rotation)
        return cls(
            seed,
            games[0].deal,
            lineup,
            tuple(game.scores for game in games),
            tuple(game.places for game in games),
            tuple(game.decisions for game in games),
            tuple(game.end for game in games),
            tuple(game.fault for game in games if game.fault),
            _together([game.clocks for game in games if game.clocks]),
        )

    def to_json(self) -> dict[str, Any]:
        value: dict[str, Any] = {"seed": self.seed, "deal": self.deal, "lineup": self.lineup, "scores": self.scores}
        value |= {"places": self.places, "decisions": self.decisions, "ends": self.ends}
        value |= {"faults": [asdict(fault) for fault in self.faults]} if self.faults else {}
        return value | ({"clocks": self.clocks} if self.clocks else {})

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> DealResult:
        """Raises KeyError, TypeError or ValueError for what no deal can be."""
        deal = cls(
            value["seed"],
            value["deal"],
            tuple(value["lineup"]),
            tuple(tuple(row) for row in value["scores"]),
            tuple(tuple(row) for row in value["places"]),
            tuple(value["decisions"]),
            tuple(value["ends"]),
            tuple(Fault(**fault) for fault in value.get("faults", ())),
            tuple((n, seconds, longest) for n, seconds, longest in value.get("clocks", ())),
        )
        players = len(deal.lineup)
        if any(len(row) != players for row in (deal.scores, deal.places, *deal.scores, *deal.places)):
            raise ValueError(f"a deal of {players} bots has {players} games of {players} scores and places")
        if not all(isinstance(n, int) for row in (*deal.scores, *deal.places) for n in row):
            raise ValueError("scores and places are whole numbers")
        return deal


def _together(games: Sequence[tuple[tuple[int, float, float], ...]]) -> tuple[tuple[int, float, float], ...]:
    return tuple(
        (sum(c[0] for c in clocks), round(sum(c[1] for c in clocks), 4), max(c[2] for c in clocks))
        for clocks in zip(*games, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Results:
    """What was played, and what came of it: the deals in the order of seed, number and line-up."""

    header: Header
    deals: tuple[DealResult, ...]

    def ordered(self) -> Results:
        order = {lineup: n for n, lineup in enumerate(self.header.lineups)}
        return replace(self, deals=tuple(sorted(self.deals, key=lambda d: (d.seed, d.deal, order[d.lineup]))))


# ---------------------------------------------------------------- the file


def write_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_results(path: Path) -> Results:
    """Read a file. A last line that was cut off is left out; anything else that is wrong is refused."""
    lines = _lines(path)
    if not lines:
        raise BadResults(shown(path.name), "", "an empty file: no results")
    header = _header(path, lines[0])
    known = set(header.lineups)
    deals = {}
    for number, line in enumerate(lines[1:], 2):
        deal = _deal(path, number, line)
        if deal.lineup not in known or deal.seed not in header.seeds:
            raise BadResults(
                shown(path.name), f"line {number}", "a line-up or a seed that the first line does not name"
            )
        deals[deal.key] = deal
    return Results(header, tuple(deals.values())).ordered()


def _lines(path: Path) -> list[str]:
    """The whole lines of a file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadResults(shown(path.name), "", f"too large: over {MOST_BYTES} bytes")
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as fault:
        raise BadResults(shown(path.name), "", f"cannot be read: {fault.strerror or fault}") from None
    whole, _, _ = text.rpartition("\n")
    return whole.split("\n") if whole else []


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise BadResults(shown(path.name), f"line {number}", "not JSON") from None
    if not isinstance(value, dict):
        raise BadResults(shown(path.name), f"line {number}", "not a JSON object")
    return value


def _header(path: Path, line: str) -> Header:
    value = _parsed(path, 1, line)
    if value.get("format") != FORMAT:
        raise BadResults(shown(path.name), "line 1", f'no results of the arena (a first line with "{FORMAT}")')
    try:
        return Header.from_json(value)
    except (KeyError, TypeError, ValueError) as error:
        raise BadResults(shown(path.name), "line 1", f"not what a results file begins with: {error}") from None


def _deal(path: Path, number: int, line: str) -> DealResult:
    value = _parsed(path, number, line)
    try:
        return DealResult.from_json(value)
    except (KeyError, TypeError, ValueError) as error:
        raise BadResults(shown(path.name), f"line {number}", f"not the results of a deal: {error}") from None


def write_results(results: Results, path: Path) -> None:
    """Write a new file; none is written over."""
    with path.open("x", encoding="utf-8") as file:
        file.write(write_line(results.header.to_json()))
        file.writelines(write_line(deal.to_json()) for deal in results.deals)


class Ledger:
    """The results of a run while it goes on: in memory, and on disk if there is a file."""

    def __init__(self, header: Header, path: Path | None = None, *, any_code: bool = False) -> None:
        """Begin a file, or go on with one that holds the same contest."""
        self.header = header
        self.deals: dict[tuple[int, int, tuple[str, ...]], DealResult] = {}
        self._file = None
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._take_up(path, any_code=any_code)
        self._file = path.open("a", encoding="utf-8")
        if not self.deals and not self._file.tell():
            self._write(header.to_json())

    def _take_up(self, path: Path, *, any_code: bool) -> None:
        found = read_results(path)
        for what, mine, theirs in _differences(self.header, found.header, any_code=any_code):
            raise BadResults(shown(path.name), "", f"holds another contest: {what} {theirs}, not {mine}")
        if (found.header.seeds, found.header.lineups) != (self.header.seeds, self.header.lineups):
            raise BadResults(
                shown(path.name),
                "",
                "holds another contest: other bots or another seed; choose another file, and merge",
            )
        if found.header.sprt != self.header.sprt:
            raise BadResults(shown(path.name), "", "holds a contest with another sequential test, or with none")
        self.deals = {deal.key: deal for deal in found.deals}
        self.header = _joined(found.header, self.header)
        if self.header != found.header:
            self._begin_again(path)
        with path.open("rb+") as file:  # a line that was cut off would spoil the next
            file.truncate(file.read().rfind(b"\n") + 1)

    def _begin_again(self, path: Path) -> None:
        """Write what the file holds under the header of now, which names one more code that plays."""
        new = path.with_name(f"{path.name}.new")
        new.unlink(missing_ok=True)
        write_results(Results(self.header, tuple(self.deals.values())), new)
        new.replace(path)

    def add(self, deal: DealResult) -> None:
        self.deals[deal.key] = deal
        self._write(deal.to_json())

    def _write(self, value: dict[str, Any]) -> None:
        if self._file:
            self._file.write(write_line(value))
            self._file.flush()

    def results(self) -> Results:
        return Results(self.header, tuple(self.deals.values())).ordered()

    def close(self) -> None:
        if self._file:
            self._file.close()


# ---------------------------------------------------------------- merging


def _differences(mine: Header, theirs: Header, *, any_code: bool) -> Iterable[tuple[str, object, object]]:
    """What forbids to count results of two headers together, each with both values."""
    for what, name in (
        ("map", "map"),
        ("map hash", "map_hash"),
        ("players", "players"),
        ("rules version", "rules_version"),
        ("version of Branchline", "version"),
    ):
        if getattr(mine, name) != getattr(theirs, name):
            yield what, getattr(mine, name), getattr(theirs, name)
    if mine.code != theirs.code and not any_code:
        yield "code of rules and bots (--any-code allows it)", mine.code, theirs.code
    known = {bot.name: bot for bot in mine.bots}
    for bot in theirs.bots:
        other = known.get(bot.name, bot)
        if other.spec != bot.spec or (other.code != bot.code and not any_code):
            yield f"code of {bot.name}", other.code or other.spec, bot.code or bot.spec
        if other.seconds != bot.seconds:
            yield f"seconds of {bot.name}", other.seconds, bot.seconds


def merge(parts: Sequence[tuple[Path, Results]], *, any_code: bool = False) -> Results:
    """Several results as one; refuses what does not belong together."""
    (_, first), *others = parts
    header, deals = first.header, {deal.key: deal for deal in first.deals}
    for path, part in others:
        for what, mine, theirs in _differences(header, part.header, any_code=any_code):
            raise BadResults(shown(path.name), "", f"does not belong to the others: {what} {theirs}, theirs {mine}")
        for deal in part.deals:
            if deals.setdefault(deal.key, deal) != deal:
                raise BadResults(
                    shown(path.name),
                    "",
                    f"deal {deal.deal} of seed {deal.seed} is in another file with another result; "
                    "play other deals there (--seed or --first)",
                )
        header = _joined(header, part.header)
    return Results(header, tuple(deals.values())).ordered()


def _joined(one: Header, other: Header) -> Header:
    bots = {bot.name: bot for bot in one.bots}
    for bot in other.bots:
        bots[bot.name] = replace(bot, code=_both(bots.get(bot.name, bot).code, bot.code))
    return replace(
        one,
        bots=tuple(bots.values()),
        lineups=tuple(dict.fromkeys((*one.lineups, *other.lineups))),
        seeds=tuple(dict.fromkeys((*one.seeds, *other.seeds))),
        code=_both(one.code, other.code),
        sprt=one.sprt if one.sprt == other.sprt and one.lineups == other.lineups else None,
    )


def _both(one: str, other: str) -> str:
    """Two sums of code, or lists of such, as one list: of every code that has played."""
    return " ".join(dict.fromkeys((*one.split(), *other.split())))
