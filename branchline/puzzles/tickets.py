"""Tickets weighed against each other, by what they take of the seat's trains: for the reasons of puzzles."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from branchline.graph.advice import Network
from branchline.puzzles.model import Reason
from branchline.view import View


def open_tickets(view: View) -> list[str]:
    assert view.reader is not None
    done = view.completed_tickets(view.reader)
    return [ticket for ticket in view.me.tickets if ticket not in done]


def rather(view: View, ticket: str, than: str, kept: Collection[str], others: Collection[str]) -> Reason | None:
    """Why one of two tickets is the better one."""
    takes, more = extra(view, ticket, kept), extra(view, than, others)
    if takes is None:
        return None
    if more is None:
        return Reason("TicketLost", {"ticket": than})
    if takes < more:
        return Reason("KeepInstead", {"ticket": ticket, "other": than, "trains": takes, "more": more})
    points = {one.id: one.points for one in view.map.tickets}
    return (
        Reason("KeepDearer", {"ticket": ticket, "other": than, "trains": takes})
        if points[ticket] > points[than]
        else None
    )


def extra(view: View, ticket: str, kept: Collection[str]) -> int | None:
    """The trains that a ticket takes beside those held and kept; None if they do not suffice."""
    beside = [*open_tickets(view), *(one for one in kept if one != ticket)]
    without, with_it = trains_of(view, beside), trains_of(view, [*beside, ticket])
    if without is None or with_it is None or with_it > view.me.trains:
        return None
    return max(0, with_it - without)


def trains_of(view: View, tickets: Iterable[str]) -> int | None:
    path = Network(view).together(tickets)
    return None if path is None else path.trains
