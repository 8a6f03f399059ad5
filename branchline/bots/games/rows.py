"""A row of the lab's notes, whole: where the columns of each seat, track and ticket begin.

Behind them lies room for the standing after every turn, which is read at the end and not kept.
"""

from __future__ import annotations

from branchline.bots.games.columns import games, seats, tickets, tracks
from branchline.bots.kernel import MAX_TICKETS, MAX_TRACKS, SEATS, kernel
from branchline.mechanics import modules

modules("columns")  # on import each takes its own

SEAT_COLUMNS, TRACK_COLUMNS, TICKET_COLUMNS = seats.width, tracks.width, tickets.width
AT_SEATS = games.width
AT_TRACKS = AT_SEATS + SEATS * SEAT_COLUMNS
AT_TICKETS = AT_TRACKS + MAX_TRACKS * TRACK_COLUMNS
LAB_NOTES = AT_TICKETS + MAX_TICKETS * TICKET_COLUMNS

COURSE_TURNS = 600  # a game that goes on longer is followed no further; none between bots that plan does
COURSE_COLUMNS = 2 * SEATS  # points in hand, then points on the board
AT_NOW = LAB_NOTES
AT_COURSE = AT_NOW + COURSE_COLUMNS
LAB_ROOM = AT_COURSE + COURSE_TURNS * COURSE_COLUMNS


@kernel
def seat_row(seat: int) -> int:
    """Where the columns of a seat begin."""
    return AT_SEATS + SEAT_COLUMNS * seat


@kernel
def track_row(t: int) -> int:
    return AT_TRACKS + TRACK_COLUMNS * t


@kernel
def ticket_row(ticket: int) -> int:
    return AT_TICKETS + TICKET_COLUMNS * ticket
