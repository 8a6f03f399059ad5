"""A game played again from its codes, and what the lab notes of it: tracks, tickets, seats and the course of the lead.

The notes of a game are one row of numbers (rows.py): those of the game, then of each seat, each track and each ticket.
What a mechanic counts, it notes itself (bots/hooks.py).
"""

from __future__ import annotations

from branchline.bots.blocks.codes import bit_of, is_claim, word_of
from branchline.bots.games.columns import (
    D_DEALT,
    D_DONE,
    D_DONE_IN,
    D_HOLDER,
    D_KEPT_IN,
    D_OFFERS,
    G_BOARD_LEADERS,
    G_END,
    G_LAST_ROUND_BY,
    G_LEAD_CHANGES,
    G_LEADERS,
    G_TURNS,
    QUARTERS,
    S_BONUS,
    S_CLAIMS,
    S_COMPLETED,
    S_DRAWS,
    S_HELD,
    S_PASSES,
    S_PATH,
    S_PLACE,
    S_SCORE,
    S_TICKET_DRAWS,
    S_TICKET_POINTS,
    S_TRACK_POINTS,
    S_TRAINS,
    T_OWNER,
    T_TURN,
)
from branchline.bots.games.match import blank_position
from branchline.bots.games.request import Request
from branchline.bots.games.rows import (
    AT_COURSE,
    AT_NOW,
    COURSE_COLUMNS,
    COURSE_TURNS,
    LAB_ROOM,
    seat_row,
    ticket_row,
    track_row,
)
from branchline.bots.hooks import note_more_choices, note_more_lines, note_taken_track, points_in_hand
from branchline.bots.kernel import (
    BITS,
    DRAW_DECK,
    HELD,
    KEEP,
    MISC,
    OFFER,
    PASS,
    SEATS,
    TICKETS,
    TRACK_WORDS,
    TURN,
    Board,
    Position,
    Work,
    apply_action,
    is_completed,
    join_places,
    kernel,
    lowest,
    score_game,
    set_up,
)


@kernel
def note_game(positions: list[Position], b: Board, w: Work, r: Request, log: list[int], notes: list[int]) -> int:
    """Play the first r.log_n codes of the log again with positions[0], and note that game; the number of turns."""
    blank_position(positions, 0)
    s = positions[0]
    for i in range(LAB_ROOM):
        notes[i] = 0
    set_up(s, b, w, r.players, r.seed)
    note_deal(s, notes)
    turn = 0
    for n in range(r.log_n):
        seat = lowest(s.awaited)
        code = log[n]
        if s.phase == TURN:
            turn += 1
            note_kind(code, notes, seat_row(seat))
        note_offers(s, notes, seat, code)
        note_more_choices(s, b, notes, seat, code)
        trains = s.trains[seat]
        last_round = s.turns_left > 0
        apply_action(s, b, w, seat, code)
        if s.trains[seat] != trains:
            note_tracks(s, b, notes, seat, turn)
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
            notes[ticket_row(s.offer[seat * OFFER + i]) + D_DEALT] = 1 + seat
        for i in range(s.pack_n):
            notes[ticket_row(s.pack[seat * OFFER + i]) + D_DEALT] = 1 + seat


@kernel
def note_kind(code: int, notes: list[int], at: int) -> None:
    """What a turn is used for."""
    if is_claim(code):
        notes[at + S_CLAIMS] += 1
    elif word_of(code) == MISC:
        bit = bit_of(code)
        if bit == TICKETS:
            notes[at + S_TICKET_DRAWS] += 1
        elif bit == PASS:
            notes[at + S_PASSES] += 1
        elif bit <= DRAW_DECK:
            notes[at + S_DRAWS] += 1


@kernel
def note_offers(s: Position, notes: list[int], seat: int, code: int) -> None:
    """Tickets of which some have to be kept."""
    if word_of(code) == KEEP:
        for i in range(s.offer_n[seat]):
            notes[ticket_row(s.offer[seat * OFFER + i]) + D_OFFERS] += 1


@kernel
def note_tracks(s: Position, b: Board, notes: list[int], seat: int, turn: int) -> None:
    """The track a seat has just taken: the one of its own that is not noted yet."""
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            t = word * BITS + lowest(owned)
            owned &= owned - 1
            at = track_row(t)
            if notes[at + T_TURN] == 0:
                notes[at + T_TURN] = turn
                notes[at + T_OWNER] = 1 + seat
                note_taken_track(s, b, notes, t)


@kernel
def note_held(s: Position, b: Board, notes: list[int], turn: int) -> None:
    """Tickets that have just become somebody's: kept by choice, or the last of a draft."""
    for ticket in range(b.n_tickets):
        at = ticket_row(ticket)
        if notes[at + D_HOLDER] == 0 and HELD <= s.ticket_at[ticket] < HELD + SEATS:
            notes[at + D_HOLDER] = 1 + s.ticket_at[ticket] - HELD
            notes[at + D_KEPT_IN] = turn
            notes[at + D_OFFERS] = max(1, notes[at + D_OFFERS])


@kernel
def note_standing(s: Position, b: Board, w: Work, notes: list[int], seat: int, turn: int) -> None:
    """Points in hand (tracks, tickets joined by own tracks, those of mechanics) and on the board after a turn."""
    points = s.score[seat] + points_in_hand(s, b, seat)
    join_places(s, b, w, seat)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            row = ticket_row(ticket)
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
        at = ticket_row(ticket)
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
    at = seat_row(seat)
    notes[at + S_SCORE] = w.total[seat]
    notes[at + S_PLACE] = w.place[seat]
    notes[at + S_TRACK_POINTS] = w.track_score[seat]
    notes[at + S_TICKET_POINTS] = w.ticket_score[seat]
    notes[at + S_BONUS] = w.bonus[seat]
    notes[at + S_PATH] = w.path[seat]
    notes[at + S_HELD] = s.ticket_count[seat]
    notes[at + S_COMPLETED] = w.completed[seat]
    notes[at + S_TRAINS] = s.trains[seat]
    note_more_lines(s, b, w, notes, seat)


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
