"""Who meets whom, on which map, with which cards: all that is settled before the first game.

A contest has line-ups, each a bot for every seat. A line-up plays every deal as many times as there are seats: the same
cards each time, all bots one seat further. So the luck of the cards and of the seat falls on all alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from branchline.arena.statistics import Sprt
from branchline.bots import check_bot, kernel_number
from branchline.bots.games.match import match_seed
from branchline.deal import check_players, check_seed
from branchline.maps.model import MapData

PACKAGE = Path(__file__).parent.parent
MOST_DEALS = 1_000_000
MOST_LINEUPS = 2000
SEPARATOR = "@"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: the name it is counted under, what makes it, its seconds a decision, its own code."""

    name: str
    spec: str
    seconds: float | None = None  # None: the bot's own idea, or a bot that needs no clock
    code: str = ""  # the sum of the file it comes from, if it is not one of ours

    @property
    def is_compiled(self) -> bool:
        """Whether it plays inside the kernel."""
        return kernel_number(self.spec) is not None


@dataclass(frozen=True, slots=True)
class Contest:
    """Line-ups of bots (by name) on one map, all dealt the same cards from one seed."""

    map: MapData
    entrants: tuple[Entrant, ...]
    lineups: tuple[tuple[str, ...], ...]
    seed: int = 0
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        check_players(self.map, self.players)
        check_seed(self.seed)
        if not 1 <= len(self.lineups) <= MOST_LINEUPS:
            raise ValueError(f"{len(self.lineups)} line-ups: a contest has 1 to {MOST_LINEUPS}")
        if self.sprt and len(self.lineups) > 1:
            raise ValueError("a sequential test is for one line-up, not for a pool")
        if self.sprt and len(set(self.lineups[0])) < 2:
            raise ValueError("a sequential test needs two bots")

    @property
    def players(self) -> int:
        return len(self.lineups[0])

    def entrant(self, name: str) -> Entrant:
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def deal_seed(self, deal: int) -> int:
        """The seed of all games of a deal; game `deal` of a simulation with the contest's seed has the same."""
        return match_seed(self.seed, deal)

    def is_compiled(self, lineup: Sequence[str]) -> bool:
        """Whether its games can be played inside the kernel."""
        return all(self.entrant(name).is_compiled for name in lineup)


def seated(lineup: Sequence[str], rotation: int) -> tuple[str, ...]:
    """A line-up in the order of its seats, all `rotation` seats on: entry e sits at seat (e + rotation) % players."""
    players = len(lineup)
    return tuple(lineup[(seat - rotation) % players] for seat in range(players))


def enter(specs: Sequence[str], seconds: float | None = None) -> tuple[Entrant, ...]:
    """The bots of these specs; one that is named again is called path#2, path#3 …"""
    entrants: list[Entrant] = []
    for spec in specs:
        check_bot(spec)
        times = sum(entrant.spec == spec for entrant in entrants)
        name = spec if not times else f"{spec}#{times + 1}"
        entrants.append(Entrant(name, spec, _seconds(spec, seconds), _code_of_file(spec)))
    return tuple(entrants)


def match_of(
    data: MapData,
    specs: Sequence[str],
    *,
    players: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    sprt: Sprt | None = None,
) -> Contest:
    """One line-up; with more seats than bots the bots are seated again in the same order."""
    entrants = enter(specs, seconds)
    if players is None:
        players = max(len(entrants), data.min_players)
    check_players(data, players)
    if len(entrants) > players:
        raise ValueError(f"{len(entrants)} bots for {players} seats; a pool may have more bots than seats")
    lineup = tuple(entrants[seat % len(entrants)].name for seat in range(players))
    return Contest(data, entrants, (lineup,), seed, sprt)


def pool_of(
    data: MapData,
    specs: Sequence[str],
    *,
    players: int = 2,
    seconds: float | None = None,
    seed: int = 0,
    gauntlet: bool = False,
) -> Contest:
    """Every choice of as many bots as there are seats; in a gauntlet only those with the first bot in them."""
    entrants = enter(specs, seconds)
    check_players(data, players)
    if len(entrants) < players:
        raise ValueError(f"a pool of {len(entrants)} bots for {players} seats; name {players} at least")
    names = [entrant.name for entrant in entrants]
    lineups = tuple(lineup for lineup in combinations(names, players) if not gauntlet or names[0] in lineup)
    return Contest(data, entrants, lineups, seed)


def _seconds(spec: str, seconds: float | None) -> float | None:
    """The clock of a bot: its own (search@0.3), else the contest's; compiled bots need none."""
    if kernel_number(spec) is not None:
        return None
    _, at, own = spec.rpartition(SEPARATOR)
    try:
        return float(own) if at else seconds
    except ValueError:  # an @ in the name of a folder
        return seconds


def _code_of_file(spec: str) -> str:
    """The sum of the file a bot is in, so that results of two versions of it are not mixed up."""
    file, _, _ = spec.rpartition(":")
    path = Path(file or spec)
    return sha256(path.read_bytes()).hexdigest()[:16] if path.suffix == ".py" and path.is_file() else ""


@cache
def code_of_package() -> str:
    """The sum of the rules, the bots and the tables they read: the same figures come only from the same code."""
    total = sha256()
    for folder in ("kernel", "bots"):
        for path in sorted(p for p in (PACKAGE / folder).iterdir() if p.suffix in (".py", ".json")):
            total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]
