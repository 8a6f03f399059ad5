"""Bots: programs that choose. A bot gets a `View`, never the game, so it knows what its seat knows and no more.

bot = make_bot("path", seed=1)
game.play(bot.choose(game.view(seat), game.legal_actions(seat)), seat)
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Protocol

from branchline.actions import Action
from branchline.bots.match import PATH_BOT, RANDOM_BOT
from branchline.bots.players import PathBot, RandomBot
from branchline.view import View

__all__ = ["BOTS", "BOT_NUMBERS", "Bot", "check_bot", "make_bot"]


class Bot(Protocol):
    """Whatever chooses one of the legal actions of the reader of a view."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action: ...


_BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "path": PathBot}
BOTS = tuple(_BOTS)
BOT_NUMBERS = {"random": RANDOM_BOT, "path": PATH_BOT}  # by which the compiled games know them


def make_bot(name: str, seed: int) -> Bot:
    """A bot for one seat of one game; the same seed makes the same choices."""
    check_bot(name)
    return _BOTS[name](seed)


def check_bot(name: str) -> None:
    """Refuse a name that no bot has."""
    if name not in _BOTS:
        near = difflib.get_close_matches(name, BOTS, 1)
        hint = f' (did you mean "{near[0]}"?)' if near else f" (there are: {', '.join(BOTS)})"
        raise ValueError(f'no bot "{name}"{hint}')
