"""A game played again from its codes, and what the lab notes of it: tracks, tickets, seats and the course of the lead.

The notes of a game are one row of numbers: those of the game, then of each seat, each track and each ticket. Behind
them lies room for the standing after every turn, which is read at the end and not kept.
"""

from __future__ import annotations

from branchline.bots.games.match import blank_position
from branchline.bots.kernel import (
    BITS,
    DECLINE,
    GROUPS,
    HELD,
    KEEP,
    MAX_TICKETS,
    MAX_TRACKS,
    MISC,
    OFFER,
    PASS,
    PICK,
    RETURN,
    SEATS,
    STATION,
    STATIONS,
    TERRAIN_DECK,
    TICKETS,
    TRACK_WORDS,
    TUNNEL,
    TURN,
    Board,
    Position,
    Work,
    apply_action,
    festival_points,
    is_completed,
    join_places,
    kernel,
    lowest,
    mail_points,
    pack_of,
    popcount,
    score_game,
    set_up,
    stations_built,
)

QUARTERS = 3  # the lead is looked at when a quarter, half and three quarters of the turns are played

# Of a game. Leaders are bits of seats: who has most points in hand, and most points on the board.
G_TURNS, G_END, G_LAST_ROUND_BY, G_LEAD_CHANGES, G_SURCHARGES, G_LEADERS = range(6)
G_BOARD_LEADERS = G_LEADERS + QUARTERS
GAME_COLUMNS = G_BOARD_LEADERS + QUARTERS

# Of a seat.
(
    S_SCORE,
    S_PLACE,
    S_TRACK_POINTS,
    S_TICKET_POINTS,
    S_STATION_POINTS,
    S_FESTIVAL_POINTS,
    S_MAIL_POINTS,
    S_DELIVERED,  # bags
    S_BONUS,
    S_PATH,
    S_HELD,
    S_COMPLETED,
    S_TRAINS,
    S_DRAWS,  # turns by what was done in them
    S_CLAIMS,
    S_TICKET_DRAWS,
    S_BUILDS,
    S_PASSES,
    S_STATIONS,  # 1 + place of each station, or 0
) = range(19)
S_LENT = S_STATIONS + STATIONS  # 1 + the track each station lends, or 0
S_FESTIVALS = S_LENT + STATIONS  # cards of each group
SEAT_COLUMNS = S_FESTIVALS + GROUPS

# Of a track: the turn in which it was taken and 1 + the seat that took it, both 0 if nobody did; whether its points
# were doubled; how often its tunnel was given up.
T_TURN, T_OWNER, T_DOUBLED, T_FAILED, TRACK_COLUMNS = range(5)

# Of a ticket: 1 + the seat it was first dealt to, or 0; the step of the first draft in which it was picked; how often
# somebody had to say whether to keep it; 1 + the seat that holds it at the end; the turn in which it was kept, 0 before
# the first; whether it is completed; the turn in which its holder's own tracks completed it.
D_DEALT, D_PICK, D_OFFERS, D_HOLDER, D_KEPT_IN, D_DONE, D_DONE_IN, TICKET_COLUMNS = range(8)

AT_SEATS = GAME_COLUMNS
AT_TRACKS = AT_SEATS + SEATS * SEAT_COLUMNS
AT_TICKETS = AT_TRACKS + MAX_TRACKS * TRACK_COLUMNS
LAB_NOTES = AT_TICKETS + MAX_TICKETS * TICKET_COLUMNS

COURSE_TURNS = 600  # a game that goes on longer is followed no further; none between bots that plan does
COURSE_COLUMNS = 2 * SEATS  # points in hand, then points on the board
AT_NOW = LAB_NOTES
AT_COURSE = AT_NOW + COURSE_COLUMNS
LAB_ROOM = AT_COURSE + COURSE_TURNS * COURSE_COLUMNS


