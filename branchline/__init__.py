"""Branchline: the railway-ticket board game, played exactly, on five maps and yours."""

from branchline import actions
from branchline.actions import *  # noqa: F403 (the base game's and those of the mechanics)
from branchline.deal import BadDeal, Deal
from branchline.events import Event
from branchline.game import Game
from branchline.maps import BadMap, MapData, load_map, shipped_maps
from branchline.notation import BadNotation, read_action, write_action
from branchline.refusals import IllegalAction
from branchline.scores import PlayerScore
from branchline.version import __version__
from branchline.view import PlayerView, View, imagine

__all__ = [
    "BadDeal",
    "BadMap",
    "BadNotation",
    "Deal",
    "Event",
    "Game",
    "IllegalAction",
    "MapData",
    "PlayerScore",
    "PlayerView",
    "View",
    "__version__",
    "imagine",
    "load_map",
    "read_action",
    "shipped_maps",
    "write_action",
]
__all__ += actions.__all__
