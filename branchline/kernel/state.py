"""The layout of a position, of a board's tables and of the work space, and the codes of actions and phases.

Everything a game is stands in one `Position` of fixed size: copying it is copying bytes. A `Board` holds
what never changes during a game. `Work` is scratch: nothing in it lasts from one call to the next but the
list of events and the score sheet, which the caller reads.
"""

from __future__ import annotations

from typing import Annotated

from branchline.kernel.flat import I8, I16, I32, I64, Flat
from branchline.maps.model import (
    MAX_DECK,
    MAX_FESTIVAL_GROUPS,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PLACES,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TERRAIN_CARDS,
    MAX_TERRAIN_TYPES,
    MAX_TICKETS,
    MAX_TRACKS,
)

# Bits: sets of tracks, places and tickets are words of 63 bits, so that no word is ever negative.
BITS = 63
TRACK_WORDS = MAX_TRACKS // BITS

SEATS = MAX_PLAYERS
OFFER = MAX_OFFER
LENGTHS = MAX_LENGTH + 1
STATIONS = MAX_STATIONS
GROUPS = MAX_FESTIVAL_GROUPS
TERRAINS = MAX_TERRAIN_TYPES
DISPLAY = 5
TERRAIN_UP = 3
TURNED = 6

# Cards. 0..7 are the colours of maps.model.COLOURS.
LOCO = 8
CARDS = 9
GRAY = 8  # the colour of a track, where LOCO is the colour of a payment
UNKNOWN = 9  # the slot of a hand that counts what a reader may not know; 0 in a true position
HAND = 10
NO_CARD = -1
FESTIVAL = 16  # a festival card of group g is FESTIVAL + g
DRAFT_CARD = 60
HIDDEN = 99  # stands in a view where a card or ticket may not be known

# Phases: which decision is awaited.
OVER, FIRST_TICKETS, DRAFT_PICK, DRAFT_KEEP, TURN, DRAW_FIRST, DRAW_SECOND, KEEP_TICKETS = range(8)
PAY, DOUBLE, FESTIVAL_CHOICE, TUNNEL, PAY_STATION = range(8, 13)

# Actions: a code is 64 * word + bit, and the legal actions are a menu of such words.
MISC = 0
CLAIM = 1  # one pair of words a colour: CLAIM + 2 * colour + track // 63
STATION = CLAIM + TRACK_WORDS * CARDS  # one word a colour, a bit a place
KEEP = STATION + CARDS  # bit = the set of offered tickets to keep, less 1
MENU = KEEP + 1
CODES = MENU * 64

# Bits of the MISC word.
DRAW_DISPLAY = 0  # + place
DRAW_DECK = 5
TAKE_TERRAIN = 6  # + place
TERRAIN_DECK = 9
TICKETS = 10
PASS = 11
DECLINE = 12
FESTIVAL_A = 13
FESTIVAL_B = 14
SINGLE = 15  # do not double
DOUBLED = 16  # + locomotives played as terrain, 0..15
LOCOS = 32  # + locomotives played, 0..9
PICK = 42  # + index in the pack
RETURN = 48  # + index in the offer

# Where a ticket is, as far as somebody knows it: 0 is a deck, or out of the game unseen.
HELD, RETURNED, REMOVED = 1, 11, 21  # + seat

# Why a game ended.
NOT_ENDED, LAST_ROUND, ALL_PASSED, NO_PROGRESS = range(4)

# What kind of turn has just been played, for C-34.
BUSY_TURN, PASSED_TURN, FAILED_TUNNEL = range(3)

# Random streams: one a purpose, so that the same seed deals the same cards whatever the players do.
TRAIN_STREAM, TICKET_STREAM, LONG_STREAM, TERRAIN_STREAM, FESTIVAL_STREAM, DEPTH_STREAM = range(1, 7)
POLICY_STREAM, IMAGINE_STREAM = 7, 8

