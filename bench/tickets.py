"""Fits how much a player's tracks say about the tickets held: the table LIKELY of branchline/bots/rollout/workspace.py.

    python bench/tickets.py [--games 200] [--bot conductor] [--players 2]

Games of a bot against itself are stopped every few moves. For every ticket a reader does not know, and every other
player, it is noted how much of the ticket's way is left for that player, and whether the player holds it. The ratio of
the two frequencies is how many times likelier a held ticket lies in a bin than one that is not held. The gain is in
natural logarithms a ticket held, against a guess that takes all unseen tickets for alike, on games not fitted to.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from branchline.bots.rollout.guess import BINS, STAGES
from branchline.bots.rollout.workspace import Room
from branchline.fast import FastGame
from branchline.kernel.turn import choosing_tickets
from branchline.maps import load_map, shipped_maps
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics import composed as k
from branchline.simulation.series import Series, SeriesRoom
from branchline.view import View

EVERY = 7  # moves between two looks

Look = tuple[list[int], list[int]]  # bins of the tickets a player holds, and of those nobody is known to hold


def looks(map: str, bot: str, players: int, games: int) -> list[Look]:
    """What a reader could see, and the truth, all along some games."""
    series = Series(load_map(map), (bot,) * players, games=games, seed=1)
    room = SeriesRoom(series)
    found = []
    for number in range(games):
        game = FastGame(series.map, players, series.game_seed(number))
        for n, code in enumerate(room.codes(number)[0]):
            s = game.position
            if n % EVERY == 0 and s.phase in (k.TURN, k.DRAW_SECOND) and not choosing_tickets(s, s.seat):
                found += look(series.map, s)
            game.step(code)
    return found


def look(data: object, s: k.Position) -> list[Look]:
    """For each player but the one to act: the bins of the tickets held, and of those in the deck or out."""
    view = View.of(data, s, s.seat)  # type: ignore[arg-type]
    bins = Room(view).ticket_bins(s.seat).reshape(k.SEATS, MAX_TICKETS)
    unseen = [t for t in range(len(view.map.tickets)) if view.position.ticket_at[t] == 0]
    found = []
    for p in range(s.players):
        if p != s.seat:
            held = [int(bins[p, t]) for t in unseen if s.ticket_at[t] == k.HELD + p]
            found.append((held, [int(bins[p, t]) for t in unseen if not k.HELD <= s.ticket_at[t] < k.RETURNED]))
    return found


def fit(data: list[Look]) -> np.ndarray:
    """64 times the ratio of the frequencies, by bin; a bin seen seldom is taken for less telling."""
    held, open = np.full(STAGES * BINS, 0.5), np.full(STAGES * BINS, 0.5)
    for mine, others in data:
        np.add.at(held, mine, 1)
        np.add.at(open, others, 1)
    ratio = (held / held.sum()) / (open / open.sum())
    whole = ratio.reshape(STAGES, BINS)
    fitted: np.ndarray = np.clip(np.rint(64 * whole), 1, 6400).astype(int)
    return fitted


def gain(data: list[Look], table: np.ndarray) -> float:
    """The mean of log(weight of the ticket held, share of all) above the same for weights that are alike."""
    weights, total, n = table.reshape(-1), 0.0, 0
    for mine, others in data:
        rest = weights[others].sum()
        for t in mine:
            total += math.log(weights[t] / (rest + weights[t])) - math.log(1 / (len(others) + 1))
            n += 1
    return total / max(1, n)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--bot", default="conductor")
    parser.add_argument("--players", type=int, default=2)
    args = parser.parse_args()
    seen = {map: looks(map, args.bot, args.players, args.games) for map in shipped_maps()}
    fitted = [one for data in seen.values() for one in data[: len(data) // 2]]
    table = fit(fitted)
    print(table.tolist())
    for map, data in seen.items():
        print(f"{map:8} {gain(data[len(data) // 2 :], table):+.2f} a ticket held")


if __name__ == "__main__":
    main()
