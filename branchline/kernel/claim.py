"""Claiming a track: what can be paid for, how, and laying the trains (C-21 .. C-27)."""

from __future__ import annotations

from branchline.kernel.hooks import after_claim, before_claim, counts_twice, locos_asked, narrow_claims
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    E_CLAIMED,
    GRAY,
    HAND,
    LENGTHS,
    LOCO,
    LOCOS,
    PAIR,
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.maps.core import MAX_LENGTH

if TRACK_WORDS != 2:
    raise AssertionError("claim_menu is written out for two words: a loop within its loop would cost too much")

# Board.payable: for hands without a card of a colour, then with one, for each colour, by cards.
ROWS_OF_COLOUR = TRACK_WORDS * LENGTHS
ROWS_WITH_COLOUR = ROWS_OF_COLOUR * CARDS


@kernel
def row_of(has_colour: int, colour: int, cards: int) -> int:
    """The row of Board.payable for a colour, for hands with or without a card of it, and a number of cards."""
    return has_colour * ROWS_WITH_COLOUR + colour * ROWS_OF_COLOUR + TRACK_WORDS * cards


@kernel
def claim_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write into the menu, colour by colour, the tracks this seat can pay for with that colour.

    A coloured track stands under its colour, a gray one under each colour of which a card is played,
    and under LOCO when locomotives alone pay for it (C-21, C-22).
    """
    menu = w.menu
    hand = s.hand
    payable = b.payable
    at = seat * HAND
    locos = hand[at + LOCO]
    fit = TRACK_WORDS * min(s.trains[seat], MAX_LENGTH)
    open_tracks = w.open_tracks
    open_tracks[0] = b.fits[fit] & ~s.shut[TRACK_WORDS * seat]
    open_tracks[1] = b.fits[fit + 1] & ~s.shut[TRACK_WORDS * seat + 1]
    narrow_claims(s, b, w, seat)
    first = open_tracks[0]
    second = open_tracks[1]
    word = CLAIM
    rows = 0
    for c in range(CARDS):
        have = hand[at + c] if c < LOCO else 0
        cards = have + locos
        row = rows + TRACK_WORDS * (cards if cards < MAX_LENGTH else MAX_LENGTH)
        if have > 0:
            row += ROWS_WITH_COLOUR
        menu[word] = payable[row] & first
        menu[word + 1] = payable[row + 1] & second
        word += TRACK_WORDS
        rows += ROWS_OF_COLOUR


@kernel
def least_locos(s: Position, b: Board, seat: int) -> int:
    """The fewest locomotives that pay for the pending claim: as many as the track takes or the colour lacks."""
    length = b.length[s.claim_track]
    if s.claim_colour == LOCO:
        return length
    return max(locos_asked(b, s.claim_track), length - s.hand[seat * HAND + s.claim_colour])


@kernel
def most_locos(s: Position, b: Board, seat: int) -> int:
    """The most locomotives; on a gray track claimed with a colour at least one card has that colour."""
    length = b.length[s.claim_track]
    if b.colour[s.claim_track] == GRAY and s.claim_colour != LOCO:
        length -= 1
    return min(length, s.hand[seat * HAND + LOCO])


@kernel
def range_menu(least: int, most: int) -> int:
    """The bits LOCOS + least .. LOCOS + most."""
    if most < least:
        return 0
    return ((1 << (most + 1 - least)) - 1) << (LOCOS + least)


@kernel
def spend(s: Position, seat: int, card: int, n: int) -> None:
    """Discard n cards from the hand; of those everybody knew, as many are gone."""
    s.hand[seat * HAND + card] -= n
    s.discard[card] += n
    s.seen[seat * CARDS + card] = max(0, s.seen[seat * CARDS + card] - n)


@kernel
def pay(s: Position, seat: int, colour: int, cards: int, locos: int) -> None:
    """Discard what pays for something, in cards of one colour and locomotives."""
    if colour != LOCO:
        spend(s, seat, colour, cards)
    spend(s, seat, LOCO, locos)


@kernel
def lay_trains(s: Position, b: Board, seat: int, track: int, twice: int) -> None:
    """The track is the player's: trains, points, and what it closes to whom (C-23, C-24, C-26, C-27)."""
    word = track // BITS
    bit = 1 << (track % BITS)
    length = b.length[track]
    s.trains[seat] -= length
    s.score[seat] += b.points[length] * (2 if twice else 1)
    s.owned[TRACK_WORDS * seat + word] |= bit
    for p in range(s.players):
        s.shut[TRACK_WORDS * p + word] |= bit
        if p == seat or s.players < b.both_tracks_from:
            for i in range(TRACK_WORDS):
                s.shut[TRACK_WORDS * p + i] |= b.twins[TRACK_WORDS * track + i]


@kernel
def complete_claim(s: Position, b: Board, w: Work, seat: int, extra_cards: int, extra_locos: int) -> None:
    """Pay for the pending claim, with what it costs beyond its length, and lay the trains."""
    before_claim(s, b, w, seat)
    track = s.claim_track
    locos = s.claim_locos + extra_locos
    cards = b.length[track] - s.claim_locos + extra_cards
    twice = counts_twice(s)
    pay(s, seat, s.claim_colour, cards, locos)
    lay_trains(s, b, seat, track, twice)
    tell(w, E_CLAIMED, seat, track, s.claim_colour * 2 + twice, PAIR * cards + locos)
    after_claim(s, b, w, seat)
