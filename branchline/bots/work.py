"""The work space of the path bot; nothing in it lasts from one decision to the next."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel.flat import I8, I16, I32, I64, Flat
from branchline.kernel.state import CARDS, TERRAINS, TRACK_WORDS
from branchline.maps.model import MAX_PLACES, MAX_TICKETS, MAX_TRACKS

PRICES = 512  # no chain of tracks is followed beyond this price


class PathWork(Flat):
    """What the path bot computes with."""

    at_price: Annotated[list[int], I64, PRICES]  # places waiting in a search, by the price of reaching them
    usable: Annotated[list[int], I64, TRACK_WORDS]  # tracks a chain may run over
    free: Annotated[list[int], I64, TRACK_WORDS]  # tracks the seat may still claim
    lent: Annotated[list[int], I64, TRACK_WORDS]  # tracks of others that a station could lend
    plan: Annotated[list[int], I64, TRACK_WORDS]  # tracks to claim
    loan: Annotated[list[int], I64, TRACK_WORDS]  # tracks to borrow
    worth: Annotated[list[int], I32, MAX_TRACKS]  # the ticket points that hang on a planned track
    wish: Annotated[list[int], I32, CARDS]  # what one more card of a colour is worth
    terrain_wish: Annotated[list[int], I32, TERRAINS]
    price: Annotated[list[int], I16, MAX_TRACKS]
    reach: Annotated[list[int], I16, MAX_PLACES]  # the price at which a place is reached
    back: Annotated[list[int], I16, MAX_PLACES]  # the same from the other end of a ticket
    need: Annotated[list[int], I16, CARDS]  # cards the planned tracks take, by colour
    spaces: Annotated[int, I16]  # trains the plan takes
    turns: Annotated[int, I16]  # turns the plan takes, those of drawing not counted
    chain_turns: Annotated[int, I16]  # what the chain found last would add to that
    loans_left: Annotated[int, I16]
    goal: Annotated[int, I8]  # the place where the chain found last ends
    via: Annotated[list[int], I8, MAX_PLACES]  # the track by which a place is reached
    order: Annotated[list[int], I8, MAX_TICKETS]
