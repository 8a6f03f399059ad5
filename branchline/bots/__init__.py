"""Bots: programs that choose. A bot gets a `View`, never the game, so it knows what its seat knows and no more.

bot = make_bot("path", seed=1)
game.play(bot.choose(game.view(seat), game.legal_actions(seat)), seat)
"""

from branchline.bots.levels import LEVELS, Level
from branchline.bots.loading import BadBot
from branchline.bots.registry import (
    BOT_NUMBERS,
    BOTS,
    Bot,
    check_bot,
    is_known,
    kernel_number,
    known_levels,
    make_bot,
    short_name,
)

__all__ = [
    "BOTS",
    "BOT_NUMBERS",
    "LEVELS",
    "BadBot",
    "Bot",
    "Level",
    "check_bot",
    "is_known",
    "kernel_number",
    "known_levels",
    "make_bot",
    "short_name",
]