@kernel
def note_game(
    positions: list[Position],
    b: Board,
    w: Work,
    players: int,
    seed: int,
    log: list[int],
    log_n: int,
    notes: list[int],
) -> int:
    """Play the codes of a game again with positions[0] and note it; the number of turns."""
    blank_position(positions, 0)
    s = positions[0]
    for i in range(LAB_ROOM):
        notes[i] = 0
    set_up(s, b, w, players, seed)
    note_deal(s, notes)
    turn = 0
    for n in range(log_n):
        seat = lowest(s.awaited)
        code = log[n]
        if s.phase == TURN:
            turn += 1
            note_kind(code, notes, AT_SEATS + SEAT_COLUMNS * seat)
        note_choice(s, notes, seat, code)
        trains = s.trains[seat]
        in_tunnel = s.phase == TUNNEL
        last_round = s.turns_left > 0
        apply_action(s, b, w, seat, code)
        if s.phase == TUNNEL and not in_tunnel:
            notes[G_SURCHARGES] += 1
        if s.trains[seat] != trains:
            note_tracks(s, notes, seat, turn)
        if s.turns_left > 0 and not last_round:
            notes[G_LAST_ROUND_BY] = 1 + seat
        note_held(s, b, notes, turn)
        if turn > 0 and s.phase <= TURN:  # the turn is over; a draft may follow it
            note_standing(s, b, w, notes, seat, turn)
    note_end(s, b, w, notes, turn)
    return turn


@kernel
def note_deal(s: Position, notes: list[int]) -> None:
    """Whom each of the first tickets is dealt to, in an offer or in a pack."""
    for seat in range(s.players):
        for i in range(s.offer_n[seat]):
            notes[AT_TICKETS + TICKET_COLUMNS * s.offer[seat * OFFER + i] + D_DEALT] = 1 + seat
        for i in range(s.pack_n):
            notes[AT_TICKETS + TICKET_COLUMNS * s.pack[seat * OFFER + i] + D_DEALT] = 1 + seat


@kernel
def note_kind(code: int, notes: list[int], at: int) -> None:
    """What a turn is used for."""
    word = code >> 6
    bit = code & 63
    if word == MISC:
        if bit == TICKETS:
            notes[at + S_TICKET_DRAWS] += 1
        elif bit == PASS:
            notes[at + S_PASSES] += 1
        elif bit <= TERRAIN_DECK:
            notes[at + S_DRAWS] += 1
    elif word < STATION:
        notes[at + S_CLAIMS] += 1
    else:
        notes[at + S_BUILDS] += 1


@kernel
def note_choice(s: Position, notes: list[int], seat: int, code: int) -> None:
    """A tunnel given up, a ticket picked in a draft, tickets of which some have to be kept."""
    word = code >> 6
    bit = code & 63
    if word == KEEP:
        for i in range(s.offer_n[seat]):
            notes[AT_TICKETS + TICKET_COLUMNS * s.offer[seat * OFFER + i] + D_OFFERS] += 1
    elif word == MISC and bit == DECLINE:
        notes[AT_TRACKS + TRACK_COLUMNS * s.claim_track + T_FAILED] += 1
    elif word == MISC and PICK <= bit < RETURN and s.draft == 1:
        ticket = s.pack[pack_of(s, seat) * OFFER + bit - PICK]
        notes[AT_TICKETS + TICKET_COLUMNS * ticket + D_PICK] = s.draft_step


@kernel
def note_tracks(s: Position, notes: list[int], seat: int, turn: int) -> None:
    """The track a seat has just taken: the one of its own that is not noted yet."""
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            i = lowest(owned)
            owned &= owned - 1
            at = AT_TRACKS + TRACK_COLUMNS * (word * BITS + i)
            if notes[at + T_TURN] == 0:
                notes[at + T_TURN] = turn
                notes[at + T_OWNER] = 1 + seat
                notes[at + T_DOUBLED] = (s.doubled[word] >> i) & 1


@kernel
def note_held(s: Position, b: Board, notes: list[int], turn: int) -> None:
    """Tickets that have just become somebody's: kept by choice, or the last of a draft."""
    for ticket in range(b.n_tickets):
        at = AT_TICKETS + TICKET_COLUMNS * ticket
        if notes[at + D_HOLDER] == 0 and HELD <= s.ticket_at[ticket] < HELD + SEATS:
            notes[at + D_HOLDER] = 1 + s.ticket_at[ticket] - HELD
            notes[at + D_KEPT_IN] = turn
            notes[at + D_OFFERS] = max(1, notes[at + D_OFFERS])


