"""Terrain cards: drawn instead of train cards, and played to double a track's points (AFR-04 .. AFR-15, AFR-21)."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.claim import spend
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.report import tell
from branchline.kernel.state import (
    BITS,
    BUSY_TURN,
    DRAW_SECOND,
    HAND,
    HIDDEN,
    IMAGINE_STREAM,
    LOCO,
    NO_CARD,
    RIGS,
    TRACK_WORDS,
    Work,
)
from branchline.kernel.turn import end_turn, go_on_drawing, go_on_with_claim
from branchline.maps.core import TRACK_COLOURS
from branchline.mechanics.terrain.map import MAX_TERRAIN_CARDS, MapData
from branchline.mechanics.terrain.state import (
    DOUBLE,
    DOUBLED,
    E_TERRAIN,
    E_TERRAIN_FILLED,
    E_TERRAIN_PLAYED,
    E_TERRAIN_RESHUFFLED,
    IMAGINED_TERRAIN,
    SINGLE,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAIN_STREAM,
    TERRAIN_UP,
    TERRAIN_WRONG,
    TERRAINS,
    Board,
    Position,
)

SAYS = {
    hooks.counts_twice: "s.claim_double > 0",
    hooks.forget_claim: "s.claim_double = 0",
    hooks.is_unfinished: "s.phase == DOUBLE",
}


@at(hooks.make_tables, ALWAYS)
def terrain_tables(b: Board, data: MapData) -> None:
    if not data.terrain:
        return
    b.terrains, b.terrain_deal, b.terrain_up = len(data.terrain.types), data.terrain.deal, data.terrain.face_up
    for k, kind in enumerate(data.terrain.types):
        b.terrain_cards[k] = kind.cards
        for colour in kind.colours:
            b.terrain_of[TRACK_COLOURS.index(colour)] = k
    b.to_double[: len(data.terrain.cards_to_double)] = data.terrain.cards_to_double


# ---------------------------------------------------------------- dealing and drawing


@at(hooks.deal_more)
@kernel
def deal_terrain(s: Position, b: Board, w: Work) -> None:
    """Shuffle the terrain cards, deal, turn up (AFR-04)."""
    n = 0
    for k in range(b.terrains):
        for _ in range(b.terrain_cards[k]):
            s.terrain_deck[n] = k
            n += 1
    shuffle(s.terrain_deck, n, stream_key(s.seed, TERRAIN_STREAM, 0))
    s.fault |= arrange(s.terrain_deck, n, b.terrain_rig, 0, b.terrain_rig_n[0])
    s.terrain_n = n
    for seat in range(s.players):
        for _ in range(b.terrain_deal):
            s.terrain[seat * TERRAINS + next_terrain_card(s, b, w)] += 1
    for i in range(TERRAIN_UP):
        s.terrain_up[i] = NO_CARD
    fill_terrain(s, b, w)


@kernel
def terrain_discards(s: Position, b: Board) -> int:
    n = 0
    for k in range(b.terrains):
        n += s.terrain_discard[k]
    return n


@kernel
def next_terrain_card(s: Position, b: Board, w: Work) -> int:
    """The next terrain card, after a reshuffle if one is needed (AFR-07), or NO_CARD."""
    if s.terrain_n == 0:
        n = 0
        for k in range(b.terrains):
            for _ in range(s.terrain_discard[k]):
                s.terrain_deck[n] = k
                n += 1
            s.terrain_discard[k] = 0
        if n == 0:
            return NO_CARD
        s.terrain_shuffles += 1
        k = s.terrain_shuffles
        shuffle(s.terrain_deck, n, stream_key(s.seed, TERRAIN_STREAM, k))
        if k < RIGS and b.terrain_rig_n[k] > 0:
            at = k * MAX_TERRAIN_CARDS
            s.fault |= arrange(s.terrain_deck, n, b.terrain_rig, at, at + b.terrain_rig_n[k])
        s.terrain_n = n
        tell(w, E_TERRAIN_RESHUFFLED, n, 0, 0, 0)
    s.terrain_n -= 1
    return s.terrain_deck[s.terrain_n]


@at(hooks.turn_ends)
@kernel
def fill_terrain(s: Position, b: Board, w: Work) -> None:
    """Turn up terrain cards where a place is empty (AFR-04, AFR-07)."""
    for i in range(b.terrain_up):
        if s.terrain_up[i] == NO_CARD:
            card = next_terrain_card(s, b, w)
            if card == NO_CARD:
                return
            s.terrain_up[i] = card
            tell(w, E_TERRAIN_FILLED, i, card, 0, 0)


@at(hooks.more_draws)
@kernel
def terrain_draws(s: Position, b: Board) -> int:
    """A terrain card may be drawn in the place of a train card (AFR-05, AFR-06, AFR-21)."""
    bits = 0
    for i in range(b.terrain_up):
        if s.terrain_up[i] != NO_CARD:
            bits |= 1 << (TAKE_TERRAIN + i)
    if s.terrain_n > 0 or terrain_discards(s, b) > 0:
        bits |= 1 << TERRAIN_DECK
    return bits


@at(hooks.choice_made, "TAKE_TERRAIN <= bit <= TERRAIN_DECK")
@kernel
def draw_terrain_card(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """Draw a terrain card instead of a train card (AFR-05, AFR-07)."""
    second = s.phase == DRAW_SECOND
    if bit == TERRAIN_DECK:
        card = next_terrain_card(s, b, w)
        tell(w, E_TERRAIN, seat, -1, card, 0)
    else:
        i = bit - TAKE_TERRAIN
        card = s.terrain_up[i]
        tell(w, E_TERRAIN, seat, i, card, 0)
        s.terrain_up[i] = next_terrain_card(s, b, w)
        if s.terrain_up[i] != NO_CARD:
            tell(w, E_TERRAIN_FILLED, i, s.terrain_up[i], 0, 0)
    s.terrain[seat * TERRAINS + card] += 1
    if second:
        end_turn(s, b, w, BUSY_TURN)
    else:
        go_on_drawing(s, b, w, 1)


# ---------------------------------------------------------------- doubling a claim


@kernel
def most_of_others(s: Position, seat: int, kind: int) -> int:
    """The most terrain cards of a type before any other player (AFR-11)."""
    most = 0
    for p in range(s.players):
        if p != seat:
            most = max(most, s.terrain[p * TERRAINS + kind])
    return most


@at(hooks.phase_choices, "s.phase == DOUBLE")
@kernel
def double_menu(s: Position, b: Board, seat: int) -> int:
    """Whether the pending claim can be doubled, and with how many locomotives; 0 if it cannot (AFR-09 .. AFR-13)."""
    track = s.claim_track
    due = b.to_double[b.length[track]]
    if due == 0:
        return 0
    kind = b.terrain_of[b.colour[track]]
    mine = s.terrain[seat * TERRAINS + kind]
    lacking = max(0, most_of_others(s, seat, kind) - mine)
    spare = s.hand[seat * HAND + LOCO] - s.claim_locos
    bits = 0
    for locos in range(lacking, min(max(due, lacking), spare) + 1):
        if mine >= due - locos:
            bits |= 1 << (DOUBLED + locos)
    if bits:
        bits |= 1 << SINGLE
    return bits


@at(hooks.question_of_claim, "s.phase == DOUBLE")
@kernel
def ask_to_double(s: Position, b: Board, seat: int) -> int:
    """Ask whether the claim is doubled, where it can be."""
    if not double_menu(s, b, seat):
        return 0
    s.phase = DOUBLE
    return 1


@at(hooks.choice_made, "bit == SINGLE or DOUBLED <= bit < DOUBLED + 16")
@kernel
def double_chosen(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    s.claim_double = 0 if bit == SINGLE else 1 + bit - DOUBLED
    go_on_with_claim(s, b, w, seat)


@at(hooks.before_claim)
@kernel
def play_terrain(s: Position, b: Board, w: Work, seat: int) -> None:
    """Discard what doubles the pending claim: locomotives, and terrain cards for the rest due (AFR-13, AFR-14)."""
    if s.claim_double == 0:
        return
    locos = s.claim_double - 1
    kind = b.terrain_of[b.colour[s.claim_track]]
    cards = max(0, b.to_double[b.length[s.claim_track]] - locos)
    s.terrain[seat * TERRAINS + kind] -= cards
    s.terrain_discard[kind] += cards
    spend(s, seat, LOCO, locos)
    tell(w, E_TERRAIN_PLAYED, seat, kind, cards, locos)


@at(hooks.after_claim)
@kernel
def mark_doubled(s: Position) -> None:
    """The track's points count twice to the end."""
    if s.claim_double:
        s.doubled[s.claim_track // BITS] |= 1 << (s.claim_track % BITS)


@at(hooks.more_track_points)
@kernel
def doubled_points(s: Position, b: Board, seat: int) -> int:
    """The points of the doubled tracks once more (AFR-09)."""
    points = 0
    for word in range(TRACK_WORDS):
        doubled = s.owned[TRACK_WORDS * seat + word] & s.doubled[word]
        while doubled:
            points += b.points[b.length[word * BITS + lowest(doubled)]]
            doubled &= doubled - 1
    return points


# ---------------------------------------------------------------- what a reader may know, and what could be


@at(hooks.veil_more)
@kernel
def veil_terrain_deck(s: Position) -> None:
    for i in range(MAX_TERRAIN_CARDS):
        s.terrain_deck[i] = HIDDEN if i < s.terrain_n else 0


@at(hooks.imagine_more)
@kernel
def imagine_terrain(s: Position, b: Board, key: int) -> None:
    """The terrain deck holds what lies nowhere in sight."""
    n = 0
    for k in range(b.terrains):
        left = b.terrain_cards[k] - s.terrain_discard[k]
        for seat in range(s.players):
            left -= s.terrain[seat * TERRAINS + k]
        for i in range(b.terrain_up):
            if s.terrain_up[i] == k:
                left -= 1
        for _ in range(left):
            s.terrain_deck[n] = k
            n += 1
    shuffle(s.terrain_deck, n, stream_key(key, IMAGINE_STREAM, IMAGINED_TERRAIN))


# ---------------------------------------------------------------- checking


@at(hooks.find_fault)
@kernel
def count_terrains(s: Position, b: Board) -> int:
    """No terrain card is made or lost."""
    for k in range(b.terrains):
        if count_terrain(s, b, k) != b.terrain_cards[k]:
            return TERRAIN_WRONG
    return 0


@kernel
def count_terrain(s: Position, b: Board, kind: int) -> int:
    n = s.terrain_discard[kind]
    for seat in range(s.players):
        n += s.terrain[seat * TERRAINS + kind]
    for i in range(b.terrain_up):
        if s.terrain_up[i] == kind:
            n += 1
    for i in range(s.terrain_n):
        if s.terrain_deck[i] == kind:
            n += 1
    return n
