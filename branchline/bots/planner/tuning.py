"""The numbers the planner plays by: one set for all maps, in 64ths of a point where nothing else is said.

A series may seat two planners with different numbers (`Plan.tuning` holds two sets), so that a challenger can play
the champion; bench/tune.py does. choices.py tells what the planner does with them.
"""

from __future__ import annotations

from branchline.bots.blocks.plan import TUNING, Plan
from branchline.bots.kernel import kernel

# What a track costs: the turn, cards lacking and held, trains, and what makes it dear or dangerous.
P_CLAIM = 0
P_CARD = 1
P_GRAY = 2  # a card lacking for a gray track
P_HELD = 3
P_LOCO = 4  # a locomotive of the hand that must stand in
P_FERRY = 5  # a locomotive lacking for a ferry
P_TUNNEL = 6
P_TRAIN = 7
P_POINT = 8  # what a point gained takes off
P_DANGER = 9  # for each end where others have been
P_NEAR = 10  # rebate where it touches the own network
P_FLOOR = 11
P_STATION = 12
P_LOAN = 13
P_TERRAIN = 14  # a terrain card lacking for doubling
P_DROP = 15  # what a ticket point is worth when its chain is weighed

# How many turns are left (16ths of a turn).
P_END_BASE = 16
P_END_TRAIN = 17
P_END_HAND = 18
P_CARDS_A_TURN = 19  # 16ths of a card that fits, drawn in one turn
P_SLACK = 20  # turns by which a plan may be longer than the time left (16ths)

# The value of a plan when tickets are chosen.
P_KEEP_POINT = 21
P_KEEP_MISS = 22
P_KEEP_SPARE = 23  # trains that should be left
P_KEEP_TIGHT = 24
P_KEEP_TIME = 25  # turns that should be left
P_KEEP_LATE = 26
P_KEEP_EACH = 27  # for every ticket more

# Tracks for points beside the tickets.
P_EXTRA_MOST = 28
P_EXTRA_MIN = 29
P_EXTRA_POINT = 30
P_EXTRA_RESERVE = 31
P_EXTRA_NEAR = 32

# Drawing tickets.
P_TICKETS_GATE = 33
P_TICKETS_PLAN = 34  # for each turn the plan still takes
P_TICKETS_TIME = 35  # turns that must be left
P_TICKETS_BAD = 36
P_TICKETS_POINT = 37
P_TICKETS_MORE = 38  # of the second best of those drawn (64ths)

# What to claim, and when.
P_NOW_GAIN = 39
P_NOW_WORTH = 40
P_NOW_REGRET = 41  # by the 64ths of danger
P_NOW_TICKET = 42
P_NOW_EXTRA = 43
P_NOW_DRAW = 44  # against what the display offers (64ths)
P_RISK_BASE = 45
P_RISK_END = 46
P_RISK_SHORT = 47

# What is lost with cards played.
P_LOSS_CARD = 48
P_LOSS_NEEDED = 49
P_LOSS_LOCO = 50

# What cards are worth.
P_WISH_TRACK = 51
P_WISH_GAIN = 52
P_WISH_WORTH = 53
P_WISH_GRAY = 54  # 64ths
P_WISH_LOCO = 55  # 64ths
P_WISH_EXTRA = 56  # 64ths
P_WISH_BASE = 57
P_WISH_DECK = 58  # 64ths
P_WISH_TWO = 59  # 64ths
P_WISH_TERRAIN = 60
P_WISH_RISK = 61  # 64ths for an end where others have been
P_TUNNEL_RESERVE = 62
P_STATION_TURNS = 63
P_PASS_LENGTH = 64  # rebate for a track's length, for the longest path
P_DOUBLE_CARD = 65
P_DOUBLE_LOCO = 66
P_HURRY = 67
P_ORDERS = 68  # how many orders of the tickets are tried: 0 by points, 1 cheapest first too, 2 each first in turn
P_LAST_TURNS = 69  # before which every claim gains P_HURRY a turn
P_DENY = 70  # what it is worth to take a track that others need
P_NOW_DENY = 71
P_RISK_WANTED = 72  # others want the track, as it seems
P_RISK_PLAYERS = 73  # 64ths for every rival beyond the first
P_EXTRA_PLAN = 74  # 16ths of a train kept for each planned claim: a way round may be longer
P_NOW_EXTRA_PLAN = 75  # for each turn that the tickets still take
P_REGRET = 76  # how many planned tracks are tried out as lost, at most
P_FLOW = 77  # 16ths of a turn until one more card of one colour comes by
P_WAIT = 78  # a turn of waiting for a colour with nothing else to draw
P_SHOWN = 79  # a card lacking that lies in the display
P_EXTRA_DRAFT = 80  # trains kept while a draft of tickets is to come
P_TICKETS_NOW = 81  # how much tickets go before claims
P_NOW_HAND = 82  # for each card in hand beyond those a player usually holds
P_EXTRA_ODD = 83  # where the longest path can go on, if that counts
P_ODD = 84  # the same for a track on a ticket's way