RIGS = 12  # shuffles of one deck that can be written by hand

# Events the kernel reports when asked to: (kind, a, b, c, d).
EVENT = 5
EVENTS = 400
(
    E_DREW,
    E_FILLED,
    E_SWEPT,
    E_RESHUFFLED,
    E_FESTIVAL,
    E_DRAFT_CARD,
    E_TERRAIN,
    E_TERRAIN_FILLED,
    E_TERRAIN_RESHUFFLED,
    E_TICKETS,
    E_KEPT,
    E_CLAIMED,
    E_TUNNEL,
    E_TURNED,
    E_FAILED,
    E_STATION,
    E_FESTIVALS_TAKEN,
    E_TERRAIN_PLAYED,
    E_PASSED,
    E_LAST_ROUND,
    E_DRAFT,
    E_PICKED,
    E_PACKS,
    E_TURN,
    E_OVER,
    E_DUE,
    E_TICKET,
) = range(27)


class Position(Flat):
    """A whole game at one moment."""

    seed: Annotated[int, I64]
    owned: Annotated[list[int], I64, SEATS * TRACK_WORDS]
    shut: Annotated[list[int], I64, SEATS * TRACK_WORDS]  # tracks this seat may not claim (any more)
    doubled: Annotated[list[int], I64, TRACK_WORDS]
    station_places: Annotated[int, I64]
    moves: Annotated[int, I32]
    score: Annotated[list[int], I16, SEATS]
    idle_turns: Annotated[int, I16]
    deck_n: Annotated[int, I16]
    shuffles: Annotated[int, I16]  # a hoarded deck is reshuffled more than a hundred times
    mixed_n: Annotated[int, I16]  # cards beside the second-draft card when it was put in (IBE-03)
    players: Annotated[int, I8]
    phase: Annotated[int, I8]
    seat: Annotated[int, I8]
    awaited: Annotated[int, I8]  # bits of the seats that have to choose
    turns_left: Annotated[int, I8]  # 0 until the last round is on
    passes: Annotated[int, I8]
    sweeps: Annotated[int, I8]
    end: Annotated[int, I8]
    fault: Annotated[int, I8]  # a rigged shuffle named a card that is not there
    trains: Annotated[list[int], I8, SEATS]
    hand: Annotated[list[int], I8, SEATS * HAND]
    seen: Annotated[list[int], I8, SEATS * CARDS]  # cards everybody knows to be in a hand (I-02)
    display: Annotated[list[int], I8, DISPLAY]
    discard: Annotated[list[int], I8, CARDS]
    deck: Annotated[list[int], I8, MAX_DECK]  # the top is deck[deck_n - 1]
    ticket_deck: Annotated[list[int], I8, MAX_TICKETS]  # a ring; the top is at ticket_top
    ticket_at: Annotated[list[int], I8, MAX_TICKETS]  # HELD, RETURNED or REMOVED + seat, or 0
    ticket_top: Annotated[int, I8]
    ticket_n: Annotated[int, I8]
    ticket_shuffles: Annotated[int, I8]
    ticket_count: Annotated[list[int], I8, SEATS]
    offer: Annotated[list[int], I8, SEATS * OFFER]  # kept ones first, then the returned in their order
    offer_n: Annotated[list[int], I8, SEATS]
    kept_n: Annotated[list[int], I8, SEATS]
    ordered_n: Annotated[list[int], I8, SEATS]
    stations: Annotated[list[int], I8, SEATS * STATIONS]  # 1 + place, in the order of building
    pool: Annotated[list[int], I8, GROUPS]
    pile: Annotated[list[int], I8, SEATS * GROUPS]
    pile_n: Annotated[list[int], I8, SEATS]
    draft: Annotated[int, I8]  # how many drafts have been begun
    draft_due: Annotated[int, I8]
    draft_step: Annotated[int, I8]
    pack_n: Annotated[int, I8]  # cards dealt into each pack
    pack: Annotated[list[int], I8, SEATS * OFFER]
    taken: Annotated[list[int], I8, SEATS * OFFER]  # the step at which it was taken from its pack, or 0
    terrain: Annotated[list[int], I8, SEATS * TERRAINS]
    terrain_up: Annotated[list[int], I8, TERRAIN_UP]
    terrain_deck: Annotated[list[int], I8, MAX_TERRAIN_CARDS]
    terrain_n: Annotated[int, I8]
    terrain_discard: Annotated[list[int], I8, TERRAINS]
    terrain_shuffles: Annotated[int, I8]
    claim_track: Annotated[int, I8]  # the pending claim, or -1
    claim_colour: Annotated[int, I8]
    claim_locos: Annotated[int, I8]
    claim_double: Annotated[int, I8]  # 1 + locomotives played as terrain, or 0
    due: Annotated[int, I8]
    turned: Annotated[list[int], I8, TURNED]
    turned_n: Annotated[int, I8]


