"""The columns of the lab's notes: which place in a row of notes a number has.

A row is made of the columns of the game, then those of each seat, each track and each ticket. Here are those that every
map has; a mechanic asks for more in its columns.py. A column is given out once, on import; rows.py puts them together.
"""

from __future__ import annotations


class Columns:
    """Columns of one kind."""

    def __init__(self) -> None:
        self.width = 0

    def column(self, room: int = 1) -> int:
        """The first of so many columns more."""
        self.width += room
        return self.width - room


games, seats, tracks, tickets = Columns(), Columns(), Columns(), Columns()

QUARTERS = 3  # the lead is looked at when a quarter, half and three quarters of the turns are played

# Of a game. Leaders are bits of seats: who has most points in hand, and most points on the board.
G_TURNS, G_END, G_LAST_ROUND_BY = games.column(), games.column(), games.column()
G_LEAD_CHANGES = games.column()
G_LEADERS, G_BOARD_LEADERS = games.column(QUARTERS), games.column(QUARTERS)

# Of a seat.
S_SCORE, S_PLACE = seats.column(), seats.column()
S_TRACK_POINTS, S_TICKET_POINTS = seats.column(), seats.column()
S_BONUS, S_PATH = seats.column(), seats.column()
S_HELD, S_COMPLETED = seats.column(), seats.column()
S_TRAINS = seats.column()
# Turns by what was done in them.
S_DRAWS, S_CLAIMS, S_TICKET_DRAWS, S_PASSES = seats.column(), seats.column(), seats.column(), seats.column()

# Of a track: the turn in which it was taken and 1 + the seat that took it, both 0 if nobody did.
T_TURN, T_OWNER = tracks.column(), tracks.column()

# Of a ticket: 1 + the seat it was first dealt to, or 0; how often somebody had to say whether to keep it; 1 + the seat
# that holds it at the end; the turn in which it was kept, 0 before the first; whether it is completed; the turn in
# which its holder's own tracks completed it.
D_DEALT, D_OFFERS, D_HOLDER, D_KEPT_IN = tickets.column(), tickets.column(), tickets.column(), tickets.column()
D_DONE, D_DONE_IN = tickets.column(), tickets.column()
