"""What a network is told of the mail, and the words it has for the choices of CAR-05 and CAR-07."""

from __future__ import annotations

from branchline.mechanics.mail.state import CARRIED, LEAVE_BAGS, SWAP_BAG, TAKE_BAG
from branchline.training.facts import fact, plain_choice, swapping_choices, taking_choices

# Of a place.
BAG_HERE = fact("places", "bag here", 1)
BAG_KNOWN = fact("places", "points of the bag here", 0.15)  # the next three only of bags the seat has looked at
BAG_TO_OWN = fact("places", "points of the bag here to own places", 0.15)
BAG_FROM_OWN = fact("places", "points of a bag at own places", 0.15)
BAG_OPEN = fact("places", "points of the bag not delivered", 0.15)
BAG_GOES = fact("places", "points of a bag carried here", 0.15)
BAG_CAME = fact("places", "points of a bag carried from here", 0.15)
OTHERS_GO = fact("places", "others carry a bag here", 1)
OTHERS_CAME = fact("places", "others carry a bag from here", 0.5)
# Of a seat.
BAGS_CARRIED = fact("seats", "bags carried", 0.3)
BAGS_DELIVERED = fact("seats", "bags delivered", 0.2)
BAG_POINTS = fact("seats", "points of bags and stamps", 0.05)
# Of the table.
MAIL_IN_PLAY = fact("table", "mail in play", 1)
MAIL_ROOM = fact("table", "bags to be carried", 0.3)

plain_choice("leave bags", LEAVE_BAGS)
taking_choices(TAKE_BAG, 2)
swapping_choices(SWAP_BAG, 2, CARRIED)
