"""Claiming a track: what can be paid for, how, and laying the trains (C-21 .. C-27, EUR-11)."""

from __future__ import annotations

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
    TRACK_WORDS,
    Board,
    Position,
    Work,
)
from branchline.maps.model import MAX_LENGTH


@kernel
def row_of(has_colour: int, colour: int, cards: int) -> int:
    """The row of Board.payable for a colour, for hands with or without a card of it, and a number of cards."""
    return TRACK_WORDS * ((has_colour * CARDS + colour) * LENGTHS + cards)


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
    fit = 2 * min(s.trains[seat], MAX_LENGTH)
    wild = 2 * min(locos, MAX_LENGTH)
    open_0 = b.fits[fit] & b.ferry_ok[wild] & ~s.shut[2 * seat]
    open_1 = b.fits[fit + 1] & b.ferry_ok[wild + 1] & ~s.shut[2 * seat + 1]
    word = CLAIM
    for c in range(CARDS):
        have = hand[at + c] if c < LOCO else 0
        row = row_of(1 if have > 0 else 0, c, min(have + locos, MAX_LENGTH))
        menu[word] = payable[row] & open_0
        menu[word + 1] = payable[row + 1] & open_1
        word += TRACK_WORDS


@kernel
def least_locos(s: Position, b: Board, seat: int) -> int:
    """The fewest locomotives that pay for the pending claim: as many as the ferry shows or the colour lacks."""
    length = b.length[s.claim_track]
    if s.claim_colour == LOCO:
        return length
    return max(b.ferry[s.claim_track], length - s.hand[seat * HAND + s.claim_colour])


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
    """Discard what pays for a track, a station or a tunnel's extra cards."""
    if colour != LOCO:
        spend(s, seat, colour, cards)
    spend(s, seat, LOCO, locos)


@kernel
def lay_trains(s: Position, b: Board, seat: int, track: int, doubled: int) -> None:
    """The track is the player's: trains, points, and what it closes to whom (C-23, C-24, C-26, C-27)."""
    word = track // BITS
    bit = 1 << (track % BITS)
    length = b.length[track]
    s.trains[seat] -= length
    s.score[seat] += b.points[length] * (2 if doubled else 1)
    s.owned[2 * seat + word] |= bit
    if doubled:
        s.doubled[word] |= bit
    for p in range(s.players):
        s.shut[2 * p + word] |= bit
        if p == seat or s.players < b.both_tracks_from:
            s.shut[2 * p] |= b.twins[2 * track]
            s.shut[2 * p + 1] |= b.twins[2 * track + 1]


@kernel
def complete_claim(s: Position, b: Board, w: Work, seat: int, extra_cards: int, extra_locos: int) -> None:
    """Pay for the pending claim, a tunnel's extra cards with it, and lay the trains."""
    track = s.claim_track
    locos = s.claim_locos + extra_locos
    cards = b.length[track] - s.claim_locos + extra_cards
    doubled = 1 if s.claim_double else 0
    pay(s, seat, s.claim_colour, cards, locos)
    lay_trains(s, b, seat, track, doubled)
    tell(w, E_CLAIMED, seat, track, s.claim_colour * 2 + doubled, cards * 64 + locos)
