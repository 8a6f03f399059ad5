"""The numbers by which the planner plays the mail, and styles that differ in them."""

from __future__ import annotations

from branchline.bots.planner.tuning import P_KEEP_EACH, P_TICKETS_GATE, number

# With both at 0 the planner ignores the mail.
P_MAIL_POINT = number(58)  # what a point of a bag is worth when its chain is weighed
P_MAIL_LOOK = number(26)  # a bag at the end of a track that it has not looked at yet

# docs/maps/carpathians.md tells how they fare.
STYLES = {
    # It plays as if there were no mail and leaves every bag where it lies.
    "mail-blind": {P_MAIL_POINT: 0, P_MAIL_LOOK: 0},
    # It goes for tickets: keeps and draws more of them, and makes no way for a bag.
    "collector": {P_MAIL_POINT: 40, P_MAIL_LOOK: 12, P_TICKETS_GATE: 200, P_KEEP_EACH: 20},
    # It goes for mail: looks into many cities by short tracks, and seldom draws a ticket.
    "postman": {P_MAIL_POINT: 84, P_MAIL_LOOK: 64, P_TICKETS_GATE: 420, P_KEEP_EACH: -60},
}
