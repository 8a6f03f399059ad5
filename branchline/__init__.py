"""Branchline: the railway-ticket board game, played exactly, on four maps."""

from branchline.actions import (
    Action,
    BuildStation,
    ClaimTrack,
    Decline,
    DoublePoints,
    DrawDeck,
    DrawDisplay,
    DrawTerrain,
    DrawTickets,
    KeepTickets,
    Pass,
    PickTicket,
    PlayLocos,
    ReturnTicket,
    SinglePoints,
    TakeFestivals,
    TakeTerrain,
)
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
    "Action",
    "BadDeal",
    "BadMap",
    "BadNotation",
    "BuildStation",
    "ClaimTrack",
    "Deal",
    "Decline",
    "DoublePoints",
    "DrawDeck",
    "DrawDisplay",
    "DrawTerrain",
    "DrawTickets",
    "Event",
    "Game",
    "IllegalAction",
    "KeepTickets",
    "MapData",
    "Pass",
    "PickTicket",
    "PlayLocos",
    "PlayerScore",
    "PlayerView",
    "ReturnTicket",
    "SinglePoints",
    "TakeFestivals",
    "TakeTerrain",
    "View",
    "__version__",
    "imagine",
    "load_map",
    "read_action",
    "shipped_maps",
    "write_action",
]
