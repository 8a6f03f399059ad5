"""Where puzzles are looked for: the decisions of games between bots of all levels, and of people's records."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from branchline.actions import Action
from branchline.bots.net.player import network
from branchline.bots.players import engine
from branchline.bots.registry import BOT_NUMBERS
from branchline.codec import action_of, names_of
from branchline.deal import Deal
from branchline.fast import FastGame
from branchline.maps.model import MapData
from branchline.record import Move, Record, replay
from branchline.view import View

CARELESS: Final = ("passenger", "porter", "conductor")  # who has to err somewhere
ADVISERS: Final = (*CARELESS, "planner")
NETWORK: Final = "net"
# Who sits at the tables: strong players get into positions worth thinking about, weak ones into odd ones.
SEATED: Final = (*CARELESS, "planner", "planner", NETWORK, NETWORK, NETWORK)


@dataclass(frozen=True, slots=True)
class Situation:
    """One decision of a game: after so many moves, by this seat, which knows this."""

    number: int
    seat: int
    view: View


@dataclass(frozen=True)
class Played:
    """A game to look through."""

    map: MapData
    players: int
    deal: Deal
    moves: tuple[Move, ...]
    situations: tuple[Situation, ...]
    source: str
    bots: tuple[str, ...] = ()


def seats_for(players: int, rng: Random) -> tuple[str, ...]:
    return tuple(rng.choice(SEATED) for _ in range(players))


def play(data: MapData, players: int, seed: int) -> Played:
    """A game between bots, which follows from its seed."""
    bots = seats_for(players, Random(seed))
    game, names = FastGame(data, players, seed), names_of(data)
    moves: list[Move] = []
    situations: list[Situation] = []
    while not game.is_over:
        seat, position = game.seat, game.position
        view = View.of(data, position, seat)
        situations.append(Situation(len(moves), seat, view))
        code = _code(bots[seat], view, seed, len(moves))
        moves.append(Move(seat, action_of(code, position, names, seat)))
        game.step(code)
    return Played(data, players, Deal(seed), tuple(moves), tuple(situations), "bots", bots)


def of_record(record: Record) -> Played:
    """A game that was recorded; whose it was is forgotten."""
    steps = replay(record)
    game = next(steps).game  # it goes on with each step
    situations: list[Situation] = []
    for number, move in enumerate(record.moves):
        situations.append(Situation(number, move.seat, game.view(move.seat)))
        next(steps)
    return Played(record.map, len(record.players), record.deal, record.moves, tuple(situations), "people")


def advice(view: View, bot: str, seed: int = 0, choice: int = 0) -> Action:
    """What a bot would choose."""
    assert view.reader is not None
    return action_of(_code(bot, view, seed, choice), view.position, names_of(view.map), view.reader)


def _code(bot: str, view: View, seed: int, choice: int) -> int:
    assert view.reader is not None
    if bot == NETWORK:
        net = network()
        code = net.choose(view.map, view.to_bytes(), view.reader) if net else None
        if code is not None:
            return code
        bot = "planner"
    return engine().choose(view, BOT_NUMBERS[bot], seed, choice)