class Board(Flat):
    """What never changes during a game: the map as tables, and shuffles written by hand."""

    twins: Annotated[list[int], I64, MAX_TRACKS * TRACK_WORDS]  # the other tracks of the same double route
    tunnels: Annotated[list[int], I64, TRACK_WORDS]
    # Tracks payable, by cards of the colour at most (row_of): without a card of the colour, then with one, which
    # adds gray tracks. Under LOCO stand the gray tracks that locomotives alone pay.
    payable: Annotated[list[int], I64, 2 * CARDS * LENGTHS * TRACK_WORDS]
    ferry_ok: Annotated[list[int], I64, LENGTHS * TRACK_WORDS]  # by locomotives in hand
    fits: Annotated[list[int], I64, LENGTHS * TRACK_WORDS]  # by trains left
    at_place: Annotated[list[int], I64, MAX_PLACES * TRACK_WORDS]  # the tracks that end at a place
    ticket_a: Annotated[list[int], I64, MAX_TICKETS]
    ticket_b: Annotated[list[int], I64, MAX_TICKETS]
    dead_ends: Annotated[int, I64]
    station_sites: Annotated[int, I64]
    ticket_points: Annotated[list[int], I16, MAX_TICKETS]
    points: Annotated[list[int], I16, LENGTHS]
    festival_table: Annotated[list[int], I16, 64]
    train_rig_n: Annotated[list[int], I16, RIGS]
    track_a: Annotated[list[int], I8, MAX_TRACKS]
    track_b: Annotated[list[int], I8, MAX_TRACKS]
    length: Annotated[list[int], I8, MAX_TRACKS]
    colour: Annotated[list[int], I8, MAX_TRACKS]
    ferry: Annotated[list[int], I8, MAX_TRACKS]
    group: Annotated[list[int], I8, MAX_PLACES]  # festival group of a place, or -1
    long_ticket: Annotated[list[int], I8, MAX_TICKETS]
    n_places: Annotated[int, I8]
    n_tracks: Annotated[int, I8]
    n_tickets: Annotated[int, I8]
    trains: Annotated[int, I8]
    cards_per_colour: Annotated[int, I8]
    locomotives: Annotated[int, I8]
    first_hand: Annotated[int, I8]
    display: Annotated[int, I8]
    sweep_at: Annotated[int, I8]
    last_round_at: Annotated[int, I8]
    both_tracks_from: Annotated[int, I8]
    deal_normal: Annotated[int, I8]
    deal_long: Annotated[int, I8]
    keep_first: Annotated[int, I8]
    unkept_removed: Annotated[int, I8]
    draft_cards: Annotated[int, I8]
    draft_keep: Annotated[int, I8]
    depth_num: Annotated[list[int], I8, SEATS + 1]  # by number of players
    depth_den: Annotated[list[int], I8, SEATS + 1]
    depth_jitter: Annotated[int, I8]
    ticket_draw: Annotated[int, I8]
    ticket_keep: Annotated[int, I8]
    longest_path: Annotated[int, I8]
    globetrotter: Annotated[int, I8]
    tunnel_cards: Annotated[int, I8]
    ties: Annotated[list[int], I8, 3]
    stations_each: Annotated[int, I8]
    station_points: Annotated[int, I8]
    groups: Annotated[int, I8]
    group_cards: Annotated[list[int], I8, GROUPS]
    terrains: Annotated[int, I8]
    terrain_cards: Annotated[list[int], I8, TERRAINS]
    terrain_deal: Annotated[int, I8]
    terrain_up: Annotated[int, I8]
    terrain_of: Annotated[list[int], I8, CARDS]  # by colour of track
    to_double: Annotated[list[int], I8, LENGTHS]
    train_rig: Annotated[list[int], I8, RIGS * MAX_DECK]
    ticket_rig_n: Annotated[list[int], I8, 3]
    ticket_rig: Annotated[list[int], I8, 3 * MAX_TICKETS]
    long_rig_n: Annotated[int, I8]
    long_rig: Annotated[list[int], I8, MAX_TICKETS]
    terrain_rig_n: Annotated[list[int], I8, RIGS]
    terrain_rig: Annotated[list[int], I8, RIGS * MAX_TERRAIN_CARDS]


