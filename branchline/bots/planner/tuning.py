"""The numbers the planner plays by: one set for all maps, in 64ths of a point where nothing else is said.

What a mechanic brings of its own stands in its tuning.py; numbers.py puts them together. choices.py tells what the
planner does with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.bots.kernel import kernel

if TYPE_CHECKING:  # a plan has room for these numbers, so it is made later
    from branchline.bots.blocks.plan import Plan

NUMBERS: list[int] = []  # the usual value of each


def number(usual: int) -> int:
    """One number more, by its usual value; the place it has in a set."""
    NUMBERS.append(usual)
    return len(NUMBERS) - 1


@kernel
def tuned(plan: Plan, i: int) -> int:
    """One of the numbers by which the seat plays."""
    return plan.tuning[plan.tuning_at + i]


# What a track costs: the turn, cards lacking and held, trains, and what makes it dear or dangerous.
P_CLAIM = number(168)
P_CARD = number(93)
P_GRAY = number(83)  # a card lacking for a gray track
P_HELD = number(29)
P_LOCO = number(62)  # a locomotive of the hand that must stand in
P_FERRY = number(102)  # a locomotive lacking for a ferry
P_TUNNEL = number(52)
P_TRAIN = number(-5)
P_POINT = number(23)  # what a point gained takes off
P_DANGER = number(10)  # for each end where others have been
P_NEAR = number(13)  # rebate where it touches the own network
P_FLOOR = number(22)
P_STATION = number(805)
P_LOAN = number(27)
P_TERRAIN = number(58)  # a terrain card lacking for doubling
P_DROP = number(111)  # what a ticket point is worth when its chain is weighed

# How many turns are left (16ths of a turn).
P_END_BASE = number(20)
P_END_TRAIN = number(11)
P_END_HAND = number(9)
P_CARDS_A_TURN = number(25)  # 16ths of a card that fits, drawn in one turn
P_SLACK = number(1)  # turns by which a plan may be longer than the time left (16ths)

# The value of a plan when tickets are chosen.
P_KEEP_POINT = number(95)
P_KEEP_MISS = number(72)
P_KEEP_SPARE = number(3)  # trains that should be left
P_KEEP_TIGHT = number(59)
P_KEEP_TIME = number(5)  # turns that should be left
P_KEEP_LATE = number(43)
P_KEEP_EACH = number(-13)  # for every ticket more

# Tracks for points beside the tickets.
P_EXTRA_MOST = number(4)
P_EXTRA_MIN = number(35)
P_EXTRA_POINT = number(33)
P_EXTRA_RESERVE = number(-1)
P_EXTRA_NEAR = number(15)

# Drawing tickets.
P_TICKETS_GATE = number(256)
P_TICKETS_PLAN = number(36)  # for each turn the plan still takes
P_TICKETS_TIME = number(9)  # turns that must be left
P_TICKETS_BAD = number(339)
P_TICKETS_POINT = number(35)
P_TICKETS_MORE = number(28)  # of the second best of those drawn (64ths)

# What to claim, and when.
P_NOW_GAIN = number(39)
P_NOW_WORTH = number(18)
P_NOW_REGRET = number(50)  # by the 64ths of danger
P_NOW_TICKET = number(322)
P_NOW_EXTRA = number(101)
P_NOW_DRAW = number(42)  # against what the display offers (64ths)
P_RISK_BASE = number(5)
P_RISK_END = number(12)
P_RISK_SHORT = number(6)

# What is lost with cards played.
P_LOSS_CARD = number(12)
P_LOSS_NEEDED = number(37)
P_LOSS_LOCO = number(54)

# What cards are worth.
P_WISH_TRACK = number(2)
P_WISH_GAIN = number(7)
P_WISH_WORTH = number(5)
P_WISH_GRAY = number(37)  # 64ths
P_WISH_LOCO = number(30)  # 64ths
P_WISH_EXTRA = number(32)  # 64ths
P_WISH_BASE = number(10)
P_WISH_DECK = number(100)  # 64ths
P_WISH_TWO = number(58)  # 64ths
P_WISH_TERRAIN = number(367)
P_WISH_RISK = number(18)  # 64ths for an end where others have been
P_TUNNEL_RESERVE = number(0)
P_STATION_TURNS = number(7)
P_PASS_LENGTH = number(0)  # rebate for a track's length, for the longest path
P_DOUBLE_CARD = number(185)
P_DOUBLE_LOCO = number(278)
P_HURRY = number(3)
P_ORDERS = number(1)  # orders of the tickets that are tried: 0 by points, 1 cheapest first too, 2 each first in turn
P_LAST_TURNS = number(2)  # before which every claim gains P_HURRY a turn
P_DENY = number(-9)  # what it is worth to take a track that others need
P_NOW_DENY = number(-2)
P_RISK_WANTED = number(13)  # others want the track, as it seems
P_RISK_PLAYERS = number(20)  # 64ths for every rival beyond the first
P_EXTRA_PLAN = number(1)  # 16ths of a train kept for each planned claim: a way round may be longer
P_NOW_EXTRA_PLAN = number(3)  # for each turn that the tickets still take
P_REGRET = number(8)  # how many planned tracks are tried out as lost, at most
P_FLOW = number(10)  # 16ths of a turn until one more card of one colour comes by
P_WAIT = number(44)  # a turn of waiting for a colour with nothing else to draw
P_SHOWN = number(67)  # a card lacking that lies in the display
P_EXTRA_DRAFT = number(0)  # trains kept while a draft of tickets is to come
P_TICKETS_NOW = number(7)  # how much tickets go before claims
P_NOW_HAND = number(10)  # for each card in hand beyond those a player usually holds
P_EXTRA_ODD = number(105)  # where the longest path can go on, if that counts
P_ODD = number(7)  # the same for a track on a ticket's way
