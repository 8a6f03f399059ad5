"""What a seat sees, as small numbers for a network: kernel Python, so it runs interpreted, compiled and on a GPU.

An `Observation` holds only what the seat may know: it reads public fields, the seat's own, and of the others' hands
what everybody saw (I-01 .. I-05). Everything is told by tokens, the same facts for every track, place, ticket and card,
so that one network serves every map. Other seats stand in the order in which they play after this one.
"""

from __future__ import annotations

from pathlib import Path

from branchline import mechanics
from branchline.graph import ring
from branchline.graph.ring import FAR, find_path
from branchline.kernel.paths import length_of, network_of, number_tracks, unused_at_least
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    DISPLAY,
    FIRST_TICKETS,
    GRAY,
    HAND,
    HELD,
    KEEP,
    KEEP_TICKETS,
    LOCO,
    MENU,
    MISC,
    NO_CARD,
    OFFER,
    PAY,
    SEATS,
    TRACK_WORDS,
    TURN,
    UNKNOWN,
)
from branchline.kernel.turn import fill_menu
from branchline.maps.model import MAX_PLACES, MAX_TRACKS
from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.drafts.rules import pack_of
from branchline.mechanics.drafts.state import DRAFT_KEEP, DRAFT_PICK
from branchline.mechanics.festivals.state import FESTIVAL_CHOICE, GROUPS
from branchline.mechanics.stations.rules import stations_built
from branchline.mechanics.stations.state import PAY_STATION, STATION, STATIONS
from branchline.mechanics.terrain.rules import most_of_others
from branchline.mechanics.terrain.state import DOUBLE, TERRAIN_UP, TERRAINS
from branchline.mechanics.tunnels.state import TUNNEL
from branchline.training.composed import see_more
from branchline.training.facts import ERRANDS
from branchline.training.record import (
    CARD_N,
    ERRAND_N,
    HELD_SLOTS,
    LOW_TRAINS,
    OPEN_MISC,
    OPEN_PLACES,
    OPEN_SETS,
    OPEN_TRACKS,
    OPEN_WORDS,
    PLACE_N,
    PLAYERS_AT,
    REST_AT,
    SEAT_N,
    SHOWN_FAR,
    SLOTS,
    TABLE_N,
    TERRAIN_N,
    TICKET_N,
    TRACK_N,
    Observation,
    Paths,
    clamp,
    follow_path,
)

# The files beside the kernel's on which an observation depends: a change of one means compiling anew.
SOURCES = (
    *(Path(__file__).with_name(name) for name in ("facts.py", "record.py", "composed.py", "observation.py")),
    *(path for part in ("facts", "seen") for path in sorted(Path(mechanics.__file__).parent.glob(f"*/{part}.py"))),
    Path(ring.__file__),
)


@kernel
def observe(s: Position, b: Board, w: Work, o: Observation, r: Paths, seat: int) -> None:
    """Write what a seat sees into an observation, all of it."""
    blank_observation(o)
    o.seat = seat
    o.players = s.players
    see_menu(s, b, w, o, seat)
    see_tracks(s, b, o, seat)
    see_places(s, b, o, seat)
    see_cards(s, b, o, seat)
    see_seats(s, b, w, o, seat)
    see_table(s, b, o, seat)
    plan_paths(s, b, o, r, seat)
    see_needs(s, b, o, r, seat)
    see_more(s, b, w, o, r, seat)


@kernel
def blank_observation(o: Observation) -> None:
    for i in range(MAX_TRACKS * TRACK_N):
        o.tracks[i] = 0
    for i in range(MAX_PLACES * PLACE_N):
        o.places[i] = 0
    for i in range(SLOTS * TICKET_N):
        o.tickets[i] = 0
    for i in range(SLOTS):
        o.slots[i] = 0
    for i in range(CARDS * CARD_N):
        o.cards[i] = 0
    for i in range(SEATS * SEAT_N):
        o.seats[i] = 0
    for i in range(TERRAIN_UP * TERRAIN_N):
        o.terrain[i] = 0
    for i in range(TABLE_N):
        o.table[i] = 0
    for i in range(ERRANDS * ERRAND_N):
        o.errands[i] = 0
    for i in range(ERRANDS):
        o.errand_from[i] = 0
        o.errand_to[i] = 0
    for i in range(SEATS):
        o.points[i] = 0


