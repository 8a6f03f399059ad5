"""Cheapest paths, dead ends and loans: the one place that knows them, and whom all others ask.

    search.py   the cheapest way through any net of places, for people: no more is known there than the net itself
    chains.py   the same for the compiled bots, over a board and sets of tracks, in kernel Python
    ring.py     the same in little room, for networks that look at thousands of games at once
    advice.py   a reader's board as a net: what each ticket still takes, what a claim or one more loan would help

No mechanic is named here: what could be lent, and where, is asked at hooks (kernel/hooks.py).
"""