@kernel
def note_standing(s: Position, b: Board, w: Work, notes: list[int], seat: int, turn: int) -> None:
    """Points in hand (tracks, festivals, mail, tickets joined by own tracks) and on the board after a turn."""
    points = s.score[seat] + festival_points(s, b, seat) + mail_points(b, s.delivered[seat])
    join_places(s, b, w, seat)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            row = AT_TICKETS + TICKET_COLUMNS * ticket
            if notes[row + D_DONE_IN] == 0 and is_completed(b, w, ticket):
                notes[row + D_DONE_IN] = turn
            if notes[row + D_DONE_IN] > 0:
                points += b.ticket_points[ticket]
    notes[AT_NOW + seat] = points
    notes[AT_NOW + SEATS + seat] = s.score[seat]
    if turn <= COURSE_TURNS:
        for i in range(COURSE_COLUMNS):
            notes[AT_COURSE + COURSE_COLUMNS * (turn - 1) + i] = notes[AT_NOW + i]


# ---------------------------------------------------------------- the end


@kernel
def note_end(s: Position, b: Board, w: Work, notes: list[int], turns: int) -> None:
    """Everything that is known when the game is over."""
    notes[G_TURNS] = turns
    notes[G_END] = s.end
    score_game(s, b, w)
    for seat in range(s.players):
        note_sheet(s, b, w, notes, seat)
    for ticket in range(b.n_tickets):
        at = AT_TICKETS + TICKET_COLUMNS * ticket
        if notes[at + D_HOLDER] > 0:
            notes[at + D_DONE] = w.done[ticket]
    followed = min(turns, COURSE_TURNS)
    for quarter in range(QUARTERS):
        row = AT_COURSE + COURSE_COLUMNS * (max(1, followed * (quarter + 1) // 4) - 1)
        notes[G_LEADERS + quarter] = leaders_of(notes, row, s.players)
        notes[G_BOARD_LEADERS + quarter] = leaders_of(notes, row + SEATS, s.players)
    notes[G_LEAD_CHANGES] = lead_changes(notes, followed, s.players)


@kernel
def note_sheet(s: Position, b: Board, w: Work, notes: list[int], seat: int) -> None:
    """The score sheet of a seat."""
    at = AT_SEATS + SEAT_COLUMNS * seat
    notes[at + S_SCORE] = w.total[seat]
    notes[at + S_PLACE] = w.place[seat]
    notes[at + S_TRACK_POINTS] = w.track_score[seat]
    notes[at + S_TICKET_POINTS] = w.ticket_score[seat]
    notes[at + S_STATION_POINTS] = w.station_score[seat]
    notes[at + S_FESTIVAL_POINTS] = w.festival_score[seat]
    notes[at + S_MAIL_POINTS] = w.mail_score[seat]
    notes[at + S_DELIVERED] = popcount(s.delivered[seat])
    notes[at + S_BONUS] = w.bonus[seat]
    notes[at + S_PATH] = w.path[seat]
    notes[at + S_HELD] = s.ticket_count[seat]
    notes[at + S_COMPLETED] = w.completed[seat]
    notes[at + S_TRAINS] = s.trains[seat]
    for i in range(stations_built(s, seat)):
        notes[at + S_STATIONS + i] = s.stations[seat * STATIONS + i]
        notes[at + S_LENT + i] = w.lent[seat * STATIONS + i]
    for g in range(b.groups):
        notes[at + S_FESTIVALS + g] = s.pile[seat * GROUPS + g]


@kernel
def leaders_of(points: list[int], at: int, players: int) -> int:
    """Bits of the seats that have the most of points[at:]."""
    most = points[at]
    for seat in range(players):
        most = max(most, points[at + seat])
    bits = 0
    for seat in range(players):
        if points[at + seat] == most:
            bits |= 1 << seat
    return bits


@kernel
def lead_changes(notes: list[int], turns: int, players: int) -> int:
    """How often another player than the last one to lead alone led alone."""
    changes = 0
    last = 0
    for turn in range(turns):
        leaders = leaders_of(notes, AT_COURSE + COURSE_COLUMNS * turn, players)
        if leaders & (leaders - 1) == 0 and leaders != last:
            if last > 0:
                changes += 1
            last = leaders
    return changes
