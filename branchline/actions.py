"""Actions: everything a player can choose, as small frozen values of a closed union.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import TypeAlias

from branchline.base.actions import (
    ClaimTrack,
    Draw,
    DrawDeck,
    DrawDisplay,
    DrawTickets,
    KeepTickets,
    Pass,
    PlayLocos,
    Purchase,
    ReturnTicket,
    Seat,
    TurnAction,
)
from branchline.mechanics.drafts.face import PickTicket
from branchline.mechanics.festivals.face import TakeFestivals
from branchline.mechanics.mail.face import LeaveBags, SwapBag, TakeBag
from branchline.mechanics.stations.face import BuildStation
from branchline.mechanics.terrain.face import DoublePoints, DrawTerrain, SinglePoints, TakeTerrain
from branchline.mechanics.tunnels.face import Decline

__all__ = [
    "Action",
    "BuildStation",
    "ClaimTrack",
    "Decline",
    "DoublePoints",
    "Draw",
    "DrawDeck",
    "DrawDisplay",
    "DrawTerrain",
    "DrawTickets",
    "KeepTickets",
    "LeaveBags",
    "Pass",
    "PickTicket",
    "PlayLocos",
    "Purchase",
    "ReturnTicket",
    "Seat",
    "SinglePoints",
    "SwapBag",
    "TakeBag",
    "TakeFestivals",
    "TakeTerrain",
    "TurnAction",
]
Action: TypeAlias = (
    DrawDisplay
    | DrawDeck
    | DrawTickets
    | ClaimTrack
    | PlayLocos
    | KeepTickets
    | ReturnTicket
    | Pass
    | Decline
    | BuildStation
    | TakeTerrain
    | DrawTerrain
    | DoublePoints
    | SinglePoints
    | TakeFestivals
    | PickTicket
    | LeaveBags
    | TakeBag
    | SwapBag
)
