"""The five levels for people: from an opponent for somebody's first game to the strongest player we have.

None of them cheats, and the gentle ones err as people do: they see less far. A level is a bot under a name of its own,
so a level can get a better bot without anybody's table noticing. The page draws a face for each id.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """One level; `style` tells in one sentence how it plays."""

    id: str
    bot: str
    style: str


LEVELS = (
    Level("passenger", "passenger", "dreams of far places and lays whatever its cards allow"),
    Level("porter", "porter", "plans ticket by ticket and hoards cards"),
    Level("conductor", "conductor", "joins its tickets the cheapest way and then goes for points"),
    Level("driver", "planner", "plans its whole network and knows which track to take first"),
    Level("stationmaster", "search@1", "taught itself the game, and tries its moves in hundreds of imagined deals"),
)
BOT_OF_LEVEL = {level.id: level.bot for level in LEVELS}