# The tie-breaks of Board.ties.
TIE_NONE, TIE_TICKETS, TIE_STATIONS, TIE_PATH = range(4)


class Work(Flat):
    """Scratch space, the menu of legal actions, the events of the last move and the score sheet."""

    menu: Annotated[list[int], I64, MENU]
    near: Annotated[list[int], I64, MAX_PLACES]  # places joined to a place by one of a player's tracks
    edges: Annotated[list[int], I64, MAX_PLACES]  # tracks at a place, as bits of the player's own numbering
    trail: Annotated[list[int], I64, MAX_PLACES]
    digest: Annotated[int, I64]
    event: Annotated[list[int], I16, EVENTS * EVENT]
    event_n: Annotated[int, I16]
    listening: Annotated[int, I16]
    track_score: Annotated[list[int], I16, SEATS]
    ticket_score: Annotated[list[int], I16, SEATS]
    station_score: Annotated[list[int], I16, SEATS]
    festival_score: Annotated[list[int], I16, SEATS]
    bonus: Annotated[list[int], I16, SEATS]  # longest path and globetrotter together
    total: Annotated[list[int], I16, SEATS]
    path: Annotated[list[int], I16, SEATS]  # length of the longest path
    codes: Annotated[list[int], I16, CODES]  # a written-out menu
    done: Annotated[list[int], I8, MAX_TICKETS]  # 1 for a ticket its holder completed
    completed: Annotated[list[int], I8, SEATS]
    unbuilt: Annotated[list[int], I8, SEATS]  # stations not built
    place: Annotated[list[int], I8, SEATS]  # 1 for the winner or winners
    lent: Annotated[list[int], I8, SEATS * STATIONS]  # 1 + the track a station lends, or 0
    best_lent: Annotated[list[int], I8, STATIONS]
    menu_from: Annotated[int, I8]
    menu_to: Annotated[int, I8]
    edge_a: Annotated[list[int], I8, BITS]
    edge_b: Annotated[list[int], I8, BITS]
    edge_length: Annotated[list[int], I8, BITS]
    edge_track: Annotated[list[int], I8, BITS]
    via: Annotated[list[int], I8, BITS + 1]
    at: Annotated[list[int], I8, BITS + 1]
    best_trail: Annotated[list[int], I8, SEATS * BITS]  # 1 + tracks of each player's longest path, in order
    best_trail_n: Annotated[list[int], I8, SEATS]
    cards: Annotated[list[int], I8, MAX_DECK]
    pool: Annotated[list[int], I8, MAX_DECK]
