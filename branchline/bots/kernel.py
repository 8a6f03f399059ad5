"""What the bots use of the rules: the records, numbers and functions of the kernel, imported here and nowhere else.

Modules of kernel Python import from here, so that they need not know in which file a rule stands.
"""

from __future__ import annotations

from branchline.kernel.chance import below, stream_key
from branchline.kernel.flat import I8, I16, I32, I64, Flat
from branchline.kernel.hooks import lending_places, lending_sites, most_loans
from branchline.kernel.imagine import fill_in, is_offered
from branchline.kernel.paths import is_completed, join_places
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.rollout import play_defaults
from branchline.kernel.scoring import score_game
from branchline.kernel.setup import set_up
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    CLAIM_END,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    FIRST_TICKETS,
    GRAY,
    HAND,
    HELD,
    KEEP,
    LOCO,
    LOCOS,
    MISC,
    OFFER,
    OVER,
    PASS,
    RETURN,
    SEATS,
    TICKETS,
    TRACK_WORDS,
    TURN,
)
from branchline.kernel.turn import apply_action, choosing_tickets, count_menu, fill_menu, nth_of_menu
from branchline.kernel.view import veil
from branchline.maps.model import MAX_LENGTH, MAX_PLACES, MAX_TICKETS, MAX_TRACKS
from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.drafts.rules import pack_of
from branchline.mechanics.drafts.state import DRAFT_KEEP, DRAFT_PICK, PICK
from branchline.mechanics.festivals.rules import festival_points
from branchline.mechanics.festivals.state import FESTIVAL_A, FESTIVAL_CHOICE
from branchline.mechanics.stations.rules import station_price, stations_built
from branchline.mechanics.stations.state import STATION, STATIONS
from branchline.mechanics.terrain.rules import most_of_others
from branchline.mechanics.terrain.state import TAKE_TERRAIN, TERRAIN_DECK, TERRAINS
from branchline.mechanics.tunnels.rules import is_tunnel

__all__ = [
    "BITS",
    "CARDS",
    "CLAIM",
    "CLAIM_END",
    "DRAFT_KEEP",
    "DRAFT_PICK",
    "DRAW_DECK",
    "DRAW_DISPLAY",
    "DRAW_FIRST",
    "DRAW_SECOND",
    "FESTIVAL_A",
    "FESTIVAL_CHOICE",
    "FIRST_TICKETS",
    "GRAY",
    "HAND",
    "HELD",
    "I8",
    "I16",
    "I32",
    "I64",
    "KEEP",
    "LOCO",
    "LOCOS",
    "MAX_LENGTH",
    "MAX_PLACES",
    "MAX_TICKETS",
    "MAX_TRACKS",
    "MISC",
    "OFFER",
    "OVER",
    "PASS",
    "PICK",
    "RETURN",
    "SEATS",
    "STATION",
    "STATIONS",
    "TAKE_TERRAIN",
    "TERRAINS",
    "TERRAIN_DECK",
    "TICKETS",
    "TRACK_WORDS",
    "TURN",
    "Board",
    "Flat",
    "Position",
    "Work",
    "apply_action",
    "below",
    "choosing_tickets",
    "count_menu",
    "festival_points",
    "fill_in",
    "fill_menu",
    "is_completed",
    "is_offered",
    "is_tunnel",
    "join_places",
    "kernel",
    "lending_places",
    "lending_sites",
    "lowest",
    "most_loans",
    "most_of_others",
    "nth_of_menu",
    "pack_of",
    "play_defaults",
    "popcount",
    "score_game",
    "set_up",
    "station_price",
    "stations_built",
    "stream_key",
    "veil",
]
