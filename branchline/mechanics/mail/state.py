"""The numbers of the mail; what a position, a board and the work space know of it."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I16, I64
from branchline.kernel.numbers import choice, event, fault, imagined, phase, stream, tie
from branchline.maps.core import MAX_PLACES
from branchline.mechanics.mail.map import MAX_CARRIED

IN_PLAY = "b.mail_carry > 0"

CARRIED = MAX_CARRIED  # room for the bags of a seat

MAIL = phase("mail")  # which bag is taken along
LEAVE_BAGS = choice("leave bags")
TAKE_BAG = choice("take bag", 2)  # + end of the track
SWAP_BAG = choice("swap bag", 2 * CARRIED)  # + CARRIED * end + which of those carried is laid down
E_BAG_SEEN, E_BAG_TAKEN, E_BAG_LAID = event("bag seen"), event("bag taken"), event("bag laid")
E_BAGS_LEFT, E_DELIVERED = event("bags left"), event("delivered")
MAIL_STREAM = stream("mail")
IMAGINED_MAIL = imagined("mail")
TIE_MAIL = tie("mail")
MAIL_WRONG = fault("mail")


class Position(state.Position, part=True):
    delivered: Annotated[list[int], I64, state.SEATS]  # labels a seat has delivered, as bits of places
    bag: Annotated[list[int], I8, MAX_PLACES]  # 1 + label of the bag that lies at a place, or 0
    bag_seen: Annotated[list[int], I8, MAX_PLACES]  # bits of the seats that have looked at it
    carried: Annotated[list[int], I8, state.SEATS * CARRIED]  # 1 + label, in the order of taking, or 0
    carried_from: Annotated[list[int], I8, state.SEATS * CARRIED]  # 1 + the place where it was taken
    carried_seen: Annotated[list[int], I8, state.SEATS * CARRIED]


class Board(state.Board, part=True):
    mail: Annotated[list[int], I8, MAX_PLACES]  # the value of the bag addressed to a place, or 0
    mail_carry: Annotated[int, I8]  # bags a seat may carry
    stamps: Annotated[list[int], I8, (state.SEATS + 1) * state.SEATS]  # by number of players and seat
    mail_rig_n: Annotated[int, I8]
    mail_rig: Annotated[list[int], I8, MAX_PLACES]


class Work(state.Work, part=True):
    joined: Annotated[list[int], I64, state.SEATS * CARRIED]  # the places joined to where a carried bag was taken
    mail_score: Annotated[list[int], I16, state.SEATS]
    delivered_n: Annotated[list[int], I8, state.SEATS]
    hidden_bag: Annotated[list[int], I8, MAX_PLACES]  # hidden bags: a slot of `carried`, or SEATS * CARRIED + place
    before_bag: Annotated[list[int], I8, MAX_PLACES]  # 1 + the hidden bag from which a search came to this one
    bag_queue: Annotated[list[int], I8, MAX_PLACES]
