"""Drafts in a map file: first tickets by draft, and where in the deck the second one waits (IBE-03 .. IBE-10)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from branchline.maps import core
from branchline.maps.core import MAX_OFFER, MAX_PLAYERS, FirstTickets
from branchline.maps.parts import Found, Keys, MapPart, Row, too_few_tickets
from branchline.maps.shapes import MIN_PLAYERS, Field, Ratio, Record, Table, Whole

SECOND_DEPTH = {"2": "1/2", "3": "2/3", "4": "3/4", "5": "3/4"}  # IBE-03


@dataclass(frozen=True, slots=True)
class TicketDraft(FirstTickets):
    """First tickets by draft, and a second draft when its card comes up (IBE-03 .. IBE-10)."""

    cards: int
    keep_exactly: int
    second_depth: tuple[tuple[int, Fraction], ...]  # (number of players, depth), ascending
    second_jitter: int


SECOND_DRAFT = Record(
    {
        "depth": Field(
            Table(MIN_PLAYERS, MAX_PLAYERS, Ratio()),
            "By number of players: how deep in the deck the second-draft card lies (IBE-03).",
            SECOND_DEPTH,
        ),
        "jitter": Field(Whole(0, 20), "The depth is moved by up to so many cards either way (IBE-03).", 5),
    }
)

DRAFT = Record(
    {
        "cards": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Tickets in each player's pack (IBE-04).", 6),
        "keep_exactly": Field(Whole(1, MAX_OFFER, "MAX_OFFER"), "Tickets each player keeps (IBE-05).", 4),
        "second": Field(SECOND_DRAFT, "The second draft, when its card comes up (IBE-08).", {}),
    }
)


class Drafts(MapPart[core.MapData]):
    first_tickets: ClassVar[Keys] = {
        "draft": Field(DRAFT, "Tickets are drafted, and once more later (IBE-03 to IBE-10).", None)
    }

    def is_used(self, data: core.MapData) -> bool:
        return isinstance(data.first_tickets, TicketDraft)

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["first_tickets"]["draft"]
        return {"first_tickets": _draft(rule, tidy["players"])} if rule else {}

    def faults(self, data: core.MapData) -> Found:
        if isinstance(data.first_tickets, TicketDraft):
            yield from _wrong_draft(data, data.first_tickets)

    def cards_mixed_in(self, data: core.MapData) -> tuple[int, str]:
        return int(self.is_used(data)), "the second-draft card"

    def facts(self, data: core.MapData) -> Row:
        first = data.first_tickets
        if not isinstance(first, TicketDraft):
            return {}
        depth = [[players, str(part)] for players, part in first.second_depth]
        return {"first_tickets": ["draft", first.cards, first.keep_exactly, depth, first.second_jitter]}


def _draft(rule: Row, players: Row) -> TicketDraft:
    depth = sorted(rule["second"]["depth"].items())
    return TicketDraft(
        cards=rule["cards"],
        keep_exactly=rule["keep_exactly"],
        second_depth=tuple((n, Fraction(d)) for n, d in depth if players["min"] <= n <= players["max"]),
        second_jitter=rule["second"]["jitter"],
    )


def _wrong_draft(data: core.MapData, draft: TicketDraft) -> Found:
    path = "rules.first_tickets.draft"
    long = sum(ticket.long for ticket in data.tickets)
    if draft.keep_exactly > draft.cards:
        yield f"{path}.keep_exactly", f"{draft.keep_exactly} of {draft.cards} tickets"
    yield from too_few_tickets(f"{path}.cards", "", draft.cards, len(data.tickets), data)
    if long:
        yield path, f"{long} long tickets: a draft has none"
    deep = {players for players, _ in draft.second_depth}
    for players in range(data.min_players, data.max_players + 1):
        if players not in deep:
            yield f"{path}.second.depth", f"no depth for {players} players"


PART = Drafts()
