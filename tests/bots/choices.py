"""Plays fixed games and writes a digest of every choice: `python -m tests.bots.choices`.

Run it only when a bot is to play differently on purpose; the difference of the file then shows which do, and where.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from branchline import Game, load_map, shipped_maps, write_action
from branchline.bots import BOT_NUMBERS, make_bot
from branchline.bots.rollout import Thoughts, think
from branchline.bots.warm import warm
from branchline.maps.model import MapData
from branchline.simulation import Series, recorded_game

FILE = Path(__file__).parent / "choices.json"
MAPS = Path(__file__).parent.parent / "data" / "maps"
FAN_MAPS = [MAPS / f"{name}.json" for name in ("e_moles", "c_fair", "a_plateau")]
GAMES = 5
ROLLOUTS = 40
SEARCHED_EVERY = 12  # decisions between those a search looks at

Lines = Callable[[], Iterable[str]]


def golden_choices() -> dict[str, Lines]:
    """What is played, by name: every bot on every map with two and with four players, some odd maps, and searches."""
    found: dict[str, Lines] = {}
    for name in shipped_maps():
        for players in (2, 4):
            for bot in BOT_NUMBERS:
                found[f"{name} {players} {bot}"] = partial(_games, load_map(name), seats_for(bot, players))
            found[f"{name} {players} rollout"] = partial(_searches, name, players)
    for path in FAN_MAPS:
        data = load_map(path)
        for bot in BOT_NUMBERS:
            found[f"{path.stem} {data.min_players} {bot}"] = partial(_games, data, (bot,) * data.min_players)
    return found


def seats_for(bot: str, players: int) -> tuple[str, ...]:
    """The bot against itself, or among others."""
    return (bot, bot) if players == 2 else (bot, "conductor", "planner", "porter")


def digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _games(data: MapData, bots: tuple[str, ...]) -> Iterator[str]:
    """Every move of some games, as it is written in a record."""
    series = Series(data, bots, games=GAMES, seed=11, rotate=True)
    for game in range(GAMES):
        for move in recorded_game(series, game).moves:
            yield f"{move.seat} {write_action(move.action)}"


def _searches(name: str, players: int) -> Iterator[str]:
    """What searches of a fixed number of rollouts think, all along a game of planners."""
    game = Game.new(name, players, seed=31)
    planners = [make_bot("planner", seat) for seat in range(players)]
    n = 0
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        if n % SEARCHED_EVERY == 0:
            yield from _written(think(view, seed=1, threads=1, rollouts=ROLLOUTS))
        game.play(planners[seat].choose(view, view.legal_actions()), seat)
        n += 1


def _written(thoughts: Thoughts) -> Iterator[str]:
    for c in thoughts.candidates:
        yield f"{write_action(c.action)} {c.visits} {c.win:.6f} {c.margin:.6f} {c.value:.6f}"
    for seat, line in thoughts.line:
        yield f"{seat} {line}"


def main() -> None:
    warm()
    found = {name: digest(lines()) for name, lines in golden_choices().items()}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} digests written to {FILE.name}")


if __name__ == "__main__":
    main()
