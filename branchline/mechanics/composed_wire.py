"""What the base game and the mechanics share on the wire.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import TypeAlias

from branchline.base import wire as base
from branchline.base.wire import DrawWish, LoanWire, WirePart
from branchline.mechanics.drafts import wire as drafts
from branchline.mechanics.ferries import wire as ferries
from branchline.mechanics.festivals import wire as festivals
from branchline.mechanics.festivals.wire import FestivalFact, FestivalLine
from branchline.mechanics.mail import wire as mail
from branchline.mechanics.mail.wire import BagLine, BagWire
from branchline.mechanics.stations import wire as stations
from branchline.mechanics.stations.wire import StationWish
from branchline.mechanics.terrain import wire as terrain
from branchline.mechanics.terrain.wire import TerrainFact
from branchline.mechanics.tunnels import wire as tunnels
from branchline.mechanics.tunnels.wire import TunnelWire

__all__ = [
    "PARTS",
    "BagLine",
    "BagWire",
    "ClaimWish",
    "FestivalFact",
    "FestivalLine",
    "MapFacts",
    "PlayerWire",
    "ScoreWire",
    "StationWish",
    "TerrainFact",
    "TrackFact",
    "TunnelWire",
    "ViewWire",
    "Wish",
]
PARTS: tuple[WirePart, ...] = (
    tunnels.PART,
    ferries.PART,
    stations.PART,
    terrain.PART,
    festivals.PART,
    drafts.PART,
    mail.PART,
)


class TrackFact(base.TrackFact, frozen=True):
    # tunnels
    tunnel: bool
    # ferries
    ferry: int


class MapFacts(base.MapFacts, frozen=True):
    """What is printed on a board and its cards: no state, no rule."""

    # tunnels
    tunnel_cards: int
    # stations
    stations_each: int
    station_points: int
    # terrain
    cards_to_double: list[int]  # by track length, 0 = cannot be doubled; empty without terrain
    terrain_face_up: int
    terrain: list[TerrainFact]
    # festivals
    festival_points: list[int]  # by cards of one city; empty without festivals
    festivals: list[FestivalFact]
    # mail
    mail: dict[str, int]  # by place: points of the bag addressed to it; empty without mail
    mail_carry: int  # bags a player may carry
    stamps: dict[str, list[int]]  # by number of players: points each seat begins with
    tracks: list[TrackFact]


class PlayerWire(base.PlayerWire, frozen=True):
    """One player as the reader sees them."""

    # stations
    borrowed: list[str]  # the reader's own: tickets that loans of stations would complete if the game ended now
    loans: list[LoanWire]  # the reader's own: what each station would then lend
    stations: list[str]
    stations_left: int
    station_price: int  # the cards that the next one costs; 0 if none is left
    # terrain
    terrain: dict[str, int]
    # festivals
    festivals: dict[str, int]
    festival_count: int
    # mail
    carried: list[BagWire]  # in the order of taking: a bag that is laid down is named by its number, from 1 on
    delivered: list[BagLine]
    stamps: int


class ViewWire(base.ViewWire, frozen=True):
    """All a reader may know of a position. `reader` is a seat, or null for a spectator."""

    # tunnels
    tunnel: TunnelWire | None
    # terrain
    terrain_display: list[str | None]
    terrain_deck: int
    doubled: list[str]
    # festivals
    festivals: dict[str, int]  # lying at the cities, by group
    # drafts
    pack: list[str]  # the pack of a draft before the reader
    # mail
    bags: list[BagWire]  # lying in the cities
    bags_at_once: list[str]  # the cities whose bag, if I take it now, is delivered at once
    players: list[PlayerWire]


class ClaimWish(base.ClaimWish, frozen=True):
    """Claim a track with cards of a colour ("loco": a gray one by locomotives alone), as few locomotives as can be."""

    # tunnels
    extra: int = 0  # the most cards to add for a tunnel
    # terrain
    double: bool | None = None
    # festivals
    festival: str | None = None  # the end of the track whose festival cards to take


class ScoreWire(base.ScoreWire, frozen=True):
    """One player's sheet; the parts add up to the total."""

    # stations
    stations: int
    loans: list[LoanWire]
    # festivals
    festivals: list[FestivalLine]
    # mail
    mail: list[BagLine]
    stamps: int


Wish: TypeAlias = ClaimWish | DrawWish | StationWish
