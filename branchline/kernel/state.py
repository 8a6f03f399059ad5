"""The parts of a position, of a board's tables and of the work space that every map has, and the codes of its actions
and phases.

A `Position` of fixed size is everything a game is: copying it is copying bytes. A `Board` holds what never changes
during a game. `Work` is scratch: nothing in it lasts from one call to the next but the list of events and the score
sheet, which the caller reads. The whole records, with the parts of the mechanics, are in mechanics/composed.py.
"""

from __future__ import annotations

from typing import Annotated

from branchline.kernel.flat import I8, I16, I32, I64, Flat
from branchline.kernel.numbers import choice, end, event, phase, stream, tie, word
from branchline.maps.core import (
    MAX_DECK,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PLACES,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
)

# Bits: sets of tracks, places and tickets are words of 63 bits, so that no word is ever negative.
BITS = 63
TRACK_WORDS = MAX_TRACKS // BITS

SEATS = MAX_PLAYERS
OFFER = MAX_OFFER
LENGTHS = MAX_LENGTH + 1
DISPLAY = 5

# Cards. 0..7 are the colours of maps.model.COLOURS. A mechanic's cards in the train deck have numbers of their own.
LOCO = 8
CARDS = 9
GRAY = 8  # the colour of a track, where LOCO is the colour of a payment
UNKNOWN = 9  # the slot of a hand that counts what a reader may not know; 0 in a true position
HAND = 10
NO_CARD = -1
HIDDEN = 99  # stands in a view where a card or ticket may not be known

# Phases: which decision is awaited.
OVER, FIRST_TICKETS, TURN = phase("over"), phase("first tickets"), phase("turn")
DRAW_FIRST, DRAW_SECOND = phase("draw first"), phase("draw second")
KEEP_TICKETS, PAY = phase("keep tickets"), phase("pay")

# Actions: a code is WORD * word + bit, and the legal actions are a menu of such words.
WORD = 64  # codes a word; the last of them is never used, since a word has BITS bits
MISC = word("misc")
CLAIM = word("claim", TRACK_WORDS * CARDS)  # TRACK_WORDS words a colour: CLAIM + TRACK_WORDS * colour + track // BITS
CLAIM_END = CLAIM + TRACK_WORDS * CARDS
KEEP = word("keep")  # bit = the set of offered tickets to keep, less 1
MENU = end("words")
CODES = MENU * WORD

# Bits of the MISC word.
DRAW_DISPLAY = choice("draw display", DISPLAY)  # + place
DRAW_DECK = choice("draw deck")
TICKETS = choice("tickets")
PASS = choice("pass")
LOCOS = choice("locos", MAX_LENGTH + 1)  # + locomotives played
RETURN = choice("return", OFFER)  # + index in the offer

# Where a ticket is, as far as somebody knows it: 0 is a deck, or out of the game unseen.
HELD, RETURNED, REMOVED = 1, 11, 21  # + seat

# Why a game ended.
NOT_ENDED, LAST_ROUND, ALL_PASSED, NO_PROGRESS = range(4)

# What kind of turn has just been played, for C-34: who tried and got nothing has neither moved on nor passed.
BUSY_TURN, PASSED_TURN, VAIN_TURN = range(3)

# Random streams: one a purpose, so that the same seed deals the same cards whatever the players do.
TRAIN_STREAM, TICKET_STREAM, LONG_STREAM = stream("train cards"), stream("tickets"), stream("long tickets")
MIXED_STREAM = stream("mixed cards")
POLICY_STREAM, IMAGINE_STREAM = stream("policy"), stream("imagine")

RIGS = 12  # shuffles of one deck that can be written by hand

# Events the kernel reports when asked to: (kind, a, b, c, d).
EVENT = 5
EVENTS = 400
PAIR = 64  # two small numbers in one place of an event: PAIR * first + second
E_DREW, E_FILLED, E_SWEPT, E_RESHUFFLED = event("drew"), event("filled"), event("swept"), event("reshuffled")
E_TICKETS, E_TICKET, E_KEPT, E_CLAIMED = event("tickets"), event("ticket"), event("kept"), event("claimed")
E_PASSED, E_LAST_ROUND, E_TURN, E_OVER = event("passed"), event("last round"), event("turn"), event("over")

# The tie-breaks of Board.ties.
TIE_NONE, TIE_TICKETS, TIE_PATH = tie("none"), tie("tickets"), tie("path")


