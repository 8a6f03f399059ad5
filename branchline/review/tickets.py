"""Each ticket that a player held: how its chances went, when it was won or lost, and what keeping it was worth."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from branchline.actions import KeepTickets
from branchline.notation import read_action
from branchline.review.decisions import Decided
from branchline.review.moments import Moment, Played
from branchline.review.open_cards import Open, shown_at
from branchline.review.reasons import is_lost
from branchline.view import View


@dataclass(frozen=True)
class TicketTold:
    """One ticket that a seat was offered."""

    seat: int
    ticket: str
    points: int
    offered: int  # the move in which it was kept or returned
    kept: bool
    completed: bool | None  # None where it was returned
    won_at: int | None  # the move with which its ends were joined
    lost_at: int | None  # the holder's first decision at which it could be completed no more
    worth: float | None  # the best set with it less the best set without it, where both were weighed
    chances: tuple[tuple[int, float], ...]  # by move, with open cards


def tickets_of(played: Played, decided: Sequence[Decided], points: Sequence[Open]) -> tuple[TicketTold, ...]:
    choices = {one.number: one for one in decided}
    found: list[TicketTold] = []
    for moment in played.moments:
        if isinstance(moment.action, KeepTickets):
            for ticket in moment.view.offered_tickets:
                found.append(_told(played, moment, moment.action, ticket, choices.get(moment.number), points))
    return tuple(found)


def _told(
    played: Played,
    moment: Moment,
    action: KeepTickets,
    ticket: str,
    decided: Decided | None,
    points: Sequence[Open],
) -> TicketTold:
    value = {one.id: one.points for one in played.record.map.tickets}[ticket]
    worth = worth_of(ticket, decided, played)
    if ticket not in action.tickets:
        return TicketTold(moment.seat, ticket, value, moment.number, False, None, None, None, worth, ())
    sheet = {one.ticket: one.completed for one in played.end.scores()[moment.seat].tickets}
    own = [m for m in played.moments[moment.number :] if m.seat == moment.seat]
    won = next((m.number for m in own if ticket in _completed_after(m)), None)
    lost = None if sheet[ticket] else _lost_at([m for m in own if m.view.phase == "turn"], ticket)
    chances = tuple(one for one in shown_at(points, ticket) if one[0] >= moment.number)
    return TicketTold(moment.seat, ticket, value, moment.number, True, sheet[ticket], won, lost, worth, chances)


def _lost_at(turns: Sequence[Moment], ticket: str) -> int | None:
    """The first of these at which a ticket is lost: it stays so, for tracks and trains only become fewer."""
    at = bisect_left(turns, True, key=lambda moment: is_lost(moment.view, ticket))
    return turns[at].number if at < len(turns) else None


def _completed_after(moment: Moment) -> tuple[str, ...]:
    return View.of(moment.view.map, moment.after, moment.seat).completed_tickets(moment.seat)


def worth_of(ticket: str, decided: Decided | None, played: Played) -> float | None:
    """By how much the best of the weighed sets with a ticket beats the best without it."""
    if decided is None:
        return None
    sides: dict[bool, float] = {}
    for option in decided.options:
        action = read_action(option.line, played.record.map)
        if isinstance(action, KeepTickets):
            has = ticket in action.tickets
            sides[has] = max(sides.get(has, 0.0), option.win)
    return sides[True] - sides[False] if len(sides) == 2 else None
