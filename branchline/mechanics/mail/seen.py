"""The mail as a network is told of it: kernel Python. A label is read only where the seat has looked at it (CAR-14)."""

from __future__ import annotations

from branchline.kernel.hooks import at
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import SEATS
from branchline.mechanics.composed import Board, Position, Work
from branchline.mechanics.mail.facts import (
    BAG_CAME,
    BAG_FROM_OWN,
    BAG_GOES,
    BAG_HERE,
    BAG_KNOWN,
    BAG_OPEN,
    BAG_POINTS,
    BAG_TO_OWN,
    BAGS_CARRIED,
    BAGS_DELIVERED,
    MAIL_IN_PLAY,
    MAIL_ROOM,
    OTHERS_CAME,
    OTHERS_GO,
)
from branchline.mechanics.mail.rules import carried_by, end_of_claim, is_delivered_at, mail_points
from branchline.mechanics.mail.state import CARRIED, MAIL
from branchline.training import hooks
from branchline.training.facts import ERRANDS_HELD
from branchline.training.record import PLACE_N, SEAT_N, Observation, Paths, write_errand


@at(hooks.see_more)
@kernel
def see_mail(s: Position, b: Board, w: Work, o: Observation, r: Paths, seat: int) -> None:
    """The bags on the board, in everybody's hands and delivered; those of the seat are its errands."""
    o.table[MAIL_IN_PLAY] = 1
    o.table[MAIL_ROOM] = b.mail_carry - carried_by(s, seat)
    see_bags_lying(s, b, o, seat)
    for i in range(s.players):
        see_bags_of(s, b, o, seat, i)
    for i in range(carried_by(s, seat)):
        slot = seat * CARRIED + i
        label = s.carried[slot] - 1
        write_errand(b, o, r, i, s.carried_from[slot] - 1, label, b.mail[label], 0)
    if s.phase == MAIL and s.seat == seat:
        for end in range(2):
            place = end_of_claim(s, b, end)
            if s.bag[place] > 0:
                done = is_delivered_at(s, b, w, seat, place)
                label = s.bag[place] - 1
                write_errand(b, o, r, ERRANDS_HELD + end, place, label, b.mail[label], done)


@kernel
def see_bags_lying(s: Position, b: Board, o: Observation, seat: int) -> None:
    """The bags that lie in the cities; what they are worth where the seat knows, and to places where it has tracks."""
    delivered = 0
    for p in range(s.players):
        delivered |= s.delivered[p]
    for place in range(b.n_places):
        at_place = place * PLACE_N
        if not (delivered >> place) & 1:
            o.places[at_place + BAG_OPEN] = b.mail[place]
        if s.bag[place] > 0:
            o.places[at_place + BAG_HERE] = 1
            if (s.bag_seen[place] >> seat) & 1:
                label = s.bag[place] - 1
                o.places[at_place + BAG_KNOWN] = b.mail[label]
                if o.places[label * PLACE_N] > 0:
                    o.places[at_place + BAG_TO_OWN] = b.mail[label]
                if o.places[at_place] > 0:
                    o.places[label * PLACE_N + BAG_FROM_OWN] = b.mail[label]


@kernel
def see_bags_of(s: Position, b: Board, o: Observation, seat: int, i: int) -> None:
    """The bags of the i-th seat after this one."""
    p = (seat + i) % s.players
    n = carried_by(s, p)
    o.seats[i * SEAT_N + BAGS_CARRIED] = n
    o.seats[i * SEAT_N + BAGS_DELIVERED] = popcount(s.delivered[p])
    points = mail_points(b, s.delivered[p]) + b.stamps[s.players * SEATS + p]
    o.seats[i * SEAT_N + BAG_POINTS] = min(points, 127)
    for slot in range(p * CARRIED, p * CARRIED + n):
        origin = (s.carried_from[slot] - 1) * PLACE_N
        if i > 0:
            o.places[origin + OTHERS_CAME] += 1
        if (s.carried_seen[slot] >> seat) & 1:
            label = s.carried[slot] - 1
            if i > 0:
                o.places[label * PLACE_N + OTHERS_GO] = 1
            else:
                o.places[label * PLACE_N + BAG_GOES] = b.mail[label]
                o.places[origin + BAG_CAME] = b.mail[label]
