"""The codes of actions by what they say, and whether a menu offers them; kernel/state.py tells the layout."""

from __future__ import annotations

from branchline.bots.kernel import (
    BITS,
    CLAIM,
    CLAIM_END,
    KEEP,
    MISC,
    OFFER,
    RETURN,
    STATION,
    TRACK_WORDS,
    Work,
    kernel,
)

NO_CHOICE = -1
WORD = 64  # codes in a word of the menu


@kernel
def word_of(code: int) -> int:
    """The word of the menu in which a code stands."""
    return code // WORD


@kernel
def bit_of(code: int) -> int:
    """Which bit of its word a code is."""
    return code % WORD


@kernel
def claim_code(t: int, colour: int) -> int:
    """Claim a track, paid with a colour."""
    return WORD * (CLAIM + TRACK_WORDS * colour + t // BITS) + t % BITS


@kernel
def station_code(place: int, colour: int) -> int:
    """Build a station, paid with a colour."""
    return WORD * (STATION + colour) + place


@kernel
def keep_code(kept: int) -> int:
    """Keep these of the offered tickets, bits by their place in the offer; NO_CHOICE for none of them."""
    return WORD * KEEP + kept - 1 if kept else NO_CHOICE


@kernel
def is_claim(code: int) -> int:
    return 1 if CLAIM <= word_of(code) < CLAIM_END else 0


@kernel
def is_claim_or_station(code: int) -> int:
    return 1 if CLAIM <= word_of(code) < KEEP else 0


@kernel
def is_return(code: int) -> int:
    """1 for a choice of which ticket to put back next."""
    return 1 if RETURN <= code < RETURN + OFFER else 0


# ---------------------------------------------------------------- what is offered


@kernel
def may_choose(w: Work, bit: int) -> int:
    """1 if the menu offers a draw, tickets or another choice of the word MISC."""
    return (w.menu[MISC] >> bit) & 1


@kernel
def may_claim(w: Work, t: int, colour: int) -> int:
    """1 if the seat may claim a track and pay with a colour."""
    return (w.menu[CLAIM + TRACK_WORDS * colour + t // BITS] >> (t % BITS)) & 1


@kernel
def may_build(w: Work, place: int, colour: int) -> int:
    """1 if the seat may build a station and pay with a colour."""
    return (w.menu[STATION + colour] >> place) & 1


@kernel
def may_keep(w: Work, kept: int) -> int:
    """1 if the seat may keep just these of the offered tickets."""
    return (w.menu[KEEP] >> (kept - 1)) & 1 if kept else 0
