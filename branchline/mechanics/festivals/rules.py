"""Festival cards: lying at the cities, taken with a track, scored in sets (IBE-02, IBE-07, IBE-13 .. IBE-16)."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.chance import shuffle, stream_key
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel
from branchline.kernel.report import tell
from branchline.kernel.state import IMAGINE_STREAM, OVER
from branchline.kernel.turn import go_on_with_claim
from branchline.mechanics.festivals.map import MapData
from branchline.mechanics.festivals.state import (
    E_FESTIVAL,
    E_FESTIVALS_TAKEN,
    FESTIVAL,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
    FESTIVALS_WRONG,
    GROUPS,
    Board,
    Position,
    Work,
)

SAYS = {
    hooks.mixes_cards_in: "b.groups > 0",
    hooks.is_unfinished: "s.phase == FESTIVAL_CHOICE",
}


@at(hooks.make_tables, ALWAYS)
def festival_tables(b: Board, data: MapData) -> None:
    b.group[:] = [-1] * len(b.group)
    if not data.festivals:
        return
    index = {place.id: p for p, place in enumerate(data.places)}
    b.groups = len(data.festivals.groups)
    for g, group in enumerate(data.festivals.groups):
        b.group_cards[g] = group.cards
        for place in group.places:
            b.group[index[place]] = g
    table = data.festivals.score_table
    b.festival_table[:] = [table[min(n, len(table) - 1)] for n in range(len(b.festival_table))]


# ---------------------------------------------------------------- in the deck and at the cities


@at(hooks.add_mixed_cards)
@kernel
def add_festival_cards(s: Position, b: Board, n: int) -> int:
    """The festival cards are shuffled into the deck (IBE-03)."""
    for g in range(b.groups):
        for _ in range(b.group_cards[g]):
            s.deck[n] = FESTIVAL + g
            n += 1
    return n


@at(hooks.card_came_up, "FESTIVAL <= card < FESTIVAL + GROUPS")
@kernel
def lay_festival(s: Position, w: Work, card: int) -> None:
    """A festival card is laid at its city (IBE-07)."""
    s.pool[card - FESTIVAL] += 1
    tell(w, E_FESTIVAL, card - FESTIVAL, 0, 0, 0)


# ---------------------------------------------------------------- taken with a claim


@kernel
def waiting_group(s: Position, b: Board, place: int) -> int:
    """The festival group of a place that has cards lying there, or -1."""
    g = b.group[place]
    if g >= 0 and s.pool[g] > 0:
        return g
    return -1


@at(hooks.question_of_claim, "s.phase == FESTIVAL_CHOICE")
@kernel
def open_festival(s: Position, b: Board, w: Work) -> int:
    """Ask at which end the festival cards are taken, where that is a choice (IBE-14)."""
    first = waiting_group(s, b, b.track_a[s.claim_track])
    second = waiting_group(s, b, b.track_b[s.claim_track])
    if first >= 0 and second >= 0 and first != second:
        s.phase = FESTIVAL_CHOICE
        return 1
    w.taken_group = max(first, second)
    return 0


@at(hooks.phase_choices, "s.phase == FESTIVAL_CHOICE")
@kernel
def festival_menu() -> int:
    return (1 << FESTIVAL_A) | (1 << FESTIVAL_B)


@at(hooks.choice_made, "bit == FESTIVAL_A or bit == FESTIVAL_B")
@kernel
def festival_chosen(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """The end is chosen at which the festival cards are taken."""
    place = b.track_a[s.claim_track] if bit == FESTIVAL_A else b.track_b[s.claim_track]
    w.taken_group = b.group[place]
    go_on_with_claim(s, b, w, seat)


@at(hooks.after_claim)
@kernel
def take_festivals(s: Position, w: Work, seat: int) -> None:
    """All the cards of one city go into the player's pile (IBE-13)."""
    group = w.taken_group
    if group < 0:
        return
    n = s.pool[group]
    s.pile[seat * GROUPS + group] += n
    s.pile_n[seat] += n
    s.pool[group] = 0
    tell(w, E_FESTIVALS_TAKEN, seat, group, n, 0)


# ---------------------------------------------------------------- points


@at(hooks.score_lines, ALWAYS)
@kernel
def score_festivals(s: Position, b: Board, w: Work, seat: int) -> int:
    w.festival_score[seat] = festival_points(s, b, seat)
    return w.festival_score[seat]


@kernel
def festival_points(s: Position, b: Board, seat: int) -> int:
    """Each set of cards of one group scores by the table (IBE-16)."""
    points = 0
    for g in range(b.groups):
        points += b.festival_table[s.pile[seat * GROUPS + g]]
    return points


# ---------------------------------------------------------------- what a reader may know, and what could be


@at(hooks.veil_more)
@kernel
def veil_piles(s: Position, reader: int) -> None:
    """A pile is its owner's secret until the end; how many cards are in it is known (IBE-13, I-04)."""
    if s.phase == OVER:
        return
    for seat in range(s.players):
        if seat != reader:
            for g in range(GROUPS):
                s.pile[seat * GROUPS + g] = 0


@at(hooks.imagine_mixed_cards)
@kernel
def imagine_festivals(s: Position, b: Board, w: Work, reader: int, n: int, key: int) -> int:
    """The unseen festival cards lie in the others' piles or among the n cards of the deck in w.cards."""
    n = add_unknown_festivals(s, b, w, reader, n, stream_key(key, IMAGINE_STREAM, 1))
    shuffle(w.cards, n, stream_key(key, IMAGINE_STREAM, 2))
    return n


@kernel
def add_unknown_festivals(s: Position, b: Board, w: Work, reader: int, n: int, key: int) -> int:
    """Deal unseen festival cards into the other players' piles; the rest joins the n deck cards in w.cards."""
    unseen = 0
    for g in range(b.groups):
        left = b.group_cards[g] - s.pool[g]
        for seat in range(s.players):
            left -= s.pile[seat * GROUPS + g]
        for _ in range(left):
            w.pool[unseen] = g
            unseen += 1
    shuffle(w.pool, unseen, key)
    for seat in range(s.players):
        if seat != reader and s.phase != OVER:
            for _ in range(s.pile_n[seat]):
                unseen -= 1
                s.pile[seat * GROUPS + w.pool[unseen]] += 1
    for i in range(unseen):
        w.cards[n] = FESTIVAL + w.pool[i]
        n += 1
    return n


# ---------------------------------------------------------------- checking


@at(hooks.find_fault)
@kernel
def count_festivals(s: Position, b: Board) -> int:
    """No festival card is made or lost."""
    for g in range(b.groups):
        if count_festival(s, g) != b.group_cards[g]:
            return FESTIVALS_WRONG
    return 0


@kernel
def count_festival(s: Position, group: int) -> int:
    n = s.pool[group]
    for seat in range(s.players):
        n += s.pile[seat * GROUPS + group]
    for i in range(s.deck_n):
        if s.deck[i] == FESTIVAL + group:
            n += 1
    return n