class Position(Flat, part=True):
    """A game at one moment, as far as every map has it."""

    seed: Annotated[int, I64]
    owned: Annotated[list[int], I64, SEATS * TRACK_WORDS]
    shut: Annotated[list[int], I64, SEATS * TRACK_WORDS]  # tracks this seat may not claim (any more)
    moves: Annotated[int, I32]
    score: Annotated[list[int], I16, SEATS]
    idle_turns: Annotated[int, I16]
    deck_n: Annotated[int, I16]
    shuffles: Annotated[int, I16]  # a hoarded deck is reshuffled more than a hundred times
    mixed_n: Annotated[int, I16]  # cards in the deck once others had been mixed in after the first deal, or 0
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
    claim_track: Annotated[int, I8]  # the pending claim, or -1; a mechanic that pays for something else keeps that here
    claim_colour: Annotated[int, I8]
    claim_locos: Annotated[int, I8]


class Board(Flat, part=True):
    """What never changes during a game: the map as tables, and shuffles written by hand."""

    twins: Annotated[list[int], I64, MAX_TRACKS * TRACK_WORDS]  # the other tracks of the same double route
    # Tracks payable, by cards of the colour at most (row_of): without a card of the colour, then with one, which
    # adds gray tracks. Under LOCO stand the gray tracks that locomotives alone pay.
    payable: Annotated[list[int], I64, 2 * CARDS * LENGTHS * TRACK_WORDS]
    fits: Annotated[list[int], I64, LENGTHS * TRACK_WORDS]  # by trains left
    at_place: Annotated[list[int], I64, MAX_PLACES * TRACK_WORDS]  # the tracks that end at a place
    ticket_a: Annotated[list[int], I64, MAX_TICKETS]
    ticket_b: Annotated[list[int], I64, MAX_TICKETS]
    dead_ends: Annotated[int, I64]
    ticket_points: Annotated[list[int], I16, MAX_TICKETS]
    points: Annotated[list[int], I16, LENGTHS]
    train_rig_n: Annotated[list[int], I16, RIGS]
    position_words: Annotated[int, I16]  # of a position, as far as the mechanics of this map reach
    track_a: Annotated[list[int], I8, MAX_TRACKS]
    track_b: Annotated[list[int], I8, MAX_TRACKS]
    length: Annotated[list[int], I8, MAX_TRACKS]
    colour: Annotated[list[int], I8, MAX_TRACKS]
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
    ticket_draw: Annotated[int, I8]
    ticket_keep: Annotated[int, I8]
    longest_path: Annotated[int, I8]
    globetrotter: Annotated[int, I8]
    ties: Annotated[list[int], I8, 3]
    train_rig: Annotated[list[int], I8, RIGS * MAX_DECK]
    ticket_rig_n: Annotated[list[int], I8, 3]
    ticket_rig: Annotated[list[int], I8, 3 * MAX_TICKETS]
    long_rig_n: Annotated[int, I8]
    long_rig: Annotated[list[int], I8, MAX_TICKETS]


class Work(Flat, part=True):
    """Scratch space, the menu of legal actions, the events of the last move and the score sheet."""

    menu: Annotated[list[int], I64, MENU]
    open_tracks: Annotated[list[int], I64, TRACK_WORDS]  # that may be claimed, whatever they cost
    near: Annotated[list[int], I64, MAX_PLACES]  # places joined to a place by one of a player's tracks
    edges: Annotated[list[int], I64, MAX_PLACES]  # tracks at a place, as bits of the player's own numbering
    trail: Annotated[list[int], I64, MAX_PLACES]
    digest: Annotated[int, I64]
    event: Annotated[list[int], I16, EVENTS * EVENT]
    event_n: Annotated[int, I16]
    listening: Annotated[int, I16]
    track_score: Annotated[list[int], I16, SEATS]
    ticket_score: Annotated[list[int], I16, SEATS]
    bonus: Annotated[list[int], I16, SEATS]  # longest path and globetrotter together
    total: Annotated[list[int], I16, SEATS]
    path: Annotated[list[int], I16, SEATS]  # length of the longest path
    codes: Annotated[list[int], I16, CODES]  # a written-out menu
    done: Annotated[list[int], I8, MAX_TICKETS]  # 1 for a ticket its holder completed
    completed: Annotated[list[int], I8, SEATS]
    place: Annotated[list[int], I8, SEATS]  # 1 for the winner or winners
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