# The mail; with both at 0 the planner ignores it.
P_MAIL_POINT = 85  # what a point of a bag is worth when its chain is weighed
P_MAIL_LOOK = 86  # a bag at the end of a track that it has not looked at yet

# In the order of the names above.
DEFAULTS = (
    168,  # P_CLAIM
    93,  # P_CARD
    83,  # P_GRAY
    29,  # P_HELD
    62,  # P_LOCO
    102,  # P_FERRY
    52,  # P_TUNNEL
    -5,  # P_TRAIN
    23,  # P_POINT
    10,  # P_DANGER
    13,  # P_NEAR
    22,  # P_FLOOR
    805,  # P_STATION
    27,  # P_LOAN
    58,  # P_TERRAIN
    111,  # P_DROP
    20,  # P_END_BASE
    11,  # P_END_TRAIN
    9,  # P_END_HAND
    25,  # P_CARDS_A_TURN
    1,  # P_SLACK
    95,  # P_KEEP_POINT
    72,  # P_KEEP_MISS
    3,  # P_KEEP_SPARE
    59,  # P_KEEP_TIGHT
    5,  # P_KEEP_TIME
    43,  # P_KEEP_LATE
    -13,  # P_KEEP_EACH
    4,  # P_EXTRA_MOST
    35,  # P_EXTRA_MIN
    33,  # P_EXTRA_POINT
    -1,  # P_EXTRA_RESERVE
    15,  # P_EXTRA_NEAR
    256,  # P_TICKETS_GATE
    36,  # P_TICKETS_PLAN
    9,  # P_TICKETS_TIME
    339,  # P_TICKETS_BAD
    35,  # P_TICKETS_POINT
    28,  # P_TICKETS_MORE
    39,  # P_NOW_GAIN
    18,  # P_NOW_WORTH
    50,  # P_NOW_REGRET
    322,  # P_NOW_TICKET
    101,  # P_NOW_EXTRA
    42,  # P_NOW_DRAW
    5,  # P_RISK_BASE
    12,  # P_RISK_END
    6,  # P_RISK_SHORT
    12,  # P_LOSS_CARD
    37,  # P_LOSS_NEEDED
    54,  # P_LOSS_LOCO
    2,  # P_WISH_TRACK
    7,  # P_WISH_GAIN
    5,  # P_WISH_WORTH
    37,  # P_WISH_GRAY
    30,  # P_WISH_LOCO
    32,  # P_WISH_EXTRA
    10,  # P_WISH_BASE
    100,  # P_WISH_DECK
    58,  # P_WISH_TWO
    367,  # P_WISH_TERRAIN
    18,  # P_WISH_RISK
    0,  # P_TUNNEL_RESERVE
    7,  # P_STATION_TURNS
    0,  # P_PASS_LENGTH
    185,  # P_DOUBLE_CARD
    278,  # P_DOUBLE_LOCO
    3,  # P_HURRY
    1,  # P_ORDERS
    2,  # P_LAST_TURNS
    -9,  # P_DENY
    -2,  # P_NOW_DENY
    13,  # P_RISK_WANTED
    20,  # P_RISK_PLAYERS
    1,  # P_EXTRA_PLAN
    3,  # P_NOW_EXTRA_PLAN
    8,  # P_REGRET
    10,  # P_FLOW
    44,  # P_WAIT
    67,  # P_SHOWN
    0,  # P_EXTRA_DRAFT
    7,  # P_TICKETS_NOW
    10,  # P_NOW_HAND
    105,  # P_EXTRA_ODD
    7,  # P_ODD
    58,  # P_MAIL_POINT
    26,  # P_MAIL_LOOK
)
assert len(DEFAULTS) == TUNING

# Other ways to play: what differs from the usual numbers. docs/maps/carpathians.md tells how they fare.
STYLES: dict[str, dict[int, int]] = {
    # It plays as if there were no mail and leaves every bag where it lies.
    "mail-blind": {P_MAIL_POINT: 0, P_MAIL_LOOK: 0},
    # It goes for tickets: keeps and draws more of them, and makes no way for a bag.
    "collector": {P_MAIL_POINT: 40, P_MAIL_LOOK: 12, P_TICKETS_GATE: 200, P_KEEP_EACH: 20},
    # It goes for mail: looks into many cities by short tracks, and seldom draws a ticket.
    "postman": {P_MAIL_POINT: 84, P_MAIL_LOOK: 64, P_TICKETS_GATE: 420, P_KEEP_EACH: -60},
}


def numbers_of(style: str) -> tuple[int, ...]:
    """The numbers of a style, or of the planner itself."""
    changed = {} if style == "planner" else STYLES[style]
    return tuple(changed.get(i, number) for i, number in enumerate(DEFAULTS))


@kernel
def load_tuning(plan: Plan) -> None:
    """Both planners play by the usual numbers, unless somebody has written others."""
    if plan.is_tuned == 0:
        for i in range(TUNING):
            plan.tuning[i] = DEFAULTS[i]
            plan.tuning[TUNING + i] = DEFAULTS[i]
        plan.is_tuned = 1


@kernel
def tuned(plan: Plan, i: int) -> int:
    """One of the numbers by which the seat plays."""
    return plan.tuning[plan.tuning_at + i]
