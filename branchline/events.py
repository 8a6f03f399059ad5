"""Events: what happened, as facts with an audience. `seen_by` gives what a reader may know of it.

A reader is a seat, or None for a spectator. What a reader may not even know to have happened gives None.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import TypeAlias

from branchline.base.events import (
    AskedAnew,
    ChoiceMade,
    DeckReshuffled,
    DisplayFilled,
    DisplaySwept,
    DrewBlind,
    DrewCard,
    EndReason,
    GameEnded,
    LastRoundBegan,
    Passed,
    Payment,
    Public,
    Reader,
    SeatChose,
    TicketsKept,
    TicketsOffered,
    TrackClaimed,
    TurnBegan,
)
from branchline.mechanics.drafts.face import DraftBegan, PacksPassed, SecondDraftCardUp, TicketPicked
from branchline.mechanics.festivals.face import FestivalLaid, FestivalsTaken
from branchline.mechanics.mail.face import BagDelivered, BagLaid, BagSeen, BagsLeft, BagTaken
from branchline.mechanics.stations.face import StationBuilt
from branchline.mechanics.terrain.face import DrewTerrain, TerrainFilled, TerrainPlayed, TerrainReshuffled
from branchline.mechanics.tunnels.face import TunnelCardsTurned, TunnelFailed, TunnelTried

__all__ = [
    "AskedAnew",
    "BagDelivered",
    "BagLaid",
    "BagSeen",
    "BagTaken",
    "BagsLeft",
    "ChoiceMade",
    "DeckReshuffled",
    "DisplayFilled",
    "DisplaySwept",
    "DraftBegan",
    "DrewBlind",
    "DrewCard",
    "DrewTerrain",
    "EndReason",
    "Event",
    "FestivalLaid",
    "FestivalsTaken",
    "GameEnded",
    "LastRoundBegan",
    "PacksPassed",
    "Passed",
    "Payment",
    "Public",
    "Reader",
    "SeatChose",
    "SecondDraftCardUp",
    "StationBuilt",
    "TerrainFilled",
    "TerrainPlayed",
    "TerrainReshuffled",
    "TicketPicked",
    "TicketsKept",
    "TicketsOffered",
    "TrackClaimed",
    "TunnelCardsTurned",
    "TunnelFailed",
    "TunnelTried",
    "TurnBegan",
]
Event: TypeAlias = (
    DrewCard
    | DrewBlind
    | DisplayFilled
    | DisplaySwept
    | DeckReshuffled
    | TicketsOffered
    | TicketsKept
    | ChoiceMade
    | TrackClaimed
    | Passed
    | LastRoundBegan
    | TurnBegan
    | GameEnded
    | TunnelTried
    | TunnelCardsTurned
    | TunnelFailed
    | StationBuilt
    | DrewTerrain
    | TerrainFilled
    | TerrainReshuffled
    | TerrainPlayed
    | FestivalLaid
    | FestivalsTaken
    | SecondDraftCardUp
    | DraftBegan
    | PacksPassed
    | TicketPicked
    | BagSeen
    | BagTaken
    | BagLaid
    | BagsLeft
    | BagDelivered
)
