"""What a map file says, whole: the facts every map has, and those of the mechanics of the list.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from branchline.maps import core
from branchline.maps.core import (
    CARDS,
    COLOURS,
    GRAY,
    LOCO,
    MAX_DECK,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_OWN_TRACKS,
    MAX_PLACES,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
    MAX_TRAIN_CARDS,
    MAX_TRAINS,
    SEAT_COLOURS,
    TRACK_COLOURS,
    Clauses,
    FirstTickets,
    OtherNames,
    PlaceKind,
    Ticket,
    TicketDeal,
    TicketDraw,
    Unkept,
)
from branchline.maps.parts import MapPart
from branchline.mechanics.drafts import map as drafts
from branchline.mechanics.drafts.map import TicketDraft
from branchline.mechanics.ferries import map as ferries
from branchline.mechanics.ferries.map import MAX_FERRY
from branchline.mechanics.festivals import map as festivals
from branchline.mechanics.festivals.map import MAX_FESTIVAL_CARDS, MAX_FESTIVAL_GROUPS, FestivalGroup, Festivals
from branchline.mechanics.mail import map as mail
from branchline.mechanics.mail.map import MAX_BAG, MAX_CARRIED, MAX_STAMPS, Mail
from branchline.mechanics.stations import map as stations
from branchline.mechanics.stations.map import MAX_STATIONS, Stations
from branchline.mechanics.terrain import map as terrain
from branchline.mechanics.terrain.map import (
    MAX_FACE_UP_TERRAIN,
    MAX_TERRAIN_CARDS,
    MAX_TERRAIN_LOCOMOTIVES,
    MAX_TERRAIN_TYPES,
    Terrain,
    TerrainType,
)
from branchline.mechanics.tunnels import map as tunnels
from branchline.mechanics.tunnels.map import MAX_TUNNEL_CARDS

__all__ = [
    "CARDS",
    "COLOURS",
    "GRAY",
    "LOCO",
    "MAX_BAG",
    "MAX_CARRIED",
    "MAX_DECK",
    "MAX_FACE_UP_TERRAIN",
    "MAX_FERRY",
    "MAX_FESTIVAL_CARDS",
    "MAX_FESTIVAL_GROUPS",
    "MAX_LENGTH",
    "MAX_OFFER",
    "MAX_OWN_TRACKS",
    "MAX_PLACES",
    "MAX_PLAYERS",
    "MAX_STAMPS",
    "MAX_STATIONS",
    "MAX_TERRAIN_CARDS",
    "MAX_TERRAIN_LOCOMOTIVES",
    "MAX_TERRAIN_TYPES",
    "MAX_TICKETS",
    "MAX_TRACKS",
    "MAX_TRAINS",
    "MAX_TRAIN_CARDS",
    "MAX_TUNNEL_CARDS",
    "PARTS",
    "SEAT_COLOURS",
    "TRACK_COLOURS",
    "Clauses",
    "FestivalGroup",
    "Festivals",
    "FirstTickets",
    "Mail",
    "MapData",
    "OtherNames",
    "Place",
    "PlaceKind",
    "Stations",
    "Terrain",
    "TerrainType",
    "Ticket",
    "TicketDeal",
    "TicketDraft",
    "TicketDraw",
    "Track",
    "Unkept",
]

PARTS: dict[str, MapPart[Any]] = {
    "tunnels": tunnels.PART,
    "ferries": ferries.PART,
    "stations": stations.PART,
    "terrain": terrain.PART,
    "festivals": festivals.PART,
    "drafts": drafts.PART,
    "mail": mail.PART,
}


@dataclass(frozen=True, kw_only=True)
class Place(mail.Place):
    """Whatever a track ends at."""


@dataclass(frozen=True, kw_only=True)
class Track(tunnels.Track, ferries.Track):
    """One claimable line of spaces between two places."""


@dataclass(frozen=True, kw_only=True)
class MapData(tunnels.MapData, ferries.MapData, stations.MapData, terrain.MapData, festivals.MapData, mail.MapData):
    """One map, checked: every name resolves, every number is in range, every total suffices."""

    places: tuple[Place, ...]
    tracks: tuple[Track, ...]
    first_tickets: TicketDeal | TicketDraft

    __hash__ = core.MapData.__hash__