@kernel
def is_in(words: list[int], at: int, track: int) -> int:
    """1 if a track is in a set of two words."""
    return (words[at + track // BITS] >> (track % BITS)) & 1


@kernel
def see_menu(s: Position, b: Board, w: Work, o: Observation, seat: int) -> None:
    """The legal codes, and what is open at all: misc, tracks, places, sets of tickets."""
    fill_menu(s, b, w, seat)
    for i in range(MENU):
        o.menu[i] = w.menu[i] if w.menu_from <= i < w.menu_to else 0
    for i in range(OPEN_WORDS):
        o.open[i] = 0
    o.open[OPEN_MISC] = o.menu[MISC]
    o.open[OPEN_SETS] = o.menu[KEEP]
    for c in range(CARDS):
        o.open[OPEN_TRACKS] |= o.menu[CLAIM + 2 * c]
        o.open[OPEN_TRACKS + 1] |= o.menu[CLAIM + 2 * c + 1]
        o.open[OPEN_PLACES] |= o.menu[STATION + c]


@kernel
def pending_track(s: Position, seat: int) -> int:
    """The track of a claim that this seat is about to make, or -1; of a tunnel, which all see, anybody's."""
    if s.phase == TUNNEL:
        return s.claim_track
    if s.seat != seat or not (s.phase == PAY or s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE):
        return -1
    return s.claim_track


@kernel
def seen_phase(s: Position, seat: int) -> int:
    """The phase as this seat may know it: a claim of another is not made before it is complete."""
    hidden = s.phase == PAY or s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE or s.phase == PAY_STATION
    return TURN if hidden and s.seat != seat else s.phase


@kernel
def lacking(s: Position, b: Board, seat: int, track: int, best: int, wild: int) -> int:
    """Cards that the hand lacks for a track; `best`: most cards of one colour, `wild`: whether locomotives help."""
    locos = s.hand[seat * HAND + LOCO]
    cards = best if b.colour[track] == GRAY else s.hand[seat * HAND + b.colour[track]]
    ferry = b.ferry[track]
    spare = max(0, locos - ferry) if wild else 0
    return max(0, ferry - locos) + max(0, b.length[track] - ferry - cards - spare)


@kernel
def see_tracks(s: Position, b: Board, o: Observation, seat: int) -> None:
    """Whose a track is, whether it can still be claimed, and what the hand lacks for it."""
    best = 0
    for c in range(LOCO):
        best = max(best, s.hand[seat * HAND + c])
    pending = pending_track(s, seat)
    o.pending = pending + 1
    for t in range(b.n_tracks):
        at = t * TRACK_N
        for i in range(s.players):
            if is_in(s.owned, 2 * ((seat + i) % s.players), t):
                o.tracks[at + i] = 1
        if not is_in(s.shut, 2 * seat, t):
            o.tracks[at + 5] = 1
            o.tracks[at + 7] = lacking(s, b, seat, t, best, 1)
            o.tracks[at + 8] = lacking(s, b, seat, t, best, 0)
            if b.terrains > 0 and b.to_double[b.length[t]] > 0:
                own = s.terrain[seat * TERRAINS + b.terrain_of[b.colour[t]]]
                o.tracks[at + 14] = clamp(own - b.to_double[b.length[t]] + 3, 0, 6)
        o.tracks[at + 6] = is_in(s.doubled, 0, t)
        o.tracks[at + 12] = 1 if t == pending else 0
        o.tracks[at + 13] = is_in(o.open, OPEN_TRACKS, t)


@kernel
def see_places(s: Position, b: Board, o: Observation, seat: int) -> None:
    """Who has tracks and stations at a place, and the festival cards there."""
    for t in range(b.n_tracks):
        fact = -1
        if o.tracks[t * TRACK_N]:
            fact = 0
        elif not o.tracks[t * TRACK_N + 5] and is_taken(o, t):
            fact = 1
        if fact >= 0:
            o.places[b.track_a[t] * PLACE_N + fact] += 1
            o.places[b.track_b[t] * PLACE_N + fact] += 1
    for t in range(b.n_tracks):
        first = min(3, o.places[b.track_a[t] * PLACE_N + 1])
        o.tracks[t * TRACK_N + 15] = first + min(3, o.places[b.track_b[t] * PLACE_N + 1])
    for p in range(s.players):
        for i in range(STATIONS):
            place = s.stations[p * STATIONS + i] - 1
            if place >= 0:
                o.places[place * PLACE_N + (2 if p == seat else 3)] = 1
    for place in range(b.n_places):
        group = b.group[place]
        if b.groups > 0 and group >= 0:
            o.places[place * PLACE_N + 4] = s.pool[group]
            o.places[place * PLACE_N + 5] = s.pile[seat * GROUPS + group]


@kernel
def is_taken(o: Observation, t: int) -> int:
    """1 if another seat has a track."""
    at = t * TRACK_N
    return o.tracks[at + 1] | o.tracks[at + 2] | o.tracks[at + 3] | o.tracks[at + 4]


@kernel
def see_cards(s: Position, b: Board, o: Observation, seat: int) -> None:
    """Of every card: where it is, as far as the seat knows."""
    for i in range(DISPLAY):
        card = s.display[i]
        o.display[i] = card + 1 if card != NO_CARD and i < b.display else 0
        if o.display[i]:
            o.cards[card * CARD_N + 1] += 1
    for c in range(CARDS):
        at = c * CARD_N
        o.cards[at] = s.hand[seat * HAND + c]
        o.cards[at + 2] = s.discard[c]
        known = o.cards[at] + o.cards[at + 1] + s.discard[c]
        for i in range(1, s.players):
            o.cards[at + 2 + i] = s.seen[((seat + i) % s.players) * CARDS + c]
            known += o.cards[at + 2 + i]
        o.cards[at + 7] = (b.locomotives if c == LOCO else b.cards_per_colour) - known
    o.cards[LOCO * CARD_N + 10] = 1
    for i in range(b.terrain_up if b.terrains > 0 else 0):
        kind = s.terrain_up[i]
        if kind != NO_CARD:
            o.terrain[i * TERRAIN_N] = 1
            o.terrain[i * TERRAIN_N + 1] = s.terrain[seat * TERRAINS + kind]
            o.terrain[i * TERRAIN_N + 2] = most_of_others(s, seat, kind)


@kernel
def cards_of(s: Position, seat: int) -> int:
    """How many train cards a seat has."""
    n = s.hand[seat * HAND + UNKNOWN]
    for c in range(CARDS):
        n += s.hand[seat * HAND + c]
    return n


@kernel
def see_seats(s: Position, b: Board, w: Work, o: Observation, seat: int) -> None:
    """What everybody knows of each seat."""
    for i in range(s.players):
        p = (seat + i) % s.players
        at = i * SEAT_N
        seen = 0
        for c in range(CARDS):
            seen += s.seen[p * CARDS + c]
        o.points[i] = s.score[p]
        o.seats[at] = 1
        o.seats[at + 1] = s.trains[p]
        o.seats[at + 2] = clamp(s.score[p] // 2, 0, 127)
        o.seats[at + 3] = clamp(s.score[seat] - s.score[p], -127, 127)
        o.seats[at + 4] = clamp(cards_of(s, p), 0, 127)
        o.seats[at + 5] = clamp(cards_of(s, p) - seen, 0, 127)
        o.seats[at + 6] = s.ticket_count[p]
        o.seats[at + 7] = b.stations_each - stations_built(s, p)
        o.seats[at + 8] = s.pile_n[p]
        for k in range(TERRAINS):
            o.seats[at + 9 + k] = s.terrain[p * TERRAINS + k]
        if b.longest_path > 0:
            o.seats[at + 9 + TERRAINS] = clamp(path_at_most(s, b, w, p), 0, 127)


@kernel
def path_at_most(s: Position, b: Board, w: Work, seat: int) -> int:
    """No path of a seat is longer: the tracks that hang together, less what a single path must leave out."""
    left = (1 << number_tracks(s, b, w, seat)) - 1
    best = 0
    while left:
        network = network_of(b, w, lowest(left))
        left &= ~network
        best = max(best, length_of(w, network) - unused_at_least(b, w, network))
    return best


@kernel
def see_table(s: Position, b: Board, o: Observation, seat: int) -> None:
    """What belongs to no token: the phase, the decks, the pending claim, the map's bonuses."""
    o.table[seen_phase(s, seat)] = 1
    o.table[PLAYERS_AT + s.players - 2] = 1
    at = REST_AT
    discards = 0
    for c in range(CARDS):
        discards += s.discard[c]
    o.table[at] = s.deck_n // 2
    o.table[at + 1] = discards
    o.table[at + 2] = s.ticket_n
    o.table[at + 3] = s.turns_left
    o.table[at + 4] = s.draft
    o.table[at + 5] = s.draft_step
    o.table[at + 7] = s.due if s.phase == TUNNEL else 0
    if o.pending > 0:
        track = o.pending - 1
        o.table[at + 8] = b.length[track]
        o.table[at + 9] = s.claim_locos
        o.table[at + 10] = clamp(s.hand[seat * HAND + s.claim_colour], 0, 127)
        o.table[at + 30] = o.places[b.track_a[track] * PLACE_N + 4]
        o.table[at + 31] = o.places[b.track_a[track] * PLACE_N + 5]
        o.table[at + 32] = o.places[b.track_b[track] * PLACE_N + 4]
        o.table[at + 33] = o.places[b.track_b[track] * PLACE_N + 5]
    o.table[at + 21] = clamp(cards_of(s, seat), 0, 127)
    o.table[at + 22] = clamp(s.idle_turns, 0, 50)
    o.table[at + 23] = b.longest_path
    o.table[at + 24] = b.globetrotter
    o.table[at + 25] = b.last_round_at
    o.table[at + 26] = b.station_points
    o.table[at + 27] = 1 if b.terrains > 0 else 0
    o.table[at + 28] = 1 if b.groups > 0 else 0
    o.table[at + 29] = 1 if s.players >= b.both_tracks_from else 0
    o.table[at + 34] = b.stations_each
    least = FAR
    for p in range(s.players):
        if p != seat:
            least = min(least, s.trains[p])
    o.table[at + 35] = 1 if s.trains[seat] <= LOW_TRAINS else 0
    o.table[at + 36] = 1 if least <= LOW_TRAINS else 0


@kernel
def held_tickets(s: Position, b: Board, seat: int, word: int) -> int:
    """Word 0 or 1 of the set of tickets a seat holds. Others may not know it: it is to learn from, not to choose by."""
    bits = 0
    for i in range(BITS):
        ticket = word * BITS + i
        if ticket < b.n_tickets and s.ticket_at[ticket] == HELD + seat:
            bits |= 1 << i
    return bits


# ---------------------------------------------------------------- tickets and the way to them


@kernel
def list_usable(b: Board, o: Observation, r: Paths) -> None:
    """The tracks that a path may run over, with what each costs."""
    for word in range(TRACK_WORDS):
        r.open[word] = 0
    for t in range(b.n_tracks):
        r.planned[t] = 0
        mine = o.tracks[t * TRACK_N]
        if mine or o.tracks[t * TRACK_N + 5]:
            r.open[t // BITS] |= 1 << (t % BITS)
            r.cost[t] = 0 if mine else b.length[t] + 1


@kernel
def mark_ends(b: Board, o: Observation, ticket: int, fact: int) -> None:
    """Add a ticket's points to a fact of the places at its ends."""
    ends = b.ticket_a[ticket] | b.ticket_b[ticket]
    while ends:
        p = lowest(ends)
        ends &= ends - 1
        at = p * PLACE_N + fact
        o.places[at] = clamp(o.places[at] + b.ticket_points[ticket], -127, 127)


@kernel
def list_held(s: Position, b: Board, r: Paths, seat: int) -> None:
    """The tickets a seat holds, the dearest first."""
    n = 0
    for k in range(b.n_tickets):
        if s.ticket_at[k] == HELD + seat:
            i = n
            while i > 0 and b.ticket_points[r.order[i - 1]] < b.ticket_points[k]:
                r.order[i] = r.order[i - 1]
                i -= 1
            r.order[i] = k
            n += 1
    r.held_n = n


@kernel
def plan_paths(s: Position, b: Board, o: Observation, r: Paths, seat: int) -> None:
    """The facts of tickets: each joined alone, then one after the other; then those on offer, each over the plan."""
    list_usable(b, o, r)
    list_held(s, b, r, seat)
    for i in range(r.held_n):
        see_held(b, o, r, i)
    for i in range(min(r.held_n, HELD_SLOTS)):
        at = (OFFER + i) * TICKET_N
        if o.tickets[at + 5] and not o.tickets[at + 3]:
            ticket = r.order[i]
            find_path(b, r, b.ticket_a[ticket], b.ticket_b[ticket])
            follow_path(b, o, r, 0, 0, 1)
            o.tickets[at + 6] = min(r.spaces, SHOWN_FAR)
    if s.phase == DRAFT_PICK:
        at = pack_of(s, seat) * OFFER
        for i in range(s.pack_n):
            if s.taken[at + i] == 0:
                see_offered(b, o, r, i, s.pack[at + i])
                o.table[REST_AT + 6] += 1
    elif s.phase == FIRST_TICKETS or s.phase == KEEP_TICKETS or s.phase == DRAFT_KEEP:
        for i in range(s.offer_n[seat] if (s.awaited >> seat) & 1 else 0):
            see_offered(b, o, r, i, s.offer[seat * OFFER + i])


@kernel
def see_held(b: Board, o: Observation, r: Paths, i: int) -> None:
    """A ticket held: done, open or out of reach, and what joining it alone would take."""
    ticket = r.order[i]
    cost = find_path(b, r, b.ticket_a[ticket], b.ticket_b[ticket])
    r.spaces = 0
    points = b.ticket_points[ticket]
    at = REST_AT + 16
    if cost == 0:
        o.table[at + 2] += 1
        o.table[at + 3] = clamp(o.table[at + 3] + points, 0, 127)
    else:
        o.table[at] += 1
        o.table[at + 1] = clamp(o.table[at + 1] + points, 0, 127)
        mark_ends(b, o, ticket, 6)
        if cost == FAR:
            o.table[at + 4] = clamp(o.table[at + 4] + points, 0, 127)
        else:
            follow_path(b, o, r, 10, points, 0)
    if i < HELD_SLOTS:
        write_slot(b, o, OFFER + i, ticket, 0, cost, r.spaces)


@kernel
def see_offered(b: Board, o: Observation, r: Paths, i: int, ticket: int) -> None:
    """A ticket on offer: what it would take over what is planned already."""
    cost = find_path(b, r, b.ticket_a[ticket], b.ticket_b[ticket])
    mark_ends(b, o, ticket, 7)
    r.spaces = 0
    if cost != FAR:
        follow_path(b, o, r, 11, b.ticket_points[ticket], 0)
    write_slot(b, o, i, ticket, 1, cost, r.spaces)
    o.tickets[i * TICKET_N + 6] = o.tickets[i * TICKET_N + 4]


@kernel
def write_slot(b: Board, o: Observation, slot: int, ticket: int, offered: int, cost: int, spaces: int) -> None:
    o.slots[slot] = ticket + 1
    at = slot * TICKET_N
    o.tickets[at] = 1
    o.tickets[at + 1] = offered
    o.tickets[at + 2] = b.ticket_points[ticket]
    o.tickets[at + 3] = 1 if cost == 0 else 0
    o.tickets[at + 4] = 0 if cost == 0 or cost == FAR else min(spaces, SHOWN_FAR)
    o.tickets[at + 5] = 0 if cost == FAR else 1
    o.tickets[at + 7] = b.long_ticket[ticket]


@kernel
def see_needs(s: Position, b: Board, o: Observation, r: Paths, seat: int) -> None:
    """What the plan takes: spaces, tracks, cards by colour, terrain."""
    spaces = 0
    tracks = 0
    gray = 0
    for t in range(b.n_tracks):
        if r.planned[t]:
            o.tracks[t * TRACK_N + 9] = 1
            spaces += b.length[t]
            tracks += 1
            ferry = b.ferry[t]
            o.cards[LOCO * CARD_N + 8] += ferry
            if b.colour[t] == GRAY:
                gray += b.length[t] - ferry
            else:
                o.cards[b.colour[t] * CARD_N + 8] += b.length[t] - ferry
            see_terrain_need(s, b, o, t)
    short = 0
    for c in range(CARDS):
        lack = max(0, o.cards[c * CARD_N + 8] - o.cards[c * CARD_N])
        o.cards[c * CARD_N + 9] = lack
        short += lack
    at = REST_AT
    o.table[at + 11] = min(spaces, 127)
    o.table[at + 12] = min(tracks, 127)
    o.table[at + 13] = min(gray, 127)
    o.table[at + 14] = min(short, 127)
    o.table[at + 15] = clamp(s.trains[seat] - spaces, -127, 127)


@kernel
def see_terrain_need(s: Position, b: Board, o: Observation, t: int) -> None:
    """Count a planned track for the terrain cards turned up that could double it."""
    if b.terrains > 0 and b.to_double[b.length[t]] > 0:
        for i in range(b.terrain_up):
            if s.terrain_up[i] == b.terrain_of[b.colour[t]]:
                o.terrain[i * TERRAIN_N + 3] += 1
