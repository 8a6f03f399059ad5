"""With open cards: what was really going on, told only after the end.

From some moments of the game the network plays on for all seats, from the true hands and tickets; only the decks are
shuffled again. So it is told how likely each seat was to win, and each ticket to be completed, by who had seen it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots.search.lockstep import Lockstep
from branchline.bots.search.steps import GAME_OVER, SEAT_AT
from branchline.codec import names_of
from branchline.kernel.board import make_board
from branchline.kernel.scoring import score_game
from branchline.kernel.scratch import scratch
from branchline.kernel.state import HELD
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics.composed import Position
from branchline.review.moments import Moment, Played
from branchline.review.settings import Setting
from branchline.review.worlds import POSITION, judge_of
from branchline.training.inference import Engine

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Open:
    """After so many moves: win chances by seat, and how likely each ticket in a hand is completed by its holder."""

    move: int
    win: tuple[float, ...]
    tickets: dict[str, float]


def moments_shown(played: Played, setting: Setting) -> list[Moment]:
    """From which games are played on: evenly spread, where something is to be chosen."""
    found = [moment for moment in played.moments if not moment.is_detail and moment.view.phase == "turn"]
    count = min(setting.shown, len(found))
    return [found[i * len(found) // count] for i in range(count)]


def opened(moment: Moment, setting: Setting, seed: int) -> Open | None:
    """None where there is no judge of the map."""
    net = judge_of(moment.view.map)
    if net is None:
        return None
    games = _shuffled(moment.before, setting.games, seed + moment.number)
    _play_out(net, moment, games)
    return _counted(moment, games)


def _shuffled(s: Position, count: int, seed: int) -> Array:
    """The same position so many times, its decks shuffled."""
    games = np.repeat(np.frombuffer(s.to_bytes(), np.uint8)[None], count, 0)
    rng = np.random.default_rng(seed)
    for game in games.view(POSITION)[:, 0]:
        game["deck"][: s.deck_n] = rng.permutation(game["deck"][: s.deck_n])
        ring = (s.ticket_top + np.arange(s.ticket_n)) % MAX_TICKETS
        game["ticket_deck"][ring] = rng.permutation(game["ticket_deck"][ring])
        game["seed"] = rng.integers(1 << 62)
    return games


def _play_out(net: Engine, moment: Moment, games: Array) -> None:
    data, lockstep = moment.view.map, Lockstep(moment.view.map)
    seat = moment.seat
    which = np.arange(len(games))
    codes = net.think_many(data, [game.tobytes() for game in games], [seat] * len(games)).codes
    while len(which):
        seen, told = lockstep.step(games, which, codes)
        on = told[:, SEAT_AT] != GAME_OVER
        which, seen = which[on], seen[on]
        codes = net.judge(data, seen).codes if len(which) else codes[:0]


def _counted(moment: Moment, games: Array) -> Open:
    data, s = moment.view.map, moment.before
    board, w, names = make_board(data), scratch(), names_of(data)
    held = [(t, s.ticket_at[t] - HELD) for t in range(board.n_tickets) if 0 <= s.ticket_at[t] - HELD < s.players]
    wins, done = np.zeros(s.players), np.zeros(len(held))
    for game in games:
        end = Position.from_bytes(game.tobytes())
        score_game(end, board, w)
        won = np.array([w.place[seat] == 1 for seat in range(s.players)], float)
        wins += won / won.sum()
        done += [w.done[t] for t, _ in held]
    shares = {names.tickets[t]: float(n) / len(games) for (t, _), n in zip(held, done.tolist(), strict=True)}
    return Open(moment.number - 1, tuple((wins / len(games)).tolist()), shares)


def shown_at(points: Sequence[Open], ticket: str) -> list[tuple[int, float]]:
    """The chances of a ticket, by move."""
    return [(point.move, point.tickets[ticket]) for point in points if ticket in point.tickets]
