"""A compiled bot asked for one choice: microseconds, where the interpreted one takes milliseconds."""

from __future__ import annotations

from branchline.bots.compiled.space import WorkSpace
from branchline.bots.games.request import CHOOSE
from branchline.view import View


class Engine:
    """A bot at a table; not for two threads at once."""

    def __init__(self) -> None:
        self._space = WorkSpace()

    def choose(self, view: View, bot: int, seed: int, i: int) -> int:
        """The code a bot, by its number, chooses in a view; it is its i-th choice of the game."""
        if view.reader is None:
            raise ValueError("a spectator has nothing to choose")
        self._space.look_at(view)
        self._space.lay(view.map)
        return self._space.ask(CHOOSE, seat=view.reader, bot=bot, seed=seed, choice=i)
